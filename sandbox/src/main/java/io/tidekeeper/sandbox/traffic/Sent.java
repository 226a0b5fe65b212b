package io.tidekeeper.sandbox.traffic;

/**
 * One record that was sent and acknowledged: the truth about it.
 *
 * @param id unique within a run, from 1
 * @param partition the partition it went to
 * @param offset its offset there
 * @param kind what it is meant to be
 * @param station its station, such as {@code S017}; also the record's key
 * @param passengers 1 to 5
 * @param eventTime the time it stands for, milliseconds since the epoch, UTC; for a malformed
 *     record the time it should have carried
 * @param phase the phase it was sent in, {@code closing} for a closing record
 */
public record Sent(
    long id,
    int partition,
    long offset,
    Kind kind,
    String station,
    int passengers,
    long eventTime,
    String phase) {}
