package io.tidekeeper.controller.flink;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The spec the operator has acted on last.
 *
 * @param running whether it wants the job running; false between the stop and the start of an
 *     upgrade
 * @param configuration its Flink configuration, flat
 * @param fromCurrentOperator whether an operator of at least version 1.12 wrote it
 */
public record ReconciledSpec(
    boolean running, SortedMap<String, String> configuration, boolean fromCurrentOperator) {

  /** Copies the configuration. */
  public ReconciledSpec {
    configuration = Collections.unmodifiableSortedMap(new TreeMap<>(configuration));
  }
}
