package io.tidekeeper.sandbox.demo;

import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.run.RunFolder;
import io.tidekeeper.sandbox.run.RunProgram;
import io.tidekeeper.sandbox.run.Verdict;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code make demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Runs the subway job on a real Kafka broker and a real Flink cluster, changes its thresholds"
            + " by savepoint in the middle of the rush hour, and accounts for every record.",
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
    List<Claim> claims =
        Story.tell(narrator, dir, jobJar == null ? SubwayJobs.builtJar() : jobJar, seed, sabotage);
    return Verdict.tell(narrator, claims, dir) ? 0 : 1;
  }
}
