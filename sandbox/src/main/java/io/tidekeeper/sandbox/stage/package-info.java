/** The stage of a run: everything started in order, and closed the other way round. */
@NullMarked
package io.tidekeeper.sandbox.stage;

import org.jspecify.annotations.NullMarked;
