package io.tidekeeper.controller.reconcile;

import io.tidekeeper.controller.rollout.Reason;
import io.tidekeeper.controller.rollout.TargetRecord;
import java.util.List;

/** Counts what the controller does. */
public interface Telemetry {

  /** Counts nothing. */
  Telemetry NONE = new Telemetry() {};

  /** Where the targets of a policy stand after a pass; none when the policy is gone. */
  default void targets(String policy, List<TargetRecord> records) {}

  /** Something was told to people. */
  default void told(Reason reason) {}

  /** A target was written to, or refused it. */
  default void wrote(String result) {}

  /** A job was asked. */
  default void asked(boolean answered) {}

  /** A pass ended in an error. */
  default void failed() {}
}
