@NullMarked
package io.tidekeeper.job.restore;

import org.jspecify.annotations.NullMarked;
