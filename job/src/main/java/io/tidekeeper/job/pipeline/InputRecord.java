package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.watermark.CarriedWatermark;
import io.tidekeeper.job.watermark.EventTime;
import org.jspecify.annotations.Nullable;

/**
 * What every record of a bundled pipeline carries along from Kafka, so that it can be sent to the
 * late or the dead-letter topic as it came. A Flink POJO: fields are public, subclasses add theirs.
 */
public abstract class InputRecord {

  /** The topic it came from. */
  public String topic = "";

  /** The partition it came from. */
  public int partition;

  /** Its offset in that partition. */
  public long offset;

  /**
   * When the broker appended it, milliseconds since the epoch; {@link
   * io.tidekeeper.job.watermark.ReferenceTime#WALL_CLOCK} where its topic keeps the producer's
   * time.
   */
  public long brokerTime;

  /** Its event time, milliseconds since the epoch; {@link EventTime#NONE} when it is malformed. */
  public long eventTime = EventTime.NONE;

  /**
   * The watermark it carries, milliseconds since the epoch; {@link
   * io.tidekeeper.job.watermark.CarriedWatermark#NONE} when it carries none.
   */
  public long watermark = CarriedWatermark.NONE;

  /** How far it lay behind the newest record of its partition on arrival, milliseconds. */
  public long latenessMillis;

  /** The key as it came. */
  public byte @Nullable [] key;

  /** The value as it came. */
  public byte @Nullable [] value;

  /** Why it cannot be used; null when it can. */
  public @Nullable String problem;
}
