package io.tidekeeper.sandbox.job;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job whose subtasks exchange nothing, so each fails and restarts by itself while the others, and
 * the enumerator of their source, go on. Its input are event times, as numbers.
 */
public final class SubtasksApartJob {

  /** The first record with this event time fails its subtask, which then is held at its start. */
  static final long POISON = 666_666;

  private static final int NOBODY = -1;
  private static final AtomicInteger FAILED = new AtomicInteger(NOBODY);
  private static final Semaphore LET_GO = new Semaphore(0);

  private SubtasksApartJob() {}

  /** The job on the input of a stream. */
  static JobSpec of(
      KafkaBroker broker, Stream stream, Map<String, String> options, int parallelism) {
    Map<String, String> all = TestInput.options(broker, stream, options);
    FAILED.set(NOBODY);
    LET_GO.drainPermits();
    return JobSpec.ofClass(SubtasksApartJob.class, all, parallelism);
  }

  /** Whether the subtask that has failed waits at its start: it is deployed and not ready. */
  static boolean holdsOne() {
    return LET_GO.hasQueuedThreads();
  }

  /** The subtask that has failed. */
  static int failedSubtask() {
    return FAILED.get();
  }

  /** Lets it start. */
  static void letGo() {
    LET_GO.release();
  }

  /** Starts the job. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Map<String, String> configuration = env.getConfiguration().toMap();
    KafkaSource<String> kafka = TestInput.source(configuration, TestInput.TOPIC, "apart");
    Tidekeeper tidekeeper = Tidekeeper.from(env);
    tidekeeper
        .source(kafka, "apart")
        .timestamps(Long::parseLong)
        .uid("apart")
        .build()
        .map(new Fragile())
        .sinkTo(new DiscardingSink<>());
    tidekeeper.checkSources();
    env.execute("apart");
  }

  /** Chained behind the source, whose reader registers when all of the chain is open. */
  private static final class Fragile extends RichMapFunction<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(OpenContext context) throws InterruptedException {
      if (FAILED.get() == subtask()) {
        LET_GO.acquire();
      }
    }

    @Override
    public String map(String value) {
      if (Long.parseLong(value) == POISON && FAILED.compareAndSet(NOBODY, subtask())) {
        throw new IllegalStateException("poison");
      }
      return value;
    }

    private int subtask() {
      return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }
  }
}
