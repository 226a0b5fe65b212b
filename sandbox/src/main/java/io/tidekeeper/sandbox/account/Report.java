package io.tidekeeper.sandbox.account;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** An account as files: {@code account.json} for programs and {@code account.txt} for people. */
public final class Report {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private Report() {}

  /**
   * Writes both files.
   *
   * @param dir is created if missing; files of an earlier account are replaced
   * @param lateBySegment late records by segment of the run, in order; may be empty
   */
  public static void write(Path dir, Settlement settlement, Map<String, Long> lateBySegment) {
    try {
      Files.createDirectories(dir);
      Files.writeString(dir.resolve("account.txt"), text(settlement, lateBySegment));
      Files.writeString(
          dir.resolve("account.json"),
          MAPPER.writeValueAsString(json(settlement, lateBySegment)) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("the account could not be written to " + dir, e);
    }
  }

  /** The account as text: every claim, what breaks it, and the counters. */
  public static String text(Settlement settlement, Map<String, Long> lateBySegment) {
    StringBuilder text = new StringBuilder();
    for (Claim claim : settlement.claims()) {
      text.append(claim.holds() ? "HOLDS  " : "FAILS  ").append(claim.text()).append('\n');
      claim.examples().forEach(example -> text.append("       ").append(example).append('\n'));
    }
    section(text, "Counters", settlement.counters());
    section(text, "Late records by phase", settlement.lateByPhase());
    section(text, "Late records by segment", lateBySegment);
    return text.toString();
  }

  private static void section(StringBuilder text, String title, Map<String, Long> values) {
    if (values.isEmpty()) {
      return;
    }
    text.append('\n').append(title).append('\n');
    values.forEach(
        (name, value) -> text.append(String.format(Locale.ROOT, "  %-28s %,12d\n", name, value)));
  }

  private static ObjectNode json(Settlement settlement, Map<String, Long> lateBySegment) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("holds", settlement.holds());
    ArrayNode claims = json.putArray("claims");
    settlement.claims().forEach(claims::addPOJO);
    json.putPOJO("counters", settlement.counters());
    json.putPOJO("lateByPhase", settlement.lateByPhase());
    json.putPOJO("lateBySegment", lateBySegment);
    return json;
  }
}
