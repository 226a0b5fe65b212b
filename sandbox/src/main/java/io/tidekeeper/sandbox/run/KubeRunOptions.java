package io.tidekeeper.sandbox.run;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of programs that have a Kubernetes API server as well. */
public final class KubeRunOptions extends RunOptions {

  @Option(
      names = "--manifests",
      description = "What is installed into the API server. Default: ${DEFAULT-VALUE}")
  private Path manifests = Path.of("k8s");

  /**
   * The options where none is given.
   *
   * @param dir relative to the working directory
   */
  public KubeRunOptions(String dir, long seed) {
    super(dir, seed);
  }

  /** What is installed into the API server. */
  public Path manifests() {
    return manifests;
  }
}
