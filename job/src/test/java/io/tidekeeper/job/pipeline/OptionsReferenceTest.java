package io.tidekeeper.job.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.policy.PolicyOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The reference of options is generated from the code; a reader never finds an outdated one. */
class OptionsReferenceTest {

  private static final Path REFERENCE = Path.of("..", "docs", "options.md");

  /** With {@code -Dtidekeeper.refresh-docs=true} the file is written instead. */
  private static final boolean REFRESH = Boolean.getBoolean("tidekeeper.refresh-docs");

  @Test
  void theReferenceInDocsIsTheCodes() throws IOException {
    String reference = reference();
    if (REFRESH) {
      Files.writeString(REFERENCE, reference);
    }
    assertThat(Files.readString(REFERENCE))
        .as("docs/options.md is outdated; `make docs` writes it anew")
        .isEqualTo(reference);
  }

  private static String reference() {
    StringBuilder text =
        new StringBuilder(
            """
            # Options

            Everything the bundled job reads from the Flink configuration. A job that adopts the library reads
            the policy options and `tidekeeper.live.*`. Unknown or invalid options make the job refuse to start, with one message
            that lists every problem.

            Durations look like `200ms`, `5s`, `1m30s`, `2h`. This page is generated from the code.

            ## Policy

            Each option stands behind `tidekeeper.default.` for every source, or behind
            `tidekeeper.source.<name>.` for one. A source inherits what it does not name: the strategy
            (`watermark.type` and its members) and the alignment as a whole, everything else one by one. `none`
            unsets an inherited value where the table says so. `tidekeeper.revision` numbers the policy; 0 where
            nobody numbers it.

            *Live*: whether a running job takes a change [without a restart](live-change.md); the others need an
            upgrade.

            | option | allowed | default | live | meaning |
            |---|---|---|---|---|
            """);
    for (PolicyOption option : PolicyOption.values()) {
      String defaultValue = option.defaultValue();
      text.append(
          "| `%s` | %s%s | %s | %s | %s |\n"
              .formatted(
                  option.key(),
                  cell(option.allowed()),
                  option.unsettable() ? ", or none" : "",
                  defaultValue == null ? "" : "`" + defaultValue + "`",
                  option.live() ? "yes" : "no",
                  cell(option.description())));
    }
    text.append(
        """

        ## Job

        | option | meaning |
        |---|---|
        """);
    SortedMap<String, String> job = new TreeMap<>(JobOptions.HELP);
    job.putAll(LiveOptions.HELP);
    job.forEach(
        (key, meaning) -> text.append("| `%s` | %s |\n".formatted(cell(key), cell(meaning))));
    return text.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
