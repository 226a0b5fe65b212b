package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * What a controller remembers while a rollout is under way. Times are RFC 3339.
 *
 * @param startedAt when the rollout began
 * @param heldSince since when it may not go on, or null
 * @param troubleSince since when the operator reports trouble without a break, or null
 * @param healthySince since when the job is healthy without a break, or null
 * @param cause why the change is taken back, or null while it goes forward
 * @param recordsBefore records counted before the change
 * @param lateBefore late records among them
 * @param restarts restarts of the job at its first healthy reading
 * @param checkpoints completed checkpoints at that reading
 * @param records records counted at that reading
 * @param late late records among them
 * @param watermark the lowest watermark at that reading, milliseconds since the epoch
 */
@Lenient
public record RolloutProgress(
    @Size(max = 40) @Nullable String startedAt,
    @Size(max = 40) @Nullable String heldSince,
    @Size(max = 40) @Nullable String troubleSince,
    @Size(max = 40) @Nullable String healthySince,
    @JsonPropertyDescription("Why the change is taken back.") @Nullable ReasonStatus cause,
    @Nullable Long recordsBefore,
    @Nullable Long lateBefore,
    @Nullable Long restarts,
    @Nullable Long checkpoints,
    @Nullable Long records,
    @Nullable Long late,
    @Nullable Long watermark) {}
