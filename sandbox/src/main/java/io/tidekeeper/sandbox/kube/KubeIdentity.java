package io.tidekeeper.sandbox.kube;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Somebody the API server knows: a user name and its groups. RBAC decides what it may do; everybody
 * is in {@code system:authenticated} too.
 *
 * @param user letters, digits and {@code : . _ @ -}
 * @param groups like {@code user}, and {@code /}; may be empty
 */
public record KubeIdentity(String user, List<String> groups) {
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9:._@-]+");
  private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9:._@/-]+");

  /**
   * Copies the groups.
   *
   * @throws IllegalArgumentException when a name holds another character
   */
  public KubeIdentity {
    groups = List.copyOf(groups);
    check("user", USER, user);
    groups.forEach(group -> check("group", GROUP, group));
  }

  /** A user in no group of its own. */
  public static KubeIdentity user(String user) {
    return new KubeIdentity(user, List.of());
  }

  /**
   * The identity of a service account: role bindings that name the service account hold for it. The
   * ServiceAccount object itself need not exist.
   */
  public static KubeIdentity serviceAccount(String namespace, String name) {
    return new KubeIdentity(
        "system:serviceaccount:%s:%s".formatted(namespace, name),
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
  }

  private static void check(String what, Pattern allowed, String name) {
    if (!allowed.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the %s name '%s' does not match %s".formatted(what, name, allowed));
    }
  }
}
