@NullMarked
package io.tidekeeper.controller.reconcile;

import org.jspecify.annotations.NullMarked;
