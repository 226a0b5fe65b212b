package io.tidekeeper.bench.record;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time and allocation per record on its way through a source operator. Compare the contenders of
 * one run with each other; run with {@code -prof gc} for the bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@NullUnmarked
public class RecordBenchmark {

  @Param public Contender contender;

  /** Partitions of one subtask. */
  @Param({"1", "10"})
  public int splits;

  private SourcePath path;
  private Sink sink;

  @Setup(Level.Trial)
  public void open() throws Exception {
    sink = new Sink();
    path = SourcePath.of(contender, splits, Readings.of(7), sink);
  }

  @TearDown(Level.Trial)
  public void close() throws Exception {
    path.close();
  }

  @Benchmark
  @OperationsPerInvocation(Readings.COUNT)
  public long record() throws Exception {
    path.round();
    return sink.times() + sink.watermark();
  }
}
