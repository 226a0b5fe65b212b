@NullMarked
package io.tidekeeper.job.live;

import org.jspecify.annotations.NullMarked;
