package io.tidekeeper.job.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Reads {@code {"station": "S017", "passengers": 3, "time": 1715731200000}}. */
public final class SubwayDeserializer extends InputDeserializer<SubwayRecord> {

  private static final long serialVersionUID = 1L;

  /** Looks for no watermark. */
  public SubwayDeserializer() {
    this(null);
  }

  /**
   * @param watermarkField the field in which records may carry a watermark, or null: none is looked
   *     for
   */
  public SubwayDeserializer(@Nullable String watermarkField) {
    super(watermarkField);
  }

  @Override
  SubwayRecord newRecord() {
    return new SubwayRecord();
  }

  @Override
  void fill(SubwayRecord record, JsonNode value) throws MalformedRecordException {
    record.station = text(value, "station");
    record.passengers = count(value, "passengers");
  }

  @Override
  Class<SubwayRecord> type() {
    return SubwayRecord.class;
  }
}
