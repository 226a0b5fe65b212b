/** What one record costs on its way through a source operator. */
@org.jspecify.annotations.NullMarked
package io.tidekeeper.bench.record;
