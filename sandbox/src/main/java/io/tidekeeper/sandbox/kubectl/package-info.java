/** kubectl, as a user at the console would use it. */
@NullMarked
package io.tidekeeper.sandbox.kubectl;

import org.jspecify.annotations.NullMarked;
