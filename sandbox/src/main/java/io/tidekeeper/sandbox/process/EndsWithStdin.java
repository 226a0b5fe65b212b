package io.tidekeeper.sandbox.process;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another Java program and ends it when standard input ends. Whoever starts it keeps the other
 * end of that pipe, so nothing is left running even when the starter itself is killed.
 */
public final class EndsWithStdin {

  private EndsWithStdin() {}

  /**
   * Runs it.
   *
   * @param args the class with the program's {@code main}, and the arguments of that
   */
  public static void main(String[] args) throws Throwable {
    if (System.getenv(ServerProcess.EXIT_WITH_STDIN) != null) {
      Thread watch = new Thread(EndsWithStdin::awaitEnd, "stdin-watch");
      watch.setDaemon(true);
      watch.start();
    }
    try {
      Class.forName(args[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void awaitEnd() {
    try {
      while (System.in.read() >= 0) {
        // Nobody says anything here.
      }
    } catch (IOException e) {
      // An error ends the input as well as its end does.
    }
    System.exit(1);
  }
}
