package io.tidekeeper.job.backlog;

import java.util.HashMap;
import java.util.Map;

/** The looks at all splits of a source. For one thread. */
final class BacklogBook {

  private Map<String, SplitBacklog> known = Map.of();

  /**
   * Looks at the broker's side of all splits.
   *
   * @param positions where readers stand; a split that is missing is forgotten
   * @return one for each of them
   * @throws Exception when the broker's side does not answer
   */
  Map<String, Backlog> look(Map<String, SplitPosition> positions, BrokerSide broker)
      throws Exception {
    Map<String, Offsets> offsets = broker.offsets(positions.values());
    Map<String, SplitBacklog> next = new HashMap<>();
    Map<String, BrokerSide.Stretch> stretches = new HashMap<>();
    positions.forEach(
        (split, position) -> {
          SplitBacklog before = known.get(split);
          SplitBacklog now =
              before == null
                  ? SplitBacklog.first(position, offsets.get(split))
                  : before.next(position, offsets.get(split));
          next.put(split, now);
          now.toSearch().ifPresent(stretch -> stretches.put(split, stretch));
        });
    known = next;
    if (!stretches.isEmpty()) {
      broker
          .search(stretches)
          .forEach((split, found) -> next.computeIfPresent(split, (any, now) -> now.with(found)));
    }
    Map<String, Backlog> backlogs = new HashMap<>();
    next.forEach((split, now) -> backlogs.put(split, now.backlog()));
    return backlogs;
  }
}
