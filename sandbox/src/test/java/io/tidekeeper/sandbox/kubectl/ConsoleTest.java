package io.tidekeeper.sandbox.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.sandbox.run.Narrator;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void aCommandIsToldAsOneWouldTypeItBeforeItsAnswer() {
    console(0, "policy configured").apply(Path.of("target", "policy.yaml"));

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("$ kubectl -n transit apply -f target/policy.yaml", "policy configured");
  }

  @Test
  void whatTheShellWouldReadOtherwiseIsQuoted() {
    assertThat(Console.typed(List.of("patch", "-p", "{\"a\":1}")))
        .isEqualTo("kubectl patch -p '{\"a\":1}'");
  }

  @Test
  void aCommandThatFailsIsAnErrorWithItsAnswer() {
    assertThatThrownBy(() -> console(1, "no such thing").run("get", "wmp"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("exit code 1: no such thing");
  }

  @Test
  void aRefusalIsToldAndReturned() {
    Console.Refusal refusal = console(1, "spec is invalid").applyInvalid(Path.of("p.yaml"));

    assertThat(refusal).isEqualTo(new Console.Refusal(true, "spec is invalid"));
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("spec is invalid");
  }

  private Console console(int exitCode, String output) {
    return new Console(
        new Narrator(new PrintStream(out, true, StandardCharsets.UTF_8)),
        arguments -> new Kubectl.Answer(exitCode, output),
        "transit");
  }
}
