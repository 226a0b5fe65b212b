package io.tidekeeper.sandbox.flink;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.client.program.PackagedProgramUtils;
import org.apache.flink.client.program.ProgramInvocationException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.jspecify.annotations.Nullable;

/** Runs a program's {@code main} up to its {@code execute} and takes the graph it built. */
final class Programs {
  /** Flink keeps the environment that a main method finds in a static field. */
  private static final Object ONE_MAIN_AT_A_TIME = new Object();

  private Programs() {}

  /**
   * Runs {@code main} and hands the graph to {@code submit} while the program's classes are loaded.
   *
   * @param configuration the cluster's and the job's options together
   */
  static <T> T withGraph(
      JobSpec spec,
      Configuration configuration,
      SavepointRestoreSettings restore,
      Function<StreamGraph, T> submit) {
    SavepointRestoreSettings.toConfiguration(restore, configuration);
    // Jars go to the task managers as class paths of this machine: no blob server is involved.
    List<URL> jars = jars(spec.jar());
    try (PackagedProgram program = program(spec, configuration, restore)) {
      Pipeline pipeline;
      synchronized (ONE_MAIN_AT_A_TIME) {
        pipeline =
            PackagedProgramUtils.getPipelineFromProgram(
                program, configuration, spec.parallelism(), false);
      }
      if (!(pipeline instanceof StreamGraph graph)) {
        throw new IllegalStateException(
            "%s built a %s, not a streaming job".formatted(spec.mainClass(), pipeline.getClass()));
      }
      graph.setClasspath(jars);
      graph.setSavepointRestoreSettings(restore);
      return submit.apply(graph);
    } catch (ProgramInvocationException e) {
      throw original(e);
    }
  }

  private static PackagedProgram program(
      JobSpec spec, Configuration configuration, SavepointRestoreSettings restore)
      throws ProgramInvocationException {
    PackagedProgram.Builder builder =
        PackagedProgram.newBuilder()
            .setEntryPointClassName(spec.mainClass())
            .setArguments(spec.args().toArray(String[]::new))
            .setConfiguration(configuration)
            .setSavepointRestoreSettings(restore);
    if (spec.jar() != null) {
      builder.setJarFile(spec.jar().toFile());
    }
    return builder.build();
  }

  private static List<URL> jars(@Nullable Path jar) {
    if (jar == null) {
      return List.of();
    }
    if (!Files.isRegularFile(jar)) {
      throw new IllegalArgumentException("there is no job jar at " + jar.toAbsolutePath());
    }
    try {
      return List.of(jar.toUri().toURL());
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("not a job jar: " + jar, e);
    }
  }

  private static SubmissionException original(ProgramInvocationException e) {
    @Nullable Throwable cause = e.getCause();
    @Nullable String thrown = cause == null ? null : cause.getMessage();
    return new SubmissionException(String.valueOf(thrown == null ? e.getMessage() : thrown), e);
  }
}
