package io.tidekeeper.bench.record;

import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.job.source.PolicySource;
import io.tidekeeper.job.source.SourcePolicy;
import io.tidekeeper.job.watermark.CarriedWatermark;
import io.tidekeeper.job.watermark.EmitCycle;
import io.tidekeeper.job.watermark.PolicyWatermarkStrategy;
import io.tidekeeper.job.watermark.ReferenceTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.streaming.api.operators.source.TimestampsAndWatermarks;
import org.apache.flink.util.clock.SystemClock;

/**
 * The way of a record through a source operator, on Flink's own classes for timestamps and
 * watermarks: the reader polls, the record gets its timestamp, goes out, and meets the generator.
 *
 * <p>One thread.
 */
final class SourcePath implements AutoCloseable {

  private static final Duration EMIT_INTERVAL = Duration.ofMillis(200);

  private final Shift shift;
  private final SourceReader<Reading, ArraySource.Split> reader;
  private final TimestampsAndWatermarks<Reading> eventTime;
  private final ReaderOutput<Reading> output;

  private SourcePath(
      Shift shift,
      SourceReader<Reading, ArraySource.Split> reader,
      TimestampsAndWatermarks<Reading> eventTime,
      ReaderOutput<Reading> output) {
    this.shift = shift;
    this.reader = reader;
    this.eventTime = eventTime;
    this.output = output;
  }

  /**
   * @param splits how many splits the records are spread over, at least 1
   * @param out where records and watermarks end
   */
  static SourcePath of(Contender contender, int splits, Reading[] readings, Sink out)
      throws Exception {
    TaskMetricGroup task = UnregisteredMetricGroups.createUnregisteredTaskMetricGroup();
    InMemoryContext context = new InMemoryContext(task);
    Shift shift = new Shift();
    ArraySource plain = new ArraySource(readings);
    Source<Reading, ArraySource.Split, Void> source;
    WatermarkStrategy<Reading> strategy;
    if (contender == Contender.FLINK) {
      source = plain;
      strategy =
          WatermarkStrategy.<Reading>forBoundedOutOfOrderness(Duration.ofSeconds(5))
              .withTimestampAssigner((reading, none) -> reading.time() + shift.millis);
    } else {
      SourcePolicy policy = SourcePolicy.of("readings", contender.policy());
      source = PolicySource.of(plain, TypeInformation.of(Reading.class), policy, LiveOptions.OFF);
      EmitCycle cycle = new EmitCycle();
      cycle.include(EMIT_INTERVAL);
      strategy =
          new PolicyWatermarkStrategy<>(
              policy,
              reading -> reading.time() + shift.millis,
              reading -> ReferenceTime.WALL_CLOCK,
              reading -> CarriedWatermark.NONE,
              cycle);
    }
    SourceReader<Reading, ArraySource.Split> reader = source.createReader(context);
    TimestampsAndWatermarks<Reading> eventTime =
        TimestampsAndWatermarks.createProgressiveEventTimeLogic(
            strategy,
            context.metricGroup(),
            // Emission is asked for by hand, so that every contender emits as often.
            null,
            EMIT_INTERVAL.toMillis(),
            SystemClock.getInstance(),
            SystemClock.getInstance(),
            task.getIOMetricGroup());
    ReaderOutput<Reading> output = eventTime.createMainOutput(out, out);
    List<ArraySource.Split> all = new ArrayList<>();
    for (int i = 0; i < splits; i++) {
      String id = "readings-" + i;
      all.add(new ArraySource.Split(id));
      // As SourceOperator does: first the output, then the reader.
      output.createOutputForSplit(id);
    }
    reader.addSplits(all);
    return new SourcePath(shift, reader, eventTime, output);
  }

  /** Sends every record once and emits a watermark; event time goes on from round to round. */
  void round() throws Exception {
    for (int i = 0; i < Readings.COUNT; i++) {
      reader.pollNext(output);
    }
    eventTime.emitImmediateWatermark(0);
    shift.millis += Readings.COUNT;
  }

  @Override
  public void close() throws Exception {
    reader.close();
  }

  /** What is added to the records' times in this round. */
  private static final class Shift {
    private long millis;
  }
}
