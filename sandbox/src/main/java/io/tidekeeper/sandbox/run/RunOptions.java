package io.tidekeeper.sandbox.run;

import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every program of the sandbox has. */
public class RunOptions {

  @Option(
      names = "--dir",
      description = "Where everything is kept; replaced. Default: ${DEFAULT-VALUE}")
  private Path dir;

  @Option(names = "--seed", description = "Of everything random. Default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(
      names = "--job-jar",
      description = "The job jar. Default: job/target/tidekeeper-job-*-all.jar")
  private @Nullable Path jobJar;

  /**
   * The options where none is given.
   *
   * @param dir relative to the working directory
   */
  public RunOptions(String dir, long seed) {
    this.dir = Path.of(dir);
    this.seed = seed;
  }

  /** Where everything is kept. */
  public Path dir() {
    return dir;
  }

  /** Of everything random. */
  public long seed() {
    return seed;
  }

  /**
   * The job jar.
   *
   * @throws IllegalStateException when none is given and none is built
   */
  public Path jobJar() {
    return jobJar == null ? SubwayJobs.builtJar() : jobJar;
  }
}
