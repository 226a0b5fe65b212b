package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.tidekeeper.controller.rollout.TargetRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Which finalizers a policy should carry. Ours is there exactly while a change of one of its
 * targets is under way: so long somebody must be there to take it back.
 */
final class Finalizers {

  /** Holds a policy until what is under way has its verdict. */
  static final String ROLLOUT = "tidekeeper.io/rollout";

  private Finalizers() {}

  /** Those that there are. */
  static List<String> of(ObjectMeta policy) {
    return policy.getFinalizers() == null ? List.of() : policy.getFinalizers();
  }

  /**
   * Those that there should be; the ones of others stay in their places.
   *
   * @param policy as it is
   * @param records where each of its targets stands
   */
  static List<String> wanted(ObjectMeta policy, List<TargetRecord> records) {
    List<String> wanted = new ArrayList<>(of(policy));
    if (records.stream().noneMatch(TargetRecord::isUnderWay)) {
      wanted.removeIf(ROLLOUT::equals);
    } else if (!wanted.contains(ROLLOUT) && policy.getDeletionTimestamp() == null) {
      // The API server takes no new finalizer for what is being deleted.
      wanted.add(ROLLOUT);
    }
    return wanted;
  }
}
