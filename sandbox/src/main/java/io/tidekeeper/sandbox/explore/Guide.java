package io.tidekeeper.sandbox.explore;

import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.stage.KubeStage;
import io.tidekeeper.sandbox.stage.StreamStage;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.nio.file.Path;
import java.util.List;

/** What a user of the sandbox needs to know. */
final class Guide {

  private Guide() {}

  /**
   * Addresses, and commands to try.
   *
   * @param dir where the sandbox keeps everything
   */
  static String text(Path dir, StreamStage stream, KubeStage kube) {
    return """

      Flink's web UI        %s
      its metrics           %s
      controller's metrics  %s, log %s
      Kafka                 %s, topics %s
      API server            %s

    Try in another terminal:

      export KUBECONFIG=%s

    %s"""
        .formatted(
            stream.flink().restUri(),
            stream.flink().prometheusUri(),
            kube.controller().metricsUri(),
            dir.resolve("controller").resolve("controller.log"),
            stream.broker().bootstrapServers(),
            String.join(
                ", ",
                List.of(
                    SubwayJobs.INPUT,
                    SubwayJobs.RESULTS,
                    SubwayJobs.LATE,
                    SubwayJobs.DEAD_LETTERS)),
            kube.api().url(),
            kube.api().kubeconfig(KubeApi.ADMIN),
            commands(dir));
  }

  /** Commands to try, each with a remark. */
  static String commands(Path dir) {
    return """
    # where it stands, now and while it changes
    kubectl -n transit get wmp,flinkdeployment
    kubectl -n transit describe wmp subway
    kubectl -n transit get events --watch

    # one record in eleven is late under 5 s; the schedule ends that
    kubectl -n transit apply -f DIR/policy-schedule.yaml

    # far too tight: the controller takes it back for its late share
    kubectl -n transit apply -f DIR/policy-too-tight.yaml

    # the brake: nothing is written to the job; with a minus sign it is released
    kubectl -n transit annotate wmp subway tidekeeper.io/paused=true
    kubectl -n transit annotate wmp subway tidekeeper.io/paused-

    # take the last change back by hand
    kubectl -n transit annotate wmp subway --overwrite tidekeeper.io/reject=\\
    $(kubectl -n transit get wmp subway -o jsonpath='{.status.targets[0].history[0].change}')

    # a value that means nothing is refused
    kubectl -n transit patch wmp subway --type=merge -p '{"spec":{"watermark":{"idleTimeout":"soon"}}}'
    """
        .replace("DIR", dir.toString())
        .replaceAll("(?m)^(?=.)", "  ");
  }
}
