package io.tidekeeper.sandbox.process;

import io.tidekeeper.sandbox.Patience;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, with its output in a file. */
public final class ServerProcess {
  private static final int TAIL_BYTES = 4_000;
  private static final int TAIL_LINES = 12;

  /**
   * Known to the sandbox's own control plane and to {@link EndsWithStdin}: the process stops when
   * its standard input ends.
   */
  static final String EXIT_WITH_STDIN = "EXIT_WITH_STDIN";

  private final String name;
  private final Process process;
  private final Path log;

  private ServerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a process that ends with this JVM, however this ends, if it heeds {@code
   * EXIT_WITH_STDIN}.
   *
   * @param name what messages call it
   * @param environment set on top of this JVM's own
   * @param log overwritten with all that the process prints
   */
  public static ServerProcess start(
      String name,
      Path binary,
      List<String> arguments,
      Map<String, String> environment,
      Path workingFolder,
      Path log) {
    List<String> command = new ArrayList<>();
    command.add(binary.toString());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(workingFolder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    builder.environment().put(EXIT_WITH_STDIN, "true");
    try {
      return new ServerProcess(name, builder.start(), log);
    } catch (IOException e) {
      throw new IllegalStateException("%s cannot be started: %s".formatted(binary, e), e);
    }
  }

  /** The process. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /**
   * Does nothing while the process runs.
   *
   * @throws IllegalStateException when it has ended, with its exit code and the end of its log
   */
  public void checkAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "%s ended with exit code %d; %s".formatted(name, process.exitValue(), logTail()));
    }
  }

  /** Where the log is and how it ends, for messages. */
  public String logTail() {
    return "the log of %s, %s, ends with:%n%s".formatted(name, log, tail());
  }

  /**
   * Asks the process to stop; {@link #awaitStop} waits for it. By its handle: {@link
   * Process#destroy} would end its standard input too, and a second request to stop makes the API
   * server leave its work undone.
   */
  public void requestStop() {
    handle().destroy();
  }

  /** Waits until the process is gone; one that takes longer than the limit is killed. */
  public void awaitStop(Duration limit) {
    boolean interrupted = false;
    try {
      if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    process.destroyForcibly();
    process.onExit().join();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills the process at once, as SIGKILL does; {@link #awaitExit} waits for it. */
  public void kill() {
    process.destroyForcibly();
  }

  /**
   * Waits until the process has ended.
   *
   * @return its exit code; 128 + 9 of one that was killed
   * @throws IllegalStateException when it takes longer than the limit
   */
  public int awaitExit(Duration limit) {
    Patience.until(name + " to end", limit, () -> !process.isAlive(), this::logTail);
    return process.exitValue();
  }

  private String tail() {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long skipped = Math.max(0, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - skipped)];
      file.seek(skipped);
      file.readFully(bytes);
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(unreadable: %s)".formatted(e);
    }
  }
}
