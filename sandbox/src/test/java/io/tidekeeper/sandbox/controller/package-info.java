/** The controller against a real API server, under its own identity. */
@NullMarked
package io.tidekeeper.sandbox.controller;

import org.jspecify.annotations.NullMarked;
