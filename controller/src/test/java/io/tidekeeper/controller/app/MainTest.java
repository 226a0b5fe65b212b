package io.tidekeeper.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpNamesEveryOptionAndItsDefault() {
    assertThat(run("--help")).isZero();

    assertThat(out.toString())
        .contains(
            "--namespaces",
            "--rest-address",
            "http://{name}-rest.{namespace}:{rest.port}",
            "--paused",
            "--bind-address",
            "0.0.0.0",
            "--port",
            "8080",
            "--[no-]leader-election",
            "--lease-name",
            "--lease-namespace");
  }

  @Test
  void anAddressThatIsNoneIsRefusedWithWhatThereIs() {
    assertThat(run("--rest-address", "http://{cluster}")).isEqualTo(2);

    assertThat(err.toString()).contains("--rest-address", "{cluster}", "{rest.port}");
  }

  private int run(String... args) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(args);
  }
}
