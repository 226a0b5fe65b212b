package io.tidekeeper.sandbox.run;

import java.io.PrintStream;
import java.time.Duration;

/** Tells a run on the console. */
public final class Narrator {

  private static final int LONGEST = 180;

  private final PrintStream out;
  private final long start = System.nanoTime();

  /** Starts the clock. */
  public Narrator(PrintStream out) {
    this.out = out;
  }

  /** A line with the time since the start. */
  public void say(String text) {
    Duration elapsed = elapsed();
    line("[%d:%02d] %s".formatted(elapsed.toMinutes(), elapsed.toSecondsPart(), text));
  }

  /** A line without a time. */
  public void line(String text) {
    out.println(text);
    out.flush();
  }

  /** Since the start. */
  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** The beginning of a text, as one line of at most 180 characters. */
  public static String head(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
  }
}
