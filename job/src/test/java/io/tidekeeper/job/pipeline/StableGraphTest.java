package io.tidekeeper.job.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidekeeper.policy.OnExceeded;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.PolicyOption;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.SourceSettings;
import java.io.IOException;
import java.io.Reader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No setting adds, removes or renames an operator with state. */
class StableGraphTest {

  private static final String FIRST = "01-bounded-small";

  static Stream<String> settings() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      List<String> names =
          files
              .map(file -> String.valueOf(file.getFileName()).replace(".properties", ""))
              .sorted()
              .toList();
      return names.stream();
    }
  }

  @Test
  void thereAreAtLeastTwelveSettings() throws IOException {
    assertThat(settings()).hasSizeGreaterThanOrEqualTo(12).contains(FIRST);
  }

  /** A new option must join the list; else no savepoint is restored across it. */
  @Test
  void theListSetsEveryOptionOfAPolicy() throws IOException {
    Set<String> keys = new TreeSet<>();
    for (String setting : settings().toList()) {
      keys.addAll(read(setting).keySet());
    }
    assertThat(PolicyOption.values())
        .allSatisfy(option -> assertThat(keys).anyMatch(key -> key.endsWith("." + option.key())));
  }

  @Test
  void theListHasEveryStrategyAndEveryAnswerToDrift() throws IOException {
    Set<Class<?>> strategies = new HashSet<>();
    Set<OnExceeded> answers = EnumSet.noneOf(OnExceeded.class);
    for (String setting : settings().toList()) {
      SourceSettings source =
          Objects.requireNonNull(PolicyOptions.read(read(setting)))
              .forSource(SubwayPipeline.SOURCE);
      strategies.add(source.outOfOrderness().getClass());
      if (source.alignment() != null) {
        answers.add(source.alignment().onExceeded());
      }
    }
    assertThat(strategies).containsExactlyInAnyOrder(OutOfOrderness.class.getPermittedSubclasses());
    assertThat(answers).containsExactlyInAnyOrder(OnExceeded.values());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void everySettingHasTheOperatorsOfTheFirst(String setting) throws IOException {
    assertThat(operators(graph(setting))).isEqualTo(operators(graph(FIRST)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void everySettingHasTheStateIdsOfTheFirst(String setting) throws IOException {
    assertThat(stateIds(graph(setting))).isNotEmpty().isEqualTo(stateIds(graph(FIRST)));
  }

  @Test
  void theIdsUnderWhichSavepointsHoldStateStayAsTheyAre() throws IOException {
    assertThat(operators(graph(FIRST)))
        .contains(
            tuple("subway-source", "Source: trips"),
            tuple("subway-watermark-restore", "watermark-restore"),
            tuple("subway-window", "count per station"),
            tuple("subway-results-sink", "results sink: Writer"),
            tuple("subway-late-sink", "late sink: Writer"),
            tuple("subway-dead-letter-sink", "dead-letter sink: Writer"));
  }

  /**
   * Id and name of each operator; the filters before the sinks have no state, and may be renamed.
   */
  private static List<Tuple> operators(StreamGraph graph) {
    List<Tuple> operators = new ArrayList<>();
    for (StreamNode node : graph.getStreamNodes()) {
      String uid = node.getTransformationUID();
      boolean filter = uid != null && uid.endsWith("-filter");
      operators.add(tuple(uid, filter ? "" : node.getOperatorName()));
    }
    operators.sort((a, b) -> a.toString().compareTo(b.toString()));
    return operators;
  }

  /** What Flink finds the state of each operator by. */
  private static List<String> stateIds(StreamGraph graph) {
    List<String> ids = new ArrayList<>();
    for (JobVertex vertex : graph.getJobGraph().getVertices()) {
      for (OperatorIDPair id : vertex.getOperatorIDs()) {
        ids.add(
            id.getUserDefinedOperatorID().map(String::valueOf).orElse("")
                + id.getGeneratedOperatorID());
      }
    }
    return ids.stream().sorted().collect(Collectors.toList());
  }

  private static StreamGraph graph(String setting) throws IOException {
    Map<String, String> options = new TreeMap<>();
    options.put("tidekeeper.pipeline", "subway");
    options.put("tidekeeper.kafka.bootstrap-servers", "127.0.0.1:9");
    options.put("tidekeeper.kafka.input-topic", "matrix-in");
    options.put("tidekeeper.kafka.results-topic", "matrix-results");
    // Flink then refuses an operator whose id would depend on its place in the graph.
    options.put("pipeline.auto-generate-uids", "false");
    options.putAll(read(setting));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(Configuration.fromMap(options));
    TidekeeperJob.define(env);
    return env.getStreamGraph();
  }

  private static Map<String, String> read(String setting) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(directory().resolve(setting + ".properties"))) {
      properties.load(reader);
    }
    Map<String, String> options = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> options.put(key, properties.getProperty(key)));
    return options;
  }

  private static Path directory() {
    try {
      return Path.of(
          Objects.requireNonNull(StableGraphTest.class.getResource("/settings")).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
