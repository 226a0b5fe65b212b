package io.tidekeeper.job.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class KafkaBacklogTest {

  @Test
  void withoutBootstrapServersItIsRefused() {
    assertThatThrownBy(() -> new KafkaBacklog(new Properties()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the backlog of a Kafka source needs its bootstrap.servers");
  }

  @Test
  void anIsolationLevelThatKafkaDoesNotHaveIsNamed() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", "127.0.0.1:9");
    properties.put("isolation.level", "serializable");
    assertThatThrownBy(() -> new KafkaBacklog(properties))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("isolation.level")
        .hasMessageContaining("'serializable'");
  }

  /** A test that reads a backlog for real is in the sandbox. */
  @Test
  void nothingIsConnectedBeforeTheFirstQuestion() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", "nowhere.invalid:9");
    BrokerSide broker = new KafkaBacklog(properties).connect();
    broker.close();
    assertThat(new KafkaBacklog(properties).positions().of("t-0")).isNull();
  }
}
