package io.tidekeeper.job.pipeline;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look at Kafka before the job starts. It only speaks: a broker that is down may come back, and
 * the job's own restarts wait for it.
 */
final class KafkaCheck {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaCheck.class);

  /** How long the look may take, milliseconds; the start is not held up longer. */
  private static final String TIMEOUT_MILLIS = "5000";

  private KafkaCheck() {}

  static void warnAboutProblems(JobOptions options, int parallelism) {
    Properties properties = new Properties();
    properties.putAll(options.kafkaClientProperties());
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, options.bootstrapServers());
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    try (Admin admin = Admin.create(properties)) {
      warnAboutTopics(admin, options, parallelism);
    } catch (ExecutionException e) {
      warnUnreachable(options, e.getCause() == null ? e : e.getCause());
    } catch (KafkaException e) {
      warnUnreachable(options, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void warnUnreachable(JobOptions options, Throwable cause) {
    LOG.warn(
        "Kafka at {} does not answer ({}). The job starts all the same and tries again until it does",
        options.bootstrapServers(),
        cause.toString());
  }

  private static void warnAboutTopics(Admin admin, JobOptions options, int parallelism)
      throws ExecutionException, InterruptedException {
    Set<String> existing = admin.listTopics().names().get();
    Set<String> missing = new LinkedHashSet<>();
    missing.add(options.inputTopic());
    missing.add(options.resultsTopic());
    if (options.deadLetterTopic() != null) {
      missing.add(options.deadLetterTopic());
    }
    missing.removeAll(existing);
    if (!missing.isEmpty()) {
      LOG.warn(
          "Topics {} do not exist at {}; the job waits for them and restarts meanwhile",
          missing,
          options.bootstrapServers());
    }
    if (existing.contains(options.inputTopic())) {
      Map<String, TopicDescription> descriptions =
          admin.describeTopics(Set.of(options.inputTopic())).allTopicNames().get();
      for (TopicDescription input : descriptions.values()) {
        if (input.partitions().size() < parallelism) {
          LOG.warn(
              "Topic {} has {} partitions, but the job's parallelism is {}: {} source subtasks stay"
                  + " without work",
              input.name(),
              input.partitions().size(),
              parallelism,
              parallelism - input.partitions().size());
        }
      }
    }
  }
}
