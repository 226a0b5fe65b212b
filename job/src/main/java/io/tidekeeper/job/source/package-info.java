@NullMarked
package io.tidekeeper.job.source;

import org.jspecify.annotations.NullMarked;
