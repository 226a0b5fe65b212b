package io.tidekeeper.sandbox.kubectl;

import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.run.Narrator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A console at which kubectl is used: every command is told as one would type it, and its answer.
 */
public final class Console {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9@%+=:,./_-]+");

  private final Narrator narrator;
  private final Kubectl kubectl;
  private final String namespace;

  Console(Narrator narrator, Kubectl kubectl, String namespace) {
    this.narrator = narrator;
    this.kubectl = kubectl;
    this.namespace = namespace;
  }

  /**
   * Opens one for whoever may do everything, and tells how to open another.
   *
   * @param namespace of every command
   * @param folder for kubectl's own files; exists
   */
  public static Console open(Narrator narrator, KubeApi api, String namespace, Path folder) {
    Path kubeconfig = api.kubeconfig(KubeApi.ADMIN);
    Optional<Path> program = InstalledKubectl.find(System.getenv().getOrDefault("PATH", ""));
    narrator.line("$ export KUBECONFIG=" + relative(kubeconfig));
    if (program.isEmpty()) {
      narrator.say(
          "kubectl is not on the PATH: another client sends what kubectl would, as far as it goes");
    }
    return new Console(
        narrator,
        program.isPresent()
            ? new InstalledKubectl(program.get(), kubeconfig, folder)
            : new ThinKubectl(api.adminClient()),
        namespace);
  }

  /** Applies files. */
  public void apply(Path... files) {
    run(UnaryOperator.identity(), applying(files).toArray(String[]::new));
  }

  /**
   * Applies a file that the server is expected to refuse.
   *
   * @return whether it was refused, and what was said
   */
  public Refusal applyInvalid(Path file) {
    Kubectl.Answer answer = tell(UnaryOperator.identity(), applying(file));
    return new Refusal(answer.exitCode() != 0, answer.output());
  }

  /**
   * Runs a command.
   *
   * @param arguments what follows {@code kubectl -n NAMESPACE}
   * @throws IllegalStateException when it fails
   */
  public void run(String... arguments) {
    run(UnaryOperator.identity(), arguments);
  }

  /** The same, and tells of the answer what is left of it. */
  public void run(UnaryOperator<String> shortening, String... arguments) {
    Kubectl.Answer answer = tell(shortening, List.of(arguments));
    if (answer.exitCode() != 0) {
      throw new IllegalStateException(
          "kubectl failed with exit code %d: %s".formatted(answer.exitCode(), answer.output()));
    }
  }

  /**
   * What became of an apply.
   *
   * @param refused whether it failed
   * @param message what was said
   */
  public record Refusal(boolean refused, String message) {}

  /** A command as one would type it. */
  static String typed(List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add("kubectl");
    for (String argument : arguments) {
      words.add(PLAIN.matcher(argument).matches() ? argument : "'" + argument + "'");
    }
    return String.join(" ", words);
  }

  private Kubectl.Answer tell(UnaryOperator<String> shortening, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("-n", namespace));
    all.addAll(arguments);
    Kubectl.Answer answer = kubectl.run(all);
    // One piece, because others tell things meanwhile.
    narrator.line("$ %s\n%s".formatted(typed(all), shortening.apply(answer.output())));
    return answer;
  }

  private static List<String> applying(Path... files) {
    List<String> arguments = new ArrayList<>();
    arguments.add("apply");
    for (Path file : files) {
      arguments.add("-f");
      arguments.add(relative(file).toString());
    }
    return arguments;
  }

  /** As short as it can be typed here. */
  private static Path relative(Path file) {
    Path here = Path.of("").toAbsolutePath();
    Path absolute = file.toAbsolutePath().normalize();
    return absolute.startsWith(here) ? here.relativize(absolute) : absolute;
  }
}
