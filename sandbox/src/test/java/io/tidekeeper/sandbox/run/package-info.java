@NullMarked
package io.tidekeeper.sandbox.run;

import org.jspecify.annotations.NullMarked;
