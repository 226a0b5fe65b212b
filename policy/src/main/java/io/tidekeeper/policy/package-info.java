@NullMarked
package io.tidekeeper.policy;

import org.jspecify.annotations.NullMarked;
