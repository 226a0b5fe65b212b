package io.tidekeeper.sandbox.account;

import io.tidekeeper.sandbox.traffic.Sent;
import java.util.List;
import java.util.Map;

/**
 * The outcome of an account.
 *
 * @param claims in the order in which they are told
 * @param counters by name, in a fixed order: produced, counted, late, malformed, future, windows
 *     and so on
 * @param lateByPhase late records by the phase they were sent in, in the order of the phases
 * @param lates every late record next to the truth about it
 */
public record Settlement(
    List<Claim> claims,
    Map<String, Long> counters,
    Map<String, Long> lateByPhase,
    List<Late> lates) {

  /** A late record and the truth about it. */
  public record Late(Sent sent, RoutedRecord routed) {}

  /** Copies the lists. */
  public Settlement {
    claims = List.copyOf(claims);
    lates = List.copyOf(lates);
  }

  /** Whether every claim holds. */
  public boolean holds() {
    return claims.stream().allMatch(Claim::holds);
  }

  /**
   * The claim of this name: {@code everything is accounted for}, {@code malformed}, {@code future},
   * {@code late}, {@code windows without late records}, {@code windows with late records}, {@code
   * no window twice} or {@code no unknown window}.
   */
  public Claim claim(String name) {
    return claims.stream()
        .filter(claim -> claim.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no claim '%s'".formatted(name)));
  }
}
