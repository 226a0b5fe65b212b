package io.tidekeeper.job.source;

import io.tidekeeper.job.backlog.BacklogProbe;
import io.tidekeeper.job.backlog.BrokerSide;
import io.tidekeeper.job.backlog.Offsets;
import io.tidekeeper.job.backlog.ReadPositions;
import io.tidekeeper.job.backlog.Searched;
import io.tidekeeper.job.backlog.SplitPosition;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;

/** The broker's side of {@link TestSource}: it says what a test puts in. */
final class TestBroker implements BacklogProbe<NumberSequenceSplit> {

  private static final long serialVersionUID = 1L;

  /** Of each split; of others it says nothing. */
  final transient Map<String, Offsets> offsets = new ConcurrentHashMap<>();

  /** What a search comes to. */
  final transient Map<String, Searched> records = new ConcurrentHashMap<>();

  /** How many connections are open. */
  final transient AtomicInteger connections = new AtomicInteger();

  /** Does not answer. */
  transient volatile boolean away;

  @Override
  public ReadPositions<NumberSequenceSplit> positions() {
    return ReadPositions.none();
  }

  @Override
  public BrokerSide connect() {
    connections.incrementAndGet();
    return new BrokerSide() {
      @Override
      public Map<String, Offsets> offsets(Collection<SplitPosition> positions) throws IOException {
        if (away) {
          throw new IOException("away");
        }
        return Map.copyOf(offsets);
      }

      @Override
      public Map<String, Searched> search(Map<String, Stretch> stretches) throws IOException {
        if (away) {
          throw new IOException("away");
        }
        return Map.copyOf(records);
      }

      @Override
      public void close() {
        connections.decrementAndGet();
      }
    };
  }
}
