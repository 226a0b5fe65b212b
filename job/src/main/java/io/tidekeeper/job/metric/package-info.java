/** What a job exports about itself, by one catalogue. */
@NullMarked
package io.tidekeeper.job.metric;

import org.jspecify.annotations.NullMarked;
