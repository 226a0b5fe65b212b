@NullMarked
package io.tidekeeper.job.watermark;

import org.jspecify.annotations.NullMarked;
