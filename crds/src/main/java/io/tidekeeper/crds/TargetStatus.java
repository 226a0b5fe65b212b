package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole record of one target's rollout: a controller that starts anew goes on from here.
 *
 * @param name the target's name
 * @param uid the identity of the object this record is about
 * @param jobId the Flink job seen last
 * @param state the rollout state
 * @param reason one word for what stands in the way or went wrong
 * @param message the same as a sentence
 * @param since since when state and reason are these, RFC 3339
 * @param change the id of the change that waits, is under way or was decided last
 * @param desiredHash the hash of the settings the policy asks for
 * @param appliedHash the hash of the settings the target had before the change under way, else has
 * @param revision the number of the settings the target has or is being given
 * @param previous the options to go back to; empty for none, absent for unknown
 * @param writtenGeneration the target's generation that our write made
 * @param savepoint the savepoint the new job started from
 * @param deadline when the current state ends at the latest, RFC 3339
 * @param progress what else a controller needs to go on, or null while nothing is under way
 * @param undo the options before the last change that went through, to go back to by hand
 * @param rejectedChange the change that was taken back, and is not tried again by itself
 * @param rejection why it was taken back
 * @param handledRetry the retry request that was granted last
 * @param handledReject the request to take a change back that was granted last
 * @param counting from where the job's late records are counted, or null for its start
 * @param lastFinished when the last rollout ended, RFC 3339
 * @param sources the names of the job's sources, separated by commas
 * @param jobFormat the policy format the job understands
 * @param conditions the conditions of this target
 * @param history what was rolled out, newest first
 */
@Lenient
public record TargetStatus(
    @Required @Size(min = 1, max = 63) String name,
    @Size(max = 64) @Nullable String uid,
    @Size(max = 64) @Nullable String jobId,
    @JsonPropertyDescription("The rollout state.") @Size(max = 32) @Nullable String state,
    @Size(max = 128) @Nullable String reason,
    @Size(max = 4096) @Nullable String message,
    @Size(max = 40) @Nullable String since,
    @JsonPropertyDescription("The id of the change that waits, is under way or was decided last.")
        @Size(max = 32)
        @Nullable String change,
    @Size(max = 32) @Nullable String desiredHash,
    @Size(max = 32) @Nullable String appliedHash,
    @Nullable Long revision,
    @JsonPropertyDescription("The options to go back to. Empty: none. Absent: not known.")
        @Size(max = 512)
        @Nullable Map<String, @Size(max = 4096) String> previous,
    @Nullable Long writtenGeneration,
    @Size(max = 2048) @Nullable String savepoint,
    @JsonPropertyDescription("When the current state ends at the latest.") @Size(max = 40)
        @Nullable String deadline,
    @Nullable RolloutProgress progress,
    @JsonPropertyDescription("What there was before the last change that went through.")
        @Size(max = 512)
        @Nullable Map<String, @Size(max = 4096) String> undo,
    @JsonPropertyDescription(
            "The change that was taken back. Released by a new spec, or by the annotation"
                + " tidekeeper.io/retry with this id.")
        @Size(max = 32)
        @Nullable String rejectedChange,
    @Nullable ReasonStatus rejection,
    @Size(max = 64) @Nullable String handledRetry,
    @Size(max = 64) @Nullable String handledReject,
    @JsonPropertyDescription("From where the job's late records are counted.")
        @Nullable CountingStatus counting,
    @Size(max = 40) @Nullable String lastFinished,
    @Size(max = 2048) @Nullable String sources,
    @Nullable Integer jobFormat,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @Size(max = 16) List<PolicyCondition> conditions,
    @JsonPropertyDescription("What was rolled out, newest first.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 10)
        List<HistoryEntry> history) {

  /** Absent lists become empty. */
  public TargetStatus {
    conditions = Lists.orEmpty(conditions);
    history = Lists.orEmpty(history);
  }
}
