@NullMarked
package io.tidekeeper.job.align;

import org.jspecify.annotations.NullMarked;
