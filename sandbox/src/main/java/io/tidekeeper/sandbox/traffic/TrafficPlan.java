package io.tidekeeper.sandbox.traffic;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What traffic to send. The same plan and seed give the same records, whatever the machine does.
 *
 * @param seed of everything random
 * @param start the event time of the first record
 * @param speed how much faster event time goes than wall time, above 0 and at most 10
 * @param partitions of the topic, at least 1
 * @param stations how many stations there are, 1 to 999
 * @param phases one after the other, at least one
 * @param malformedShare the share of malformed records, 0 to 1
 * @param future how many records come from the future, spread over the whole traffic
 */
public record TrafficPlan(
    long seed,
    Instant start,
    double speed,
    int partitions,
    int stations,
    List<Phase> phases,
    double malformedShare,
    int future) {
  private static final int RUSH_HOUR_RATE = 2_000;
  private static final int LONG_RUSH_HOUR_RATE = 1_500;
  private static final Duration LONGEST_RUSH = Duration.ofMinutes(15);
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");

  /** Checks every range, and that some partition speaks in every phase. */
  public TrafficPlan {
    phases = List.copyOf(phases);
    require(speed > 0 && speed <= 10, "speed must be above 0 and at most 10, not " + speed);
    require(partitions >= 1, "there must be at least 1 partition, not " + partitions);
    require(stations >= 1 && stations <= 999, "stations must be 1 to 999, not " + stations);
    require(!phases.isEmpty(), "there must be at least one phase");
    require(
        malformedShare >= 0 && malformedShare <= 1,
        "the malformed share must be 0 to 1, not " + malformedShare);
    require(future >= 0, "the number of future records must not be negative: " + future);
    Set<String> names = new HashSet<>();
    for (Phase phase : phases) {
      require(names.add(phase.name()), "two phases are called " + phase.name());
      check(phase, partitions, speed);
    }
  }

  /**
   * The rush hour: a calm stretch up to 07:00 of a Wednesday morning in Shanghai, records less than
   * 5 s out of order; the rush, up to 25 s; one partition up to a minute behind; one partition
   * silent; a last level stretch. Four partitions, six times wall time, a bit less than two minutes
   * and 230,000 records.
   */
  public static TrafficPlan rushHour(long seed) {
    return rushHour(seed, RUSH_HOUR_RATE, seconds(20), seconds(45), seconds(15), 20);
  }

  /**
   * The same at 1,500 records a second, with a rush that lasts until {@link Traffic#endPhase} ends
   * it, at most fifteen minutes, and a partition that is silent for 45 s.
   */
  public static TrafficPlan longRushHour(long seed) {
    // As many as there are, if the rush lasts its longest.
    int future = 120;
    return rushHour(seed, LONG_RUSH_HOUR_RATE, seconds(15), LONGEST_RUSH, seconds(45), future);
  }

  /**
   * A rush hour without an end, to look at: from 07:00 on of a Wednesday morning in Shanghai, as
   * fast as the wall clock; one record in ten is between 4 and 25 s out of order. Four partitions.
   *
   * @param recordsPerSecond at least 1
   */
  public static TrafficPlan endless(long seed, int recordsPerSecond) {
    Behaviour level = Behaviour.level(new Disorder(seconds(4), seconds(25), 0.1));
    return new TrafficPlan(
        seed,
        ZonedDateTime.of(2024, 5, 15, 7, 0, 0, 0, SHANGHAI).toInstant(),
        1,
        4,
        24,
        List.of(new Phase("endless", Duration.ofDays(365), recordsPerSecond, level)),
        0.002,
        0);
  }

  private static TrafficPlan rushHour(
      long seed, int rate, Duration calmWall, Duration rushWall, Duration idleWall, int future) {
    Behaviour calm = Behaviour.level(new Disorder(seconds(2), Duration.ofMillis(4_800), 0.3));
    Disorder rush = new Disorder(seconds(4), seconds(25), 0.35);
    Behaviour level = Behaviour.level(rush);
    double speed = 6;
    long calmEventMillis = (long) (calmWall.toMillis() * speed);
    return new TrafficPlan(
        seed,
        ZonedDateTime.of(2024, 5, 15, 7, 0, 0, 0, SHANGHAI)
            .toInstant()
            .minusMillis(calmEventMillis),
        speed,
        4,
        24,
        List.of(
            new Phase("calm", calmWall, rate, calm),
            new Phase("rush", rushWall, rate, level),
            new Phase(
                "behind",
                seconds(30),
                rate,
                level,
                Map.of(1, Behaviour.behind(rush, Duration.ofMinutes(1)))),
            new Phase("idle", idleWall, rate, level, Map.of(2, Behaviour.silent())),
            new Phase("last", seconds(5), rate, level)),
        0.002,
        future);
  }

  private static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  /**
   * One long phase, called {@code steady}, at a constant rate; for tests that go on and on.
   *
   * @param disorder the share of late records is about the tail share, where {@code usual} is the
   *     bound in force
   * @param silent partitions that never speak
   */
  public static TrafficPlan steady(
      long seed,
      int partitions,
      int recordsPerSecond,
      Duration wall,
      Disorder disorder,
      Set<Integer> silent) {
    Map<Integer, Behaviour> exceptions = new HashMap<>();
    silent.forEach(partition -> exceptions.put(partition, Behaviour.silent()));
    return steady(seed, partitions, recordsPerSecond, wall, disorder, exceptions);
  }

  /**
   * The same with partitions that behave in ways of their own.
   *
   * @param exceptions by partition
   */
  public static TrafficPlan steady(
      long seed,
      int partitions,
      int recordsPerSecond,
      Duration wall,
      Disorder disorder,
      Map<Integer, Behaviour> exceptions) {
    Phase phase =
        new Phase("steady", wall, recordsPerSecond, Behaviour.level(disorder), exceptions);
    return new TrafficPlan(
        seed,
        Instant.parse("2024-05-14T23:00:00Z"),
        5,
        partitions,
        24,
        List.of(phase),
        0.002,
        (int) Math.min(1_000, wall.toSeconds()));
  }

  /** How many records the plan has, closing records apart. */
  public long records() {
    return phases.stream().mapToLong(Phase::records).sum();
  }

  /** How long the plan takes on the wall clock. */
  public Duration wall() {
    return phases.stream().map(Phase::wall).reduce(Duration.ZERO, Duration::plus);
  }

  private static void check(Phase phase, int partitions, double speed) {
    require(
        IntStream.range(0, partitions)
            .anyMatch(partition -> !(phase.behaviour(partition) instanceof Behaviour.Silent)),
        "every partition is silent in phase " + phase.name());
    for (int partition = 0; partition < partitions; partition++) {
      if (phase.behaviour(partition) instanceof Behaviour.Behind behind) {
        double fall = phase.wall().toMillis() * Behaviour.Behind.FALLEN * speed;
        require(
            behind.lag().toMillis() < fall,
            "partition %d cannot fall %s behind in phase %s: its time would go backwards"
                .formatted(partition, behind.lag(), phase.name()));
      }
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
