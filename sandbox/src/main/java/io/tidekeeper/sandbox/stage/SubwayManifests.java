package io.tidekeeper.sandbox.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The subway's manifests, for the addresses and folders of one run, in files to be applied. */
public final class SubwayManifests {

  /** Where deployment and policy are. */
  public static final String NAMESPACE = "transit";

  /** The FlinkDeployment's name. */
  public static final String DEPLOYMENT = "subway-traffic";

  /** The WatermarkPolicy's name. */
  public static final String POLICY = "subway";

  /** What the deployment calls the job jar. */
  static final String JAR_URI = "local:///opt/flink/usrlib/tidekeeper-job.jar";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");

  private final Path dir;
  private final Map<String, String> values;

  private SubwayManifests(Path dir, Map<String, String> values) {
    this.dir = dir;
    this.values = values;
  }

  /**
   * Prepares the files.
   *
   * @param dir where they go; exists
   * @param watermarkRestore false to break it on purpose
   */
  public static SubwayManifests in(Path dir, StreamStage stream, boolean watermarkRestore) {
    return new SubwayManifests(
        dir,
        Map.of(
            "bootstrapServers",
            stream.broker().bootstrapServers(),
            "inputTopic",
            SubwayJobs.INPUT,
            "resultsTopic",
            SubwayJobs.RESULTS,
            "deadLetterTopic",
            SubwayJobs.DEAD_LETTERS,
            "lateTopic",
            SubwayJobs.LATE,
            "checkpointDir",
            stream.flink().checkpointDir(),
            "savepointDir",
            stream.flink().savepointDir(),
            "watermarkRestore",
            String.valueOf(watermarkRestore)));
  }

  /** The FlinkDeployment of the subway job. */
  public Path deployment() {
    return write("flink-deployment.yaml");
  }

  /** Five seconds, whatever the hour. */
  public Path fiveSeconds() {
    return write("policy-5s.yaml");
  }

  /** Thirty seconds in the rush hour, five at other times. */
  public Path schedule() {
    return write("policy-schedule.yaml");
  }

  /** One second. */
  public Path tooTight() {
    return write("policy-too-tight.yaml");
  }

  /** The schedule, and a source that the job does not have. */
  public Path unknownSource() {
    return write("policy-unknown-source.yaml");
  }

  /** A constant above the cap. */
  public Path invalid() {
    return write("policy-invalid.yaml");
  }

  /** Writes all of them. */
  public void all() {
    List<Path> unused =
        List.of(deployment(), fiveSeconds(), schedule(), tooTight(), unknownSource(), invalid());
  }

  private Path write(String name) {
    try (InputStream template = SubwayManifests.class.getResourceAsStream("/manifests/" + name)) {
      if (template == null) {
        throw new IllegalStateException("there is no manifest " + name);
      }
      return Files.writeString(
          dir.resolve(name), fill(new String(template.readAllBytes(), UTF_8), values));
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be written".formatted(dir.resolve(name)), e);
    }
  }

  /**
   * Puts values in place of <code>${name}</code>.
   *
   * @throws IllegalArgumentException when there is no value of a name
   */
  static String fill(String template, Map<String, String> values) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(
            match -> {
              String value = values.get(match.group(1));
              if (value == null) {
                throw new IllegalArgumentException("no value for " + match.group());
              }
              return Matcher.quoteReplacement(value);
            });
  }
}
