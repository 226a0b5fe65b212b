package io.tidekeeper.sandbox.operator;

import io.tidekeeper.sandbox.flink.CountingJob;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Counts for ever, once it has understood the option; one value breaks it at run time. */
public final class DelayJob {
  private static final Duration BREAKS = Duration.ofSeconds(60);

  private DelayJob() {}

  /** Executes the job; throws when the option is no duration. */
  public static void main(String[] args) throws Exception {
    ReadableConfig options =
        StreamExecutionEnvironment.getExecutionEnvironment().getConfiguration();
    Duration delay =
        options.get(ConfigOptions.key(Looks.KEY).durationType().defaultValue(Duration.ZERO));
    CountingJob.main(delay.equals(BREAKS) ? new String[] {"break"} : args);
  }
}
