package io.tidekeeper.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Typed access to the raw options of one scope; what is wrong is reported, not thrown. */
final class ScopeOptions {

  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,3})?");
  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,10}");

  private final String prefix;
  private final SortedMap<String, String> values;
  private final Set<PolicyOption> unknown;
  private final List<Problem> problems;

  /**
   * @param unknown receives the options whose value could not be read
   */
  ScopeOptions(
      String prefix,
      SortedMap<String, String> values,
      Set<PolicyOption> unknown,
      List<Problem> problems) {
    this.prefix = prefix;
    this.values = values;
    this.unknown = unknown;
    this.problems = problems;
  }

  boolean has(PolicyOption option) {
    return values.containsKey(option.key());
  }

  boolean isUnset(PolicyOption option) {
    return raw(option).equals(Names.NONE);
  }

  /** The value as given, empty when the option is not set in this scope. */
  String raw(PolicyOption option) {
    return values.getOrDefault(option.key(), "");
  }

  void report(PolicyOption option, String message) {
    problems.add(new Problem(prefix + option.key(), raw(option), message));
    unknown.add(option);
  }

  /** What was wrong with an inherited value no longer matters: this scope has its own. */
  void known(PolicyOption option) {
    unknown.remove(option);
  }

  /** Reports an option that should be there. */
  void missing(PolicyOption option, String message) {
    report(option, message + ": " + option.allowed());
  }

  /** Whatever was wrong with an inherited part no longer matters: this scope replaces it. */
  void forget(PolicyOption.Part part) {
    unknown.removeIf(option -> option.part() == part);
  }

  void reportUnknownKeys() {
    List<String> known = Arrays.stream(PolicyOption.values()).map(PolicyOption::key).toList();
    values.forEach(
        (key, value) -> {
          if (!known.contains(key)) {
            problems.add(
                new Problem(
                    prefix + key,
                    value,
                    "unknown option; did you mean " + NearestName.to(key, known) + "?"));
          }
        });
  }

  /** Reports the members of a part whose leading option is missing or unset. */
  void reportStrays(PolicyOption.Part part, String message) {
    for (PolicyOption option : PolicyOption.values()) {
      boolean leads =
          option == PolicyOption.WATERMARK_TYPE || option == PolicyOption.ALIGNMENT_GROUP;
      if (option.part() == part && !leads && has(option)) {
        report(option, message);
      }
    }
  }

  /** The duration; {@code otherwise} when absent or wrong. */
  Duration duration(PolicyOption option, Duration otherwise) {
    if (!has(option)) {
      return otherwise;
    }
    Duration parsed = parse(option);
    return parsed == null ? otherwise : parsed;
  }

  /** The duration; null when absent or wrong, both reported. */
  @Nullable Duration requiredDuration(PolicyOption option) {
    if (!has(option)) {
      missing(option, "is required");
      return null;
    }
    return parse(option);
  }

  /** The duration; {@code inherited} when absent, null when unset or wrong. */
  @Nullable Duration optionalDuration(PolicyOption option, @Nullable Duration inherited) {
    if (!has(option)) {
      return inherited;
    }
    if (isUnset(option)) {
      unknown.remove(option);
      return null;
    }
    return parse(option);
  }

  /** The share; null when absent or wrong, both reported. */
  @Nullable Share requiredShare(PolicyOption option) {
    if (!has(option)) {
      missing(option, "is required");
      return null;
    }
    try {
      Share share = Share.parse(raw(option));
      String complaint = option.complaintAbout(share.percent());
      if (complaint == null) {
        unknown.remove(option);
        return share;
      }
      report(option, complaint);
    } catch (IllegalArgumentException e) {
      report(option, e.getMessage() + "; must be " + option.allowed());
    }
    return null;
  }

  /** The number, or the option's default when absent; null when wrong. */
  @Nullable BigDecimal number(PolicyOption option) {
    String text = has(option) ? raw(option) : option.requiredDefault();
    if (DECIMAL.matcher(text).matches()) {
      BigDecimal number = new BigDecimal(text);
      if (option.complaintAbout(number) == null) {
        unknown.remove(option);
        return number;
      }
    }
    report(option, "must be " + option.allowed());
    return null;
  }

  /** The whole number, or the option's default when absent; null when wrong. */
  @Nullable Integer count(PolicyOption option) {
    String text = has(option) ? raw(option) : option.requiredDefault();
    if (WHOLE.matcher(text).matches() && option.complaintAbout(new BigDecimal(text)) == null) {
      unknown.remove(option);
      return Integer.valueOf(text);
    }
    report(option, "must be " + option.allowed());
    return null;
  }

  /** The whole number; {@code inherited} when absent, null when unset or wrong. */
  @Nullable Integer optionalCount(PolicyOption option, @Nullable Integer inherited) {
    if (!has(option)) {
      return inherited;
    }
    if (isUnset(option)) {
      unknown.remove(option);
      return null;
    }
    return count(option);
  }

  /** The name; {@code inherited} when absent, null when unset or wrong. */
  @Nullable String optionalName(
      PolicyOption option, @Nullable String inherited, Predicate<String> legal) {
    if (!has(option)) {
      return inherited;
    }
    if (!isUnset(option) && !legal.test(raw(option))) {
      report(option, "must be " + option.allowed());
      return null;
    }
    unknown.remove(option);
    return isUnset(option) ? null : raw(option);
  }

  /** The constant of that name; the option's default when absent or wrong. */
  <E extends Enum<E>> E choice(PolicyOption option, E[] constants) {
    String name = has(option) ? raw(option) : option.requiredDefault();
    E otherwise = constants[0];
    for (E constant : constants) {
      if (constant.name().equals(name)) {
        return constant;
      }
      if (constant.name().equals(option.requiredDefault())) {
        otherwise = constant;
      }
    }
    report(option, "must be " + option.allowed());
    return otherwise;
  }

  private @Nullable Duration parse(PolicyOption option) {
    Duration value;
    try {
      value = Durations.parse(raw(option));
    } catch (IllegalArgumentException e) {
      report(option, e.getMessage() + "; must be " + option.allowed());
      return null;
    }
    String complaint = option.complaintAbout(value);
    if (complaint != null) {
      report(option, complaint);
      return null;
    }
    unknown.remove(option);
    return value;
  }
}
