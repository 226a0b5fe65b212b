/** The subway job as one would write it on Flink alone, to compare with. */
@NullMarked
package io.tidekeeper.sandbox.plain;

import org.jspecify.annotations.NullMarked;
