/**
 * A stand-in for the Flink Kubernetes Operator: it runs the FlinkDeployments of an API server on
 * the sandbox's own Flink cluster and writes the statuses and events that operator 1.15.0 writes,
 * in the same order, with its delays scaled.
 *
 * <p>All jobs run on one cluster, so all are reached at one REST address, {@link
 * io.tidekeeper.sandbox.flink.FlinkCluster#restUri()}; which job belongs to a FlinkDeployment says
 * its {@code status.jobStatus.jobId}. A controller that forms addresses from a template is given
 * one without placeholders, or manifests whose {@code rest.port} is the cluster's.
 */
@NullMarked
package io.tidekeeper.sandbox.operator;

import org.jspecify.annotations.NullMarked;
