package io.tidekeeper.job.live;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFileTest {

  private static final String SCHEDULE =
      """
      # written by the controller
      tidekeeper.revision: 1790000000000
      tidekeeper.default.watermark.type: Schedule
      tidekeeper.default.watermark.schedule.time-zone: Asia/Shanghai
      tidekeeper.default.watermark.schedule.default: 5s
      tidekeeper.default.watermark.schedule.windows: Mon,Tue 07:00-09:30 30s; Sat 22:00-24:00 10s
      tidekeeper.source.backfill.watermark.type: Bounded
      tidekeeper.source.backfill.watermark.bounded.max-out-of-orderness: 10m
      """;

  @Test
  void theOptionsOfTheFlinkConfigurationAreRead() {
    assertThat(parse(SCHEDULE))
        .isEqualTo(
            policy(
                Map.of(
                    "tidekeeper.revision", "1790000000000",
                    "tidekeeper.default.watermark.type", "Schedule",
                    "tidekeeper.default.watermark.schedule.time-zone", "Asia/Shanghai",
                    "tidekeeper.default.watermark.schedule.default", "5s",
                    "tidekeeper.default.watermark.schedule.windows",
                        "Mon,Tue 07:00-09:30 30s; Sat 22:00-24:00 10s",
                    "tidekeeper.source.backfill.watermark.type", "Bounded",
                    "tidekeeper.source.backfill.watermark.bounded.max-out-of-orderness", "10m")));
    assertThat(parse(SCHEDULE.replace(": ", "="))).isEqualTo(parse(SCHEDULE));
  }

  /** Kubelet replaces the folder behind a link, so that all files of a ConfigMap change at once. */
  @Test
  void aMountedConfigMapIsReadAsItComesChangesAndGoes(@TempDir Path mount) throws IOException {
    Path file = mount.resolve("policy.properties");
    assertThat(PolicyFile.read(file)).as("optional").isEqualTo(new FileContent.Absent());

    publish(mount, "..1", SCHEDULE);
    Files.createSymbolicLink(file, Path.of("..data", "policy.properties"));
    assertThat(PolicyFile.read(file)).isEqualTo(parse(SCHEDULE));

    String next = SCHEDULE.replace("1790000000000", "1790000000001");
    publish(mount, "..2", next);
    assertThat(PolicyFile.read(file)).isEqualTo(parse(next)).isNotEqualTo(parse(SCHEDULE));

    Files.delete(mount.resolve("..data"));
    assertThat(PolicyFile.read(file)).as("deleted").isEqualTo(new FileContent.Absent());
  }

  private static void publish(Path mount, String folder, String text) throws IOException {
    Files.createDirectory(mount.resolve(folder));
    Files.writeString(mount.resolve(folder).resolve("policy.properties"), text);
    Path link = Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of(folder));
    Files.move(link, mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** A writer that is interrupted, or a reader that comes in between. */
  @Test
  void aFileThatIsCutOffAnywhereIsNoPolicyOrTheWholeOne() {
    byte[] whole = SCHEDULE.getBytes(UTF_8);
    int endOfDefaults = SCHEDULE.indexOf("tidekeeper.source.");
    for (int length = 0; length < whole.length; length++) {
      if (length == endOfDefaults) {
        // A shorter policy that is complete: why files are to be replaced, not written in place.
        continue;
      }
      assertThat(PolicyFile.parse(Arrays.copyOf(whole, length)))
          .as("the first %d of %d bytes", length, whole.length)
          .isInstanceOf(FileContent.Broken.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tidekeeper.revision: 3\\n | has a revision and no policy",
        "tidekeeper.default.watermark.type: Monotonous\\n | has no tidekeeper.revision",
        "tidekeeper.revision: 3\\ntidekeeper.default.watermark.type: Fast\\n | one of Bounded",
        "tidekeeper.revision: 3\\ntidekeeper.default.watermark.type: \"None\"\\n | one of Bounded",
        "tidekeeper.revision: 3\\ntidekeeper.revision: 4\\n | tidekeeper.revision stands there twice",
        "tidekeeper.pipeline: subway\\nparallelism: 2\\n | parallelism, tidekeeper.pipeline",
        "x: \\u12\\n | is no list of options",
      })
  void whatIsWrongIsSaid(String content, String message) {
    assertThat(broken(content.strip().replace("\\n", "\n"))).contains(message);
  }

  @Test
  void whatIsNoTextOrTooLongIsRefused() {
    assertThat(PolicyFile.parse("größer\n".getBytes(ISO_8859_1)))
        .isEqualTo(new FileContent.Broken("is not UTF-8 text"));
    assertThat(PolicyFile.parse(new byte[PolicyFile.MAX_BYTES + 1]))
        .isEqualTo(new FileContent.Broken("is longer than 1 MiB"));
  }

  @Test
  void aMissingFileIsAbsentAndAFolderIsBroken(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("later").resolve("policy.properties");
    assertThat(PolicyFile.read(file)).isEqualTo(new FileContent.Absent());
    Files.createDirectory(dir.resolve("later"));
    Files.writeString(file, SCHEDULE);
    assertThat(PolicyFile.read(file)).isEqualTo(parse(SCHEDULE));
    assertThat(PolicyFile.read(dir)).isInstanceOf(FileContent.Broken.class);
  }

  private static FileContent parse(String text) {
    return PolicyFile.parse(text.getBytes(UTF_8));
  }

  private static String broken(String text) {
    FileContent content = parse(text);
    assertThat(content).isInstanceOf(FileContent.Broken.class);
    return ((FileContent.Broken) content).message();
  }

  private static FileContent policy(Map<String, String> options) {
    PolicySettings policy = Objects.requireNonNull(PolicyOptions.read(options));
    return new FileContent.Policy(policy);
  }
}
