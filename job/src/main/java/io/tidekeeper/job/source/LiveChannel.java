package io.tidekeeper.job.source;

import io.tidekeeper.job.live.FileContent;
import io.tidekeeper.job.live.FilePoll;
import io.tidekeeper.job.live.FileState;
import io.tidekeeper.job.live.LiveDecision;
import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.policy.PolicySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the readers of a source which policy to run on: that of the job's options, or a newer one
 * from the policy file. For the coordinator thread only, {@link #close} apart.
 */
final class LiveChannel implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveChannel.class);

  /** How long the start of the enumerator waits for the first look at the file. */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(2);

  private final String source;
  private final String file;
  private final PolicySettings started;
  private final Readers readers;
  private final EnumeratorGauges gauges;
  private final Consumer<PolicySettings> onChange;
  private final FilePoll poll;

  private PolicySettings inForce;
  private @Nullable FileContent seen;

  /**
   * @param onChange gets each policy that comes into force
   */
  LiveChannel(
      SourcePolicy options,
      LiveOptions live,
      SplitEnumeratorContext<?> context,
      Readers readers,
      EnumeratorGauges gauges,
      Consumer<PolicySettings> onChange) {
    this.source = options.sourceName();
    this.file = Objects.requireNonNull(live.file());
    this.started = options.policy();
    this.inForce = started;
    this.readers = readers;
    this.gauges = gauges;
    this.onChange = onChange;
    this.poll =
        new FilePoll(
            source,
            Path.of(file),
            live.interval(),
            content -> context.runInCoordinatorThread(() -> found(content)));
  }

  void start() {
    poll.start(FIRST_LOOK).ifPresent(this::found);
  }

  /** Answers a reader; while the file has not been looked at, the first look will. */
  void readerAdded(int subtask) {
    if (seen != null) {
      answer(subtask);
    }
  }

  private void found(FileContent content) {
    if (content.equals(seen)) {
      return;
    }
    boolean first = seen == null;
    seen = content;
    LiveDecision decision = LiveDecision.decide(started, inForce, content);
    report(decision, content);
    boolean changed = !decision.inForce().equals(inForce);
    inForce = decision.inForce();
    gauges.revision(inForce.revision());
    if (changed) {
      onChange.accept(inForce);
    }
    if (first || changed) {
      readers.registered().forEach(this::answer);
    }
  }

  private void answer(int subtask) {
    boolean delivered =
        readers.send(
            subtask,
            inForce.equals(started)
                ? new ExchangeEvent.UseOptions()
                : new ExchangeEvent.UsePolicy(SourcePolicy.of(source, inForce)));
    if (!delivered) {
      gauges.countUndelivered();
    }
  }

  private void report(LiveDecision decision, FileContent content) {
    FileState state = decision.state();
    gauges.file(
        content instanceof FileContent.Policy found
            ? found.policy().revision()
            : EnumeratorGauges.NO_REVISION,
        state);
    if (state.refused()) {
      gauges.countRefused();
      LOG.warn("Source '{}' does not take {} over: {}", source, file, decision.message());
    } else {
      LOG.info("Source '{}', policy file {}: {} ({})", source, file, state, decision.message());
    }
  }

  @Override
  public void close() {
    poll.close();
  }
}
