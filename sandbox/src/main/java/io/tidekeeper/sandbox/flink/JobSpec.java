package io.tidekeeper.sandbox.flink;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to run: what a FlinkDeployment says about it.
 *
 * @param jar the job jar, loaded child-first; null: the main class comes from the class path of
 *     this JVM
 * @param mainClass the fully qualified class whose {@code main} builds and executes the job
 * @param args the arguments of {@code main}
 * @param configuration Flink options on top of the cluster's own, as in {@code flinkConfiguration}
 * @param parallelism the default parallelism, at least 1
 * @param allowNonRestoredState whether a savepoint may hold state that no operator takes
 */
public record JobSpec(
    @Nullable Path jar,
    String mainClass,
    List<String> args,
    Map<String, String> configuration,
    int parallelism,
    boolean allowNonRestoredState) {

  /** Copies the collections and checks the parallelism. */
  public JobSpec {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1, not " + parallelism);
    }
    args = List.copyOf(args);
    configuration = Map.copyOf(configuration);
  }

  /** A job from the class path of this JVM, strict about the state of savepoints. */
  public static JobSpec ofClass(
      Class<?> mainClass, Map<String, String> configuration, int parallelism, String... args) {
    return new JobSpec(null, mainClass.getName(), List.of(args), configuration, parallelism, false);
  }

  /** The same job with other Flink options. */
  public JobSpec withConfiguration(Map<String, String> other) {
    return new JobSpec(jar, mainClass, args, other, parallelism, allowNonRestoredState);
  }

  /** The same job with another parallelism, at least 1. */
  public JobSpec withParallelism(int other) {
    return new JobSpec(jar, mainClass, args, configuration, other, allowNonRestoredState);
  }

  /** The same job, which may leave state of a savepoint behind. */
  public JobSpec allowingNonRestoredState() {
    return new JobSpec(jar, mainClass, args, configuration, parallelism, true);
  }
}
