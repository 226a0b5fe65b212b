package io.tidekeeper.controller.flink;

/**
 * What the operator complains about.
 *
 * @param type the simple name of the exception's class
 * @param message its message with its deepest cause, in one line and without any stack trace
 */
public record OperatorError(String type, String message) {}
