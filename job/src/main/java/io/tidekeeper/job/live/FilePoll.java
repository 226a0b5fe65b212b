package io.tidekeeper.job.live;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the policy file again and again, on a thread of its own: a file system that hangs must
 * not stop the discovery of partitions, nor anything else of the job.
 */
public final class FilePoll implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FilePoll.class);

  private final Path file;
  private final Duration interval;
  private final Consumer<FileContent> onChange;
  private final ScheduledExecutorService thread;
  private volatile @Nullable FileContent last;

  /**
   * @param name of the source, for the thread's name
   * @param interval from the end of one look to the next
   * @param onChange gets what was found when it differs from the last time; called on this poll's
   *     own thread. It may throw {@link RejectedExecutionException} when nobody listens any more
   */
  public FilePoll(String name, Path file, Duration interval, Consumer<FileContent> onChange) {
    this.file = file;
    this.interval = interval;
    this.onChange = onChange;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "tidekeeper-live-" + name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts to look, and gives what the first look found.
   *
   * @param patience how long to wait for the first look; what it finds later goes to the listener
   * @return empty when it takes longer
   */
  public Optional<FileContent> start(Duration patience) {
    Future<FileContent> first = thread.submit(() -> PolicyFile.read(file));
    Optional<FileContent> found = Optional.empty();
    try {
      FileContent content = first.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      last = content;
      found = Optional.of(content);
    } catch (TimeoutException e) {
      LOG.warn("Reading {} takes longer than {} ms", file, patience.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("reading " + file + " failed", e.getCause());
    }
    long millis = interval.toMillis();
    // It never ends with an exception: look() reports its own.
    Future<?> unused =
        thread.scheduleWithFixedDelay(
            this::look, found.isPresent() ? millis : 0, millis, TimeUnit.MILLISECONDS);
    return found;
  }

  private void look() {
    FileContent content = PolicyFile.read(file);
    if (content.equals(last)) {
      return;
    }
    try {
      onChange.accept(content);
      last = content;
    } catch (RejectedExecutionException e) {
      // The job is going away, and with it whoever would close this poll.
      LOG.debug("Nobody takes what {} says any more", file, e);
      close();
    } catch (RuntimeException e) {
      // Thrown on, it would end the polling without a word.
      LOG.error("Taking over {} failed; it is tried again in {} ms", file, interval.toMillis(), e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
