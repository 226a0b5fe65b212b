package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A spec as the status keeps it: a JSON text with a note whether it was the first one. */
record RecordedSpec(DeploymentSpec spec, boolean firstDeployment) {

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
    json.set("spec", spec.json());
    json.putObject("resource_metadata")
        .put("apiVersion", "flink.apache.org/v1beta1")
        .put("firstDeployment", firstDeployment);
    return json.toString();
  }
}
