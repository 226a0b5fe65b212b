/** A real Kafka broker (KRaft) in this JVM, on 127.0.0.1. */
@NullMarked
package io.tidekeeper.sandbox.kafka;

import org.jspecify.annotations.NullMarked;
