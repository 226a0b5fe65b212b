package io.tidekeeper.job.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.backlog.BrokerSide.Stretch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What looks at a split say, one after the other. */
class SplitBacklogTest {

  private @Nullable SplitBacklog now;

  @Test
  void whatIsBehindThePositionIsTheBacklog() {
    look(40, at(40, 100));
    assertThat(backlog()).isEqualTo(new Backlog(40, 60, false));
    look(100, at(100, 100));
    assertThat(backlog()).isEqualTo(new Backlog(100, 0, false));
  }

  @Test
  void whoReadsOnIsNeverSearched() {
    for (long position = 0; position < 100; position += 10) {
      look(position, at(position, 100));
      assertThat(now().toSearch()).isEmpty();
      assertThat(backlog().unread()).isFalse();
    }
  }

  @Test
  void whoStandsStillBeforeARecordHasAnUnreadBacklogUntilItReadsOn() {
    look(40, at(40, 100));
    look(40, at(40, 100));
    assertThat(now().toSearch()).contains(new Stretch(40, 100));
    assertThat(backlog().unread()).as("not before it has been searched").isFalse();
    found(40, 42);
    assertThat(backlog()).isEqualTo(new Backlog(40, 58, true));
    // Once for each stretch.
    look(40, at(40, 120));
    assertThat(now().toSearch()).isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(40, 78, true));

    look(43, at(43, 120));
    assertThat(backlog()).isEqualTo(new Backlog(43, 77, false));
    look(43, at(43, 120));
    assertThat(now().toSearch()).as("read past what was found").contains(new Stretch(43, 120));
  }

  @Test
  void readingOnUpToWhatWasFoundAndStoppingAgainNeedsNoSecondSearch() {
    look(40, at(40, 100));
    look(40, at(40, 100));
    found(40, 60);
    look(50, at(50, 100));
    assertThat(backlog().unread()).isFalse();
    look(50, at(50, 100));
    assertThat(now().toSearch()).isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(50, 40, true));
  }

  @Test
  void aMarkBehindATransactionIsNoBacklogOfASilentSplit() {
    look(10, at(10, 11));
    assertThat(backlog().records()).isEqualTo(1);
    look(10, at(10, 11));
    assertThat(now().toSearch()).contains(new Stretch(10, 11));
    searchedUpTo(10, 11);
    assertThat(backlog()).isEqualTo(new Backlog(10, 0, false));
    look(10, at(10, 11));
    assertThat(now().toSearch()).as("the answer is kept").isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(10, 0, false));
  }

  @Test
  void behindAnAbortedTransactionTheSearchGoesOnWhereItCameTo() {
    look(10, at(10, 20));
    look(10, at(10, 20));
    searchedUpTo(10, 15);
    assertThat(now().toSearch()).as("it ran out of time").contains(new Stretch(15, 20));
    searchedUpTo(15, 20);
    assertThat(backlog()).isEqualTo(new Backlog(10, 0, false));
    look(10, at(10, 30));
    assertThat(now().toSearch()).contains(new Stretch(20, 30));
    found(20, 20);
    assertThat(backlog()).isEqualTo(new Backlog(10, 10, true));
  }

  @Test
  void anOpenTransactionIsShownButNothingThatCouldBeRead() {
    look(10, new Offsets(10, 0, 10, 15));
    look(10, new Offsets(10, 0, 10, 15));
    assertThat(now().toSearch()).isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(10, 5, false));
    // It is committed, with its mark.
    look(10, at(10, 16));
    assertThat(now().toSearch()).contains(new Stretch(10, 16));
    found(10, 10);
    assertThat(backlog()).isEqualTo(new Backlog(10, 6, true));
  }

  @Test
  void whatHasBeenDeletedCannotBeRead() {
    look(10, at(10, 100));
    look(10, at(10, 100));
    found(10, 10);
    assertThat(backlog().unread()).isTrue();
    look(10, new Offsets(10, 50, 100, 100));
    assertThat(backlog()).isEqualTo(new Backlog(10, 50, false));
    assertThat(now().toSearch()).contains(new Stretch(50, 100));
    look(10, new Offsets(10, 100, 100, 100));
    assertThat(now().toSearch()).isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(10, 0, false));
  }

  @Test
  void whileTheBrokerDoesNotAnswerNothingIsKnownAndAfterwardsTheSearchStillHolds() {
    look(10, at(10, 100));
    look(10, at(10, 100));
    found(10, 10);
    look(10, null);
    assertThat(now().toSearch()).isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(10, Backlog.UNKNOWN, false));
    look(10, at(10, 100));
    assertThat(now().toSearch()).isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(10, 90, true));
  }

  @Test
  void aReaderThatGoesBackToItsCheckpointIsSearchedAnew() {
    look(50, at(50, 60));
    look(50, at(50, 60));
    searchedUpTo(50, 60);
    look(20, at(20, 60));
    assertThat(backlog()).isEqualTo(new Backlog(20, 40, false));
    look(20, at(20, 60));
    assertThat(now().toSearch()).contains(new Stretch(20, 60));
  }

  @Test
  void aTopicThatWasMadeAnewForgetsWhatWasFound() {
    look(50, at(50, 60));
    look(50, at(50, 60));
    found(50, 55);
    look(50, at(50, 3));
    assertThat(now().toSearch()).isEmpty();
    assertThat(backlog()).isEqualTo(new Backlog(50, 0, false));
  }

  @Test
  void beyondItsStopNothingIsOfASplitsBacklog() {
    SplitPosition bounded = new SplitPosition("t-0", 10, 12);
    SplitBacklog first = SplitBacklog.first(bounded, at(10, 100));
    assertThat(first.backlog().records()).isEqualTo(2);
    SplitBacklog second = first.next(bounded, at(10, 100));
    assertThat(second.toSearch()).contains(new Stretch(10, 12));
    assertThat(second.with(new Searched(10, 30, true)).backlog().unread()).isFalse();
    assertThat(second.with(new Searched(10, 11, true)).backlog().unread()).isTrue();
  }

  @Test
  void aReaderAtItsMarkerStandsStillThereAndWhereTheBrokerSaysThatIs() {
    look(-2, new Offsets(7, 7, 20, 20));
    look(-2, new Offsets(7, 7, 20, 20));
    assertThat(now().toSearch()).contains(new Stretch(7, 20));
    found(7, 7);
    assertThat(backlog()).isEqualTo(new Backlog(-2, 13, true));
  }

  private static Offsets at(long position, long end) {
    return new Offsets(position, 0, end, end);
  }

  private void look(long position, @Nullable Offsets offsets) {
    SplitPosition reported = new SplitPosition("t-0", position, Long.MAX_VALUE);
    SplitBacklog before = now;
    now = before == null ? SplitBacklog.first(reported, offsets) : before.next(reported, offsets);
  }

  private void found(long from, long at) {
    now = now().with(new Searched(from, at, true));
  }

  private void searchedUpTo(long from, long to) {
    now = now().with(new Searched(from, to, false));
  }

  private Backlog backlog() {
    return now().backlog();
  }

  private SplitBacklog now() {
    SplitBacklog present = now;
    if (present == null) {
      throw new AssertionError("no look yet");
    }
    return present;
  }
}
