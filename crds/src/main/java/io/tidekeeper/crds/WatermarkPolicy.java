package io.tidekeeper.crds;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** The event-time thresholds of one or more Flink jobs, and how a change of them is rolled out. */
@Group(WatermarkPolicy.GROUP)
@Version(WatermarkPolicy.VERSION)
@ShortNames("wmp")
@Categories("flink")
@AdditionalPrinterColumn(
    name = "Type",
    jsonPath = ".spec.watermark.type",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Mode",
    jsonPath = ".spec.rollout.mode",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Applied",
    jsonPath = ".status.conditions[?(@.type==\"Applied\")].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"Applied\")].reason",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "Revision",
    jsonPath = ".status.targets[0].revision",
    type = AdditionalPrinterColumn.Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Sources",
    jsonPath = ".status.targets[0].sources",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Format",
    jsonPath = ".status.targets[0].jobFormat",
    type = AdditionalPrinterColumn.Type.INTEGER,
    priority = 1)
public class WatermarkPolicy extends CustomResource<WatermarkPolicySpec, WatermarkPolicyStatus>
    implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** The API group. */
  public static final String GROUP = "tidekeeper.io";

  /** The API version. */
  public static final String VERSION = "v1alpha1";

  /** The kind. */
  public static final String KIND = "WatermarkPolicy";

  @Override
  @Required
  public WatermarkPolicySpec getSpec() {
    return super.getSpec();
  }
}
