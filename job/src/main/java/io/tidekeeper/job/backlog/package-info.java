/** What the splits of a source hold that has not been read yet, asked where the source reads. */
@NullMarked
package io.tidekeeper.job.backlog;

import org.jspecify.annotations.NullMarked;
