/** Reading FlinkDeployments that real operators of several versions have written. */
@NullMarked
package io.tidekeeper.controller.flink;

import org.jspecify.annotations.NullMarked;
