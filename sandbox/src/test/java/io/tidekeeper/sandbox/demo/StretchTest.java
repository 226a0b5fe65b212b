package io.tidekeeper.sandbox.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.sandbox.account.RoutedRecord;
import io.tidekeeper.sandbox.account.Settlement;
import io.tidekeeper.sandbox.traffic.Kind;
import io.tidekeeper.sandbox.traffic.Sent;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StretchTest {

  /** Ten late records at the offsets 0 to 9, with the event times 0 to 900. */
  private static final Settlement SETTLEMENT =
      new Settlement(
          List.of(),
          Map.of(),
          Map.of(),
          LongStream.range(0, 10).mapToObj(StretchTest::late).toList());

  @Test
  void aStretchHasTheLateRecordsBetweenTwoStarts() {
    assertThat(ids(new Stretch("s", Map.of(0, 3L), Map.of(0, 6L), 0))).containsExactly(3L, 4L, 5L);
    assertThat(ids(new Stretch("last", Map.of(0, 8L), Map.of(), 0))).containsExactly(8L, 9L);
    assertThat(ids(new Stretch("empty", Map.of(0, 8L), Map.of(0, 8L), 0))).isEmpty();
  }

  @Test
  void whatIsAboveTheRestoredWatermarkStandsApart() {
    Stretch stretch = new Stretch("s", Map.of(0, 3L), Map.of(0, 6L), 400);

    assertThat(stretch.aboveRestored(SETTLEMENT))
        .extracting(l -> l.sent().id())
        .containsExactly(5L);
  }

  private static List<Long> ids(Stretch stretch) {
    return stretch.late(SETTLEMENT).stream().map(l -> l.sent().id()).toList();
  }

  private static Settlement.Late late(long id) {
    return new Settlement.Late(
        new Sent(id, 0, id, Kind.NORMAL, "S001", 1, id * 100, "rush"),
        new RoutedRecord(0, id, "late", 0, id, 1, id));
  }
}
