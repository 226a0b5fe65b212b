@org.jspecify.annotations.NullMarked
package io.tidekeeper.bench.record;
