package io.tidekeeper.sandbox.kube;

import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** The secrets an API server starts with; made anew for every start. */
final class Credentials {
  private static final int RSA_BITS = 2048;
  private static final int TOKEN_BYTES = 32;

  private Credentials() {}

  /** Writes a key for signing service account tokens, as PKCS#8 PEM. */
  static void writeSigningKey(Path file) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(RSA_BITS);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
      PrivateFiles.write(
          file, "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no RSA", e);
    }
  }

  /**
   * Writes the API server's token file.
   *
   * @return the token of each user, by user name
   */
  static Map<String, String> writeTokens(Path file, Collection<KubeIdentity> identities) {
    SecureRandom random = new SecureRandom();
    Map<String, String> tokens = new LinkedHashMap<>();
    StringBuilder lines = new StringBuilder();
    for (KubeIdentity identity : identities) {
      byte[] bytes = new byte[TOKEN_BYTES];
      random.nextBytes(bytes);
      String token = HexFormat.of().formatHex(bytes);
      tokens.put(identity.user(), token);
      lines.append(token).append(',').append(identity.user()).append(',').append(identity.user());
      if (!identity.groups().isEmpty()) {
        lines.append(",\"").append(String.join(",", identity.groups())).append('"');
      }
      lines.append('\n');
    }
    PrivateFiles.write(file, lines.toString());
    return tokens;
  }
}
