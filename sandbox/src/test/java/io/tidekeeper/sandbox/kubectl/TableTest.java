package io.tidekeeper.sandbox.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    assertThat(Table.of(List.of(List.of("NAME", "READY"), List.of("subway", "True"))))
        .isEqualTo("NAME     READY\nsubway   True");
  }
}
