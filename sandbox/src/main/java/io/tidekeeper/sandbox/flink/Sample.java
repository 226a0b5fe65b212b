package io.tidekeeper.sandbox.flink;

import java.util.Map;

/** One line of a Prometheus scrape: a name, its labels and the value. */
public record Sample(String name, Map<String, String> labels, double value) {

  /** Copies the labels. */
  public Sample {
    labels = Map.copyOf(labels);
  }
}
