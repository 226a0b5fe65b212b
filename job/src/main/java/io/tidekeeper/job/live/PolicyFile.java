package io.tidekeeper.job.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidekeeper.policy.InvalidPolicyException;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads a policy from a file: one option a line, {@code key: value} or {@code key=value}, as they
 * stand in the Flink configuration and without quotes. A policy is read whole or not at all.
 */
public final class PolicyFile {

  /** A ConfigMap holds no more. */
  static final int MAX_BYTES = 1 << 20;

  private PolicyFile() {}

  /** Reads the file; what goes wrong is in the result. */
  public static FileContent read(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      return new FileContent.Absent();
    } catch (IOException e) {
      return new FileContent.Broken("cannot be read: " + e);
    }
    return parse(bytes);
  }

  /** Reads the file's bytes. */
  static FileContent parse(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      return new FileContent.Broken("is longer than 1 MiB");
    }
    if (bytes.length > 0 && bytes[bytes.length - 1] != '\n') {
      return new FileContent.Broken("does not end with a line break: it is not written to its end");
    }
    Map<String, String> options = new TreeMap<>();
    try {
      Properties properties = new DistinctProperties();
      properties.load(
          new StringReader(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()));
      properties.stringPropertyNames().forEach(k -> options.put(k, properties.getProperty(k)));
    } catch (CharacterCodingException e) {
      return new FileContent.Broken("is not UTF-8 text");
    } catch (IOException | IllegalArgumentException e) {
      return new FileContent.Broken("is no list of options: " + e.getMessage());
    }
    return parse(options);
  }

  private static FileContent parse(Map<String, String> options) {
    TreeSet<String> strangers = new TreeSet<>(options.keySet());
    strangers.removeIf(PolicyOptions::owns);
    if (!strangers.isEmpty()) {
      return new FileContent.Broken(
          "has keys that are no options of a policy: " + String.join(", ", strangers));
    }
    if (!options.containsKey(PolicyOptions.REVISION)) {
      return new FileContent.Broken("has no " + PolicyOptions.REVISION);
    }
    try {
      PolicySettings policy = PolicyOptions.read(options);
      return policy == null
          ? new FileContent.Broken("has a revision and no policy")
          : new FileContent.Policy(policy);
    } catch (InvalidPolicyException e) {
      return new FileContent.Broken(String.valueOf(e.getMessage()));
    }
  }

  /** Refuses a key that stands twice, where {@link Properties} would take the last one. */
  private static final class DistinctProperties extends Properties {
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread uses it
    public Object put(Object key, Object value) {
      if (containsKey(key)) {
        throw new IllegalArgumentException(key + " stands there twice");
      }
      return super.put(key, value);
    }
  }
}
