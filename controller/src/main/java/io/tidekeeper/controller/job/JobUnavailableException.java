package io.tidekeeper.controller.job;

/** The job cannot be asked just now; the message says why. */
final class JobUnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  JobUnavailableException(String message) {
    super(message);
  }

  JobUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
