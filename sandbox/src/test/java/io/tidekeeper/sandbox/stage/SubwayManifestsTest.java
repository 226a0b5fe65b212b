package io.tidekeeper.sandbox.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SubwayManifestsTest {

  @Test
  void valuesComeInPlaceOfTheirNames() {
    assertThat(SubwayManifests.fill("a: ${one}, b: ${one}${two}", Map.of("one", "$1", "two", "2")))
        .isEqualTo("a: $1, b: $12");
  }

  @Test
  void aNameWithoutAValueIsAnError() {
    assertThatThrownBy(() -> SubwayManifests.fill("a: ${three}", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("${three}");
  }
}
