package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidekeeper.job.pipeline.TidekeeperJob;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job jar as it ships, in the processes and the class loader it meets in production. */
class StockFlinkIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @Test
  void theJobJarRunsOnAStockDistributionThroughSavepointAndRestore(@TempDir Path dir)
      throws IOException {
    Path distribution = distribution();
    Path jobJar = jobJar();
    try (KafkaBroker broker = KafkaBroker.start(dir.resolve("kafka"));
        Stream stream = new Stream(broker, "stock", 2)) {
      String savepoint;
      try (StockFlink flink =
          StockFlink.start(
              distribution,
              jobJar,
              Files.createDirectories(dir.resolve("first")),
              TidekeeperJob.class.getName(),
              stream.job(Stream.bounded("2s"), 2).configuration(),
              null)) {
        for (int partition = 0; partition < 2; partition++) {
          stream.send(partition, "S1", 1_000);
          stream.send(partition, "S2", 9_000);
          stream.send(partition, "S1", 13_000);
        }
        await()
            .atMost(PATIENCE)
            .failFast(flink::checkAlive)
            .untilAsserted(
                () -> {
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder("S1@0=2", "S2@0=2");
                });
        savepoint = flink.stopWithSavepoint(dir.resolve("savepoints"));
      }

      Map<String, String> schedule = new TreeMap<>();
      schedule.put("tidekeeper.default.watermark.type", "Schedule");
      schedule.put("tidekeeper.default.watermark.schedule.time-zone", "Asia/Shanghai");
      schedule.put("tidekeeper.default.watermark.schedule.default", "5s");
      schedule.put("tidekeeper.default.watermark.schedule.windows", "Mon-Fri 07:00-09:30 30s");
      schedule.put("parallelism.default", "1");
      try (StockFlink flink =
          StockFlink.start(
              distribution,
              jobJar,
              Files.createDirectories(dir.resolve("second")),
              TidekeeperJob.class.getName(),
              stream.job(schedule, 1).configuration(),
              savepoint)) {
        stream.send(0, "S1", 5_000);
        // The first minute of 1970, a Thursday, is shortly after 08:00 in Shanghai: the 30 s are in
        // force.
        for (int partition = 0; partition < 2; partition++) {
          stream.send(partition, "S1", 50_000);
        }
        await()
            .atMost(PATIENCE)
            .failFast(flink::checkAlive)
            .untilAsserted(
                () -> {
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder("S1@0=2", "S2@0=2", "S1@10000=2");
                });
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(stream.committedLate()).hasSize(1));
      }
    }
  }

  private static Path distribution() {
    String home = System.getenv("FLINK_HOME");
    Path distribution =
        home == null
            ? repository().resolve(".cache").resolve("flink-" + flinkVersion())
            : Path.of(home);
    assumeTrue(
        Files.isDirectory(distribution.resolve("lib")),
        "left out: no Flink distribution here; `make dist` fetches it, FLINK_HOME names one");
    return distribution;
  }

  private static String flinkVersion() {
    return Objects.requireNonNull(EnvironmentInformation.getVersion(), "Flink's version");
  }

  private static Path jobJar() throws IOException {
    try (var jars = Files.newDirectoryStream(repository().resolve("job/target"), "*-all.jar")) {
      return jars.iterator().next();
    }
  }

  /** Maven runs the tests of a module in the module's folder. */
  private static Path repository() {
    return Objects.requireNonNull(Path.of("").toAbsolutePath().getParent());
  }
}
