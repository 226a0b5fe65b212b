package io.tidekeeper.sandbox.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The kubectl of this machine. */
final class InstalledKubectl implements Kubectl {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path program;
  private final Path kubeconfig;
  private final Path folder;

  /**
   * @param program the file
   * @param kubeconfig the server, and who one is there
   * @param folder where its cache goes; exists
   */
  InstalledKubectl(Path program, Path kubeconfig, Path folder) {
    this.program = program;
    this.kubeconfig = kubeconfig;
    this.folder = folder;
  }

  /**
   * The first one on a search path.
   *
   * @param searchPath as in the environment variable PATH
   */
  static Optional<Path> find(String searchPath) {
    return Stream.of(searchPath.split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry, "kubectl"))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  @Override
  public Answer run(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(arguments);
    Path output = folder.resolve("kubectl.out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(output.toFile());
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().put("KUBECACHEDIR", folder.resolve("kubectl-cache").toString());
    try {
      Process process = builder.start();
      try {
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException(
              "kubectl %s has not ended after %d s"
                  .formatted(String.join(" ", arguments), LIMIT.toSeconds()));
        }
      } finally {
        process.destroyForcibly();
      }
      return new Answer(process.exitValue(), Files.readString(output, UTF_8).stripTrailing());
    } catch (IOException e) {
      throw new IllegalStateException("%s cannot be run: %s".formatted(program, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while kubectl ran", e);
    }
  }
}
