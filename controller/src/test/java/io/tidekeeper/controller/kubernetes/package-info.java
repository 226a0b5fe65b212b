@NullMarked
package io.tidekeeper.controller.kubernetes;

import org.jspecify.annotations.NullMarked;
