package io.tidekeeper.job.source;

import java.util.Set;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The readers of a source as its enumerator reaches them. For the coordinator thread only. */
final class Readers {

  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);

  private final SplitEnumeratorContext<?> context;

  Readers(SplitEnumeratorContext<?> context) {
    this.context = context;
  }

  /** The subtasks that are there now. */
  Set<Integer> registered() {
    return context.registeredReaders().keySet();
  }

  /** How many there are when all are there. */
  int parallelism() {
    return context.currentParallelism();
  }

  /**
   * Sends to one reader.
   *
   * @return false when it cannot take the event. That is no reason to fail the job, as an exception
   *     on this thread would: a reader that is restarting registers anew and is told then
   */
  boolean send(int subtask, ExchangeEvent event) {
    try {
      context.sendEventToSourceReader(subtask, event);
      return true;
    } catch (RuntimeException e) {
      LOG.warn(
          "Reader {} is not ready for {}; it will be told when it registers", subtask, event, e);
      return false;
    }
  }
}
