/** A real Kubernetes API server on this machine, and what is needed to use it. */
@NullMarked
package io.tidekeeper.sandbox.kube;

import org.jspecify.annotations.NullMarked;
