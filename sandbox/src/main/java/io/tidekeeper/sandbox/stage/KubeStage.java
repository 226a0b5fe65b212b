package io.tidekeeper.sandbox.stage;

import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.kube.KubeIdentity;
import io.tidekeeper.sandbox.operator.FlinkDeploymentCrd;
import io.tidekeeper.sandbox.operator.StandInOperator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A Kubernetes API server with what is installed into one, the controller under its own rights, and
 * a stand-in for the Flink Kubernetes Operator that runs the jobs on the stage's cluster.
 *
 * @param api the API server
 * @param controller the controller
 */
public record KubeStage(KubeApi api, ControllerProcess controller) {

  private static final KubeIdentity CONTROLLER =
      KubeIdentity.serviceAccount("tidekeeper-system", "tidekeeper-controller");

  /**
   * Starts all of it.
   *
   * @param closing closes them
   * @param dir where their files go
   * @param manifests the folder {@code k8s} of the repository
   * @param stream runs the jobs
   * @param beforeStart see {@link StandInOperator.Builder#beforeStart}
   * @throws IllegalStateException when there can be no API server ({@link
   *     KubeApi#unavailableReason}), or a part does not start
   */
  public static KubeStage start(
      Closing closing, Path dir, Path manifests, StreamStage stream, Consumer<String> beforeStart) {
    if (!Files.isDirectory(manifests)) {
      throw new IllegalStateException(
          "there is no folder %s; run this from the root of the repository"
              .formatted(manifests.toAbsolutePath()));
    }
    KubeApi api =
        closing.add(
            KubeApi.in(dir.resolve("kube"))
                .identity(CONTROLLER)
                .manifests(
                    FlinkDeploymentCrd.writeTo(dir.resolve("kube")),
                    manifests.resolve("crd"),
                    manifests.resolve("controller").resolve("namespace.yaml"),
                    manifests.resolve("rbac"),
                    manifests.resolve("jobs").resolve("subway").resolve("namespace.yaml"))
                .start());
    closing.add(
        StandInOperator.on(api.adminClient(), stream.flink())
            .namespace(SubwayManifests.NAMESPACE)
            .jar(SubwayManifests.JAR_URI, stream.jobs().jar())
            .beforeStart(beforeStart)
            .start());
    ControllerProcess controller =
        closing.add(
            ControllerProcess.start(
                api,
                CONTROLLER.user(),
                stream.flink().restUri(),
                dir.resolve("controller"),
                "--lease-namespace=tidekeeper-system"));
    return new KubeStage(api, controller);
  }
}
