package io.tidekeeper.crds;

import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * From where the late records of a job are counted: its numbers when it was first healthy.
 *
 * @param jobId the Flink job
 * @param restarts its restarts until then
 * @param records records counted until then
 * @param late late records among them
 */
@Lenient
public record CountingStatus(
    @Size(max = 64) @Nullable String jobId,
    @Nullable Long restarts,
    @Nullable Long records,
    @Nullable Long late) {}
