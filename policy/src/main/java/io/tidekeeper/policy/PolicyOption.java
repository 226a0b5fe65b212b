package io.tidekeeper.policy;

import java.math.BigDecimal;
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
      OptionValue.oneOf(
          "Bounded",
          "Monotonous",
          "Schedule",
          "None",
          "Punctuated",
          "Throughput",
          "Quantile",
          "Adaptive"),
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
  /** Where {@link Punctuated} looks for watermarks. */
  PUNCTUATED_FIELD(
      2,
      "watermark.punctuated.field",
      OptionValue.text("field", "1 to 63 of the characters a-z A-Z 0-9 . _ -"),
      "watermark",
      Part.STRATEGY,
      "The JSON field in which a record of the bundled pipelines carries a watermark, in"
          + " milliseconds since the epoch. A job of your own gives a function in its code."),
  /** What the rate of {@link Throughput} is measured over. */
  THROUGHPUT_WINDOW(
      2,
      "watermark.throughput.window",
      OptionValue.duration("1s", "1h"),
      "10s",
      Part.STRATEGY,
      "The stretch of event time over which the records per second of the source are measured."),
  /** The tiers of {@link Throughput}; required with it. */
  THROUGHPUT_TIERS(
      2,
      "watermark.throughput.tiers",
      OptionValue.text(
          "tiers",
          "1 to 16 tiers like '0 5s; 100 30s': records per second from which on the tier holds"
              + " (one of them 0, at most 1000000000), and a duration from 0s to 168h"),
      null,
      Part.STRATEGY,
      "Out-of-orderness by the rate of the source, in records per second of event time. A tier is"
          + " left downwards when the rate is a tenth below its start."),
  /** The quantile of {@link Quantile}; required with it. */
  QUANTILE_LEVEL(
      2,
      "watermark.quantile.level",
      OptionValue.share("50", "99.99"),
      null,
      Part.STRATEGY,
      "Which quantile of the observed lateness is taken."),
  /** The factor of {@link Quantile}. */
  QUANTILE_FACTOR(
      2,
      "watermark.quantile.factor",
      OptionValue.decimal("0.1", "100"),
      "1",
      Part.STRATEGY,
      "What the quantile is multiplied by."),
  /** The lower limit of {@link Quantile}. */
  QUANTILE_MIN(
      2,
      "watermark.quantile.min",
      OptionValue.duration("0s", "168h"),
      "0s",
      Part.STRATEGY,
      "The quantile times the factor counts as at least this."),
  /** The upper limit of {@link Quantile}; required with it. */
  QUANTILE_MAX(
      2,
      "watermark.quantile.max",
      OptionValue.duration("0s", "168h"),
      null,
      Part.STRATEGY,
      "The quantile times the factor counts as at most this, which also holds until enough records"
          + " were seen."),
  /** How far {@link Quantile} looks back. */
  QUANTILE_WINDOW(
      2,
      "watermark.quantile.window",
      OptionValue.duration("1s", "168h"),
      "10m",
      Part.STRATEGY,
      "The stretch of event time whose lateness counts."),
  /** When {@link Quantile} begins. */
  QUANTILE_MIN_SAMPLES(
      2,
      "watermark.quantile.min-samples",
      OptionValue.count(1, 1_000_000),
      "1000",
      Part.STRATEGY,
      "How many records the window must hold before the quantile is used."),
  /** The late share of {@link Adaptive}; required with it. */
  ADAPTIVE_LATE_SHARE(
      2,
      "watermark.adaptive.late-share",
      OptionValue.share("0.01", "20"),
      null,
      Part.STRATEGY,
      "The share of records that may be late. The smallest out-of-orderness that keeps it is"
          + " learned."),
  /** The lower limit of {@link Adaptive}. */
  ADAPTIVE_MIN(
      2,
      "watermark.adaptive.min",
      OptionValue.duration("0s", "168h"),
      "0s",
      Part.STRATEGY,
      "The learned value is never below this."),
  /** The upper limit of {@link Adaptive}; required with it. */
  ADAPTIVE_MAX(
      2,
      "watermark.adaptive.max",
      OptionValue.duration("0s", "168h"),
      null,
      Part.STRATEGY,
      "The learned value is never above this."),
  /** Where {@link Adaptive} starts; required with it. */
  ADAPTIVE_INITIAL(
      2,
      "watermark.adaptive.initial",
      OptionValue.duration("0s", "168h"),
      null,
      Part.STRATEGY,
      "The least value until enough of the stream was seen, within min and max. Take the longest"
          + " delay you expect: delays longer than the stream's age cannot be learned yet."),
  /** Over what {@link Adaptive} keeps the share. */
  ADAPTIVE_LATE_SHARE_OVER(
      2,
      "watermark.adaptive.late-share-over",
      OptionValue.oneOf("WholeStream", "EachHour"),
      "WholeStream",
      Part.STRATEGY,
      "Whether the share is kept over the stream as a whole, which costs the least delay, or in"
          + " each hour of the day."),
  /** How often watermarks are emitted. */
  EMIT_INTERVAL(
      "watermark.emit.interval",
      OptionValue.duration("1ms", "1m"),
      "200ms",
      Part.SINGLE,
      "How often a watermark is emitted."),
  /** Emission by count. */
  EMIT_EVERY_RECORDS(
      2,
      "watermark.emit.every-records",
      OptionValue.count(1, 1_000_000_000),
      null,
      Part.SINGLE_UNSETTABLE,
      "A watermark is emitted at every so many records of a partition instead of by time, and when"
          + " the partition goes idle. watermark.emit.interval then says how often idleness is"
          + " checked. Absent: by time."),
  /** The limit of every out-of-orderness. */
  MAX_OUT_OF_ORDERNESS_CAP(
      "watermark.max-out-of-orderness-cap",
      OptionValue.duration("0s", "168h"),
      null,
      Part.SINGLE_UNSETTABLE,
      "No scheduled or learned out-of-orderness exceeds this; a constant above it is refused."
          + " Absent: no cap."),
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
      "A partition without records for this long no longer holds the watermark back; a job that"
          + " asks Kafka for its backlog, as the bundled pipelines do, waits while there are records"
          + " to be read. Absent: never idle. Required with alignment that pauses. What single partitions have instead"
          + " by watermark.partition-overrides changes live."),
  /** What differs for some partitions. */
  PARTITION_OVERRIDES(
      2,
      "watermark.partition-overrides",
      OptionValue.text(
          "overrides",
          "1 to 16 overrides like 'depot subway-events 3,7-9 max-out-of-orderness=45s"
              + " idle-timeout=2m': a name (1 to 63 of a-z 0-9 -), a Kafka topic, partitions and"
              + " ranges, a duration from 0s to 168h, an idle timeout from 1ms to 8760h, of which"
              + " one may be left out"),
      null,
      Part.SINGLE_UNSETTABLE,
      "Partitions with their own constant out-of-orderness or idle timeout. No partition may be"
          + " named twice. What they observe is not learned from. Absent: none."),
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
      2,
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

  // Shares have four decimals of a percent, factors three: their spelling is checked when read.
  private static final int MAX_DECIMALS = 4;

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

  private final int since;
  private final String key;
  private final String unit;
  private final String allowed;
  private final @Nullable Duration minimum;
  private final @Nullable Duration maximum;
  private final @Nullable BigDecimal least;
  private final @Nullable BigDecimal most;
  private final @Nullable String defaultValue;
  private final Part part;
  private final String description;

  PolicyOption(
      String key, OptionValue value, @Nullable String defaultValue, Part part, String description) {
    this(1, key, value, defaultValue, part, description);
  }

  PolicyOption(
      int since,
      String key,
      OptionValue value,
      @Nullable String defaultValue,
      Part part,
      String description) {
    this.since = since;
    this.key = key;
    this.unit = value.unit();
    this.allowed = value.allowed();
    this.minimum = value.minimum();
    this.maximum = value.maximum();
    this.least = value.least();
    this.most = value.most();
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

  /** The first policy format that knows this option. */
  public int since() {
    return since;
  }

  /**
   * Whether a running job takes a change of this option without a restart. What is fixed when a job
   * starts (alignment, intervals, the source's idle timeout, windows, topics, the field of carried
   * watermarks) needs an upgrade. The idle timeouts of single partitions are live, as all of {@link
   * #PARTITION_OVERRIDES} is.
   */
  public boolean live() {
    return (part == Part.STRATEGY && this != PUNCTUATED_FIELD)
        || this == PARTITION_OVERRIDES
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

  /** Null when the number, for a share that of percent, is in this option's range. */
  @Nullable String complaintAbout(BigDecimal number) {
    boolean inRange =
        number.compareTo(Objects.requireNonNull(least)) >= 0
            && number.compareTo(Objects.requireNonNull(most)) <= 0
            && number.stripTrailingZeros().scale() <= MAX_DECIMALS;
    return inRange ? null : "must be " + allowed();
  }

  /**
   * @throws IllegalArgumentException if the option does not allow the number
   */
  void require(BigDecimal number) {
    String complaint = complaintAbout(number);
    if (complaint != null) {
      throw new IllegalArgumentException(key + " " + complaint + ", not " + number.toPlainString());
    }
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
