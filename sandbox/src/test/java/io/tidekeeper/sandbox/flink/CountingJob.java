package io.tidekeeper.sandbox.flink;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.jspecify.annotations.Nullable;

/** Counts numbers under one key, slowly and for ever; complains when told to. */
public final class CountingJob {
  private CountingJob() {}

  /**
   * Executes the job.
   *
   * @param args {@code complain}: throw, with the options seen; {@code where}: throw, with the
   *     place of this class; {@code break}: fail at run time
   */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    if (args.length > 0 && args[0].equals("complain")) {
      var options = env.getConfiguration().toMap();
      throw new IllegalArgumentException(
          "colour is %s, checkpoints go to %s"
              .formatted(
                  options.get("example.colour"), options.get("execution.checkpointing.dir")));
    }
    if (args.length > 0 && args[0].equals("where")) {
      throw new IllegalArgumentException(
          "here: " + CountingJob.class.getProtectionDomain().getCodeSource().getLocation());
    }
    boolean broken = args.length > 0 && args[0].equals("break");
    env.fromSource(
            new NumberSequenceSource(0, Long.MAX_VALUE - 1),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .uid("numbers")
        .map(CountingJob::slowly)
        .uid("slowly")
        .keyBy(number -> 0)
        .map(new Counter(broken))
        .uid("counter")
        .name("counter")
        .sinkTo(new DiscardingSink<>())
        .uid("nowhere");
    env.execute("counting");
  }

  private static Long slowly(Long number) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(1);
    return number;
  }

  private static final class Counter extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;
    private final boolean broken;
    private transient @Nullable ValueState<Long> count;
    private transient long latest;

    Counter(boolean broken) {
      this.broken = broken;
    }

    @Override
    public void open(OpenContext context) {
      count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Long.class));
      getRuntimeContext().getMetricGroup().gauge("counted", (Gauge<Long>) () -> latest);
    }

    @Override
    public Long map(Long number) throws Exception {
      if (broken) {
        throw new IllegalStateException("broken on purpose at " + number);
      }
      ValueState<Long> state = requireNonNull(count);
      Long before = state.value();
      latest = before == null ? 1 : before + 1;
      state.update(latest);
      return latest;
    }
  }
}
