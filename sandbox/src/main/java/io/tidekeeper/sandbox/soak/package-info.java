/** Many threshold changes in a row under load. */
@NullMarked
package io.tidekeeper.sandbox.soak;

import org.jspecify.annotations.NullMarked;
