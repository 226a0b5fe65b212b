package io.tidekeeper.policy;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Every option that can stand behind {@code tidekeeper.default.} or {@code
 * tidekeeper.source.<name>.}: its key, what it accepts and what holds when it is absent.
 *
 * <p>No key is a dot-wise prefix of another, because Flink 2 refuses such configurations.
 */
public enum PolicyOption {
  /** The out-of-orderness strategy; required in the defaults. */
  WATERMARK_TYPE(
      "watermark.type",
      OptionValue.oneOf("Bounded", "Monotonous", "Schedule", "None"),
      null,
      Part.STRATEGY,
      "How out-of-orderness is determined. A source that names a type replaces the whole strategy"
          + " of the defaults."),
  /** The constant of {@link Bounded}; required with it. */
  BOUNDED_MAX_OUT_OF_ORDERNESS(
      "watermark.bounded.max-out-of-orderness",
      OptionValue.duration("0s", "168h"),
      null,
      Part.STRATEGY,
      "How much older than the newest record of its partition a record may be."),
  /** The time zone of {@link Schedule}; required with it. */
  SCHEDULE_TIME_ZONE(
      "watermark.schedule.time-zone",
      OptionValue.text(
          "time zone", "a region like Asia/Shanghai, UTC, or an offset like UTC+08:00"),
      null,
      Part.STRATEGY,
      "The time zone in which the windows' days and times are meant."),
  /** The clock of {@link Schedule}. */
  SCHEDULE_CLOCK(
      "watermark.schedule.clock",
      OptionValue.oneOf("EventTime", "ProcessingTime"),
      "EventTime",
      Part.STRATEGY,
      "Whether a record's own time or the wall clock selects the window. With EventTime a replay"
          + " gives the same result."),
  /** The value of {@link Schedule} outside its windows; required with it. */
  SCHEDULE_DEFAULT(
      "watermark.schedule.default",
      OptionValue.duration("0s", "168h"),
      null,
      Part.STRATEGY,
      "Out-of-orderness outside all windows."),
  /** The windows of {@link Schedule}; required with it. */
  SCHEDULE_WINDOWS(
      "watermark.schedule.windows",
      OptionValue.text(
          "windows",
          "windows like 'Mon-Fri 07:00-09:30 30s; Sat,Sun 22:00-02:00 10s': days, from (inclusive)"
              + " and to (exclusive, up to 24:00) in minutes, a duration from 0s to 168h"),
      null,
      Part.STRATEGY,
      "Windows of the week with their own out-of-orderness. A window that crosses midnight names"
          + " the days on which it starts. Windows must not overlap."),
  /** How often watermarks are emitted. */
  EMIT_INTERVAL(
      "watermark.emit.interval",
      OptionValue.duration("1ms", "1m"),
      "200ms",
      Part.SINGLE,
      "How often a watermark is emitted."),
  /** The limit of every out-of-orderness. */
  MAX_OUT_OF_ORDERNESS_CAP(
      "watermark.max-out-of-orderness-cap",
      OptionValue.duration("0s", "168h"),
      null,
      Part.SINGLE_UNSETTABLE,
      "No scheduled out-of-orderness exceeds this; a constant above it is refused. Absent: no"
          + " cap."),
  /** How far ahead of its reference clock a record may be. */
  MAX_FUTURE_SKEW(
      "watermark.max-future-skew",
      OptionValue.duration("0s", "8760h"),
      null,
      Part.SINGLE_UNSETTABLE,
      "A record further than this ahead of its reference clock does not advance event time."
          + " Absent: no limit."),
  /** When a silent partition stops holding the watermark back. */
  IDLE_TIMEOUT(
      "watermark.idle-timeout",
      OptionValue.duration("1ms", "8760h"),
      null,
      Part.SINGLE_UNSETTABLE,
      "A partition without records for this long no longer holds the watermark back. Absent:"
          + " never idle. Required with alignment that pauses."),
  /** The alignment group; its presence switches alignment on. */
  ALIGNMENT_GROUP(
      "alignment.group",
      OptionValue.text("name", "1 to 63 of the characters a-z A-Z 0-9 . _ - (not 'none')"),
      null,
      Part.ALIGNMENT,
      "Sources of one job with the same group are aligned. A source that names a group replaces"
          + " the whole alignment of the defaults. Absent: no alignment."),
  /** How far partitions may drift apart; required with alignment. */
  ALIGNMENT_MAX_DRIFT(
      "alignment.max-drift",
      OptionValue.duration("1ms", "8760h"),
      null,
      Part.ALIGNMENT,
      "How far a partition's watermark may be ahead of the group's slowest."),
  /** How often aligned readers report. */
  ALIGNMENT_UPDATE_INTERVAL(
      "alignment.update-interval",
      OptionValue.duration("1ms", "1h"),
      "1s",
      Part.ALIGNMENT,
      "How often readers report their watermark to the group."),
  /** What happens when the drift is exceeded. */
  ALIGNMENT_ON_EXCEEDED(
      "alignment.on-exceeded",
      OptionValue.oneOf("PauseLeaders", "AlertOnly", "SkipLaggard"),
      "PauseLeaders",
      Part.ALIGNMENT,
      "What happens when partitions drift further apart than allowed: the leading ones are paused,"
          + " nothing (alerts fire), or the slowest is left out of the watermark."),
  /** How long a partition may stay behind before it is skipped; required with SkipLaggard. */
  ALIGNMENT_SKIP_AFTER(
      "alignment.skip-after",
      OptionValue.duration("1ms", "8760h"),
      null,
      Part.ALIGNMENT,
      "A partition that has been further behind than alignment.max-drift for this long is left out"
          + " of the watermark until it has caught up; its records go on being read. Longer than"
          + " alignment.update-interval. Required with SkipLaggard; with PauseLeaders it ends the"
          + " leaders' wait, absent: they wait as long as it takes; not with AlertOnly."),
  /** How long windows accept late records. */
  ALLOWED_LATENESS(
      "late.allowed-lateness",
      OptionValue.duration("0s", "8760h"),
      "0s",
      Part.SINGLE,
      "How long after the watermark a window still accepts late records."),
  /** Where late records go. */
  LATE_TOPIC(
      "late.topic",
      OptionValue.text(
          "topic",
          "a Kafka topic name: 1 to 249 of the characters a-z A-Z 0-9 . _ - (not '.', '..' or"
              + " 'none')"),
      null,
      Part.SINGLE_UNSETTABLE,
      "The Kafka topic that receives records too late for their window. Absent: they are counted"
          + " and dropped.");

  /** How a source inherits the option from the defaults. */
  enum Part {
    /** With the strategy as a whole. */
    STRATEGY,
    /** With the alignment as a whole. */
    ALIGNMENT,
    /** By itself. */
    SINGLE,
    /** By itself; {@code none} unsets what would be inherited. */
    SINGLE_UNSETTABLE
  }

  private final String key;
  private final String unit;
  private final String allowed;
  private final @Nullable Duration minimum;
  private final @Nullable Duration maximum;
  private final @Nullable String defaultValue;
  private final Part part;
  private final String description;

  PolicyOption(
      String key, OptionValue value, @Nullable String defaultValue, Part part, String description) {
    this.key = key;
    this.unit = value.unit();
    this.allowed = value.allowed();
    this.minimum = value.minimum();
    this.maximum = value.maximum();
    this.defaultValue = defaultValue;
    this.part = part;
    this.description = description;
  }

  /** The key behind the prefix, for example {@code watermark.type}. */
  public String key() {
    return key;
  }

  /** The kind of value: {@code duration}, {@code name}, {@code time zone} and so on. */
  public String unit() {
    return unit;
  }

  /** What is allowed, with the range, as it stands in messages. */
  public String allowed() {
    return allowed;
  }

  /** The canonical default, or null when the option is required or absent means "not set". */
  public @Nullable String defaultValue() {
    return defaultValue;
  }

  /** Whether the literal {@code none} is accepted, to unset what a source would inherit. */
  public boolean unsettable() {
    return part == Part.SINGLE_UNSETTABLE || this == ALIGNMENT_GROUP;
  }

  /** One or two sentences for the reference page. */
  public String description() {
    return description;
  }

  /**
   * Whether a running job takes a change of this option without a restart. What Flink fixes when a
   * job starts (alignment, intervals, idleness, windows, topics) needs an upgrade.
   */
  public boolean live() {
    return part == Part.STRATEGY
        || this == MAX_OUT_OF_ORDERNESS_CAP
        || this == MAX_FUTURE_SKEW
        || this == ALIGNMENT_SKIP_AFTER;
  }

  Part part() {
    return part;
  }

  String requiredDefault() {
    return Objects.requireNonNull(defaultValue);
  }

  /** Null when the duration is in this option's range, else what is wrong with it. */
  @Nullable String complaintAbout(Duration duration) {
    boolean inRange =
        duration.compareTo(Objects.requireNonNull(minimum)) >= 0
            && duration.compareTo(Objects.requireNonNull(maximum)) <= 0;
    return inRange ? null : "must be " + allowed();
  }

  /**
   * Returns the duration if the option allows it.
   *
   * @throws IllegalArgumentException if it is out of range or not a whole number of milliseconds
   */
  Duration require(Duration duration) {
    String complaint = complaintAbout(duration);
    if (complaint != null) {
      throw new IllegalArgumentException(key + " " + complaint + ", not " + duration);
    }
    if (!Durations.isWholeMillis(duration)) {
      throw new IllegalArgumentException(key + " must be whole milliseconds, not " + duration);
    }
    return duration;
  }
}
