package io.tidekeeper.job.backlog;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker again and again, on a thread of its own: a broker that does not answer must stop
 * nothing of the job.
 */
public final class BacklogPoll implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BacklogPoll.class);

  /** How long closing waits for the thread, which is interrupted. */
  private static final Duration CLOSING = Duration.ofSeconds(2);

  private final String source;
  private final BrokerSide broker;
  private final Duration interval;
  private final Consumer<Map<String, Backlog>> listener;
  private final BacklogBook book = new BacklogBook();
  private final ScheduledExecutorService thread;
  private volatile Map<String, SplitPosition> positions = Map.of();
  private volatile boolean closing;
  private volatile @Nullable Future<?> looks;
  private boolean failing;

  /**
   * @param source its name, for the thread's name and the log
   * @param broker is closed with this poll
   * @param interval from the end of one look to the next
   * @param listener gets what each look found, nothing when the broker did not answer; called on
   *     this poll's own thread. It may throw {@link RejectedExecutionException} when nobody listens
   *     any more
   */
  public BacklogPoll(
      String source,
      BrokerSide broker,
      Duration interval,
      Consumer<Map<String, Backlog>> listener) {
    this.source = source;
    this.broker = broker;
    this.interval = interval;
    this.listener = listener;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "tidekeeper-backlog-" + source);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts to look. */
  public void start() {
    long millis = interval.toMillis();
    looks = thread.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Where the readers stand now; may be called by any thread. */
  public void positions(Map<String, SplitPosition> newest) {
    positions = Map.copyOf(newest);
  }

  private void look() {
    Map<String, SplitPosition> asked = positions;
    if (asked.isEmpty()) {
      return;
    }
    Map<String, Backlog> found = ask(asked);
    if (closing) {
      return;
    }
    try {
      listener.accept(found);
    } catch (RejectedExecutionException e) {
      // The job is going away, and with it whoever would close this poll.
      LOG.debug("Nobody takes the backlog of source '{}' any more", source, e);
      endLooks();
    } catch (RuntimeException e) {
      // Thrown on, it would end the looks without a word.
      LOG.error("Source '{}': its backlog could not be taken over", source, e);
    }
  }

  private Map<String, Backlog> ask(Map<String, SplitPosition> asked) {
    try {
      Map<String, Backlog> found = book.look(asked, broker);
      if (failing) {
        failing = false;
        LOG.info("Source '{}': its backlog is known again", source);
      }
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      if (!failing && !closing) {
        failing = true;
        LOG.warn(
            "Source '{}': its backlog is not known ({}). It is asked for every {} ms; until then idle"
                + " partitions are idle",
            source,
            e.toString(),
            interval.toMillis());
      }
    }
    return Map.of();
  }

  private void endLooks() {
    closing = true;
    Future<?> running = looks;
    if (running != null) {
      running.cancel(true);
    }
    try {
      thread.execute(broker::close);
    } catch (RejectedExecutionException e) {
      LOG.debug("The looks at the backlog of source '{}' have ended before", source, e);
    }
    thread.shutdown();
  }

  @Override
  public void close() {
    endLooks();
    try {
      if (!thread.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("Source '{}': the connection that asks for its backlog is slow to close", source);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
