package io.tidekeeper.controller.flink;

/**
 * What the operator complains about.
 *
 * @param type the simple name of the exception's class
 * @param message its message with its deepest cause, one line
 */
public record OperatorError(String type, String message) {}
