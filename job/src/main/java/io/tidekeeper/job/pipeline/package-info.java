@NullMarked
package io.tidekeeper.job.pipeline;

import org.jspecify.annotations.NullMarked;
