package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.job.late.RejectedRecord;
import io.tidekeeper.job.restore.WatermarkRestore;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.Punctuated;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Passengers per station in windows of ten seconds.
 *
 * <p>The operators and their ids are the same under every setting, so any setting restores from any
 * other's savepoint.
 */
public final class SubwayPipeline {

  /** The name by which policies know the source. */
  public static final String SOURCE = "trips";

  /** Length of a window. */
  public static final Duration WINDOW = Duration.ofSeconds(10);

  private static final TypeInformation<RejectedRecord> REJECTED =
      TypeInformation.of(RejectedRecord.class);

  private static final OutputTag<RejectedRecord> DEAD_LETTERS =
      new OutputTag<>("dead-letters", REJECTED);

  private static final OutputTag<SubwayRecord> LATE =
      new OutputTag<>("late", TypeInformation.of(SubwayRecord.class));

  private SubwayPipeline() {}

  private static @Nullable String watermarkField(Tidekeeper tidekeeper) {
    return tidekeeper.settings(SOURCE).outOfOrderness() instanceof Punctuated punctuated
        ? punctuated.field()
        : null;
  }

  /**
   * Adds the pipeline to the job.
   *
   * @param options topics and the Kafka connection
   */
  public static void define(Tidekeeper tidekeeper, JobOptions options) {
    KafkaEnds kafka = new KafkaEnds(options);

    DataStream<SubwayRecord> trips =
        tidekeeper
            .source(kafka.source(new SubwayDeserializer(watermarkField(tidekeeper))), SOURCE)
            .timestamps(record -> record.eventTime)
            .referenceTime(record -> record.brokerTime)
            .watermarks(record -> record.watermark)
            .backlog(kafka.backlog())
            .uid("subway-source")
            .build();

    SingleOutputStreamOperator<SubwayRecord> accepted =
        trips
            .process(new AcceptRecords<>(SOURCE, DEAD_LETTERS))
            .returns(SubwayRecord.class)
            .name("accept")
            .uid("subway-accept");

    KeySelector<SubwayRecord, String> station = record -> record.station;
    KeyedStream<SubwayRecord, String> byStation =
        WatermarkRestore.of(
            accepted.keyBy(station, Types.STRING),
            station,
            "subway-watermark-restore",
            options.watermarkRestore());

    LateDataSettings lateData = tidekeeper.settings(SOURCE).lateData();
    SingleOutputStreamOperator<StationCount> counts =
        byStation
            .window(TumblingEventTimeWindows.of(WINDOW))
            .allowedLateness(lateData.allowedLateness())
            .sideOutputLateData(LATE)
            .aggregate(
                new StationCounts.Sum(),
                new StationCounts.NameAndDelay(),
                Types.TUPLE(Types.LONG, Types.LONG),
                Types.TUPLE(Types.LONG, Types.LONG),
                TypeInformation.of(StationCount.class))
            .name("count per station")
            .uid("subway-window");

    counts
        .sinkTo(kafka.sink("results", new StationCountSerializer(options.resultsTopic())))
        .name("results sink")
        .uid("subway-results-sink");

    DataStream<RejectedRecord> late =
        counts
            .getSideOutput(LATE)
            .process(new RouteLate<>())
            .returns(REJECTED)
            .name("route late")
            .uid("subway-route-late");
    kafka.rejectedTo(lateData.topic(), late, "late");
    kafka.rejectedTo(
        options.deadLetterTopic(), accepted.getSideOutput(DEAD_LETTERS), "dead-letter");
  }
}
