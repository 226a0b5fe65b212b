package io.tidekeeper.sandbox.run;

import io.tidekeeper.sandbox.account.Claim;
import java.nio.file.Path;
import java.util.List;

/** The end of a run: every claim, and whether all of them hold. */
public final class Verdict {

  private Verdict() {}

  /**
   * Tells the claims one by one, with what breaks them, and a last line that names those that fail.
   *
   * @param dir where the results of the run are
   * @return whether every claim holds
   */
  public static boolean tell(Narrator narrator, List<Claim> claims, Path dir) {
    narrator.line("");
    for (Claim claim : claims) {
      narrator.line((claim.holds() ? "  holds  " : "  FAILS  ") + claim.text());
      claim.examples().forEach(example -> narrator.line("           " + example));
    }
    List<String> failed = claims.stream().filter(c -> !c.holds()).map(Claim::name).toList();
    narrator.line("");
    narrator.line(
        "%d claims, %s. %d s. Results: %s"
            .formatted(
                claims.size(),
                failed.isEmpty()
                    ? "all hold"
                    : failed.size() + " FAIL: " + String.join("; ", failed),
                narrator.elapsed().toSeconds(),
                dir));
    return failed.isEmpty();
  }
}
