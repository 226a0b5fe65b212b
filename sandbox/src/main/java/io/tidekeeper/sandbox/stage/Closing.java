package io.tidekeeper.sandbox.stage;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what was started, the last first: at the end of a run, or when the program is told to end
 * before. Thread-safe.
 */
public final class Closing implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Thread hook = new Thread(this::closeAll, "closing");
  private boolean closed;

  private Closing() {}

  /** Nothing yet; a signal that ends the program closes what comes. */
  public static Closing atTheEnd() {
    Closing closing = new Closing();
    Runtime.getRuntime().addShutdownHook(closing.hook);
    return closing;
  }

  /**
   * Takes a part on.
   *
   * @throws IllegalStateException when the end has come already; the part is closed then
   */
  public <T extends AutoCloseable> T add(T part) {
    synchronized (parts) {
      if (!closed) {
        parts.push(part);
        return part;
      }
    }
    close(part);
    throw new IllegalStateException("the program is ending");
  }

  /** Closes everything; what cannot be closed is in the log. A second call does nothing. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending: the hook does the same, once.
    }
    closeAll();
  }

  private void closeAll() {
    synchronized (parts) {
      closed = true;
    }
    @Nullable AutoCloseable part;
    while ((part = next()) != null) {
      close(part);
    }
  }

  private @Nullable AutoCloseable next() {
    synchronized (parts) {
      return parts.poll();
    }
  }

  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      // The others are still to be closed.
      LOG.warn("{} could not be closed", part, e);
    }
  }
}
