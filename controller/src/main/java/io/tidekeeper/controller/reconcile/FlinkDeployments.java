package io.tidekeeper.controller.reconcile;

import io.javaoperatorsdk.operator.processing.GroupVersionKind;

/** The kind of the targets. */
final class FlinkDeployments {

  static final String GROUP = "flink.apache.org";
  static final String VERSION = "v1beta1";
  static final String API_VERSION = GROUP + "/" + VERSION;
  static final String KIND = "FlinkDeployment";
  static final GroupVersionKind GVK = new GroupVersionKind(GROUP, VERSION, KIND);

  private FlinkDeployments() {}
}
