package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The bundled job and the same job on Flink alone, on one input: the fault meets both. */
final class TwoJobs implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String WINDOW = "count per station";

  final Stream stream;
  final Gauges ours;
  final Gauges plain;

  private TwoJobs(FlinkCluster flink, Stream stream, JobRef ours, JobRef plain) {
    this.stream = stream;
    this.ours = new Gauges(flink, ours);
    this.plain = new Gauges(flink, plain);
  }

  /** Starts both with an out-of-orderness of 2 s and more options each. */
  static TwoJobs start(
      Lab lab,
      Stream stream,
      int parallelism,
      Map<String, String> ourOptions,
      Map<String, String> plainOptions) {
    Map<String, String> policy = new TreeMap<>(Stream.bounded("2s"));
    policy.putAll(ourOptions);
    Map<String, String> constant = new TreeMap<>(Map.of("plain.max-out-of-orderness", "2s"));
    constant.putAll(plainOptions);
    JobRef ours = lab.flink.submit(stream.job(policy, parallelism), null);
    JobRef plain = lab.flink.submit(stream.plainJob(constant, parallelism), null);
    ours.awaitRunning();
    plain.awaitRunning();
    return new TwoJobs(lab.flink, stream, ours, plain);
  }

  List<String> plainResults() {
    return stream.committedResults(stream.plainResults());
  }

  void awaitOurs(String... results) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(stream.committedResults()).containsExactlyInAnyOrder(results));
  }

  void awaitPlain(String... results) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(plainResults()).containsExactlyInAnyOrder(results));
  }

  /** Waits until the job on plain Flink has read what was sent; then it had its chance. */
  void awaitPlainRead(long records) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(plain.total("Source: trips", "numRecordsOut"))
                    .isEqualTo((double) records));
    JobRef job = plain.job();
    long checkpoints = job.completedCheckpoints();
    await().atMost(PATIENCE).until(() -> job.completedCheckpoints() > checkpoints + 2);
  }

  /** Records that the window of the job on plain Flink has dropped. */
  double plainDropped() {
    return plain.total(WINDOW, "numLateRecordsDropped");
  }

  /** The watermark that the window of a job has seen. */
  static double windowWatermark(Gauges job) {
    return job.subtasks(WINDOW, "currentInputWatermark").values().stream()
        .mapToDouble(Double::doubleValue)
        .min()
        .orElse(Double.NaN);
  }

  @Override
  public void close() {
    ours.job().cancel();
    plain.job().cancel();
  }
}
