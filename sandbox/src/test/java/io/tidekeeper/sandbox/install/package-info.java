/** Tests of what is installed into a cluster: the folder {@code k8s} and its runbooks. */
@NullMarked
package io.tidekeeper.sandbox.install;

import org.jspecify.annotations.NullMarked;
