package io.tidekeeper.policy;

import java.time.Duration;

/** Parts of options that hold more than one value. */
final class OptionText {

  private OptionText() {}

  /**
   * An out-of-orderness inside an option.
   *
   * @param what the part, as it begins the message
   * @throws IllegalArgumentException if it is no duration or not from 0s to 7 days
   */
  static Duration duration(String text, String what) {
    return duration(text, what, PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS);
  }

  /** A duration inside an option, in the range of another one. */
  static Duration duration(String text, String what, PolicyOption range) {
    Duration value;
    try {
      value = Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is " + e.getMessage(), e);
    }
    String complaint = range.complaintAbout(value);
    if (complaint != null) {
      throw new IllegalArgumentException(what + " '" + text + "' " + complaint);
    }
    return value;
  }
}
