package io.tidekeeper.sandbox.operator;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after one FlinkDeployment on a thread of its own: reads it, decides, waits as long as the
 * real operator would, looks whether the decision still holds, and acts.
 */
final class Worker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration AFTER_ERROR = Duration.ofMillis(500);

  private final String key;
  private final Deployments deployments;
  private final Performer performer;
  private final Delays delays;
  private final Semaphore pokes = new Semaphore(1);
  private volatile boolean stopped;

  private @Nullable String uid;
  private @Nullable Pending pending;

  Worker(String key, Deployments deployments, Performer performer, Delays delays) {
    this.key = key;
    this.deployments = deployments;
    this.performer = performer;
    this.delays = delays;
  }

  /** Something about the FlinkDeployment may have changed. */
  void poke() {
    pokes.release();
  }

  /** Does nothing more; the thread is to be interrupted too. */
  void stop() {
    stopped = true;
    poke();
  }

  @Override
  public void run() {
    Duration rest = Duration.ZERO;
    while (!stopped) {
      try {
        if (pokes.tryAcquire(rest.toNanos(), TimeUnit.NANOSECONDS)) {
          pokes.drainPermits();
        }
        rest = step();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (!stopped) {
          LOG.warn("{}: what was begun failed and is tried again", key, e);
        }
        pending = null;
        rest = AFTER_ERROR;
      }
    }
  }

  /**
   * One round.
   *
   * @return how long nothing has to be done unless there is a poke
   */
  Duration step() {
    Optional<Deployment> found = deployments.read();
    if (found.isEmpty()) {
      return LONG;
    }
    Deployment deployment = found.get();
    if (!deployment.uid().equals(uid)) {
      uid = deployment.uid();
      performer.forget();
    }
    Move move = Decision.next(deployment, performer.look(deployment), performer.memory());
    if (move instanceof Move.Idle) {
      pending = null;
      return LONG;
    }
    if (pending == null || !pending.is(move, deployment)) {
      pending = new Pending(move, deployment.status(), System.nanoTime() + nanos(move));
    }
    long left = pending.due - System.nanoTime();
    if (left > 0) {
      return Duration.ofNanos(left);
    }
    LOG.debug("{}: {}", key, move);
    boolean done = performer.perform(move, deployment);
    if (done) {
      pending = null;
    }
    return done ? Duration.ZERO : SOON;
  }

  private long nanos(Move move) {
    return delays.before(move).toNanos();
  }

  /** A move that is due at a time, as long as nothing changes. */
  private record Pending(Move move, DeploymentStatus status, long due) {
    boolean is(Move other, Deployment deployment) {
      return move.equals(other) && status.equals(deployment.status());
    }
  }
}
