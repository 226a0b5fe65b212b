/** The subway traffic generator and the truth about what it sent. */
@NullMarked
package io.tidekeeper.sandbox.traffic;

import org.jspecify.annotations.NullMarked;
