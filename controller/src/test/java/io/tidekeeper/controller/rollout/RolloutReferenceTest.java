package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.Reason.Concern;
import io.tidekeeper.controller.rollout.RolloutReference.Group;
import io.tidekeeper.controller.rollout.RolloutReference.StateText;
import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.crds.PolicyCondition;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The tables of states, conditions and reasons in the users' page are generated from the code;
 * deadlines are measured. A reader never finds an outdated one.
 */
class RolloutReferenceTest {

  private static final Path PAGE = Path.of("..", "docs", "rollout.md");
  private static final Path REASONS =
      Path.of("src", "main", "java", "io", "tidekeeper", "controller", "rollout", "Reason.java");

  /** With {@code -Dtidekeeper.refresh-docs=true} the tables are written instead. */
  private static final boolean REFRESH = Boolean.getBoolean("tidekeeper.refresh-docs");

  private static final Instant NOW = Instant.parse("2026-01-05T06:00:00Z");
  private static final Duration LONG = Duration.ofMinutes(40);
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);

  @Test
  void the_tables_in_docs_are_the_codes() throws IOException {
    String page = Files.readString(PAGE);
    String current = page;
    for (Map.Entry<String, String> table : tables().entrySet()) {
      current = replaced(current, table.getKey(), table.getValue());
    }
    if (REFRESH) {
      Files.writeString(PAGE, current);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/rollout.md is outdated; `make docs` writes its tables anew")
        .isEqualTo(current);
  }

  @Test
  void every_state_has_its_row() {
    assertThat(RolloutReference.STATES)
        .containsOnlyKeys(RolloutStateTest.all().stream().map(RolloutState::name).toList());
  }

  @Test
  void what_is_read_in_a_state_is_listed_with_it() {
    Map<String, TreeSet<Reason>> read = new TreeMap<>();
    journeys(
        world ->
            read.computeIfAbsent(world.record.state().name(), name -> new TreeSet<>())
                .add(world.record.notice().reason()));
    assertThat(read).containsOnlyKeys(RolloutReference.STATES.keySet());
    read.forEach(
        (state, reasons) -> {
          if (!state.equals("Waiting")) {
            assertThat(union(text(state).reasons(), text(state).held()))
                .as(state)
                .containsAll(reasons);
          }
        });
  }

  private static List<Reason> union(List<Reason> some, List<Reason> others) {
    List<Reason> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private static Map<String, String> tables() throws IOException {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("states", states());
    tables.put("conditions", conditions());
    Map<Reason, String> meanings = meanings();
    for (Group group : Group.values()) {
      tables.put("reasons " + group.name().toLowerCase(Locale.ROOT), reasons(group, meanings));
    }
    return tables;
  }

  private static String states() {
    Map<String, Duration> deadlines = deadlines();
    StringBuilder table =
        new StringBuilder(
            """
            | state | meaning | what the controller sees | what it does | deadline (with the defaults) | followed by |
            |---|---|---|---|---|---|
            """);
    for (RolloutState state : inOrder()) {
      StateText text = text(state.name());
      Duration deadline = deadlines.get(state.name());
      table.append(
          row(
              "**" + state.name() + "**",
              state.meaning(),
              text.sees(),
              text.does(),
              deadline == null
                  ? "none"
                  : text.deadline().formatted("**" + Durations.format(deadline) + "**"),
              inOrder().stream()
                  .filter(next -> state.successors().contains(next.getClass()))
                  .map(RolloutState::name)
                  .collect(Collectors.joining(", "))));
    }
    return table.toString();
  }

  /** How long each state may take from its beginning, with the default settings. */
  private static Map<String, Duration> deadlines() {
    Map<String, Duration> deadlines = new TreeMap<>();
    journeys(
        world -> {
          RolloutState state = world.record.state();
          Instant deadline = state.deadline();
          if (deadline != null) {
            Duration left = Duration.between(world.now, deadline);
            deadlines.putIfAbsent(
                state.name(),
                state instanceof RolloutState.Verifying
                    ? left.minus(CHECKPOINT_INTERVAL.multipliedBy(2))
                    : left);
          }
        });
    return deadlines;
  }

  /** Goes through every state, and shows what is remembered after each step. */
  private static void journeys(Consumer<World> look) {
    RolloutSettings defaults = RolloutSettings.DEFAULTS;
    for (World.Fault fault : World.Fault.values()) {
      World world = World.inSync(5);
      world.rollout = defaults;
      world.settings = World.seconds(30);
      world.fault(30, fault);
      travel(world, look);
      world.reject = world.record.change();
      travel(world, look);
    }
    World stuck = World.inSync(5);
    stuck.rollout = without(defaults);
    stuck.settings = World.seconds(30);
    stuck.fault(30, World.Fault.MAIN_THROWS);
    travel(stuck, look);
  }

  private static void travel(World world, Consumer<World> look) {
    Instant end = world.now.plus(LONG);
    while (world.now.isBefore(end)) {
      world.tick();
      boolean acts = true;
      while (acts) {
        acts = !(world.step() instanceof Action.Wait);
        look.accept(world);
      }
    }
  }

  private static RolloutSettings without(RolloutSettings all) {
    return new RolloutSettings(
        all.mode(),
        all.paused(),
        all.cooldown(),
        all.savepointTimeout(),
        all.healthDeadline(),
        all.healthyFor(),
        false,
        all.lateShareAbove());
  }

  private static String conditions() {
    StringBuilder table =
        new StringBuilder(
            """
            | state | reason you read | Ready | Applied | Reconciling | Stalled | kstatus |
            |---|---|---|---|---|---|---|
            """);
    for (RolloutState state : inOrder()) {
      if (state instanceof Waiting) {
        table
            .append(waiting("for a decision of somebody", Concern.CHOICE, NOW))
            .append(waiting("for something expected, up to 10m", Concern.PROGRESS, NOW))
            .append(
                waiting(
                    "the same, longer than 10m", Concern.PROGRESS, NOW.plus(Standing.EXPECTATION)))
            .append(waiting("for a person", Concern.PERSON, NOW));
      } else {
        List<Reason> reasons = text(state.name()).reasons();
        table.append(
            row("**" + state.name() + "**", names(reasons), standing(state, reasons.get(0), NOW)));
        if (state instanceof Moving moving) {
          held(moving, text(state.name()).held()).forEach(table::append);
        }
      }
    }
    return table.toString();
  }

  /** One row for each way in which a state that is held is seen. */
  private static List<String> held(Moving moving, List<Reason> reasons) {
    RolloutState state = moving.with(moving.flight().held(NOW));
    Map<String, List<Reason>> rows = new LinkedHashMap<>();
    for (Reason reason : reasons) {
      rows.computeIfAbsent(standing(state, reason, NOW), cells -> new ArrayList<>()).add(reason);
    }
    return rows.entrySet().stream()
        .map(row -> row("**" + state.name() + "**, held", names(row.getValue()), row.getKey()))
        .toList();
  }

  private static String waiting(String what, Concern concern, Instant now) {
    List<Reason> reasons = new ArrayList<>();
    for (Reason reason : Reason.values()) {
      if (reason.concern() == concern && RolloutReference.of(reason).group() == Group.GATES) {
        reasons.add(reason);
      }
    }
    return row("**Waiting** " + what, names(reasons), standing(new Waiting(), reasons.get(0), now));
  }

  /** Status of Ready, Applied, Reconciling and Stalled, and what kstatus makes of them. */
  private static String standing(RolloutState state, Reason reason, Instant now) {
    TargetRecord fresh = TargetRecord.fresh("job", NOW);
    TargetRecord record =
        fresh.with(
            edit -> {
              edit.state = state;
              edit.notice = new Notice(reason, "because");
            });
    List<PolicyCondition> conditions = Conditions.ofTarget(record, 1, List.of(), now);
    return conditions.stream()
            .map(condition -> condition.status().equals("True") ? "**True**" : condition.status())
            .collect(Collectors.joining(" | "))
        + " | "
        + kstatus(conditions);
  }

  /** The rules of kstatus for a resource whose generation is observed and that is not deleted. */
  private static String kstatus(List<PolicyCondition> conditions) {
    for (PolicyCondition condition : conditions) {
      if (condition.status().equals("True")) {
        if (condition.type().equals(Conditions.RECONCILING)) {
          return "InProgress";
        }
        if (condition.type().equals(Conditions.STALLED)) {
          return "Failed";
        }
      }
    }
    return conditions.stream()
            .anyMatch(c -> c.type().equals(Conditions.READY) && !c.status().equals("True"))
        ? "InProgress"
        : "Current";
  }

  private static String reasons(Group group, Map<Reason, String> meanings) {
    StringBuilder table =
        new StringBuilder("| reason | meaning | ")
            .append(group.title())
            .append(" | whose turn |\n|---|---|---|---|\n");
    for (Reason reason : Reason.values()) {
      RolloutReference.ReasonText text = RolloutReference.of(reason);
      if (text.group() == group) {
        table.append(
            row(
                "`" + reason + "`",
                String.valueOf(meanings.get(reason)),
                text.text(),
                switch (reason.concern()) {
                  case NONE -> "nobody's";
                  case PROGRESS -> "it should pass";
                  case CHOICE -> "somebody decided so";
                  case PERSON -> "yours";
                }));
      }
    }
    return table.toString();
  }

  /** What the source says about each reason. */
  private static Map<Reason, String> meanings() throws IOException {
    Map<Reason, String> meanings = new EnumMap<>(Reason.class);
    Matcher constant =
        Pattern.compile("/\\*\\* ([^*]+) \\*/\\s+(\\w+)\\(Concern\\.")
            .matcher(Files.readString(REASONS));
    while (constant.find()) {
      meanings.put(Reason.valueOf(constant.group(2)), constant.group(1));
    }
    assertThat(meanings).containsOnlyKeys(Reason.values());
    return meanings;
  }

  private static List<RolloutState> inOrder() {
    List<String> order = List.copyOf(RolloutReference.STATES.keySet());
    return RolloutStateTest.all().stream()
        .sorted(Comparator.comparingInt(state -> order.indexOf(state.name())))
        .toList();
  }

  private static StateText text(String state) {
    StateText text = RolloutReference.STATES.get(state);
    if (text == null) {
      throw new AssertionError("nobody has described the state " + state);
    }
    return text;
  }

  private static String names(List<Reason> reasons) {
    return reasons.stream().map(reason -> "`" + reason + "`").collect(Collectors.joining(", "));
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String replaced(String page, String name, String table) {
    String begin = "<!-- generated: %s -->\n".formatted(name);
    String end = "<!-- end: %s -->\n".formatted(name);
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    assertThat(from).as("the page has the marker %s", begin).isNotNegative();
    assertThat(to).as("the page has the marker %s after it", end).isGreaterThan(from);
    return page.substring(0, from + begin.length()) + table + page.substring(to);
  }
}
