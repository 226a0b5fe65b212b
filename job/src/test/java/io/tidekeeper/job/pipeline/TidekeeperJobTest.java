package io.tidekeeper.job.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidekeeper.policy.InvalidPolicyException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TidekeeperJobTest {

  @Test
  void aJobWithoutAnyPolicyIsDefined() {
    assertThatCode(() -> define(Map.of())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tidekeeper.pipeline                           | trams    | must be one of: subway",
        "tidekeeper.pipeline                           | ' '      | required: which pipeline",
        "tidekeeper.kafka.bootstrap-servers            | ''       | (not set): required: Kafka's",
        "tidekeeper.kafka.input-topic                  | a b      | must be a Kafka topic",
        "tidekeeper.kafka.results-topic                | ''       | required: topic for results",
        "tidekeeper.kafka.dead-letter-topic            | x/y      | must be a Kafka topic",
        "tidekeeper.kafka.dead-letter-topic            | ..       | must be a Kafka topic",
        "tidekeeper.kafka.transaction-timeout          | soon     | not a duration",
        "tidekeeper.kafka.transaction-timeout          | 0s       | must be longer than 0s",
        "tidekeeper.kafka.transaction-timeout          | 10m      | must be longer than execution",
        "tidekeeper.watermark-restore                  | no       | must be true or false",
        "tidekeeper.kafka.topic                        | trips    | unknown option; known are",
        "tidekeeper.revision                           | -1       | must be a whole number"
      })
  void aWrongOptionIsNamedWithWhatIsAllowed(String option, String value, String message) {
    Map<String, String> options = new TreeMap<>(POLICY);
    options.put(option, value);
    assertThatThrownBy(() -> define(options))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining(option)
        .hasMessageContaining(message);
  }

  @Test
  void aWrongPipelineAndMissingTopicsHideNoOtherProblem() {
    Map<String, String> options = new TreeMap<>(POLICY);
    options.put("tidekeeper.pipeline", "trams");
    options.put("tidekeeper.kafka.input-topic", "");
    options.put("tidekeeper.kafka.transaction-timeout", "1m");
    options.put("tidekeeper.source.tram.watermark.idle-timeout", "x");
    options.put("tidekeeper.default.watermark.type", "Bouned");
    InvalidPolicyException refused =
        catchThrowableOfType(InvalidPolicyException.class, () -> define(options));
    assertThat(refused.problems())
        .extracting(problem -> problem.option())
        .containsExactlyInAnyOrder(
            "tidekeeper.pipeline",
            "tidekeeper.kafka.input-topic",
            "tidekeeper.kafka.transaction-timeout",
            "tidekeeper.source.tram",
            "tidekeeper.source.tram.watermark.idle-timeout",
            "tidekeeper.default.watermark.type");
    assertThat(refused).hasMessageContaining("its sources are trips");
  }

  @Test
  void argumentsAreRefusedSinceOptionsComeFromTheConfiguration() {
    assertThatThrownBy(() -> TidekeeperJob.main(new String[] {"--topic", "trips"}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[--topic, trips]")
        .hasMessageContaining("Flink configuration");
  }

  @Test
  void helpNamesEveryOption() {
    assertThat(TidekeeperJob.help()).contains(JobOptions.HELP.keySet());
  }

  @Test
  void transactionsAreNamedByTheDeploymentSoThatNoOtherJobSharesThem() {
    Map<String, String> onKubernetes = new TreeMap<>(POLICY);
    onKubernetes.put("kubernetes.cluster-id", "subway-traffic");
    onKubernetes.put("kubernetes.namespace", "transit");
    assertThat(define(onKubernetes).transactionalIdPrefix()).isEqualTo("transit-subway-traffic");
    assertThat(define(POLICY).transactionalIdPrefix()).isEqualTo("tidekeeper-results");
  }

  @Test
  void jobsAreNamedByTheirDeploymentUnlessTheyHaveANameOfTheirOwn() {
    JobOptions options = define(POLICY);
    Map<String, String> deployment = Map.of("kubernetes.cluster-id", "subway-traffic");
    assertThat(TidekeeperJob.name(Map.of(), options)).isEqualTo("tidekeeper-subway");
    assertThat(TidekeeperJob.name(deployment, options)).isEqualTo("subway-traffic");
    assertThat(
            TidekeeperJob.name(
                Map.of("kubernetes.cluster-id", "subway-traffic", "pipeline.name", "line 1"),
                options))
        .isEqualTo("line 1");
  }

  @Test
  void noneUnsetsTheDeadLetterTopic() {
    Map<String, String> options = new TreeMap<>(POLICY);
    options.put("tidekeeper.kafka.dead-letter-topic", "none");
    assertThat(define(options).deadLetterTopic()).isNull();
  }

  @Test
  void objectsAreReusedUnlessTheConfigurationSaysOtherwise() {
    assertThat(graph(Map.of()).getExecutionConfig().isObjectReuseEnabled()).isTrue();
    assertThat(
            graph(Map.of("pipeline.object-reuse", "false"))
                .getExecutionConfig()
                .isObjectReuseEnabled())
        .isFalse();
  }

  @Test
  void theObserverCostsNoCopyOfARecord() {
    StreamNode observer =
        graph(Map.of("pipeline.object-reuse", "false")).getStreamNodes().stream()
            .filter(node -> node.getOperatorName().equals("observe"))
            .findFirst()
            .orElseThrow();
    SubwayRecord record = new SubwayRecord();
    record.station = "S1";
    // What Flink copies records with on their way into an operator is the operator's input.
    assertThat(copy(observer.getTypeSerializersIn()[0], record)).isSameAs(record);
    assertThat(copy(observer.getTypeSerializerOut(), record))
        .isNotSameAs(record)
        .usingRecursiveComparison()
        .isEqualTo(record);
  }

  @SuppressWarnings("unchecked") // the graph knows its types at run time only
  private static SubwayRecord copy(TypeSerializer<?> serializer, SubwayRecord record) {
    return ((TypeSerializer<SubwayRecord>) serializer).copy(record);
  }

  private static final Map<String, String> POLICY =
      Map.of(
          "tidekeeper.default.watermark.type",
          "Bounded",
          "tidekeeper.default.watermark.bounded.max-out-of-orderness",
          "5s");

  private static JobOptions define(Map<String, String> options) {
    return TidekeeperJob.define(environment(options));
  }

  private static StreamGraph graph(Map<String, String> options) {
    StreamExecutionEnvironment env = environment(options);
    TidekeeperJob.define(env);
    return env.getStreamGraph();
  }

  private static StreamExecutionEnvironment environment(Map<String, String> options) {
    Map<String, String> all = new TreeMap<>();
    all.put("tidekeeper.pipeline", "subway");
    all.put("tidekeeper.kafka.bootstrap-servers", "127.0.0.1:9");
    all.put("tidekeeper.kafka.input-topic", "trips");
    all.put("tidekeeper.kafka.results-topic", "results");
    all.putAll(options);
    return StreamExecutionEnvironment.getExecutionEnvironment(Configuration.fromMap(all));
  }
}
