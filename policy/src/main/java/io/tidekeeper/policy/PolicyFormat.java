package io.tidekeeper.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which format a policy needs: that of its newest option or value. */
final class PolicyFormat {

  /** Values that options of the first format have learned in the second. */
  private static final Map<PolicyOption, Set<String>> SINCE_2 =
      Map.of(
          PolicyOption.WATERMARK_TYPE,
          Set.of("Punctuated", "Throughput", "Quantile", "Adaptive"),
          PolicyOption.ALIGNMENT_ON_EXCEEDED,
          Set.of("SkipLaggard"));

  private PolicyFormat() {}

  static int of(PolicySettings settings) {
    List<SourceSettings> scopes = new ArrayList<>(settings.sources().values());
    scopes.add(settings.defaults());
    return scopes.stream()
        .flatMap(scope -> PolicyWriter.all(scope).entrySet().stream())
        .mapToInt(option -> since(option.getKey(), option.getValue()))
        .max()
        .orElse(1);
  }

  private static int since(PolicyOption option, String value) {
    boolean newValue = SINCE_2.getOrDefault(option, Set.of()).contains(value);
    return newValue ? 2 : option.since();
  }
}
