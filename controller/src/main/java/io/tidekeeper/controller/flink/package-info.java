/**
 * The FlinkDeployment as this controller sees it: read leniently from any version of the Flink
 * Kubernetes Operator, so that values and fields of newer ones never break a watch.
 */
@NullMarked
package io.tidekeeper.controller.flink;

import org.jspecify.annotations.NullMarked;
