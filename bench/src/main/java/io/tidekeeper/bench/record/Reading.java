package io.tidekeeper.bench.record;

/**
 * A record: an object that lives as long as the benchmark, so that what is allocated per record is
 * the path's own.
 *
 * @param time event time, milliseconds since the epoch
 */
record Reading(long time) {}
