package io.tidekeeper.sandbox.account;

/**
 * One record of the late or the dead-letter topic.
 *
 * @param partition where it is in that topic
 * @param offset where it is in that topic
 * @param reason {@code late}, {@code malformed} or {@code future}
 * @param sourcePartition where the input record was, from its headers
 * @param sourceOffset where the input record was, from its headers
 * @param latenessMillis how late it was
 * @param id the id in its value, or -1 where the value cannot be read
 */
public record RoutedRecord(
    int partition,
    long offset,
    String reason,
    int sourcePartition,
    long sourceOffset,
    long latenessMillis,
    long id) {}
