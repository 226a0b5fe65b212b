/** Servers in processes of their own. */
@NullMarked
package io.tidekeeper.sandbox.process;

import org.jspecify.annotations.NullMarked;
