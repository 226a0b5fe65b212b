package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks for.
 *
 * @param targetRefs the jobs, all in the policy's namespace
 * @param watermark what holds for every source of the jobs
 * @param alignment alignment of the sources, or null for none
 * @param lateData what happens to late records, or null for the defaults
 * @param sources the sources that differ, by name
 * @param rollout how a change reaches the jobs
 */
@Lenient
@ValidationRule(
    value =
        "!has(self.alignment) || self.alignment.onExceeded != 'PauseLeaders'"
            + " || has(self.watermark.idleTimeout)",
    message =
        "watermark.idleTimeout is required with alignment that pauses: without it one silent"
            + " partition stops all the others")
@ValidationRule(
    value =
        "!has(self.alignment) || self.alignment.onExceeded != 'PauseLeaders'"
            + " || !has(self.watermark.idleTimeout)"
            + " || duration(self.watermark.idleTimeout)"
            + " > duration(self.alignment.updateInterval) + "
            + WatermarkPolicySpec.THREE_EMITS,
    message =
        "watermark.idleTimeout must be longer than alignment.updateInterval + 3 x"
            + " watermark.emit.interval")
@ValidationRule(
    value =
        "!has(self.sources) || self.sources.all(s, !"
            + WatermarkPolicySpec.PAUSES
            + " || (has(s.watermark) ? has(s.watermark.idleTimeout)"
            + " : has(self.watermark.idleTimeout)))",
    message =
        "every source under alignment that pauses needs an idleTimeout, also one with a watermark"
            + " block of its own: that block replaces the common one as a whole")
@ValidationRule(
    value =
        "!has(self.sources) || self.sources.all(s, !"
            + WatermarkPolicySpec.PAUSES
            + " || (has(s.watermark)"
            + " ? !has(s.watermark.idleTimeout) || duration(s.watermark.idleTimeout) > "
            + WatermarkPolicySpec.INTERVAL
            + " + "
            + WatermarkPolicySpec.THREE_EMITS_OF_SOURCE
            + " : !has(self.watermark.idleTimeout) || duration(self.watermark.idleTimeout) > "
            + WatermarkPolicySpec.INTERVAL
            + " + "
            + WatermarkPolicySpec.THREE_EMITS
            + "))",
    message =
        "the idleTimeout of a source must be longer than its alignment.updateInterval + 3 x"
            + " watermark.emit.interval")
public record WatermarkPolicySpec(
    @JsonPropertyDescription(
            "The jobs, in the namespace of the policy. One policy holds a job; the older one keeps"
                + " it.")
        @Required
        @Size(min = 1, max = 16)
        List<TargetRef> targetRefs,
    @JsonPropertyDescription("Watermarks of every source that is not named in sources.") @Required
        WatermarkSpec watermark,
    @JsonPropertyDescription("Alignment of the sources of one job. Absent: none.")
        @Nullable AlignmentSpec alignment,
    @JsonPropertyDescription(
            "What happens to late records. Absent: no lateness is allowed, late records are counted"
                + " and dropped.")
        @Nullable LateDataSpec lateData,
    @JsonPropertyDescription(
            "Sources that differ, by the name the job gives them. A block given here replaces the"
                + " common block as a whole.")
        @Size(max = 16)
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<SourceSpec> sources,
    @JsonPropertyDescription("How a change reaches the jobs.") @Default("{}")
        @Nullable RolloutSpec rollout) {

  /** Whether source {@code s} is under alignment that pauses. */
  static final String PAUSES =
      "(has(s.alignment) ? s.alignment.onExceeded == 'PauseLeaders'"
          + " : has(self.alignment) && self.alignment.onExceeded == 'PauseLeaders')";

  /** The update interval of a source {@code s} that is under alignment. */
  static final String INTERVAL =
      "duration(has(s.alignment) ? s.alignment.updateInterval : self.alignment.updateInterval)";

  /** Three common emit intervals: constants are durations already, so nothing is multiplied. */
  static final String THREE_EMITS =
      "(has(self.watermark.emit) ? duration(self.watermark.emit.interval)"
          + " + duration(self.watermark.emit.interval) + duration(self.watermark.emit.interval)"
          + " : duration('600ms'))";

  /** Three emit intervals of source {@code s}, which has a watermark block of its own. */
  static final String THREE_EMITS_OF_SOURCE =
      "(has(s.watermark.emit) ? duration(s.watermark.emit.interval)"
          + " + duration(s.watermark.emit.interval) + duration(s.watermark.emit.interval)"
          + " : duration('600ms'))";

  /** Absent lists become empty. */
  public WatermarkPolicySpec {
    targetRefs = Lists.orEmpty(targetRefs);
    sources = Lists.orEmpty(sources);
  }
}
