package io.tidekeeper.sandbox.flink;

/** A job that could not be submitted. Where its {@code main} threw, the message is that message. */
public final class SubmissionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SubmissionException(String message, Throwable cause) {
    super(message, cause);
  }
}
