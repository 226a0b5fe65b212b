package io.tidekeeper.job.pipeline;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads {@code {"station": "S017", "passengers": 3, "time": 1715731200000}}. */
public final class SubwayDeserializer extends InputDeserializer<SubwayRecord> {

  private static final long serialVersionUID = 1L;

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
