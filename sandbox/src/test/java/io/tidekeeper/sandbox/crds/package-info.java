/** What a real API server makes of the resources. */
@NullMarked
package io.tidekeeper.sandbox.crds;

import org.jspecify.annotations.NullMarked;
