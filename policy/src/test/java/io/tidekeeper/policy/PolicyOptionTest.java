package io.tidekeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PolicyOptionTest {

  @ParameterizedTest
  @EnumSource
  void noKeyIsAPrefixOfAnother(PolicyOption option) {
    for (PolicyOption other : PolicyOption.values()) {
      assertThat(other.key() + ".")
          .satisfies(
              key -> assertThat(other != option && key.startsWith(option.key() + ".")).isFalse());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyOptionIsDocumented(PolicyOption option) {
    assertThat(option.key()).matches("[a-z-]+(\\.[a-z-]+)+");
    assertThat(option.description()).endsWith(".").doesNotContain("  ");
    assertThat(option.allowed()).isNotBlank();
    assertThat(option.unit()).isNotBlank();
  }

  @ParameterizedTest
  @EnumSource
  void whatCanBeUnsetHasNoDefault(PolicyOption option) {
    assertThat(option.unsettable() && option.defaultValue() != null).isFalse();
  }
}
