package io.tidekeeper.crds;

/** Spellings the schema allows. Digits are limited so that no rule on durations can overflow. */
final class Patterns {

  static final String DURATION = "^([0-9]{1,4}h)?([0-9]{1,6}m)?([0-9]{1,8}s)?([0-9]{1,10}ms)?$";
  static final int DURATION_LENGTH = 32;

  static final String PERCENT = "^(100|[0-9]{1,2}(\\.[0-9]{1,4})?)%$";
  static final String DECIMAL = "^[0-9]{1,3}(\\.[0-9]{1,3})?$";
  static final String FIELD = "^[a-zA-Z0-9._-]{1,63}$";
  static final String PARTITIONS = "^[0-9]{1,6}(-[0-9]{1,6})?$";
  static final String NAME = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
  static final String SOURCE = "^[a-z0-9-]{1,63}$";
  static final String GROUP = "^[a-zA-Z0-9._-]{1,63}$";
  static final String TOPIC = "^[a-zA-Z0-9._-]{1,249}$";
  static final String TIME_ZONE = "^[A-Za-z0-9_+:/-]{1,64}$";
  static final String FROM = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
  static final String TO = "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$";

  private Patterns() {}
}
