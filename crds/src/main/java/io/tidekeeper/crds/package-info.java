/**
 * The {@code WatermarkPolicy} resource as users write it, and {@link
 * io.tidekeeper.crds.PolicyMapping}, which says what it means in terms of {@code
 * io.tidekeeper.policy}.
 *
 * <p>The records carry the schema: the CRD in {@code k8s/crd} is generated from them. Unknown
 * fields are ignored and unknown enum values read as absent, so that a resource written for a newer
 * version never breaks a watch.
 */
@NullMarked
package io.tidekeeper.crds;

import org.jspecify.annotations.NullMarked;
