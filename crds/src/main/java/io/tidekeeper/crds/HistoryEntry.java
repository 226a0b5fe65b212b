package io.tidekeeper.crds;

import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * One rollout that has ended.
 *
 * @param change its id
 * @param outcome how it ended
 * @param reason one word for why
 * @param message a sentence for people
 * @param hash the settings it was about
 * @param revision their number
 * @param savepoint the savepoint it started from
 * @param startedAt when it began, RFC 3339
 * @param finishedAt when it ended, RFC 3339
 */
@Lenient
public record HistoryEntry(
    @Required @Size(max = 32) String change,
    @Required @Size(max = 32) String outcome,
    @Required @Size(max = 128) String reason,
    @Size(max = 4096) @Nullable String message,
    @Size(max = 32) @Nullable String hash,
    @Nullable Long revision,
    @Size(max = 2048) @Nullable String savepoint,
    @Size(max = 40) @Nullable String startedAt,
    @Required @Size(max = 40) String finishedAt) {}
