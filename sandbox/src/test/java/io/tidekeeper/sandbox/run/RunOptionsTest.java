package io.tidekeeper.sandbox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidekeeper.sandbox.demo.Demo;
import io.tidekeeper.sandbox.explore.Sandbox;
import io.tidekeeper.sandbox.soak.Soak;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

class RunOptionsTest {

  static Stream<Arguments> programs() {
    return Stream.of(
        arguments(new Demo(), "target/demo", 7L),
        arguments(new Sandbox(), "target/sandbox", 7L),
        arguments(new Soak(), "target/soak", 11L));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void eachProgramHasDefaultsOfItsOwn(Object program, String dir, long seed) {
    ParseResult nothing = new CommandLine(program).parseArgs();

    assertThat(value(nothing, "--dir")).isEqualTo(Path.of(dir));
    assertThat(value(nothing, "--seed")).isEqualTo(seed);
    assertThat(value(nothing, "--job-jar")).isNull();
    assertThat(new CommandLine(program).getUsageMessage().replaceAll("\\s+", " "))
        .contains("Where everything is kept; replaced. Default: " + dir + " ")
        .contains("Of everything random. Default: " + seed + " ");

    ParseResult all =
        new CommandLine(program).parseArgs("--dir=elsewhere", "--seed=3", "--job-jar=my.jar");

    assertThat(value(all, "--dir")).isEqualTo(Path.of("elsewhere"));
    assertThat(value(all, "--seed")).isEqualTo(3L);
    assertThat(value(all, "--job-jar")).isEqualTo(Path.of("my.jar"));
  }

  @Test
  void manifestsAreForProgramsWithKubernetes() {
    assertThat(value(new CommandLine(new Demo()).parseArgs(), "--manifests"))
        .isEqualTo(Path.of("k8s"));
    assertThat(value(new CommandLine(new Sandbox()).parseArgs("--manifests=x"), "--manifests"))
        .isEqualTo(Path.of("x"));
    assertThatThrownBy(() -> new CommandLine(new Soak()).parseArgs("--manifests=x"))
        .isInstanceOf(UnmatchedArgumentException.class);
  }

  @Test
  void aGivenJarIsTheJobJar() {
    RunOptions options = new RunOptions("target/any", 1);
    new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options))
        .parseArgs("--job-jar=my.jar");
    assertThat(options.jobJar()).isEqualTo(Path.of("my.jar"));
  }

  private static Object value(ParseResult result, String option) {
    return result.commandSpec().findOption(option).getValue();
  }
}
