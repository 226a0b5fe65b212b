/** What a whole job does in a second, from Kafka to Kafka. */
@org.jspecify.annotations.NullMarked
package io.tidekeeper.bench.job;
