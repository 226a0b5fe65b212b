package io.tidekeeper.job.live;

/** How the policy file stands to what the job runs on, as the metric {@code fileState} shows it. */
public enum FileState {
  /** There is no file; the job runs on its options, or on the last file it took over. */
  ABSENT(0),
  /** The job runs on the file's policy. */
  IN_FORCE(1),
  /** The job runs on a higher revision than the file's. */
  OLDER(2),
  /** Refused: the file holds no policy. */
  BROKEN(3),
  /** Refused: it has the revision that the job runs on, and says something else. */
  SAME_REVISION(4),
  /** Refused: it changes an option that needs a restart. */
  NEEDS_RESTART(5);

  private final int code;

  FileState(int code) {
    this.code = code;
  }

  /** The number that the metric shows; never changes its meaning between versions. */
  public int code() {
    return code;
  }

  /** Whether there is a file and the job does not take it over because something is wrong. */
  public boolean refused() {
    return this == BROKEN || this == SAME_REVISION || this == NEEDS_RESTART;
  }
}
