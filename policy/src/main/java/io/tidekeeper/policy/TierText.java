package io.tidekeeper.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The spelling of throughput tiers in one option: {@code 0 5s; 100 30s}. */
final class TierText {

  private static final Pattern TIER = Pattern.compile("(\\d{1,10})\\s+(\\S+)");

  private TierText() {}

  static String format(List<ThroughputTier> tiers) {
    return tiers.stream()
        .map(tier -> tier.minRecordsPerSecond() + " " + Durations.format(tier.maxOutOfOrderness()))
        .collect(Collectors.joining("; "));
  }

  /**
   * Reads one tier.
   *
   * @throws IllegalArgumentException saying which part is wrong and what is allowed
   */
  static ThroughputTier parse(String text) {
    Matcher matcher = TIER.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "write a rate in records per second and a duration, like 100 30s");
    }
    Duration value = OptionText.duration(matcher.group(2), "the value");
    return new ThroughputTier(Long.parseLong(matcher.group(1)), value);
  }

  /** What is wrong with tiers that are fine alone. */
  static List<String> complaintsAbout(List<ThroughputTier> tiers) {
    List<String> complaints = new ArrayList<>();
    if (tiers.stream().noneMatch(tier -> tier.minRecordsPerSecond() == 0)) {
      complaints.add("needs a tier from 0 records per second on, like '0 5s'");
    }
    if (tiers.size() > Throughput.MAX_TIERS) {
      complaints.add(
          "has %d tiers; at most %d are allowed".formatted(tiers.size(), Throughput.MAX_TIERS));
    }
    List<ThroughputTier> sorted =
        tiers.stream()
            .sorted(Comparator.comparingLong(ThroughputTier::minRecordsPerSecond))
            .toList();
    for (int next = 1; next < sorted.size(); next++) {
      long rate = sorted.get(next).minRecordsPerSecond();
      if (sorted.get(next - 1).minRecordsPerSecond() == rate) {
        complaints.add("has two tiers from %d records per second on".formatted(rate));
      }
    }
    return complaints;
  }
}
