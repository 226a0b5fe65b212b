/** The subway job and its topics, as the demo and the soak run use them. */
@NullMarked
package io.tidekeeper.sandbox.subway;

import org.jspecify.annotations.NullMarked;
