package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.JobManagerState;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.Lifecycle;
import io.tidekeeper.controller.flink.OperatorError;
import io.tidekeeper.controller.flink.OperatorView;
import io.tidekeeper.controller.flink.ReconciledSpec;
import io.tidekeeper.controller.flink.ReconciliationState;
import io.tidekeeper.controller.flink.UpgradeMode;
import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import io.tidekeeper.crds.Percent;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A target, an operator that behaves as the recorded ones did, a job with numbers, and a controller
 * that forgets everything between two looks but its record.
 */
final class World {

  /** What settings do to the job that gets them. */
  enum Fault {
    NONE,
    SAVEPOINT_FAILS,
    MAIN_THROWS,
    JOB_MANAGER_ERROR,
    RESTARTS,
    LATE,
    NEVER_RUNS
  }

  static final String UID = "uid-1";
  static final Duration TICK = Duration.ofSeconds(5);
  private static final int MOST_STEPS = 12;

  Instant now = Instant.parse("2026-01-05T06:00:00Z");

  // The policy.
  @Nullable PolicySettings settings = seconds(5);
  RolloutSettings rollout =
      new RolloutSettings(
          RolloutMode.Auto,
          false,
          Duration.ZERO,
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(1),
          true,
          Percent.parse("1%"));
  final Set<Brake> brakes = EnumSet.noneOf(Brake.class);
  @Nullable String retry;
  @Nullable String reject;
  @Nullable String holder;
  boolean leaving;

  // The target.
  boolean exists = true;
  String uid = UID;
  long generation = 1;
  boolean suspended;
  UpgradeMode upgradeMode = UpgradeMode.SAVEPOINT;
  boolean application = true;
  boolean deletingTarget;
  @Nullable String blueGreenParent;
  final SortedSet<String> nestedKeys = new TreeSet<>();
  SortedMap<String, String> configuration = new TreeMap<>(Map.of("rest.port", "8081"));
  final Map<String, Set<String>> managers = new HashMap<>();

  // The operator.
  long observed;
  Lifecycle lifecycle = Lifecycle.NONE;
  ReconciliationState reconciliation = ReconciliationState.NONE;
  JobManagerState jobManager = JobManagerState.NONE;
  JobState jobState = JobState.NONE;
  @Nullable OperatorError error;
  @Nullable SortedMap<String, String> reconciled;
  boolean reconciledRunning;
  boolean currentOperator = true;
  boolean operatorDown;

  // The job.
  final Map<String, Fault> faults = new HashMap<>();
  boolean metrics = true;
  boolean silentSource;
  boolean tidekeeper = true;
  int format = 1;
  int jobs;
  long restarts;
  long checkpoints;
  long records;
  long late;
  long watermark;

  /** Whether the job has emitted a watermark; until then none of its records is late. */
  boolean emits = true;

  // The controller.
  TargetRecord record = TargetRecord.fresh("job", now);
  @Nullable String refusal;
  final List<String> states = new ArrayList<>();
  final List<OwnKeys> writes = new ArrayList<>();

  static PolicySettings seconds(int outOfOrderness) {
    return new PolicySettings(
        0, SourceSettings.fallback(Duration.ofSeconds(outOfOrderness)), new TreeMap<>());
  }

  /** A world in which the job runs, without a policy so far. */
  static World running() {
    World world = new World();
    PolicySettings wanted = world.settings;
    world.settings = null;
    world.pass(Duration.ofMinutes(1));
    world.settings = wanted;
    return world;
  }

  /** A world in which the job runs on the settings. */
  static World inSync(int outOfOrderness) {
    World world = running();
    world.settings = seconds(outOfOrderness);
    world.pass(Duration.ofMinutes(5));
    assertThat(world.record.state()).isInstanceOf(RolloutState.InSync.class);
    world.states.clear();
    world.writes.clear();
    return world;
  }

  OwnKeys live() {
    return OwnKeys.in(configuration);
  }

  @Nullable String runsOn() {
    return jobState == JobState.RUNNING && reconciled != null
        ? OwnKeys.in(reconciled).hash()
        : null;
  }

  void fault(int outOfOrderness, Fault fault) {
    faults.put(seconds(outOfOrderness).hash(), fault);
  }

  private Fault faultOf(@Nullable SortedMap<String, String> config) {
    String hash = config == null ? OwnKeys.NO_HASH : OwnKeys.in(config).hash();
    // A job refuses options that mean no policy.
    return hash == null ? Fault.MAIN_THROWS : faults.getOrDefault(hash, Fault.NONE);
  }

  Observation observe() {
    return new Observation(
        new PolicyView(
            settings,
            settings == null ? "spec.watermark: nobody understands it" : "",
            rollout,
            brakes,
            retry,
            reject,
            leaving),
        record,
        holder,
        exists ? target() : null,
        metrics && jobState == JobState.RUNNING ? reading() : null,
        metrics ? "" : "http://job-rest:8081/jobs: java.net.ConnectException",
        refusal);
  }

  private FlinkDeployment target() {
    return new FlinkDeployment(
        "job",
        uid,
        generation,
        deletingTarget,
        new TreeMap<>(),
        blueGreenParent,
        application,
        upgradeMode,
        suspended,
        configuration,
        nestedKeys,
        new TreeSet<>(),
        managers,
        new OperatorView(
            observed,
            lifecycle,
            reconciliation,
            jobManager,
            jobState,
            error,
            reconciled == null
                ? null
                : new ReconciledSpec(reconciledRunning, reconciled, currentOperator),
            jobs == 0 ? null : "job-" + jobs,
            jobs < 2 ? null : "file:/savepoint-" + (jobs - 1)));
  }

  private JobReading reading() {
    long revision = reconciled == null ? 0 : OwnKeys.in(reconciled).revision();
    return new JobReading(
        tidekeeper
            ? List.of(
                new SourceSubtask("trips", 0, revision, format),
                new SourceSubtask("trips", 1, revision, format),
                new SourceSubtask("fares", 0, silentSource ? null : revision, format),
                new SourceSubtask("plain", 0, null, null))
            : List.of(new SourceSubtask("trips", 0, null, null)),
        restarts,
        checkpoints,
        Duration.ofSeconds(10),
        new LateCount(records, late),
        emits ? Long.valueOf(watermark) : null);
  }

  /** Lets time pass in ticks; the controller looks after each. */
  void pass(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      tick();
      control();
    }
  }

  /** Lets the operator and the job take one step. */
  void tick() {
    now = now.plus(TICK);
    if (exists && !operatorDown) {
      operate();
    }
    if (jobState == JobState.RUNNING) {
      records += 1_000;
      checkpoints++;
      watermark += TICK.toMillis();
      late += faultOf(reconciled) == Fault.LATE ? 100 : 1;
      restarts += faultOf(reconciled) == Fault.RESTARTS ? 1 : 0;
    }
  }

  private void operate() {
    if (suspended) {
      if (jobState != JobState.FINISHED || lifecycle != Lifecycle.SUSPENDED) {
        lifecycle = Lifecycle.SUSPENDED;
        reconciliation = ReconciliationState.DEPLOYED;
        jobState = JobState.FINISHED;
        reconciledRunning = false;
        observed = generation;
        if (reconciled == null) {
          reconciled = new TreeMap<>(configuration);
        }
      }
      return;
    }
    boolean differs = !configuration.equals(reconciled);
    switch (lifecycle) {
      case UPGRADING -> deploy();
      case DEPLOYED -> {
        if (differs && faultOf(reconciled) == Fault.NEVER_RUNS) {
          stop();
        } else {
          start();
        }
      }
      case SUSPENDED, NONE -> stop();
      default -> {
        if (differs) {
          change();
        } else if (observed != generation) {
          observed = generation;
          error = null;
        }
      }
    }
  }

  private void change() {
    if (jobState == JobState.RUNNING && faultOf(configuration) == Fault.SAVEPOINT_FAILS) {
      error = new OperatorError("UpgradeFailureException", "Savepoint Error");
      return;
    }
    stop();
  }

  private void stop() {
    lifecycle = Lifecycle.UPGRADING;
    reconciliation = ReconciliationState.UPGRADING;
    jobState = jobState == JobState.NONE ? JobState.NONE : JobState.FINISHED;
    reconciled = new TreeMap<>(configuration);
    reconciledRunning = false;
    observed = generation;
    error = null;
  }

  private void deploy() {
    reconciled = new TreeMap<>(configuration);
    observed = generation;
    lifecycle = Lifecycle.DEPLOYED;
    reconciliation = ReconciliationState.DEPLOYED;
    reconciledRunning = true;
    jobManager = JobManagerState.DEPLOYING;
    jobState = JobState.RECONCILING;
    jobs++;
  }

  private void start() {
    switch (faultOf(reconciled)) {
      case MAIN_THROWS -> {
        lifecycle = Lifecycle.FAILED;
        jobManager = JobManagerState.READY;
        jobState = JobState.FAILED;
        error = new OperatorError("SerializedThrowable", "main said no");
      }
      case JOB_MANAGER_ERROR -> {
        jobManager = JobManagerState.ERROR;
        error = new OperatorError("DeploymentFailedException", "CrashLoopBackOff");
        if (!configuration.equals(reconciled)) {
          stop();
        }
      }
      case NEVER_RUNS -> {
        jobManager = JobManagerState.READY;
        jobState = JobState.CREATED;
      }
      default -> {
        lifecycle = Lifecycle.STABLE;
        jobManager = JobManagerState.READY;
        jobState = JobState.RUNNING;
        restarts = 0;
        checkpoints = 0;
        records = 0;
        late = 0;
      }
    }
  }

  /** Lets the controller decide until it waits. */
  void control() {
    for (int step = 0; step < MOST_STEPS; step++) {
      if (step() instanceof Action.Wait) {
        return;
      }
    }
    throw new AssertionError("the controller never waits: " + record);
  }

  /** One decision, carried out. */
  Action step() {
    Action action = RolloutDecision.decide(observe(), now);
    if (action instanceof Action.Remember remember) {
      remember(remember.next());
    } else if (action instanceof Action.Apply apply) {
      apply(apply);
    }
    return action;
  }

  /** Whatever was not in the status is forgotten. */
  void remember(TargetRecord next) {
    TargetRecord read = TargetRecordCodec.read(TargetRecordCodec.write(next, List.of()), now);
    assertThat(read).as("the status holds the whole record").isEqualTo(next);
    if (!next.state().name().equals(record.state().name())) {
      states.add(next.state().name());
    }
    record = read;
  }

  /** Server-side apply as the API server does it. */
  private void apply(Action.Apply apply) {
    assertThat(apply.uid()).as("a write names the object it saw").isEqualTo(uid);
    writes.add(apply.keys());
    for (Map.Entry<String, String> option : apply.keys().options().entrySet()) {
      Set<String> others = new TreeSet<>(managers.getOrDefault(option.getKey(), Set.of()));
      others.remove(FieldOwners.MANAGER);
      if (!others.isEmpty() && !option.getValue().equals(configuration.get(option.getKey()))) {
        refusal = "conflict with " + others;
        return;
      }
    }
    SortedMap<String, String> before = new TreeMap<>(configuration);
    disown(FieldOwners.MANAGER);
    apply
        .keys()
        .options()
        .forEach(
            (key, value) -> {
              configuration.put(key, value);
              managers.computeIfAbsent(key, k -> new TreeSet<>()).add(FieldOwners.MANAGER);
            });
    changed(before);
  }

  /** What nobody owns any more goes. */
  private void disown(String manager) {
    managers
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = entry.getValue().remove(manager) && entry.getValue().isEmpty();
              if (gone) {
                configuration.remove(entry.getKey());
              }
              return gone;
            });
  }

  private void changed(SortedMap<String, String> before) {
    refusal = null;
    if (!before.equals(configuration)) {
      generation++;
    }
  }

  /** Somebody takes an option by force. */
  void taken(String manager, String key, String value) {
    SortedMap<String, String> before = new TreeMap<>(configuration);
    configuration.put(key, value);
    managers.put(key, new TreeSet<>(Set.of(manager)));
    changed(before);
  }

  /** Somebody gives all options of theirs up. */
  void givenUp(String manager) {
    SortedMap<String, String> before = new TreeMap<>(configuration);
    disown(manager);
    changed(before);
  }

  void suspend(boolean on) {
    if (suspended != on) {
      suspended = on;
      generation++;
      refusal = null;
    }
  }

  void delete() {
    exists = false;
    configuration = new TreeMap<>(Map.of("rest.port", "8081"));
    managers.clear();
    suspended = false;
    observed = 0;
    lifecycle = Lifecycle.NONE;
    reconciliation = ReconciliationState.NONE;
    jobManager = JobManagerState.NONE;
    jobState = JobState.NONE;
    error = null;
    reconciled = null;
    refusal = null;
    jobs = 0;
  }

  void create() {
    if (!exists) {
      exists = true;
      uid = uid + "+";
      generation = 1;
    }
  }
}
