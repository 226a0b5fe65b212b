package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An API server with one FlinkDeployment. */
final class FakeDeployments implements Deployments {
  private Deployment deployment =
      new Deployment(
          "counter",
          "uid",
          0,
          false,
          false,
          new DeploymentSpec(Json.object()),
          DeploymentStatus.EMPTY);
  private final Killer killer;
  final List<String> told = new ArrayList<>();

  FakeDeployments(Killer killer) {
    this.killer = killer;
  }

  /** A new spec. */
  void apply(String state, String value) {
    ObjectNode spec = Json.object().put("flinkVersion", "v2_2");
    spec.putObject("job")
        .put("entryClass", "Main")
        .put("state", state)
        .put("upgradeMode", "savepoint");
    spec.putObject("flinkConfiguration").put(Looks.KEY, value);
    apply(spec);
  }

  /** One more option. */
  void applyOption(String name, String value) {
    ObjectNode spec = deployment.wanted().json().deepCopy();
    spec.withObject("/flinkConfiguration").put(name, value);
    apply(spec);
  }

  /** A spec without a job. */
  void dropJob() {
    ObjectNode spec = deployment.wanted().json().deepCopy();
    spec.remove("job");
    apply(spec);
  }

  private void apply(ObjectNode spec) {
    deployment =
        new Deployment(
            deployment.name(),
            deployment.uid(),
            deployment.generation() + 1,
            false,
            deployment.hasFinalizer(),
            DeploymentSpec.of(spec),
            deployment.status());
  }

  Deployment now() {
    return deployment;
  }

  String lifecycle() {
    return deployment.status().json().path("lifecycleState").asText();
  }

  @Override
  public Optional<Deployment> read() {
    return Optional.of(deployment);
  }

  @Override
  public void writeStatus(Deployment basedOn, DeploymentStatus status) {
    killer.around(() -> deployment = with(deployment.hasFinalizer(), status));
  }

  @Override
  public void addFinalizer(Deployment basedOn) {
    killer.around(() -> deployment = with(true, deployment.status()));
  }

  @Override
  public void removeFinalizer(Deployment basedOn) {
    killer.around(() -> deployment = with(false, deployment.status()));
  }

  @Override
  public void tell(Deployment basedOn, News news) {
    killer.around(() -> told.add(news.reason()));
  }

  private Deployment with(boolean finalizer, DeploymentStatus status) {
    return new Deployment(
        deployment.name(),
        deployment.uid(),
        deployment.generation(),
        deployment.deleted(),
        finalizer,
        deployment.wanted(),
        status);
  }
}
