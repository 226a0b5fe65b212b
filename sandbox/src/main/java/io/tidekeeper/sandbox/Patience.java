package io.tidekeeper.sandbox;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting that ends in an error saying what was awaited and what was seen last. */
public final class Patience {
  private static final long POLL_MILLIS = 50;

  private Patience() {}

  /** Waits until the condition holds; {@code state} describes what is there instead. */
  public static void until(
      String awaited, Duration timeout, BooleanSupplier condition, Supplier<String> state) {
    long end = System.nanoTime() + timeout.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException(
            "waited %d s for %s; last seen: %s"
                .formatted(timeout.toSeconds(), awaited, state.get()));
      }
      pause(awaited);
    }
  }

  /** Waits a moment before the next look. */
  public static void pause(String awaited) {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      throw interrupted(awaited, e);
    }
  }

  /** Waits for a future and unwraps its failure; {@code state} describes what is there instead. */
  public static <T> T get(
      String awaited, Duration timeout, CompletableFuture<T> future, Supplier<String> state) {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "waited %d s for %s; last seen: %s".formatted(timeout.toSeconds(), awaited, state.get()),
          e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "%s failed: %s; last seen: %s".formatted(awaited, rootMessage(e), state.get()), e);
    } catch (InterruptedException e) {
      throw interrupted(awaited, e);
    }
  }

  /** The class and message of the innermost cause. */
  public static String rootMessage(Throwable throwable) {
    Throwable root = throwable;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root.toString();
  }

  private static IllegalStateException interrupted(String awaited, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while waiting for " + awaited, e);
  }
}
