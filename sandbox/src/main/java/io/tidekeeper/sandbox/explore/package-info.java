/** The sandbox to explore: everything runs until it is told to end. */
@NullMarked
package io.tidekeeper.sandbox.explore;

import org.jspecify.annotations.NullMarked;
