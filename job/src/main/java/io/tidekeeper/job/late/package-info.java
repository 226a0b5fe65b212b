@NullMarked
package io.tidekeeper.job.late;

import org.jspecify.annotations.NullMarked;
