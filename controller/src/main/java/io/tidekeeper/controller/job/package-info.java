/** What a running job says about itself, read over Flink's REST API. */
@NullMarked
package io.tidekeeper.controller.job;

import org.jspecify.annotations.NullMarked;
