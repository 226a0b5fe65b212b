package io.tidekeeper.job.source;

import io.tidekeeper.job.backlog.BacklogProbe;
import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.policy.AlignmentSettings;
import io.tidekeeper.policy.PolicySettings;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsBatchSnapshot;
import org.apache.flink.api.connector.source.SupportsHandleExecutionAttemptSourceEvent;
import org.jspecify.annotations.Nullable;

/**
 * Speaks with the readers of a {@link PolicySource} about policies and laggards. Everything else,
 * its state above all, is the wrapped source's own.
 *
 * <p>Flink calls it on the coordinator thread, {@link #close} apart. An exception there fails the
 * job, and so does an event to a reader that is not ready.
 */
class PolicyEnumerator<SplitT extends SourceSplit, EnumT>
    implements SplitEnumerator<SplitT, EnumT>, SupportsHandleExecutionAttemptSourceEvent {

  /** In every metric group of a job. */
  private static final String JOB_ID = "<job_id>";

  private final SplitEnumerator<SplitT, EnumT> wrapped;
  private final String source;
  private final @Nullable LiveChannel live;
  private final @Nullable SkipChannel skips;
  private final @Nullable BacklogChannel backlog;
  private final RateChannel rates;

  /**
   * Wraps an enumerator, with the markers that Flink looks for.
   *
   * @param probe how to learn the backlog of the splits, null: nobody asks
   */
  static <SplitT extends SourceSplit, EnumT> PolicyEnumerator<SplitT, EnumT> of(
      SplitEnumerator<SplitT, EnumT> wrapped,
      SplitEnumeratorContext<SplitT> context,
      SourcePolicy policy,
      LiveOptions live,
      @Nullable BacklogProbe<SplitT> probe) {
    return wrapped instanceof SupportsBatchSnapshot
        ? new WithBatchSnapshot<>(wrapped, context, policy, live, probe)
        : new PolicyEnumerator<>(wrapped, context, policy, live, probe);
  }

  private PolicyEnumerator(
      SplitEnumerator<SplitT, EnumT> wrapped,
      SplitEnumeratorContext<SplitT> context,
      SourcePolicy policy,
      LiveOptions liveOptions,
      @Nullable BacklogProbe<SplitT> probe) {
    this.wrapped = wrapped;
    this.source = policy.sourceName();
    Readers readers = new Readers(context);
    EnumeratorGauges gauges = EnumeratorGauges.of(context.metricGroup(), liveOptions.on());
    gauges.revision(policy.revision());
    this.rates = new RateChannel(readers, gauges);
    AlignmentSettings alignment = policy.settings().alignment();
    if (alignment == null) {
      this.skips = null;
    } else {
      String job =
          context
              .metricGroup()
              .getAllVariables()
              // Without a job to go by, the source is a group of its own.
              .getOrDefault(JOB_ID, UUID.randomUUID().toString());
      gauges.alignment(alignment);
      this.skips =
          new SkipChannel(
              source,
              job,
              alignment,
              readers,
              gauges,
              () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }
    this.backlog =
        probe == null
            ? null
            : new BacklogChannel(source, probe, policy.settings(), context, readers, gauges);
    this.live =
        liveOptions.on()
            ? new LiveChannel(policy, liveOptions, context, readers, gauges, this::changed)
            : null;
  }

  /** A live change has come into force; of the alignment only the skip time can be another. */
  private void changed(PolicySettings policy) {
    AlignmentSettings alignment = policy.forSource(source).alignment();
    if (skips != null && alignment != null) {
      skips.rules(alignment);
    }
  }

  @Override
  public void start() {
    if (skips != null) {
      skips.start();
    }
    if (live != null) {
      live.start();
    }
    if (backlog != null) {
      backlog.start();
    }
    wrapped.start();
  }

  @Override
  public void addReader(int subtaskId) {
    forget(subtaskId);
    if (live != null) {
      // Before the wrapped enumerator assigns splits: no record is to be judged by old settings.
      live.readerAdded(subtaskId);
    }
    wrapped.addReader(subtaskId);
  }

  @Override
  public void addSplitsBack(List<SplitT> splits, int subtaskId) {
    forget(subtaskId);
    wrapped.addSplitsBack(splits, subtaskId);
  }

  /** What a reader said before it restarts no longer counts. */
  private void forget(int subtaskId) {
    rates.forget(subtaskId);
    if (skips != null) {
      skips.forget(subtaskId);
    }
    if (backlog != null) {
      backlog.forget(subtaskId);
    }
  }

  @Override
  public void handleSourceEvent(int subtaskId, SourceEvent sourceEvent) {
    if (sourceEvent instanceof ExchangeEvent ours) {
      hear(subtaskId, ours);
    } else {
      wrapped.handleSourceEvent(subtaskId, sourceEvent);
    }
  }

  @Override
  public void handleSourceEvent(int subtaskId, int attemptNumber, SourceEvent sourceEvent) {
    if (sourceEvent instanceof ExchangeEvent ours) {
      hear(subtaskId, ours);
    } else if (wrapped instanceof SupportsHandleExecutionAttemptSourceEvent attempts) {
      attempts.handleSourceEvent(subtaskId, attemptNumber, sourceEvent);
    } else {
      throw new IllegalStateException(
          "%s cannot tell the attempts of a subtask apart; switch speculative execution off"
              .formatted(wrapped.getClass().getName()));
    }
  }

  private void hear(int subtask, ExchangeEvent event) {
    if (event instanceof ExchangeEvent.SplitReport report) {
      rates.reported(subtask, report.recordsPerSecond());
      if (skips != null) {
        skips.reported(subtask, report.splits());
      }
    } else if (event instanceof ExchangeEvent.PositionReport report) {
      if (backlog != null) {
        backlog.reported(subtask, report.positions());
      }
    } else {
      throw new IllegalStateException("not meant for an enumerator: " + event);
    }
  }

  @Override
  public void handleSplitRequest(int subtaskId, @Nullable String requesterHostname) {
    wrapped.handleSplitRequest(subtaskId, requesterHostname);
  }

  @Override
  public EnumT snapshotState(long checkpointId) throws Exception {
    return wrapped.snapshotState(checkpointId);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    wrapped.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    wrapped.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void close() throws IOException {
    if (live != null) {
      live.close();
    }
    if (backlog != null) {
      backlog.close();
    }
    if (skips != null) {
      skips.close();
    }
    wrapped.close();
  }

  /** Of a source whose enumerator can be saved in a batch job. */
  private static final class WithBatchSnapshot<SplitT extends SourceSplit, EnumT>
      extends PolicyEnumerator<SplitT, EnumT> implements SupportsBatchSnapshot {

    private WithBatchSnapshot(
        SplitEnumerator<SplitT, EnumT> wrapped,
        SplitEnumeratorContext<SplitT> context,
        SourcePolicy policy,
        LiveOptions live,
        @Nullable BacklogProbe<SplitT> probe) {
      super(wrapped, context, policy, live, probe);
    }
  }
}
