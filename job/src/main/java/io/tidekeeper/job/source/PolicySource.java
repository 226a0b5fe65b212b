package io.tidekeeper.job.source;

import io.tidekeeper.job.backlog.BacklogPace;
import io.tidekeeper.job.backlog.BacklogProbe;
import io.tidekeeper.job.backlog.ReadPositions;
import io.tidekeeper.job.live.LiveOptions;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.watermark.WatermarkDeclaration;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.lineage.DefaultSourceLineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.jspecify.annotations.Nullable;

/**
 * A source that knows which split each of its records comes from, and tells the watermark
 * generators.
 *
 * <p>Everything else is the wrapped source's own. Its serializers above all: a savepoint of the
 * plain source restores into this one under the same {@code uid}, and back.
 *
 * @param <T> records
 * @param <SplitT> splits of the wrapped source
 * @param <EnumT> checkpoint of the wrapped source's enumerator
 */
public class PolicySource<T, SplitT extends SourceSplit, EnumT>
    implements Source<T, SplitT, EnumT>, ResultTypeQueryable<T>, LineageVertexProvider {

  private static final long serialVersionUID = 1L;

  private final Source<T, SplitT, EnumT> wrapped;
  private final TypeInformation<T> producedType;
  private final SourcePolicy policy;
  private final LiveOptions live;
  private final @Nullable BacklogProbe<SplitT> probe;

  /** Wraps a source whose backlog nobody asks for. */
  public static <T, SplitT extends SourceSplit, EnumT> PolicySource<T, SplitT, EnumT> of(
      Source<T, SplitT, EnumT> wrapped,
      TypeInformation<T> producedType,
      SourcePolicy policy,
      LiveOptions live) {
    return of(wrapped, producedType, policy, live, null);
  }

  /**
   * Wraps a source.
   *
   * @param wrapped any FLIP-27 source
   * @param producedType the type of its records
   * @param policy the settings it starts on
   * @param live where it looks for newer ones
   * @param probe how to learn the backlog of its splits, null: nobody asks
   */
  public static <T, SplitT extends SourceSplit, EnumT> PolicySource<T, SplitT, EnumT> of(
      Source<T, SplitT, EnumT> wrapped,
      TypeInformation<T> producedType,
      SourcePolicy policy,
      LiveOptions live,
      @Nullable BacklogProbe<SplitT> probe) {
    return wrapped instanceof SupportsSplitReassignmentOnRecovery
        ? new Reassigning<>(wrapped, producedType, policy, live, probe)
        : new PolicySource<>(wrapped, producedType, policy, live, probe);
  }

  private PolicySource(
      Source<T, SplitT, EnumT> wrapped,
      TypeInformation<T> producedType,
      SourcePolicy policy,
      LiveOptions live,
      @Nullable BacklogProbe<SplitT> probe) {
    this.wrapped = wrapped;
    this.producedType = producedType;
    this.policy = policy;
    this.live = live;
    this.probe = probe;
  }

  @Override
  public SourceReader<T, SplitT> createReader(SourceReaderContext context) throws Exception {
    CurrentPolicy current = new CurrentPolicy(policy, System::nanoTime);
    SourceMetrics metrics =
        new SourceMetrics(context.metricGroup(), current, System::currentTimeMillis);
    ReadPositions<SplitT> positions = probe == null ? ReadPositions.none() : probe.positions();
    SourceSubtask subtask =
        new SourceSubtask(
            policy.sourceName(),
            current,
            new Reports(context::sendSourceEventToCoordinator, System::nanoTime),
            new PositionReports(
                positions,
                BacklogPace.of(current.settings()),
                context::sendSourceEventToCoordinator,
                System::nanoTime),
            System::nanoTime,
            metrics::register);
    SourceReader<T, SplitT> reader = wrapped.createReader(positions.watch(context));
    SourceSubtasks.register(context.metricGroup(), policy.sourceName(), subtask);
    return new PolicySourceReader<>(
        reader,
        subtask,
        positions,
        live.on(),
        () -> SourceSubtasks.unregister(context.metricGroup(), policy.sourceName()));
  }

  @Override
  public SplitEnumerator<SplitT, EnumT> createEnumerator(SplitEnumeratorContext<SplitT> context)
      throws Exception {
    return PolicyEnumerator.of(wrapped.createEnumerator(context), context, policy, live, probe);
  }

  @Override
  public SplitEnumerator<SplitT, EnumT> restoreEnumerator(
      SplitEnumeratorContext<SplitT> context, EnumT checkpoint) throws Exception {
    return PolicyEnumerator.of(
        wrapped.restoreEnumerator(context, checkpoint), context, policy, live, probe);
  }

  @Override
  public SimpleVersionedSerializer<SplitT> getSplitSerializer() {
    return wrapped.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<EnumT> getEnumeratorCheckpointSerializer() {
    return wrapped.getEnumeratorCheckpointSerializer();
  }

  @Override
  public Boundedness getBoundedness() {
    return wrapped.getBoundedness();
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return producedType;
  }

  @Override
  public LineageVertex getLineageVertex() {
    return wrapped instanceof LineageVertexProvider provider
        ? provider.getLineageVertex()
        : new DefaultSourceLineageVertex(getBoundedness());
  }

  @Override
  public Set<? extends WatermarkDeclaration> declareWatermarks() {
    return wrapped.declareWatermarks();
  }

  /**
   * For a source whose enumerator, not whose readers, gets the splits back after a restore. Flink
   * looks at the marker of the outer source; without it splits would be read twice.
   */
  private static final class Reassigning<T, SplitT extends SourceSplit, EnumT>
      extends PolicySource<T, SplitT, EnumT> implements SupportsSplitReassignmentOnRecovery {

    private static final long serialVersionUID = 1L;

    private Reassigning(
        Source<T, SplitT, EnumT> wrapped,
        TypeInformation<T> producedType,
        SourcePolicy policy,
        LiveOptions live,
        @Nullable BacklogProbe<SplitT> probe) {
      super(wrapped, producedType, policy, live, probe);
    }
  }
}
