@NullMarked
package io.tidekeeper.controller.job;

import org.jspecify.annotations.NullMarked;
