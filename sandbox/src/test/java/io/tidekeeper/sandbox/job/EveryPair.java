package io.tidekeeper.sandbox.job;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** The shortest walk that goes from each of n places to each other one, and ends where it began. */
final class EveryPair {

  private EveryPair() {}

  /** The places 0 to n - 1 in the order of the walk, {@code n * (n - 1) + 1} of them. */
  static List<Integer> walk(int n) {
    List<Deque<Integer>> untrodden = new ArrayList<>();
    for (int from = 0; from < n; from++) {
      Deque<Integer> targets = new ArrayDeque<>();
      for (int distance = 1; distance < n; distance++) {
        targets.add((from + distance) % n);
      }
      untrodden.add(targets);
    }
    // Every place has as many ways in as out, so a walk that gets stuck is back where it began, and
    // detours from the places on it use up the rest.
    List<Integer> walk = new ArrayList<>();
    Deque<Integer> path = new ArrayDeque<>(List.of(0));
    while (!path.isEmpty()) {
      Deque<Integer> targets = untrodden.get(path.element());
      if (targets.isEmpty()) {
        walk.add(path.pop());
      } else {
        path.push(targets.remove());
      }
    }
    Collections.reverse(walk);
    return walk;
  }
}
