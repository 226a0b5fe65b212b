package io.tidekeeper.controller.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.tidekeeper.crds.WatermarkPolicy;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which one of several policies on the same target holds it. */
public final class Holders {

  private static final Comparator<WatermarkPolicy> FIRST_COME =
      Comparator.comparing((WatermarkPolicy policy) -> created(policy))
          .thenComparing(policy -> policy.getMetadata().getNamespace())
          .thenComparing(policy -> policy.getMetadata().getName());

  private Holders() {}

  /**
   * The incumbent keeps a target; among newcomers the oldest has it, and among equals the first by
   * namespace and name. Always computed from the policies that there are: when the holder goes, the
   * next one follows, whoever was looking.
   *
   * @param policies the policies on the target, all in its namespace
   * @param incumbent the policy whose name the target carries, or null
   */
  public static Optional<WatermarkPolicy> holder(
      Collection<WatermarkPolicy> policies, @Nullable String incumbent) {
    return policies.stream()
        .filter(policy -> policy.getMetadata().getName().equals(incumbent))
        .findFirst()
        .or(() -> policies.stream().min(FIRST_COME));
  }

  /** The name of a policy among all. */
  public static String key(HasMetadata policy) {
    return policy.getMetadata().getNamespace() + "/" + policy.getMetadata().getName();
  }

  private static String created(HasMetadata policy) {
    String time = policy.getMetadata().getCreationTimestamp();
    return time == null ? "" : time;
  }
}
