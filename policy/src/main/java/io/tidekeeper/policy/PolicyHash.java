package io.tidekeeper.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The short content hash of a policy: over its canonical options, revision left out. */
final class PolicyHash {

  private static final int BYTES = 8;

  private PolicyHash() {}

  static String of(PolicySettings settings) {
    StringBuilder canonical = new StringBuilder();
    PolicyOptions.write(settings)
        .forEach(
            (key, value) -> {
              if (!key.equals(PolicyOptions.REVISION)) {
                canonical.append(key).append('=').append(value).append('\n');
              }
            });
    byte[] digest = sha256().digest(canonical.toString().getBytes(UTF_8));
    return HexFormat.of().formatHex(digest, 0, BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
