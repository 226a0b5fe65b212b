package io.tidekeeper.job.live;

import io.tidekeeper.policy.Durations;
import io.tidekeeper.policy.Problem;
import java.io.Serializable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a running job looks for a newer policy.
 *
 * @param file absolute path on the JobManager, or null: the job changes by restarts only
 * @param interval how often the file is read, 100ms to 1h
 */
public record LiveOptions(@Nullable String file, Duration interval) implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Names the file; absent: off. */
  public static final String FILE = "tidekeeper.live.file";

  /** How often the file is read. */
  public static final String INTERVAL = "tidekeeper.live.interval";

  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofHours(1);

  /** Policies change by restarts only. */
  public static final LiveOptions OFF = new LiveOptions(null, DEFAULT_INTERVAL);

  /** What each option means, for the reference page and for messages. */
  public static final Map<String, String> HELP =
      Map.of(
          FILE,
          "file on the JobManager, absolute path, that is watched for a newer policy: a running job"
              + " takes it over without a restart. Default: none",
          INTERVAL,
          "how often tidekeeper.live.file is read, 100ms to 1h. Default: 5s");

  /** Whether a file is watched. */
  public boolean on() {
    return file != null;
  }

  /**
   * Reads the options out of a Flink configuration.
   *
   * @param configuration all of it, other options included
   * @param problems each invalid option is added here
   */
  public static LiveOptions read(Map<String, String> configuration, List<Problem> problems) {
    String file = configuration.get(FILE);
    if (file != null && !isAbsolute(file)) {
      problems.add(new Problem(FILE, file, "must be an absolute path on the JobManager"));
      file = null;
    }
    Duration interval = DEFAULT_INTERVAL;
    String text = configuration.get(INTERVAL);
    if (text != null) {
      String allowed = "must be a duration from 100ms to 1h";
      try {
        interval = Durations.parse(text);
        if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
          problems.add(new Problem(INTERVAL, text, allowed));
        }
      } catch (IllegalArgumentException e) {
        problems.add(new Problem(INTERVAL, text, e.getMessage() + "; " + allowed));
      }
    }
    return new LiveOptions(file, interval);
  }

  private static boolean isAbsolute(String file) {
    try {
      return Path.of(file).isAbsolute();
    } catch (InvalidPathException e) {
      // Not a path at all; the caller reports it like any other wrong one.
      return false;
    }
  }
}
