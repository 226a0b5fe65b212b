/** A real Flink cluster in this JVM, and the jobs running on it. */
@NullMarked
package io.tidekeeper.sandbox.flink;

import org.jspecify.annotations.NullMarked;
