package io.tidekeeper.job.backlog;

import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.jspecify.annotations.Nullable;

/**
 * Where a reader stands in each of its splits. No record may cost anything for it.
 *
 * @param <SplitT> splits of the source
 */
public interface ReadPositions<SplitT extends SourceSplit> {

  /** The context to create the source's own reader with. */
  SourceReaderContext watch(SourceReaderContext context);

  /** The reader gets a split, before it reads any of it. */
  void assigned(SplitT split);

  /** Where it stands in a split now, null while that is not known. */
  @Nullable SplitPosition of(String splitId);

  /** Of a source that nobody asks. */
  static <SplitT extends SourceSplit> ReadPositions<SplitT> none() {
    return new ReadPositions<>() {
      @Override
      public SourceReaderContext watch(SourceReaderContext context) {
        return context;
      }

      @Override
      public void assigned(SplitT split) {}

      @Override
      public @Nullable SplitPosition of(String splitId) {
        return null;
      }
    };
  }
}
