package io.tidekeeper.job.source;

import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.Millis;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy that a source subtask runs on, and whether it still waits to be told which one that
 * is. Changed by the task's mailbox thread; numbers may be read by any thread.
 */
final class CurrentPolicy {

  private static final Logger LOG = LoggerFactory.getLogger(CurrentPolicy.class);

  /** How long a reader waits for the enumerator's word before it runs on the job's options. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LongSupplier nanoClock;
  private SourceSettings settings;
  private boolean awaitsAnswer;
  private long awaitsSince;

  private volatile long revision;
  private volatile long since;
  private final AtomicLong missedAnswers = new AtomicLong();

  /**
   * @param options the policy of the job's options
   * @param nanoClock a steady clock in nanoseconds, from any origin
   */
  CurrentPolicy(SourcePolicy options, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.settings = options.settings();
    this.revision = options.revision();
    this.since = nanoClock.getAsLong();
  }

  SourceSettings settings() {
    return settings;
  }

  /**
   * The highest event time a record may have, milliseconds since the epoch.
   *
   * @param now its reference clock, milliseconds since the epoch
   */
  long trustedUntil(long now) {
    Duration skew = settings.maxFutureSkew();
    return skew == null ? Long.MAX_VALUE : Millis.plus(now, skew.toMillis());
  }

  /** Nothing is to be said about event time before an answer, or before patience has ended. */
  void awaitAnswer() {
    awaitsAnswer = true;
    awaitsSince = nanoClock.getAsLong();
  }

  boolean awaitsAnswer() {
    if (awaitsAnswer && nanoClock.getAsLong() - awaitsSince >= PATIENCE.toNanos()) {
      awaitsAnswer = false;
      missedAnswers.incrementAndGet();
      LOG.warn(
          "Nobody has said within {} s which policy to run on; going on with revision {} of the"
              + " job's options",
          PATIENCE.toSeconds(),
          revision);
    }
    return awaitsAnswer;
  }

  /** The job's options hold. */
  void answered() {
    awaitsAnswer = false;
  }

  /**
   * Takes a policy over.
   *
   * @return false when a higher revision is in force already
   */
  boolean follow(SourcePolicy policy) {
    awaitsAnswer = false;
    long offered = policy.revision();
    if (offered < revision) {
      LOG.warn("Revision {} is in force; revision {} comes too late", revision, offered);
      return false;
    }
    settings = policy.settings();
    if (offered != revision) {
      since = nanoClock.getAsLong();
      revision = offered;
    }
    return true;
  }

  /** The revision in force. */
  long revision() {
    return revision;
  }

  /** For how long it has been in force here, in milliseconds. */
  long revisionAgeMillis() {
    return Duration.ofNanos(nanoClock.getAsLong() - since).toMillis();
  }

  /** How often patience ended without an answer. */
  long missedAnswers() {
    return missedAnswers.get();
  }
}
