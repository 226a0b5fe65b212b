package io.tidekeeper.sandbox.demo;

import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.run.RunFolder;
import io.tidekeeper.sandbox.run.RunProgram;
import io.tidekeeper.sandbox.run.Verdict;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code make demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Runs the subway job on a real Kafka broker, a real Flink cluster and a real Kubernetes API"
            + " server, changes its thresholds with kubectl in the middle of the rush hour, and"
            + " accounts for every record. Without an API server (see make kube) it does what it can:"
            + " the change by savepoint, and the account.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:every claim holds", "1:a claim does not hold, or a part failed"})
public final class Demo implements Callable<Integer> {

  @Option(
      names = "--dir",
      defaultValue = "target/demo",
      description = "Where results go; replaced. Default: ${DEFAULT-VALUE}")
  private Path dir = Path.of("target/demo");

  @Option(names = "--seed", defaultValue = "7", description = "Of the traffic. Default: 7")
  private long seed = 7;

  @Option(
      names = "--job-jar",
      description = "The job jar. Default: job/target/tidekeeper-job-*-all.jar")
  private @Nullable Path jobJar;

  @Option(
      names = "--manifests",
      defaultValue = "k8s",
      description = "What is installed into the API server. Default: ${DEFAULT-VALUE}")
  private Path manifests = Path.of("k8s");

  @Option(
      names = "--sabotage",
      defaultValue = "none",
      description =
          "Break one thing on purpose, to see the demo notice: ${COMPLETION-CANDIDATES}. Default:"
              + " none")
  private Sabotage sabotage = Sabotage.none;

  /** Runs the demo; the exit code tells whether every claim holds. */
  public static void main(String[] args) {
    System.exit(RunProgram.execute(new Demo(), args));
  }

  @Override
  public Integer call() throws IOException {
    RunFolder.renew(dir);
    Narrator narrator = new Narrator(System.out);
    Path jar = jobJar == null ? SubwayJobs.builtJar() : jobJar;
    Optional<String> streamOnly = KubeApi.unavailableReason();
    streamOnly.ifPresent(
        reason -> narrator.line("Without Kubernetes, the streaming half only: " + reason));
    List<Claim> claims =
        streamOnly.isPresent()
            ? StreamStory.tell(narrator, dir, jar, seed, sabotage)
            : KubeStory.tell(narrator, dir, jar, manifests, seed, sabotage);
    return Verdict.tell(narrator, claims, dir) ? 0 : 1;
  }
}
