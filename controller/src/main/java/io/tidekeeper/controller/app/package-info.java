/** The controller as a program: settings, wiring, health, metrics, start and stop. */
@NullMarked
package io.tidekeeper.controller.app;

import org.jspecify.annotations.NullMarked;
