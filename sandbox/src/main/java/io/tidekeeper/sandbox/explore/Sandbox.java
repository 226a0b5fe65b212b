package io.tidekeeper.sandbox.explore;

import static io.tidekeeper.sandbox.stage.SubwayManifests.NAMESPACE;
import static io.tidekeeper.sandbox.stage.SubwayManifests.POLICY;
import static io.tidekeeper.sandbox.subway.SubwayJobs.INPUT;

import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.kubectl.Console;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.run.RunFolder;
import io.tidekeeper.sandbox.run.RunProgram;
import io.tidekeeper.sandbox.stage.Closing;
import io.tidekeeper.sandbox.stage.KubeStage;
import io.tidekeeper.sandbox.stage.PolicyFeed;
import io.tidekeeper.sandbox.stage.StreamStage;
import io.tidekeeper.sandbox.stage.SubwayManifests;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import io.tidekeeper.sandbox.traffic.Traffic;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

  @Option(
      names = "--dir",
      defaultValue = "target/sandbox",
      description = "Where everything is kept; replaced. Default: ${DEFAULT-VALUE}")
  private Path dir = Path.of("target/sandbox");

  @Option(
      names = "--rate",
      defaultValue = "300",
      description = "Records a second, at least 1. Default: ${DEFAULT-VALUE}")
  private int rate = 300;

  @Option(names = "--seed", defaultValue = "7", description = "Of the traffic. Default: 7")
  private long seed = 7;

  @Option(
      names = "--manifests",
      defaultValue = "k8s",
      description = "What is installed into the API server. Default: ${DEFAULT-VALUE}")
  private Path manifests = Path.of("k8s");

  @Option(
      names = "--job-jar",
      description = "The job jar. Default: job/target/tidekeeper-job-*-all.jar")
  private @Nullable Path jobJar;

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
    TrafficPlan plan = TrafficPlan.endless(seed, rate);
    Path jar = jobJar == null ? SubwayJobs.builtJar() : jobJar;
    RunFolder.renew(dir);
    Narrator narrator = new Narrator(System.out);
    try (Closing closing = Closing.atTheEnd()) {
      AutoCloseable unusedLast = closing.add(() -> narrator.say("Everything is stopped"));
      run(closing, narrator, plan, jar);
      AutoCloseable unusedFirst = closing.add(() -> narrator.say("Stopping everything"));
      new CountDownLatch(1).await();
    }
    return 0;
  }

  private void run(Closing closing, Narrator narrator, TrafficPlan plan, Path jar) {
    narrator.say("Starting a Kafka broker and a Flink cluster on 127.0.0.1");
    StreamStage stream = StreamStage.start(closing, dir, jar, plan.partitions());
    narrator.say(
        "Starting a Kubernetes API server, a stand-in for the Flink operator, the controller");
    KubeStage kube = KubeStage.start(closing, dir, manifests, stream, jobId -> {});
    PolicyFeed policy =
        closing.add(PolicyFeed.of(narrator, kube.api().adminClient(), NAMESPACE, POLICY));
    Console console = Console.open(narrator, kube.api(), NAMESPACE, dir);
    SubwayManifests files = SubwayManifests.in(dir, stream, true);
    files.all();
    console.apply(files.fiveSeconds(), files.deployment());
    var unused = policy.await("InSync", null, target -> "InSync".equals(target.state()));
    // Not before: the first change of a policy would be judged by the lateness it is to show.
    AutoCloseable unusedTraffic =
        closing.add(Traffic.startUnrecorded(stream.broker().bootstrapServers(), INPUT, plan));
    narrator.say(
        "Everything runs, and traffic of %,d records a second has begun. Ctrl-C stops all of it"
            .formatted(rate));
    narrator.line(Guide.text(dir.toAbsolutePath().normalize(), stream, kube));
  }
}
