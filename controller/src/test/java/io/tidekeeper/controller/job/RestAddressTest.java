package io.tidekeeper.controller.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.FlinkDeploymentReader;
import org.junit.jupiter.api.Test;

class RestAddressTest {

  @Test
  void theDefaultIsTheServiceOfTheOperator() throws Exception {
    RestAddress address = new RestAddress(RestAddress.DEFAULT_TEMPLATE);

    assertThat(address.of(deployment("{}"), "transit"))
        .isEqualTo("http://subway-rest.transit:8081");
    assertThat(address.of(deployment("{\"rest.port\": \"9091\"}"), "transit"))
        .isEqualTo("http://subway-rest.transit:9091");
    assertThat(address.of(deployment("{\"rest\": {\"port\": 9092}}"), "transit"))
        .isEqualTo("http://subway-rest.transit:9092");
  }

  @Test
  void aPathMayFollowAndEndsWithoutASlash() throws Exception {
    assertThat(new RestAddress("https://flink/{namespace}/{name}/").of(deployment("{}"), "a"))
        .isEqualTo("https://flink/a/subway");
  }

  @Test
  void whatMakesNoAddressIsRefusedAtOnce() {
    assertThatThrownBy(() -> new RestAddress("http://{job}:8081"))
        .hasMessageContaining("unknown placeholder {job}")
        .hasMessageContaining("{rest.port}");
    assertThatThrownBy(() -> new RestAddress("ftp://{name}")).hasMessageContaining("no HTTP");
    assertThatThrownBy(() -> new RestAddress("{name}:{rest.port}"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPortThatIsNoneIsAProblemOfTheDeployment() throws Exception {
    FlinkDeployment deployment = deployment("{\"rest.port\": \"8081@evil/\"}");

    assertThat(new JobReader(new RestAddress(RestAddress.DEFAULT_TEMPLATE)).read(deployment, "a"))
        .satisfies(
            answer -> {
              assertThat(answer.reading()).isNull();
              assertThat(answer.problem()).contains("rest.port '8081@evil/' is not a port");
            });
  }

  private static FlinkDeployment deployment(String configuration) throws Exception {
    return new FlinkDeploymentReader()
        .read(
            new ObjectMapper()
                .readTree(
                    "{\"metadata\": {\"name\": \"subway\"}, \"spec\": {\"flinkConfiguration\": %s}}"
                        .formatted(configuration)));
  }
}
