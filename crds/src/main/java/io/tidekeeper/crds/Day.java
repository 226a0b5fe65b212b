package io.tidekeeper.crds;

/** Days of the week, as they are written. */
public enum Day {
  /** Monday. */
  Mon,
  /** Tuesday. */
  Tue,
  /** Wednesday. */
  Wed,
  /** Thursday. */
  Thu,
  /** Friday. */
  Fri,
  /** Saturday. */
  Sat,
  /** Sunday. */
  Sun
}
