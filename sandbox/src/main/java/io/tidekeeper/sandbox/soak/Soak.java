package io.tidekeeper.sandbox.soak;

import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.run.RunFolder;
import io.tidekeeper.sandbox.run.RunOptions;
import io.tidekeeper.sandbox.run.RunProgram;
import io.tidekeeper.sandbox.run.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private final RunOptions run = new RunOptions("target/soak", 11);

  @Option(
      names = "--changes",
      defaultValue = "100",
      description = "How many changes. Default: ${DEFAULT-VALUE}")
  private int changes = 100;

  @Option(
      names = "--rate",
      defaultValue = "1200",
      description = "Records per second. Default: ${DEFAULT-VALUE}")
  private int rate = 1200;

  /** Runs the soak; the exit code tells whether every claim holds. */
  public static void main(String[] args) {
    System.exit(RunProgram.execute(new Soak(), args));
  }

  @Override
  public Integer call() throws IOException {
    RunFolder.renew(run.dir());
    Narrator narrator = new Narrator(System.out);
    List<Claim> claims =
        new SoakRun(narrator, run.dir(), run.jobJar(), changes, rate, run.seed()).run();
    return Verdict.tell(narrator, claims, run.dir()) ? 0 : 1;
  }
}
