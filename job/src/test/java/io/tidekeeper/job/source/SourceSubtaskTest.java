package io.tidekeeper.job.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.job.source.SourceSubtask.SplitSlot;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceSubtaskTest {

  private final List<String> announced = new ArrayList<>();
  private final SourceSubtask subtask =
      new SourceSubtask(
          "trips",
          SourceSettings.fallback(Duration.ofSeconds(5)),
          split -> announced.add(split.splitId()));

  @Test
  void splitsThatArriveBeforeTheFirstPollArePairedInTheirOrder() {
    subtask.splitsAdded(List.of("t-0", "t-1"));
    SplitSlot main = subtask.generatorCreated();
    SplitSlot first = subtask.generatorCreated();
    SplitSlot second = subtask.generatorCreated();

    assertThat(subtask.isMainOutput(splitOf(main))).isTrue();
    assertThat(splitOf(first).splitId()).isEqualTo("t-0");
    assertThat(splitOf(second).splitId()).isEqualTo("t-1");
    assertThat(announced).containsExactly("t-0", "t-1");
  }

  @Test
  void laterSplitsArePairedWithTheGeneratorsThatFlinkCreatedBeforeThem() {
    subtask.generatorCreated();
    SplitSlot first = subtask.generatorCreated();
    SplitSlot second = subtask.generatorCreated();
    assertThat(first.split()).isNull();

    subtask.splitsAdded(List.of("t-2", "t-3"));
    assertThat(splitOf(first).splitId()).isEqualTo("t-2");
    assertThat(splitOf(second).splitId()).isEqualTo("t-3");
  }

  @Test
  void aSplitThatIsKnownAlreadyTakesNoGenerator() {
    subtask.splitsAdded(List.of("t-0"));
    subtask.splitsAdded(List.of("t-0", "t-1"));
    subtask.generatorCreated();
    assertThat(splitOf(subtask.generatorCreated()).splitId()).isEqualTo("t-0");
    assertThat(splitOf(subtask.generatorCreated()).splitId()).isEqualTo("t-1");
  }

  @Test
  void aReleasedSplitThatComesBackTakesANewGenerator() {
    subtask.splitsAdded(List.of("t-0"));
    subtask.generatorCreated();
    SplitTracker before = splitOf(subtask.generatorCreated());
    subtask.splitReleased("t-0");
    assertThat(subtask.hasNoSplits()).isTrue();

    SplitSlot again = subtask.generatorCreated();
    subtask.splitsAdded(List.of("t-0"));
    assertThat(splitOf(again).splitId()).isEqualTo("t-0");
    assertThat(splitOf(again)).isNotSameAs(before);
  }

  @Test
  void aGeneratorThatSeesAnotherSplitsRecordFailsLoudly() {
    subtask.splitsAdded(List.of("t-0", "t-1"));
    subtask.generatorCreated();
    SplitSlot first = subtask.generatorCreated();
    subtask.generatorCreated();

    subtask.emitting(subtask.split("t-0"));
    subtask.verify(first);
    subtask.emitting(subtask.split("t-1"));
    assertThatThrownBy(() -> subtask.verify(first))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'t-0'")
        .hasMessageContaining("'t-1'");
  }

  @Test
  void aSplitThatWasNeverAddedIsNamed() {
    assertThatThrownBy(() -> subtask.split("t-9"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("t-9");
  }

  @Test
  void whatASplitIsDoingShowsAsItsState() {
    subtask.splitsAdded(List.of("t-0"));
    SplitTracker split = subtask.split("t-0");
    assertThat(SplitState.of(split)).isEqualTo(SplitState.ACTIVE);
    split.setIdle(true);
    assertThat(SplitState.of(split)).isEqualTo(SplitState.IDLE);
    subtask.splitsPausedOrResumed(List.of("t-0"), List.of());
    assertThat(SplitState.of(split)).isEqualTo(SplitState.PAUSED);
    subtask.splitsPausedOrResumed(List.of(), List.of("t-0"));
    assertThat(SplitState.of(split)).isEqualTo(SplitState.IDLE);
    subtask.splitReleased("t-0");
    assertThat(SplitState.of(split)).isEqualTo(SplitState.FINISHED);
  }

  private static SplitTracker splitOf(SplitSlot slot) {
    SplitTracker split = slot.split();
    if (split == null) {
      throw new AssertionError("not paired yet");
    }
    return split;
  }
}
