package io.tidekeeper.sandbox.run;

import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Runs a program of the sandbox and turns a failure of one of its parts into one clear line. */
public final class RunProgram {

  private static final Logger LOG = LoggerFactory.getLogger(RunProgram.class);

  private RunProgram() {}

  /**
   * Runs the program.
   *
   * @return its exit code; 1 when it failed, with the message on the console and the stack trace in
   *     the log file
   */
  public static int execute(Callable<Integer> program, String... args) {
    return new CommandLine(program)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              LOG.info("The run failed", failure);
              if (isEnding()) {
                // Somebody has ended it: that its parts are gone is no news.
                return 1;
              }
              command.getErr().println("FAILED: " + failure.getMessage());
              command
                  .getErr()
                  .println(
                      "Details: " + System.getProperty("tidekeeper.log", "target/sandbox.log"));
              return 1;
            })
        .execute(args);
  }

  /** Whether the program has been told to end: only then no thread can be added for its end. */
  private static boolean isEnding() {
    Thread nothing = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(nothing);
      return !Runtime.getRuntime().removeShutdownHook(nothing);
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
