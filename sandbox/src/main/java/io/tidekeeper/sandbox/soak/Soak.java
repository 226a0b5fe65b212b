package io.tidekeeper.sandbox.soak;

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

/** {@code make soak}. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description =
        "Changes the thresholds of the subway job many times in a row under load: by savepoint, with"
            + " another parallelism, without a restart, with a task manager killed. Settings are"
            + " random. Accounts for every record.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:every claim holds", "1:a claim does not hold, or a part failed"})
public final class Soak implements Callable<Integer> {

  @Option(
      names = "--dir",
      defaultValue = "target/soak",
      description = "Where results go; replaced. Default: ${DEFAULT-VALUE}")
  private Path dir = Path.of("target/soak");

  @Option(
      names = "--changes",
      defaultValue = "100",
      description = "How many changes. Default: ${DEFAULT-VALUE}")
  private int changes = 100;

  @Option(names = "--seed", defaultValue = "11", description = "Of everything random. Default: 11")
  private long seed = 11;

  @Option(
      names = "--rate",
      defaultValue = "1200",
      description = "Records per second. Default: ${DEFAULT-VALUE}")
  private int rate = 1200;

  @Option(
      names = "--job-jar",
      description = "The job jar. Default: job/target/tidekeeper-job-*-all.jar")
  private @Nullable Path jobJar;

  /** Runs the soak; the exit code tells whether every claim holds. */
  public static void main(String[] args) {
    System.exit(RunProgram.execute(new Soak(), args));
  }

  @Override
  public Integer call() throws IOException {
    RunFolder.renew(dir);
    Narrator narrator = new Narrator(System.out);
    List<Claim> claims =
        new SoakRun(
                narrator, dir, jobJar == null ? SubwayJobs.builtJar() : jobJar, changes, rate, seed)
            .run();
    return Verdict.tell(narrator, claims, dir) ? 0 : 1;
  }
}
