package io.tidekeeper.sandbox.stage;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.run.Narrator;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells every change of a policy's state as it comes, and waits for some. */
public final class PolicyFeed implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final Narrator narrator;
  private final Resource<WatermarkPolicy> policy;
  private final SharedIndexInformer<WatermarkPolicy> informer;
  private String told = "";

  private PolicyFeed(Narrator narrator, Resource<WatermarkPolicy> policy) {
    this.narrator = narrator;
    this.policy = policy;
    this.informer = policy.inform(new Teller());
  }

  /** Begins to tell. */
  public static PolicyFeed of(
      Narrator narrator, KubernetesClient client, String namespace, String policy) {
    return new PolicyFeed(
        narrator, client.resources(WatermarkPolicy.class).inNamespace(namespace).withName(policy));
  }

  /**
   * Waits until the controller has seen the newest spec and its target is like this.
   *
   * @param before what had been rejected before that spec, or null
   * @throws IllegalStateException after four minutes, with what was seen last; at once when the
   *     change is rejected or stalls, and that is not what is awaited
   */
  public TargetStatus await(
      String awaited, @Nullable String before, Predicate<TargetStatus> wanted) {
    TargetStatus[] seen = new TargetStatus[1];
    Patience.until(
        "the policy to be " + awaited,
        PATIENCE,
        () -> {
          TargetStatus target = current();
          if (target == null) {
            return false;
          }
          seen[0] = target;
          boolean holds = wanted.test(target);
          if (!holds && hasFailed(target, before)) {
            throw new IllegalStateException(
                "the policy was to be %s and is %s".formatted(awaited, line(target)));
          }
          return holds;
        },
        () -> seen[0] == null ? "no status" : line(seen[0]));
    return seen[0];
  }

  private static boolean hasFailed(TargetStatus target, @Nullable String before) {
    return "Stalled".equals(target.state())
        || ("Rejected".equals(target.state()) && !Objects.equals(target.rejectedChange(), before));
  }

  /** The first target, if the status is about the newest spec. */
  private @Nullable TargetStatus current() {
    WatermarkPolicy now = policy.get();
    if (now == null || now.getStatus() == null || now.getStatus().targets().isEmpty()) {
      return null;
    }
    Long observed = now.getStatus().observedGeneration();
    return observed != null && observed.equals(now.getMetadata().getGeneration())
        ? now.getStatus().targets().get(0)
        : null;
  }

  /** The policy's generation: how many specs it has had. */
  public long generation() {
    return policy.require().getMetadata().getGeneration();
  }

  private static String line(TargetStatus target) {
    return "%-11s %-16s %s"
        .formatted(
            target.state(), target.reason(), Narrator.head(String.valueOf(target.message())));
  }

  private synchronized void tell(WatermarkPolicy now) {
    if (now.getStatus() == null || now.getStatus().targets().isEmpty()) {
      return;
    }
    TargetStatus target = now.getStatus().targets().get(0);
    String state = target.state() + " " + target.reason();
    if (!state.equals(told)) {
      told = state;
      narrator.say("  policy %s: %s".formatted(now.getMetadata().getName(), line(target)));
    }
  }

  @Override
  public void close() {
    informer.close();
  }

  private final class Teller implements ResourceEventHandler<WatermarkPolicy> {
    @Override
    public void onAdd(WatermarkPolicy added) {
      tell(added);
    }

    @Override
    public void onUpdate(WatermarkPolicy before, WatermarkPolicy after) {
      tell(after);
    }

    @Override
    public void onDelete(WatermarkPolicy deleted, boolean finalStateUnknown) {
      narrator.say("  policy %s is gone".formatted(deleted.getMetadata().getName()));
    }
  }
}
