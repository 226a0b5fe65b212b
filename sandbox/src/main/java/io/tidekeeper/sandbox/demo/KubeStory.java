package io.tidekeeper.sandbox.demo;

import static io.tidekeeper.sandbox.stage.SubwayManifests.DEPLOYMENT;
import static io.tidekeeper.sandbox.stage.SubwayManifests.NAMESPACE;
import static io.tidekeeper.sandbox.stage.SubwayManifests.POLICY;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;
import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.demo.JobStarts.Start;
import io.tidekeeper.sandbox.demo.RolloutClaims.Seen;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.kubectl.Console;
import io.tidekeeper.sandbox.kubectl.Description;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.stage.Closing;
import io.tidekeeper.sandbox.stage.KubeStage;
import io.tidekeeper.sandbox.stage.PolicyFeed;
import io.tidekeeper.sandbox.stage.StreamStage;
import io.tidekeeper.sandbox.stage.SubwayManifests;
import io.tidekeeper.sandbox.subway.LastWindow;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.jspecify.annotations.Nullable;

/**
 * The whole demo, act by act: thresholds are changed with kubectl, the controller does the rest.
 */
final class KubeStory {

  /** Long enough for a noisy machine; a stalled job would be silent for the rest of the phase. */
  private static final Duration STALL_LIMIT = Duration.ofSeconds(30);

  private static final int PARALLELISM = 2;

  private final Narrator narrator;
  private final Path dir;
  private final Sabotage sabotage;
  private final StreamStage stream;
  private final JobStarts starts;
  private final Console console;
  private final SubwayManifests manifests;
  private final PolicyFeed policy;
  private final Target target;
  private final List<Claim> claims = new ArrayList<>();
  private final List<Stretch> onSchedule = new ArrayList<>();

  private KubeStory(
      Narrator narrator,
      Path dir,
      Sabotage sabotage,
      StreamStage stream,
      JobStarts starts,
      KubernetesClient client,
      Console console,
      PolicyFeed policy) {
    this.narrator = narrator;
    this.dir = dir;
    this.sabotage = sabotage;
    this.stream = stream;
    this.starts = starts;
    this.console = console;
    this.policy = policy;
    this.target = new Target(client, NAMESPACE, DEPLOYMENT);
    this.manifests = SubwayManifests.in(dir, stream, sabotage != Sabotage.no_watermark_restore);
  }

  /** Runs the demo and returns every claim it makes, true or not. */
  static List<Claim> tell(
      Narrator narrator, Path dir, Path jobJar, Path k8s, long seed, Sabotage sabotage) {
    TrafficPlan plan = TrafficPlan.longRushHour(seed);
    try (Closing closing = Closing.atTheEnd()) {
      narrator.say("Starting a Kafka broker and a Flink cluster on 127.0.0.1");
      StreamStage stream = StreamStage.start(closing, dir, jobJar, plan.partitions());
      narrator.say(stream.addresses());
      narrator.say(
          "Starting a Kubernetes API server, a stand-in for the Flink operator, the controller");
      JobStarts starts = new JobStarts(stream.topics());
      KubeStage kube = KubeStage.start(closing, dir, k8s, stream, starts);
      narrator.say(
          "API server at %s; the controller is a process of its own, its metrics at %s"
              .formatted(kube.api().url(), kube.controller().metricsUri()));
      KubernetesClient client = kube.api().adminClient();
      PolicyFeed policy = closing.add(PolicyFeed.of(narrator, client, NAMESPACE, POLICY));
      Console console = Console.open(narrator, kube.api(), NAMESPACE, dir);
      return new KubeStory(narrator, dir, sabotage, stream, starts, client, console, policy)
          .run(closing, plan);
    }
  }

  private List<Claim> run(Closing closing, TrafficPlan plan) {
    Seen five = applyTogether();
    Map<String, String> owners = target.ownersOptions();
    Start first = starts.latest();

    RushHour rushHour = RushHour.start(closing, narrator, stream, plan);
    narrator.say(
        "Traffic: %,d records/s on %d partitions, event time %.0fx wall time, seed %d"
            .formatted(
                plan.phases().get(0).recordsPerSecond(),
                plan.partitions(),
                plan.speed(),
                plan.seed()));
    rushHour.awaitLate();

    Seen schedule = rollOutSchedule(five, rushHour);
    Start second = starts.latest();
    long restored = Restored.watermark(job());
    PlainBeside plain =
        PlainBeside.start(
            stream, requireNonNull(schedule.target().savepoint()), second.results(), PARALLELISM);
    narrator.say("Beside it, the same job on plain Flink from the same savepoint, with 30 s");
    rushHour.report();

    Seen takenBack = applyTooTight(schedule, rushHour);
    Start tight = starts.following(second);
    onSchedule.add(new Stretch("under the schedule", second.late(), tight.late(), restored));
    Start back = starts.latest();
    long restoredBack = Restored.watermark(job());
    plain.stopAfter(restored);
    rushHour.report();

    Seen rejected = applyUnknownSource(takenBack);
    onSchedule.add(
        new Stretch(
            "back under the schedule", back.late(), starts.following(back).late(), restoredBack));
    Start last = starts.latest();
    long restoredLast = Restored.watermark(job());
    onSchedule.add(new Stretch("and again", last.late(), Map.of(), restoredLast));
    applyInvalid();
    setBack(rejected);

    List<Claim> flow = follow(rushHour);
    end(rushHour);
    claims.add(RolloutClaims.ownersOptionsKept(owners, target.ownersOptions()));

    Stretch fiveSeconds = new Stretch("under 5 s", first.late(), second.late(), Long.MIN_VALUE);
    Stretch oneSecond = new Stretch("under 1 s", tight.late(), back.late(), Long.MIN_VALUE);
    List<Stretch> all = new ArrayList<>(List.of(fiveSeconds, onSchedule.get(0), oneSecond));
    all.addAll(onSchedule.subList(1, onSchedule.size()));
    Ending ending = Ending.settle(dir, stream.topics(), rushHour.traffic().truth(), sabotage, all);
    List<Claim> told = new ArrayList<>(ending.accounts());
    told.addAll(flow);
    told.add(ending.lateUnder(fiveSeconds));
    told.add(ending.noneLateUnder(onSchedule));
    told.add(plain.claim(stream.topics().results(RESULTS)));
    told.addAll(claims);
    return told;
  }

  private Seen applyTogether() {
    narrator.say("The job and its policy of 5 s, applied together");
    console.apply(manifests.fiveSeconds(), manifests.deployment());
    Seen seen = see(policy.await("InSync", null, KubeStory::isInSync));
    console.run("get", "flinkdeployment,wmp");
    claims.add(RolloutClaims.startedTogether(seen));
    return seen;
  }

  private Seen rollOutSchedule(Seen before, RushHour rushHour) {
    narrator.say("5 s is too tight: 30 s for the rush hour");
    console.apply(manifests.schedule());
    TargetStatus unused =
        policy.await(
            "Upgrading",
            null,
            now -> List.of("Upgrading", "Verifying", "InSync").contains(now.state()));
    console.run("get", "wmp");
    events();
    Seen after = see(policy.await("InSync on a new revision", null, isNewer(before)));
    console.run("get", "wmp");
    console.run(Description::shortened, "describe", "wmp", POLICY);
    rushHour.report();
    claims.add(RolloutClaims.rolledOut(before, after));
    return after;
  }

  private Seen applyTooTight(Seen before, RushHour rushHour) {
    narrator.say("A mistake: 1 s, with abortWhen.lateShareAbove: 5%");
    console.apply(manifests.tooTight());
    Seen after = see(policy.await("Rejected", rejected(before), now -> isRejected(now, before)));
    console.run("get", "wmp");
    rushHour.report();
    claims.add(RolloutClaims.lateShareTakenBack(before, after));
    return after;
  }

  private Seen applyUnknownSource(Seen tight) {
    narrator.say("Another mistake: the schedule, and a source 'tram' that the job does not have");
    console.apply(manifests.unknownSource());
    Seen after = see(policy.await("Rejected", rejected(tight), now -> isRejected(now, tight)));
    console.run("get", "wmp");
    claims.add(RolloutClaims.unknownSourceTakenBack(tight, after, "tram"));
    return after;
  }

  private void applyInvalid() {
    narrator.say("And one that means nothing: 90 s under a cap of 60 s");
    long before = policy.generation();
    Console.Refusal refusal = console.applyInvalid(manifests.invalid());
    claims.add(
        RolloutClaims.refused(refusal.refused(), refusal.message(), before, policy.generation()));
  }

  private void setBack(Seen rejected) {
    narrator.say("Back to the schedule, which runs already");
    console.apply(manifests.schedule());
    Seen after = see(policy.await("InSync", rejected(rejected), KubeStory::isInSync));
    console.run("get", "wmp");
    events();
    claims.add(RolloutClaims.setBack(rejected, after));
  }

  private List<Claim> follow(RushHour rushHour) {
    rushHour.traffic().endPhase("rush");
    List<Claim> flow = new ArrayList<>();
    try (FlowWatch watch = rushHour.watchFlow()) {
      rushHour.follow();
      flow.add(watch.claim("behind", "one partition a minute behind", STALL_LIMIT));
      flow.add(watch.claim("idle", "one partition silent", STALL_LIMIT));
    }
    return flow;
  }

  private void end(RushHour rushHour) {
    rushHour.traffic().sendClosing();
    narrator.say("Closing records sent; waiting for the last windows");
    LastWindow.await(job(), rushHour.traffic());
    console.run(
        "patch",
        "flinkdeployment",
        DEPLOYMENT,
        "--type=merge",
        "-p",
        "{\"spec\":{\"job\":{\"state\":\"suspended\"}}}");
    target.awaitSuspended();
    narrator.say("The job is stopped; now the account, by a consumer that knows nothing of it");
  }

  /** The policy's Events; at one console all are seen, and the deployment's are the operator's. */
  private void events() {
    console.run(
        "get",
        "events",
        "--field-selector=involvedObject.kind=WatermarkPolicy",
        "--sort-by=.metadata.creationTimestamp");
  }

  private Seen see(TargetStatus now) {
    return new Seen(
        now,
        target.settings(),
        job().vertexMetrics(".*tidekeeper\\.revision").stream()
            .map(metric -> Long.parseLong(metric.value()))
            .collect(Collectors.toSet()));
  }

  private JobRef job() {
    return stream.flink().find(JobID.fromHexString(starts.latest().jobId())).orElseThrow();
  }

  private static @Nullable String rejected(Seen before) {
    return before.target().rejectedChange();
  }

  private static boolean isInSync(TargetStatus now) {
    return "InSync".equals(now.state());
  }

  private static Predicate<TargetStatus> isNewer(Seen before) {
    return now ->
        isInSync(now)
            && now.revision() != null
            && now.revision() > requireNonNull(before.target().revision());
  }

  private static boolean isRejected(TargetStatus now, Seen before) {
    return "Rejected".equals(now.state())
        && now.rejectedChange() != null
        && !now.rejectedChange().equals(before.target().rejectedChange());
  }
}
