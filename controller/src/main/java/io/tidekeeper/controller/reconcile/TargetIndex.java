package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.tidekeeper.crds.WatermarkPolicy;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** From targets to the policies that name them, always over the live cache of policies. */
final class TargetIndex {

  private static final String NAME = "by-target";

  private final IndexerResourceCache<WatermarkPolicy> policies;

  TargetIndex(IndexerResourceCache<WatermarkPolicy> policies) {
    this.policies = policies;
    policies.addIndexer(NAME, TargetIndex::keys);
  }

  /** The policies that {@linkplain Statuses#claims claim} this target. */
  List<WatermarkPolicy> policiesOn(String namespace, String target) {
    return policies.byIndex(NAME, key(namespace, target)).stream()
        // The index follows the watch; a status we have just written ourselves is known earlier.
        .flatMap(policy -> policies.get(ResourceID.fromResource(policy)).stream())
        .filter(policy -> Statuses.claims(policy, target))
        .toList();
  }

  /** The policies to look at when this target has changed. */
  Set<ResourceID> policiesOf(HasMetadata target) {
    return policies
        .byIndex(NAME, key(target.getMetadata().getNamespace(), target.getMetadata().getName()))
        .stream()
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** The targets of a policy. */
  static Set<ResourceID> targetsOf(WatermarkPolicy policy) {
    return names(policy).stream()
        .map(name -> new ResourceID(name, policy.getMetadata().getNamespace()))
        .collect(Collectors.toSet());
  }

  private static Set<String> names(WatermarkPolicy policy) {
    Set<String> names = Statuses.targets(policy);
    names.addAll(Statuses.underWay(policy));
    return names;
  }

  private static List<String> keys(WatermarkPolicy policy) {
    return names(policy).stream()
        .map(target -> key(policy.getMetadata().getNamespace(), target))
        .toList();
  }

  private static String key(String namespace, String target) {
    return namespace + "/" + target;
  }
}
