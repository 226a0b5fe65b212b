/** The story of a threshold that changes, told by running it. */
@NullMarked
package io.tidekeeper.sandbox.demo;

import org.jspecify.annotations.NullMarked;
