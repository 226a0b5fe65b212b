@NullMarked
package io.tidekeeper.controller.app;

import org.jspecify.annotations.NullMarked;
