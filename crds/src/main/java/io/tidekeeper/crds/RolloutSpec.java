package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * How a change reaches the jobs. {@link RolloutSettings} is the typed view.
 *
 * @param mode whether changes are applied
 * @param paused the brake that stands in Git
 * @param cooldown the shortest time between two rollouts
 * @param savepointTimeout how long the job may take to stop with a savepoint
 * @param healthDeadline from the new deployment to its first healthy reading
 * @param healthyFor how long the job must stay healthy
 * @param autoRollback whether a failed change is taken back
 * @param abortWhen numbers that end a rollout
 * @param onDelete what happens to the jobs when the policy is deleted
 */
@Lenient
@ValidationRule(
    value = "!has(self.cooldown) || duration(self.cooldown) <= duration('168h')",
    message = "cooldown must be at most 168h")
@ValidationRule(
    value =
        "!has(self.savepointTimeout) || (duration(self.savepointTimeout) >= duration('10s')"
            + " && duration(self.savepointTimeout) <= duration('24h'))",
    message = "savepointTimeout must be from 10s to 24h")
@ValidationRule(
    value =
        "!has(self.healthDeadline) || (duration(self.healthDeadline) >= duration('10s')"
            + " && duration(self.healthDeadline) <= duration('24h'))",
    message = "healthDeadline must be from 10s to 24h")
@ValidationRule(
    value = "!has(self.healthyFor) || duration(self.healthyFor) <= duration('24h')",
    message = "healthyFor must be at most 24h")
public record RolloutSpec(
    @JsonPropertyDescription(
            "Auto rolls a change out as soon as nothing stands in its way. DryRun writes to no job;"
                + " the status says what would be done.")
        @Default("Auto")
        @NewerValuesAsNull
        @Nullable RolloutMode mode,
    @JsonPropertyDescription(
            "A brake: nothing is written to any job while true. The annotation tidekeeper.io/paused"
                + " on the policy does the same without touching the spec.")
        @Default("false")
        @Nullable Boolean paused,
    @JsonPropertyDescription("The shortest time between two rollouts on one job.")
        @Default("10m")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String cooldown,
    @JsonPropertyDescription(
            "How long the job may take to stop with a savepoint. After that the change is"
                + " withdrawn; the job runs on.")
        @Default("10m")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String savepointTimeout,
    @JsonPropertyDescription(
            "From the new deployment to its first healthy reading. After that the change is rolled"
                + " back.")
        @Default("5m")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String healthDeadline,
    @JsonPropertyDescription("How long the job must stay healthy on the new values.")
        @Default("1m")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String healthyFor,
    @JsonPropertyDescription(
            "Whether a change that fails is taken back. With false it stays, and the status says"
                + " that somebody must act.")
        @Default("true")
        @Nullable Boolean autoRollback,
    @JsonPropertyDescription("Numbers that end a rollout.") @Nullable AbortWhenSpec abortWhen,
    @JsonPropertyDescription(
            "What happens to the jobs when the policy is deleted. Keep: nothing is written, they"
                + " keep what they have.")
        @Default("Keep")
        @NewerValuesAsNull
        @Nullable OnDelete onDelete) {}
