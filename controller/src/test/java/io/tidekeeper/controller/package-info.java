/** Rules over the whole module. */
@NullMarked
package io.tidekeeper.controller;

import org.jspecify.annotations.NullMarked;
