package io.tidekeeper.controller.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.tidekeeper.crds.WatermarkPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldersTest {

  private final WatermarkPolicy old = policy("old", "2026-01-01T00:00:00Z");
  private final WatermarkPolicy young = policy("young", "2026-02-01T00:00:00Z");
  private final WatermarkPolicy alsoYoung = policy("also-young", "2026-02-01T00:00:00Z");

  @Test
  void theIncumbentKeepsIt() {
    assertThat(Holders.holder(List.of(old, young), "young")).contains(young);
  }

  @Test
  void amongNewcomersTheOldestHasItThenTheFirstByName() {
    assertThat(Holders.holder(List.of(young, old), null)).contains(old);
    assertThat(Holders.holder(List.of(young, alsoYoung), null)).contains(alsoYoung);
  }

  @Test
  void anIncumbentThatIsNotThereAnyMoreCountsForNothing() {
    assertThat(Holders.holder(List.of(young, old), "deleted")).contains(old);
    assertThat(Holders.holder(List.of(), "deleted")).isEmpty();
  }

  private static WatermarkPolicy policy(String name, String created) {
    WatermarkPolicy policy = new WatermarkPolicy();
    policy.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace("transit")
            .withCreationTimestamp(created)
            .build());
    return policy;
  }
}
