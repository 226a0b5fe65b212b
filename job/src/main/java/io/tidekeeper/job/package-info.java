@NullMarked
package io.tidekeeper.job;

import org.jspecify.annotations.NullMarked;
