package io.tidekeeper.controller.rollout;

/**
 * What a person reads.
 *
 * @param reason one word
 * @param message a sentence that says what opens it or what decided; stable while nothing changes
 */
public record Notice(Reason reason, String message) {

  private static final int LONGEST = 2000;

  /** Shortens what an operator may have made very long. */
  public Notice {
    if (message.length() > LONGEST) {
      message = message.substring(0, LONGEST) + "...";
    }
  }
}
