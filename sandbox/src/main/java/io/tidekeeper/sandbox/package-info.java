@NullMarked
package io.tidekeeper.sandbox;

import org.jspecify.annotations.NullMarked;
