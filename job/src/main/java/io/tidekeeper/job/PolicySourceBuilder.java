package io.tidekeeper.job;

import io.tidekeeper.job.backlog.BacklogProbe;
import io.tidekeeper.job.source.PolicySource;
import io.tidekeeper.job.source.SourceObserver;
import io.tidekeeper.job.source.SourcePolicy;
import io.tidekeeper.job.source.UncopiedType;
import io.tidekeeper.job.watermark.CarriedWatermark;
import io.tidekeeper.job.watermark.EventTime;
import io.tidekeeper.job.watermark.PolicyWatermarkStrategy;
import io.tidekeeper.job.watermark.ReferenceTime;
import io.tidekeeper.policy.InvalidPolicyException;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.Problem;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a source whose watermarks follow the policy; see {@link Tidekeeper#source}.
 *
 * @param <T> records
 * @param <SplitT> splits of the wrapped source
 * @param <EnumT> checkpoint of the wrapped source's enumerator
 */
public final class PolicySourceBuilder<T, SplitT extends SourceSplit, EnumT> {

  /** Out-of-orderness of a source that has neither a policy nor a fallback of its own. */
  public static final Duration DEFAULT_FALLBACK = Duration.ofSeconds(5);

  private final Tidekeeper tidekeeper;
  private final Source<T, SplitT, EnumT> source;
  private final String name;
  private @Nullable EventTime<T> eventTime;
  private ReferenceTime<T> referenceTime = element -> ReferenceTime.WALL_CLOCK;
  private @Nullable CarriedWatermark<T> carriedWatermark;
  private @Nullable BacklogProbe<SplitT> backlog;
  private Duration fallback = DEFAULT_FALLBACK;
  private @Nullable String uid;
  private int parallelism;

  PolicySourceBuilder(Tidekeeper tidekeeper, Source<T, SplitT, EnumT> source, String name) {
    this.tidekeeper = tidekeeper;
    this.source = source;
    this.name = name;
  }

  /** The event time of a record; mandatory. */
  public PolicySourceBuilder<T, SplitT, EnumT> timestamps(EventTime<T> eventTime) {
    this.eventTime = eventTime;
    return this;
  }

  /** What records from the future are judged by; the wall clock by default. */
  public PolicySourceBuilder<T, SplitT, EnumT> referenceTime(ReferenceTime<T> referenceTime) {
    this.referenceTime = referenceTime;
    return this;
  }

  /**
   * The watermark a record carries, {@link CarriedWatermark#NONE} where it carries none; mandatory
   * under a policy with the strategy Punctuated, unused under any other.
   */
  public PolicySourceBuilder<T, SplitT, EnumT> watermarks(CarriedWatermark<T> carriedWatermark) {
    this.carriedWatermark = carriedWatermark;
    return this;
  }

  /**
   * How to learn what each split still holds: {@link io.tidekeeper.job.backlog.KafkaBacklog} for a
   * {@code KafkaSource}. Without it there is no metric {@code backlog}, and a split that is not
   * read for its idle timeout is idle although it holds records.
   */
  public PolicySourceBuilder<T, SplitT, EnumT> backlog(BacklogProbe<SplitT> probe) {
    this.backlog = probe;
    return this;
  }

  /** Out-of-orderness without any policy; {@link #DEFAULT_FALLBACK} by default. */
  public PolicySourceBuilder<T, SplitT, EnumT> fallback(Duration maxOutOfOrderness) {
    this.fallback = maxOutOfOrderness;
    return this;
  }

  /**
   * The source's id in savepoints; mandatory. Keep the one a plain source had to adopt its state.
   */
  public PolicySourceBuilder<T, SplitT, EnumT> uid(String uid) {
    this.uid = uid;
    return this;
  }

  /** Parallelism of the source; that of the environment by default. */
  public PolicySourceBuilder<T, SplitT, EnumT> parallelism(int parallelism) {
    this.parallelism = parallelism;
    return this;
  }

  /**
   * Adds the source and the observer chained behind it to the job.
   *
   * @throws IllegalStateException when {@link #timestamps} or {@link #uid} is missing
   * @throws InvalidPolicyException when the policy says Punctuated and {@link #watermarks} is
   *     missing
   */
  public DataStream<T> build() {
    if (eventTime == null || uid == null) {
      throw new IllegalStateException(
          "Source '%s' needs both timestamps(...) and uid(...)".formatted(name));
    }
    SourcePolicy policy =
        tidekeeper.policyFor(
            name, new PolicySettings(0, SourceSettings.fallback(fallback), new TreeMap<>()));
    if (policy.settings().outOfOrderness() instanceof Punctuated && carriedWatermark == null) {
      throw new InvalidPolicyException(
          List.of(
              new Problem(
                  "tidekeeper.source." + name + ".watermark.type",
                  "Punctuated",
                  "needs watermarks(...) in the job's code, which says where its records carry"
                      + " them; this source has none")));
    }
    CarriedWatermark<T> carried =
        carriedWatermark == null ? element -> CarriedWatermark.NONE : carriedWatermark;
    TypeInformation<T> type = producedType();
    SingleOutputStreamOperator<T> records =
        tidekeeper
            .env()
            .fromSource(
                PolicySource.of(source, type, policy, tidekeeper.live(), backlog),
                new PolicyWatermarkStrategy<>(
                    policy, eventTime, referenceTime, carried, tidekeeper.emitCycle()),
                name,
                new UncopiedType<>(type))
            .uid(uid);
    SingleOutputStreamOperator<T> observed =
        records.transform("observe", type, new SourceObserver<>(name)).uid(uid + "-observer");
    if (parallelism > 0) {
      records.setParallelism(parallelism);
      observed.setParallelism(parallelism);
    }
    return observed;
  }

  @SuppressWarnings("unchecked")
  private TypeInformation<T> producedType() {
    return source instanceof ResultTypeQueryable<?> typed
        ? (TypeInformation<T>) typed.getProducedType()
        : TypeExtractor.createTypeInfo(Source.class, source.getClass(), 0, null, null);
  }
}
