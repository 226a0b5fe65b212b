package io.tidekeeper.sandbox.operator;

import java.util.List;

/**
 * What may be seen on the way or not, and why. All else has to be seen, in order.
 *
 * @param parts what the text of such a look contains
 */
record OptionalLook(String why, List<String> parts) {
  private static final List<OptionalLook> ALL =
      List.of(
          new OptionalLook(
              "with short intervals the operator asks before Flink knows the job; the error clears"
                  + " by itself",
              List.of("DEPLOYED_NOT_READY", "(Job Not Found)")),
          new OptionalLook(
              "at the first look the tasks of a job may still start, or wait for slots; whether"
                  + " they do is a race between them and the operator's delay",
              List.of(" DEPLOYED DEPLOYED ", "jm READY job CREATED")));

  static boolean is(String look) {
    return ALL.stream().anyMatch(optional -> optional.parts.stream().allMatch(look::contains));
  }
}
