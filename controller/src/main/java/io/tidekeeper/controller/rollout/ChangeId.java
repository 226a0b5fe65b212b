package io.tidekeeper.controller.rollout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The name of a change: the same settings on top of the same settings are the same change. */
final class ChangeId {

  private static final int BYTES = 5;

  private ChangeId() {}

  /** Ten hex digits; {@code from} is null when what the target has means no policy. */
  static String of(@Nullable String from, String to) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest((from + "->" + to).getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
