package io.tidekeeper.job.pipeline;

import java.util.Objects;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/** Counts records and sums passengers of a window. */
public final class StationCounts {

  private StationCounts() {}

  /** (records, passengers) so far. */
  public static final class Sum
      implements AggregateFunction<SubwayRecord, Tuple2<Long, Long>, Tuple2<Long, Long>> {

    private static final long serialVersionUID = 1L;

    @Override
    public Tuple2<Long, Long> createAccumulator() {
      return Tuple2.of(0L, 0L);
    }

    @Override
    public Tuple2<Long, Long> add(SubwayRecord record, Tuple2<Long, Long> sum) {
      return Tuple2.of(sum.f0 + 1, sum.f1 + record.passengers);
    }

    @Override
    public Tuple2<Long, Long> getResult(Tuple2<Long, Long> sum) {
      return sum;
    }

    @Override
    public Tuple2<Long, Long> merge(Tuple2<Long, Long> a, Tuple2<Long, Long> b) {
      return Tuple2.of(a.f0 + b.f0, a.f1 + b.f1);
    }
  }

  /** Puts the window's name on its sum. */
  public static class Name
      extends ProcessWindowFunction<Tuple2<Long, Long>, StationCount, String, TimeWindow> {

    private static final long serialVersionUID = 1L;

    @Override
    public void process(
        String station,
        Context context,
        Iterable<Tuple2<Long, Long>> sums,
        Collector<StationCount> out) {
      for (Tuple2<Long, Long> sum : sums) {
        StationCount result = new StationCount();
        result.station = station;
        result.windowStart = context.window().getStart();
        result.windowEnd = context.window().getEnd();
        result.count = sum.f0;
        result.passengers = sum.f1;
        out.collect(result);
      }
    }
  }

  /** The same, and exports how late windows fire. */
  static final class NameAndDelay extends Name {

    private static final long serialVersionUID = 1L;

    private transient @Nullable FiringDelay delay;

    @Override
    public void open(OpenContext openContext) {
      delay = new FiringDelay(getRuntimeContext().getMetricGroup(), System::currentTimeMillis);
    }

    @Override
    public void process(
        String station,
        Context context,
        Iterable<Tuple2<Long, Long>> sums,
        Collector<StationCount> out) {
      Objects.requireNonNull(delay, "not open").fired(context.window().getEnd());
      super.process(station, context, sums, out);
    }
  }
}
