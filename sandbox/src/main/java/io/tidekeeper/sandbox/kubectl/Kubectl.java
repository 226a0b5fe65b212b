package io.tidekeeper.sandbox.kubectl;

import java.util.List;

/** Runs one command of kubectl. */
interface Kubectl {

  /**
   * Runs it.
   *
   * @param arguments without the word {@code kubectl}
   */
  Answer run(List<String> arguments);

  /**
   * What a command has said.
   *
   * @param exitCode 0 when it did what was asked
   * @param output standard output and standard error together, without the last line's end
   */
  record Answer(int exitCode, String output) {}
}
