package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A spec as the status keeps it: a JSON text with a note whether it was the first one. */
record RecordedSpec(DeploymentSpec spec, boolean firstDeployment) {
  private static final String NONCE = "autoscalerResetNonce";

  static RecordedSpec parse(String text) {
    JsonNode json = Json.parse(text);
    return new RecordedSpec(
        new DeploymentSpec(json.path("spec")),
        json.path("resource_metadata").path("firstDeployment").asBoolean(false));
  }

  RecordedSpec withState(String state) {
    return new RecordedSpec(spec.withState(state), firstDeployment);
  }

  String toText() {
    ObjectNode json = Json.object();
    json.set("spec", withNonce(spec.json().deepCopy()));
    json.putObject("resource_metadata")
        .put("apiVersion", "flink.apache.org/v1beta1")
        .put("firstDeployment", firstDeployment);
    return json.toString();
  }

  /** Operators since 1.12 write it even when it is not set; readers tell them by that. */
  private static JsonNode withNonce(JsonNode spec) {
    if (spec.get("job") instanceof ObjectNode job && !job.has(NONCE)) {
      job.putNull(NONCE);
    }
    return spec;
  }
}
