/** The bundled job on a real broker and a real Flink. */
@NullMarked
package io.tidekeeper.sandbox.job;

import org.jspecify.annotations.NullMarked;
