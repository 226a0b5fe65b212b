package io.tidekeeper.sandbox.explore;

import static io.tidekeeper.sandbox.stage.SubwayManifests.NAMESPACE;
import static io.tidekeeper.sandbox.stage.SubwayManifests.POLICY;
import static io.tidekeeper.sandbox.subway.SubwayJobs.INPUT;

import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.kubectl.Console;
import io.tidekeeper.sandbox.run.KubeRunOptions;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.run.RunFolder;
import io.tidekeeper.sandbox.run.RunProgram;
import io.tidekeeper.sandbox.stage.Closing;
import io.tidekeeper.sandbox.stage.KubeStage;
import io.tidekeeper.sandbox.stage.PolicyFeed;
import io.tidekeeper.sandbox.stage.StreamStage;
import io.tidekeeper.sandbox.stage.SubwayManifests;
import io.tidekeeper.sandbox.traffic.Traffic;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code make sandbox}. */
@Command(
    name = "sandbox",
    mixinStandardHelpOptions = true,
    description =
        "Starts a Kafka broker, a Flink cluster, a Kubernetes API server, a stand-in for the Flink"
            + " operator and the controller, applies the subway job and its policy, and sends"
            + " traffic until Ctrl-C.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"1:a part failed", "130:ended by Ctrl-C"})
public final class Sandbox implements Callable<Integer> {

  @Mixin private final KubeRunOptions run = new KubeRunOptions("target/sandbox", 7);

  @Option(
      names = "--rate",
      defaultValue = "300",
      description = "Records a second, at least 1. Default: ${DEFAULT-VALUE}")
  private int rate = 300;

  /** Runs until it is told to end. */
  public static void main(String[] args) {
    System.exit(RunProgram.execute(new Sandbox(), args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    KubeApi.unavailableReason()
        .ifPresent(
            reason -> {
              throw new IllegalStateException(reason);
            });
    TrafficPlan plan = TrafficPlan.endless(run.seed(), rate);
    Path jar = run.jobJar();
    RunFolder.renew(run.dir());
    Narrator narrator = new Narrator(System.out);
    try (Closing closing = Closing.atTheEnd()) {
      AutoCloseable unusedLast = closing.add(() -> narrator.say("Everything is stopped"));
      start(closing, narrator, plan, jar);
      AutoCloseable unusedFirst = closing.add(() -> narrator.say("Stopping everything"));
      new CountDownLatch(1).await();
    }
    return 0;
  }

  private void start(Closing closing, Narrator narrator, TrafficPlan plan, Path jar) {
    narrator.say("Starting a Kafka broker and a Flink cluster on 127.0.0.1");
    StreamStage stream = StreamStage.start(closing, run.dir(), jar, plan.partitions());
    narrator.say(
        "Starting a Kubernetes API server, a stand-in for the Flink operator, the controller");
    KubeStage kube = KubeStage.start(closing, run.dir(), run.manifests(), stream, jobId -> {});
    PolicyFeed policy =
        closing.add(PolicyFeed.of(narrator, kube.api().adminClient(), NAMESPACE, POLICY));
    Console console = Console.open(narrator, kube.api(), NAMESPACE, run.dir());
    SubwayManifests files = SubwayManifests.in(run.dir(), stream, true);
    files.all();
    console.apply(files.fiveSeconds(), files.deployment());
    var unused = policy.await("InSync", null, target -> "InSync".equals(target.state()));
    // Not before: the first change of a policy would be judged by the lateness it is to show.
    AutoCloseable unusedTraffic =
        closing.add(Traffic.startUnrecorded(stream.broker().bootstrapServers(), INPUT, plan));
    narrator.say(
        "Everything runs, and traffic of %,d records a second has begun. Ctrl-C stops all of it"
            .formatted(rate));
    narrator.line(Guide.text(run.dir().toAbsolutePath().normalize(), stream, kube));
  }
}
