package io.tidekeeper.job.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.junit.jupiter.api.Test;

class PolicySourceTest {

  @Test
  void serializersAreTheWrappedSourcesOwn() {
    NumberSequenceSource wrapped = new NumberSequenceSource(1, 9);
    PolicySource<Long, NumberSequenceSplit, ?> source = of(wrapped);
    assertThat(source.getSplitSerializer()).hasSameClassAs(wrapped.getSplitSerializer());
    assertThat(source.getEnumeratorCheckpointSerializer())
        .hasSameClassAs(wrapped.getEnumeratorCheckpointSerializer());
    assertThat(source.getBoundedness()).isEqualTo(wrapped.getBoundedness());
    assertThat(source.getProducedType()).isEqualTo(Types.LONG);
  }

  /** Flink hands restored splits to the readers or to the enumerator by this marker alone. */
  @Test
  void theMarkerForReassignmentOfSplitsIsTheWrappedSourcesOwn() {
    assertThat(of(new NumberSequenceSource(1, 9)))
        .isNotInstanceOf(SupportsSplitReassignmentOnRecovery.class);
    assertThat(of(new ReassigningSource())).isInstanceOf(SupportsSplitReassignmentOnRecovery.class);
  }

  private static <EnumT> PolicySource<Long, NumberSequenceSplit, EnumT> of(
      Source<Long, NumberSequenceSplit, EnumT> wrapped) {
    return PolicySource.of(
        wrapped,
        Types.LONG,
        SourcePolicy.of(
            "numbers",
            new PolicySettings(0, SourceSettings.fallback(Duration.ofSeconds(5)), new TreeMap<>())),
        LiveOptions.OFF);
  }

  private static final class ReassigningSource extends NumberSequenceSource
      implements SupportsSplitReassignmentOnRecovery {
    private static final long serialVersionUID = 1L;

    private ReassigningSource() {
      super(1, 9);
    }
  }
}
