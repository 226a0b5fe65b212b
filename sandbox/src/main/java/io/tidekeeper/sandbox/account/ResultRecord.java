package io.tidekeeper.sandbox.account;

/**
 * One record of the results topic: a window that the job emitted.
 *
 * @param station the record's key and the value's station, which are the same
 * @param windowStart first millisecond of the window since the epoch, UTC
 * @param windowEnd the first millisecond after it
 * @param count how many records were counted
 * @param passengers the sum of their passengers
 */
public record ResultRecord(
    String station, long windowStart, long windowEnd, long count, long passengers) {}
