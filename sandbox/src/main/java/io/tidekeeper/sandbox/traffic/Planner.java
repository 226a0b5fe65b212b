package io.tidekeeper.sandbox.traffic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Turns a plan into records, one by one in the order of sending. Pure: the records depend on the
 * plan alone, those from the future also on the wall clock given.
 */
final class Planner implements Iterator<Planned> {
  /** How far closing records lie beyond the front, in event time. */
  private static final List<Duration> CLOSING =
      List.of(Duration.ofMinutes(2), Duration.ofMinutes(3), Duration.ofMinutes(4));

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int MOST_PASSENGERS = 5;
  private static final int DAYS_AHEAD = 7;

  private final TrafficPlan plan;
  private final long wallClockMillis;
  private final RandomGenerator random;
  private final long plannedAtFirst;

  /** How many records there are to be: less than planned once a phase was cut short. */
  private long total;

  private List<Integer> speaking;
  private int phaseIndex;
  private long phaseStartNanos;
  private long inPhase;
  private long planned;
  private long lastId;

  /**
   * @param wallClockMillis now, which records from the future are days ahead of
   */
  Planner(TrafficPlan plan, long wallClockMillis) {
    this.plan = plan;
    this.wallClockMillis = wallClockMillis;
    this.random = new SplittableRandom(plan.seed());
    this.plannedAtFirst = plan.records();
    this.total = plannedAtFirst;
    this.speaking = speaking(plan, plan.phases().get(0));
  }

  @Override
  public boolean hasNext() {
    return planned < total;
  }

  @Override
  public Planned next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the plan has ended");
    }
    while (inPhase == phase().records()) {
      beginNextPhase(phaseStartNanos + phase().wall().toNanos());
    }
    Planned record = plan(phase());
    inPhase++;
    planned++;
    return record;
  }

  /** The phase of the next record. */
  String phaseName() {
    return phase().name();
  }

  /**
   * Leaves out the rest of the current phase: the next one begins now. The last one is left as it
   * is.
   *
   * @param planNanos now, in nanoseconds of plan time
   */
  void cutPhaseShort(long planNanos) {
    if (phaseIndex == plan.phases().size() - 1) {
      return;
    }
    total -= phase().records() - inPhase;
    beginNextPhase(planNanos);
  }

  private void beginNextPhase(long startNanos) {
    phaseStartNanos = startNanos;
    phaseIndex++;
    inPhase = 0;
    speaking = speaking(plan, phase());
  }

  /** The traffic's event time at a moment of the plan, milliseconds since the epoch. */
  long frontMillis(long planNanos) {
    return plan.start().toEpochMilli() + (long) (planNanos / NANOS_PER_MILLI * plan.speed());
  }

  /** The closing records of every partition, in order of time, when the plan has come so far. */
  List<Planned> closing(long planNanos) {
    List<Planned> records = new ArrayList<>();
    for (Duration beyond : CLOSING) {
      for (int partition = 0; partition < plan.partitions(); partition++) {
        long id = ++lastId;
        String station = station(partition % plan.stations());
        long time = frontMillis(planNanos) + beyond.toMillis();
        String value = RecordText.valid(id, station, 1, time);
        records.add(
            new Planned(
                planNanos, id, partition, Kind.CLOSING, station, 1, time, "closing", value));
      }
    }
    return records;
  }

  private Planned plan(Phase phase) {
    double share = inPhase / (double) phase.records();
    long due = phaseStartNanos + (long) (share * phase.wall().toNanos());
    int partition = speaking.get(random.nextInt(speaking.size()));
    Behaviour behaviour = phase.behaviour(partition);
    long time =
        frontMillis(due) - (long) behaviour.lagMillis(share) - behaviour.disorder().draw(random);
    String station = station(random.nextInt(plan.stations()));
    int passengers = 1 + random.nextInt(MOST_PASSENGERS);
    long id = ++lastId;
    Kind kind = kind();
    if (kind == Kind.FUTURE) {
      time = wallClockMillis + Duration.ofDays(1 + random.nextInt(DAYS_AHEAD)).toMillis();
    }
    String value =
        kind == Kind.MALFORMED
            ? RecordText.malformed(random, id, station, passengers, time)
            : RecordText.valid(id, station, passengers, time);
    return new Planned(due, id, partition, kind, station, passengers, time, phase.name(), value);
  }

  /** Future records come at even distances of the plan, malformed ones by chance. */
  private Kind kind() {
    boolean malformed = random.nextDouble() < plan.malformedShare();
    long futureBefore = planned * plan.future() / plannedAtFirst;
    long futureAfter = (planned + 1) * plan.future() / plannedAtFirst;
    if (futureAfter > futureBefore) {
      return Kind.FUTURE;
    }
    return malformed ? Kind.MALFORMED : Kind.NORMAL;
  }

  private Phase phase() {
    return plan.phases().get(phaseIndex);
  }

  private static String station(int index) {
    return "S%03d".formatted(index + 1);
  }

  private static List<Integer> speaking(TrafficPlan plan, Phase phase) {
    List<Integer> partitions = new ArrayList<>();
    for (int partition = 0; partition < plan.partitions(); partition++) {
      if (!(phase.behaviour(partition) instanceof Behaviour.Silent)) {
        partitions.add(partition);
      }
    }
    return partitions;
  }
}
