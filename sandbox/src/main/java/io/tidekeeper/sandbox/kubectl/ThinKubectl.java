package io.tidekeeper.sandbox.kubectl;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidekeeper.crds.PolicyCondition;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.sandbox.kube.Manifests;
import io.tidekeeper.sandbox.operator.FlinkDeploymentCrd;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What the sandbox asks of kubectl, where there is none: the same requests by another client, and
 * answers that look alike.
 *
 * <p>It knows {@code -n NAMESPACE} followed by {@code apply -f FILE ...}, {@code get wmp}, {@code
 * get flinkdeployment,wmp}, {@code describe wmp NAME}, {@code get events ...} (of the policies) and
 * {@code patch flinkdeployment NAME --type=merge -p JSON}.
 */
final class ThinKubectl implements Kubectl {

  private final KubernetesClient client;

  ThinKubectl(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Answer run(List<String> arguments) {
    if (arguments.size() < 4 || !arguments.get(0).equals("-n")) {
      throw unknown(arguments);
    }
    String namespace = arguments.get(1);
    List<String> command = arguments.subList(2, arguments.size());
    return switch (command.get(0) + " " + command.get(1)) {
      case "apply -f" -> apply(command.subList(1, command.size()));
      case "get wmp" -> new Answer(0, policies(namespace));
      case "get flinkdeployment,wmp" ->
          new Answer(0, deployments(namespace) + "\n\n" + policies(namespace));
      case "describe wmp" -> new Answer(0, describe(namespace, command.get(2)));
      case "get events" -> new Answer(0, events(namespace));
      case "patch flinkdeployment" -> patch(namespace, command.get(2), command.get(5));
      default -> throw unknown(arguments);
    };
  }

  private Answer apply(List<String> flags) {
    List<String> said = new ArrayList<>();
    for (int i = 1; i < flags.size(); i += 2) {
      try {
        for (HasMetadata applied : Manifests.apply(client, Path.of(flags.get(i)))) {
          said.add(
              "%s.%s/%s serverside-applied"
                  .formatted(
                      applied.getKind().toLowerCase(Locale.ROOT),
                      applied.getApiVersion().replaceFirst("/.*", ""),
                      applied.getMetadata().getName()));
        }
      } catch (IllegalStateException e) {
        said.add(String.valueOf(e.getMessage()));
        return new Answer(1, String.join("\n", said));
      }
    }
    return new Answer(0, String.join("\n", said));
  }

  private String deployments(String namespace) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "JOB STATUS", "LIFECYCLE STATE"));
    client
        .genericKubernetesResources(FlinkDeploymentCrd.CONTEXT)
        .inNamespace(namespace)
        .list()
        .getItems()
        .forEach(
            deployment -> {
              String job = deployment.get("status", "jobStatus", "state");
              String lifecycle = deployment.get("status", "lifecycleState");
              rows.add(
                  List.of(
                      deployment.getMetadata().getName(),
                      String.valueOf(job),
                      String.valueOf(lifecycle)));
            });
    return Table.of(rows);
  }

  private String policies(String namespace) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "TYPE", "APPLIED", "READY", "REASON"));
    client.resources(WatermarkPolicy.class).inNamespace(namespace).list().getItems().stream()
        .map(
            policy ->
                List.of(
                    policy.getMetadata().getName(),
                    String.valueOf(policy.getSpec().watermark().type()),
                    condition(policy, "Applied", PolicyCondition::status),
                    condition(policy, "Ready", PolicyCondition::status),
                    condition(policy, "Applied", PolicyCondition::reason)))
        .forEach(rows::add);
    return Table.of(rows);
  }

  private static String condition(
      WatermarkPolicy policy, String type, Function<PolicyCondition, String> part) {
    return policy.getStatus() == null
        ? ""
        : policy.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(type))
            .map(part)
            .findFirst()
            .orElse("");
  }

  private String describe(String namespace, String name) {
    WatermarkPolicy policy =
        client.resources(WatermarkPolicy.class).inNamespace(namespace).withName(name).require();
    return "Name: %s\nNamespace: %s\nStatus:\n%s"
        .formatted(
            name,
            namespace,
            client
                .getKubernetesSerialization()
                .asYaml(policy.getStatus())
                .replaceFirst("^---\n", "")
                .indent(2)
                .stripTrailing());
  }

  private String events(String namespace) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("LAST SEEN", "TYPE", "REASON", "MESSAGE"));
    client.v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getKind().equals("WatermarkPolicy"))
        .sorted(Comparator.comparing(event -> event.getMetadata().getCreationTimestamp()))
        .map(ThinKubectl::row)
        .forEach(rows::add);
    return Table.of(rows);
  }

  private static List<String> row(Event event) {
    return List.of(
        event.getMetadata().getCreationTimestamp(),
        event.getType(),
        event.getReason(),
        event.getMessage());
  }

  private Answer patch(String namespace, String name, String json) {
    HasMetadata unused =
        client
            .genericKubernetesResources(FlinkDeploymentCrd.CONTEXT)
            .inNamespace(namespace)
            .withName(name)
            .patch(new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE).build(), json);
    return new Answer(0, "flinkdeployment.flink.apache.org/%s patched".formatted(name));
  }

  private static IllegalArgumentException unknown(List<String> arguments) {
    return new IllegalArgumentException(
        "without kubectl there is no 'kubectl %s'".formatted(String.join(" ", arguments)));
  }
}
