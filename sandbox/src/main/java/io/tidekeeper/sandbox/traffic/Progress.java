package io.tidekeeper.sandbox.traffic;

import java.time.Duration;

/**
 * How far traffic has come.
 *
 * @param sent records handed to Kafka
 * @param acknowledged records that Kafka has stored
 * @param eventTime the front of the event time, milliseconds since the epoch, UTC
 * @param phase the phase of the last record sent
 * @param ended whether the plan has ended, closing records apart
 * @param stalled how much longer than planned it takes, because the machine or Kafka stalled
 */
public record Progress(
    long sent, long acknowledged, long eventTime, String phase, boolean ended, Duration stalled) {}
