package io.tidekeeper.policy.watermark;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** A recorded stream: event time, arrival time and partition of each record, by arrival. */
final class Trace {

  private static final long START = 1_704_067_200_000L;
  private static final int UNIT = 10;
  private static final long FUTURE_MILLIS = 3_600_000;

  private final long[] eventTimes;
  private final long[] arrivals;
  private final int[] partitions;

  private Trace(int records) {
    eventTimes = new long[records];
    arrivals = new long[records];
    partitions = new int[records];
  }

  /** Reads what src/test/scripts/make_adaptive_traces.py wrote. */
  static Trace read(String name) {
    String resource = "/adaptive/" + name + ".trace.gz";
    try (InputStream packed = Objects.requireNonNull(Trace.class.getResourceAsStream(resource));
        InputStream in = new BufferedInputStream(new GZIPInputStream(packed), 1 << 16)) {
      int count = (int) varint(in);
      Trace trace = new Trace(count);
      long arrival = START / UNIT;
      for (int i = 0; i < count; i++) {
        arrival += varint(in);
        long zigzag = varint(in);
        long delay = (zigzag >>> 1) ^ -(zigzag & 1);
        trace.arrivals[i] = arrival * UNIT;
        trace.eventTimes[i] = (arrival - delay) * UNIT;
        trace.partitions[i] = (int) varint(in);
      }
      return trace;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long varint(InputStream in) throws IOException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.read();
      value |= (next & 0x7FL) << shift;
      if ((next & 0x80) == 0) {
        return value;
      }
    }
  }

  /**
   * What a strategy did to the second half.
   *
   * @param lateShare records below the watermark their source would have emitted before them
   * @param meanLagSeconds the arrival clock minus that watermark, over the records
   */
  record Score(double lateShare, double meanLagSeconds) {}

  /**
   * Replays the trace through a learner. Its watermark stands one millisecond above the one it
   * would emit, as in the study: records below it are late. Records more than an hour ahead of the
   * arrival clock are judged to be from the future and left out.
   *
   * @param merged all records as those of one partition
   */
  Score replay(AdaptiveLearner learner, boolean merged) {
    Map<Integer, LearnedBound> bounds = new HashMap<>();
    int all = 0;
    for (int i = 0; i < eventTimes.length; i++) {
      all += isFuture(i) ? 0 : 1;
    }
    int records = 0;
    long late = 0;
    double lag = 0;
    for (int i = 0; i < eventTimes.length; i++) {
      if (isFuture(i)) {
        continue;
      }
      bounds
          .computeIfAbsent(merged ? 0 : partitions[i], partition -> learner.join())
          .onRecord(eventTimes[i], 0);
      if (records++ >= all / 2) {
        late += eventTimes[i] < learner.watermark() ? 1 : 0;
        lag += (arrivals[i] - learner.watermark()) / 1000.0;
      }
    }
    int scored = records - all / 2;
    return new Score(late / (double) scored, lag / scored);
  }

  private boolean isFuture(int record) {
    return eventTimes[record] > arrivals[record] + FUTURE_MILLIS;
  }
}
