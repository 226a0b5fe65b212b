package io.tidekeeper.policy;

import java.io.Serializable;

/**
 * One thing that is wrong with the options of a policy.
 *
 * @param option the full key of the option to change
 * @param value its value as given, or empty when it is not set there
 * @param message what is wrong and what is allowed
 */
public record Problem(String option, String value, String message) implements Serializable {

  @Override
  public String toString() {
    return option + (value.isEmpty() ? " (not set): " : " = '" + value + "': ") + message;
  }
}
