package io.tidekeeper.policy;

import java.io.Serializable;

/**
 * How much older than the newest record of its partition a record may be before it is late: the
 * part of a policy that decides {@code watermark = maxEventTime - outOfOrderness - 1}.
 */
public sealed interface OutOfOrderness extends Serializable
    permits Adaptive,
        Bounded,
        Monotonous,
        NoWatermarks,
        Punctuated,
        Quantile,
        Schedule,
        Throughput {

  /** The value of {@code watermark.type}, for example {@code Bounded}. */
  String typeName();
}
