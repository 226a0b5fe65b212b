package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What was sent into each window, against what became of it. */
final class WindowAccount {

  private final Map<String, Long> sent = new TreeMap<>();
  private final Map<String, Long> droppedLate = new TreeMap<>();
  private long deadLetters;
  private long droppedMalformed;

  void sent(String station, long time) {
    sent.merge(window(station, time), 1L, Long::sum);
  }

  /** A record that the job only counted, since it had no late topic. */
  void droppedLate(String station, long time) {
    droppedLate.merge(window(station, time), 1L, Long::sum);
  }

  void sentMalformed(boolean deadLetterTopic) {
    if (deadLetterTopic) {
      deadLetters++;
    } else {
      droppedMalformed++;
    }
  }

  long produced() {
    return sent.values().stream().mapToLong(Long::longValue).sum() + deadLetters + droppedMalformed;
  }

  /** Each window that has fired did so once, and with its late records it is complete. */
  void verifyFiredWindows(Stream stream) {
    Map<String, Long> results = results(stream);
    Map<String, Long> late = late(stream);
    results.forEach(
        (window, count) ->
            assertThat(count + late.getOrDefault(window, 0L) + droppedLate.getOrDefault(window, 0L))
                .as("results and late records of " + window)
                .isEqualTo(sent.getOrDefault(window, 0L)));
    assertThat(stream.committedDeadLetters()).hasSize((int) deadLetters);
  }

  /** Every record that was produced is in one result, or late, or a dead letter, or counted. */
  void verifyEverything(Stream stream) {
    verifyFiredWindows(stream);
    Map<String, Long> accounted = results(stream);
    late(stream).forEach((window, count) -> accounted.merge(window, count, Long::sum));
    droppedLate.forEach((window, count) -> accounted.merge(window, count, Long::sum));
    assertThat(accounted).isEqualTo(sent);
  }

  private static Map<String, Long> results(Stream stream) {
    Map<String, Long> results = new TreeMap<>();
    for (String result : stream.committedResults()) {
      int equals = result.indexOf('=');
      String window = result.substring(0, equals);
      assertThat(results.put(window, Long.parseLong(result.substring(equals + 1))))
          .as("an earlier result of " + window)
          .isNull();
    }
    return results;
  }

  private static Map<String, Long> late(Stream stream) {
    Map<String, Long> late = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : stream.committedLate()) {
      JsonNode json = Stream.json(record);
      late.merge(window(json.get("station").asText(), json.get("time").asLong()), 1L, Long::sum);
    }
    return late;
  }

  private static String window(String station, long time) {
    return station + "@" + Math.floorDiv(time, 10_000L) * 10_000L;
  }
}
