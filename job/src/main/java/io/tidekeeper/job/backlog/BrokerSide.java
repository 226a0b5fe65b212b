package io.tidekeeper.job.backlog;

import java.util.Collection;
import java.util.Map;

/** What the system that a source reads from says of its splits. For one thread. */
public interface BrokerSide extends AutoCloseable {

  /**
   * The offsets of splits.
   *
   * @return without those splits of which nothing could be learned
   * @throws Exception when nothing could be learned of any split; the message says why
   */
  Map<String, Offsets> offsets(Collection<SplitPosition> positions) throws Exception;

  /**
   * Looks for the first record in each stretch that the source would be given: neither a mark of a
   * transaction nor a record of one that was aborted. It gives up after a while, and may be asked
   * to go on from where it came to.
   *
   * @param stretches by split id
   * @return what it came to, for each stretch
   * @throws Exception when it could not look; the message says why
   */
  Map<String, Searched> search(Map<String, Stretch> stretches) throws Exception;

  @Override
  void close();

  /**
   * A stretch of a split's offsets.
   *
   * @param from the first offset
   * @param to the offset behind the last one, above {@code from}
   */
  record Stretch(long from, long to) {}
}
