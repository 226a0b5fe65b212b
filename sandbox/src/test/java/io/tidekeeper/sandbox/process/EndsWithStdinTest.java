package io.tidekeeper.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndsWithStdinTest {

  @Test
  void aProgramRunsUntilItsInputEnds() throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            EndsWithStdin.class.getName(),
            Waiting.class.getName(),
            "for ever");
    builder.environment().put(ServerProcess.EXIT_WITH_STDIN, "true");
    Process process = builder.start();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("waits for ever");
      assertThat(process.isAlive()).isTrue();

      process.getOutputStream().close();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Does not end by itself. */
  public static final class Waiting {

    private Waiting() {}

    public static void main(String[] args) throws InterruptedException {
      System.out.println("waits " + args[0]);
      new CountDownLatch(1).await();
    }
  }
}
