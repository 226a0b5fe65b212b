package io.tidekeeper.sandbox.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.LocalPorts;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlinkClusterTest {
  private FlinkCluster cluster;

  @BeforeAll
  void start(@TempDir Path dir) {
    cluster = FlinkCluster.in(dir).taskManagers(2, 2).start();
  }

  @AfterEach
  void freeTheSlots() {
    cluster.jobs().forEach(JobRef::cancel);
    assertThat(cluster.jobs()).isEmpty();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void aJobGoesOnFromItsSavepoint() {
    JobRef first = cluster.submit(counting(2), null);
    first.awaitRunning();
    awaitCounted(first, 100);
    String savepoint = first.stopWithSavepoint(false);
    assertThat(first.status()).isEqualTo(JobStatus.FINISHED);
    assertThat(savepoint).startsWith("file:");

    JobRef second = cluster.submit(counting(1), savepoint);
    second.awaitRunning();

    assertThat(second.jobId()).isNotEqualTo(first.jobId());
    assertThat(awaitCounted(second, 1)).isGreaterThan(100);
    assertThat(second.restarts()).isZero();
    second.cancel();
    assertThat(second.status()).isEqualTo(JobStatus.CANCELED);
  }

  @Test
  void aJobOfAChosenIdIsFoundAndSavedWhereTheCallerWants(@TempDir Path dir) {
    JobID id = new JobID();
    assertThat(cluster.find(id)).isEmpty();

    JobRef job = cluster.submit(counting(1), null, id);
    job.awaitRunning();

    assertThat(cluster.find(id)).get().extracting(JobRef::jobId).isEqualTo(id);
    assertThat(job.isRunning()).isTrue();
    assertThat(job.startTime()).isPositive();
    assertThat(job.failure()).isEmpty();
    assertThat(job.latestRestorePoint()).isEmpty();
    String savepoint = job.beginStopWithSavepoint(false, dir.toUri().toString()).join();
    job.awaitStatus(JobStatus.FINISHED);
    assertThat(savepoint).contains(String.valueOf(dir.getFileName()));
    assertThat(cluster.find(id).flatMap(JobRef::latestRestorePoint)).contains(savepoint);

    JobRef next = cluster.submit(counting(1), savepoint);
    next.awaitRunning();
    assertThat(next.latestRestorePoint()).contains(savepoint);
    next.cancel();
  }

  @Test
  void whatMainThrowsReachesTheCaller() {
    JobSpec complaining =
        JobSpec.ofClass(CountingJob.class, Map.of("example.colour", "blue"), 1, "complain");

    assertThatThrownBy(() -> cluster.submit(complaining, null))
        .isInstanceOf(SubmissionException.class)
        .hasMessageStartingWith("colour is blue, checkpoints go to file:/");
  }

  @Test
  void aFailedJobIsDescribedByItsRootException() {
    JobSpec broken =
        JobSpec.ofClass(CountingJob.class, Map.of("restart-strategy.type", "none"), 1, "break");
    JobRef job = cluster.submit(broken, null);

    job.awaitStatus(JobStatus.FAILED);
    assertThatThrownBy(job::awaitRunning)
        .hasMessageContaining("has ended: job FAILED")
        .hasMessageContaining("IllegalStateException: broken on purpose at 0");
  }

  @Test
  void aSavepointThatIsNotThereIsNamed() {
    JobRef job = cluster.submit(counting(1), "file:///nowhere/savepoint-1");

    assertThatThrownBy(job::awaitRunning).hasMessageContaining("/nowhere/savepoint-1");
  }

  @Test
  void metricsComeOverRestAndPrometheus() {
    JobRef job = cluster.submit(counting(2), null);
    job.awaitRunning();

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(job.vertexMetrics("counter.*counted"))
                    .extracting(Metric::subtask)
                    .containsExactlyInAnyOrder(0, 1));
    awaitCounted(job, 10);
    List<Sample> samples =
        cluster.samples().stream()
            .filter(s -> s.name().equals("flink_taskmanager_job_task_operator_counted"))
            .filter(s -> job.jobId().toString().equals(s.labels().get("job_id")))
            .toList();
    assertThat(samples).hasSize(2);
    assertThat(samples)
        .allSatisfy(s -> assertThat(s.labels()).containsEntry("operator_name", "counter"));
    assertThat(samples).anySatisfy(s -> assertThat(s.value()).isGreaterThan(9));
    job.cancel();
  }

  @Test
  void aJobOutlivesItsTaskManager() {
    Map<String, String> restarting =
        Map.of(
            "restart-strategy.type", "fixed-delay", "restart-strategy.fixed-delay.attempts", "9");
    JobRef job = cluster.submit(counting(4).withConfiguration(restarting), null);
    job.awaitRunning();
    String checkpoint = job.triggerCheckpoint();
    assertThat(job.triggerSavepoint()).startsWith("file:");
    assertThat(job.latestCheckpoint()).contains(checkpoint);
    assertThat(job.completedCheckpoints()).isEqualTo(2);

    cluster.killTaskManager(0);
    cluster.startTaskManager();

    await().atMost(Duration.ofMinutes(1)).until(() -> job.restarts() > 0);
    job.awaitRunning();
    job.cancel();
  }

  @Test
  void aJobJarBringsItsOwnClasses(@TempDir Path dir) throws Exception {
    Path jar = jarOf(dir.resolve("counting.jar"), CountingJob.class);
    JobSpec fromJar = new JobSpec(jar, CountingJob.class.getName(), List.of(), Map.of(), 1, false);

    JobRef job = cluster.submit(fromJar, null);
    job.awaitRunning();
    assertThat(awaitCounted(job, 10)).isGreaterThan(10);
    job.cancel();

    JobSpec complaining =
        new JobSpec(jar, CountingJob.class.getName(), List.of("where"), Map.of(), 1, false);
    assertThatThrownBy(() -> cluster.submit(complaining, null))
        .hasMessage("here: " + jar.toUri().toURL());
  }

  @Test
  void aJobJarThatIsNotThereIsNamed(@TempDir Path dir) {
    Path jar = dir.resolve("missing.jar");

    assertThatThrownBy(
            () -> cluster.submit(new JobSpec(jar, "x.Y", List.of(), Map.of(), 1, false), null))
        .hasMessage("there is no job jar at " + jar);
  }

  @Test
  void aPortInUseIsNamed(@TempDir Path dir) throws Exception {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(LocalPorts.loopback(), 0));
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> FlinkCluster.in(dir).restPort(port).start())
          .hasMessageContaining("port %d on 127.0.0.1 is in use: Flink's REST API", port);
      assertThatThrownBy(() -> FlinkCluster.in(dir).prometheusPort(port).start())
          .hasMessageContaining("port %d on 127.0.0.1 is in use: Flink's Prometheus", port);
    }
  }

  /** A jar of a class and the classes inside it. */
  private static Path jarOf(Path jar, Class<?> type) throws Exception {
    Path classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder = classes.resolve(type.getPackageName().replace('.', '/'));
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        DirectoryStream<Path> files =
            Files.newDirectoryStream(folder, type.getSimpleName() + "*.class")) {
      for (Path file : files) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  private static JobSpec counting(int parallelism) {
    return JobSpec.ofClass(CountingJob.class, Map.of(), parallelism);
  }

  /** Waits until the job has counted beyond this, and returns how far it is. */
  private static long awaitCounted(JobRef job, long beyond) {
    return await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> counted(job), counted -> counted > beyond);
  }

  private static long counted(JobRef job) {
    return job.vertexMetrics("counter.*counted").stream()
        .mapToLong(metric -> (long) metric.number())
        .max()
        .orElse(0);
  }
}
