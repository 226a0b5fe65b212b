package io.tidekeeper.sandbox.demo;

import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.run.KubeRunOptions;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.run.RunFolder;
import io.tidekeeper.sandbox.run.RunProgram;
import io.tidekeeper.sandbox.run.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private final KubeRunOptions run = new KubeRunOptions("target/demo", 7);

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
    RunFolder.renew(run.dir());
    Narrator narrator = new Narrator(System.out);
    Path jar = run.jobJar();
    Optional<String> streamOnly = KubeApi.unavailableReason();
    streamOnly.ifPresent(
        reason -> narrator.line("Without Kubernetes, the streaming half only: " + reason));
    List<Claim> claims =
        streamOnly.isPresent()
            ? StreamStory.tell(narrator, run.dir(), jar, run.seed(), sabotage)
            : KubeStory.tell(narrator, run.dir(), jar, run.manifests(), run.seed(), sabotage);
    return Verdict.tell(narrator, claims, run.dir()) ? 0 : 1;
  }
}
