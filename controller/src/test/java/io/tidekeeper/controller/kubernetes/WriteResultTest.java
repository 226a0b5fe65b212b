package io.tidekeeper.controller.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidekeeper.controller.kubernetes.WriteResult.Claim;
import io.tidekeeper.controller.kubernetes.WriteResult.FieldConflict;
import io.tidekeeper.controller.kubernetes.WriteResult.Gone;
import io.tidekeeper.controller.kubernetes.WriteResult.Stale;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteResultTest {

  private static final String KEY = ".spec.flinkConfiguration.tidekeeper.default.watermark.type";

  @Test
  void anotherOwnerIsNamedWithItsField() {
    assertThat(
            WriteResult.of(
                refusal(
                    409,
                    "Apply failed with 1 conflict",
                    cause("FieldManagerConflict", KEY, "conflict with \"gitops\""))))
        .isEqualTo(
            new FieldConflict(List.of(new Claim("tidekeeper.default.watermark.type", "gitops"))));
    assertThat(
            Claim.of(
                cause(
                    "FieldManagerConflict",
                    KEY,
                    "conflict with \"kubectl\" using flink.apache.org/v1beta1")))
        .hasToString("tidekeeper.default.watermark.type by kubectl");
  }

  @Test
  void theOtherTwoConflictsHaveNoCauses() {
    assertThat(
            WriteResult.of(
                refusal(
                    409,
                    "Operation cannot be fulfilled on flinkdeployments \"job\": uid mismatch: the"
                        + " provided object specified uid 1, and no existing object was found")))
        .isInstanceOf(Gone.class);
    assertThat(
            WriteResult.of(
                refusal(
                    409,
                    "Operation cannot be fulfilled on flinkdeployments \"job\": the object has been"
                        + " modified; please apply your changes to the latest version")))
        .isInstanceOf(Stale.class);
  }

  @Test
  void anotherObjectUnderTheNameIsGoneToo() {
    assertThat(
            WriteResult.of(
                refusal(422, "invalid", cause("FieldValueInvalid", "metadata.uid", "immutable"))))
        .isInstanceOf(Gone.class);
    assertThat(WriteResult.of(refusal(404, "not found"))).isInstanceOf(Gone.class);
  }

  @Test
  void whatIsNotExpectedStaysAnError() {
    KubernetesClientException schema =
        refusal(422, "invalid", cause("FieldValueInvalid", "spec.job", "required"));
    assertThatThrownBy(() -> WriteResult.of(schema)).isSameAs(schema);
    KubernetesClientException forbidden = refusal(403, "forbidden");
    assertThatThrownBy(() -> WriteResult.of(forbidden)).isSameAs(forbidden);
  }

  private static StatusCause cause(String reason, String field, String message) {
    return new StatusCause(field, message, reason);
  }

  private static KubernetesClientException refusal(
      int code, String message, StatusCause... causes) {
    Status status =
        new StatusBuilder()
            .withCode(code)
            .withMessage(message)
            .withNewDetails()
            .addToCauses(causes)
            .endDetails()
            .build();
    return new KubernetesClientException(message, code, status);
  }
}
