package io.tidekeeper.policy;

import java.util.regex.Pattern;

/** Which names are legal where. */
final class Names {

  /** Unsets an inherited option, so nothing that can be unset may be called like this. */
  static final String NONE = "none";

  private static final Pattern SOURCE = Pattern.compile("[a-z0-9-]{1,63}");
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final Pattern GROUP = Pattern.compile("[a-zA-Z0-9._-]{1,63}");

  private static final Pattern FIELD = Pattern.compile("[a-zA-Z0-9._-]{1,63}");

  private Names() {}

  static boolean isSource(String name) {
    return SOURCE.matcher(name).matches();
  }

  static boolean isTopic(String name) {
    return TOPIC.matcher(name).matches()
        && !name.equals(".")
        && !name.equals("..")
        && !name.equals(NONE);
  }

  static boolean isField(String name) {
    return FIELD.matcher(name).matches();
  }

  static boolean isAlignmentGroup(String name) {
    return GROUP.matcher(name).matches() && !name.equals(NONE);
  }
}
