package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.tidekeeper.controller.rollout.Observation;
import org.jspecify.annotations.Nullable;

/**
 * A target as a pass saw it.
 *
 * @param live the object, or null when there is none
 * @param observation what a decision depends on
 */
record Sighting(@Nullable GenericKubernetesResource live, Observation observation) {}
