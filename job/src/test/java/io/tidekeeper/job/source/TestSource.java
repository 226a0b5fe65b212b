package io.tidekeeper.job.source;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.jspecify.annotations.Nullable;

/** A source whose enumerator notes what it is called for, and greets each reader. */
final class TestSource extends NumberSequenceSource {

  private static final long serialVersionUID = 1L;

  /** An event that belongs to the wrapped source. */
  enum Hello implements SourceEvent {
    HELLO
  }

  static final SourceEvent HELLO = Hello.HELLO;

  final transient List<String> calls = new CopyOnWriteArrayList<>();

  TestSource() {
    super(1, 9);
  }

  @Override
  public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
      SplitEnumeratorContext<NumberSequenceSplit> context) {
    return new Enumerator(context);
  }

  @Override
  public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> restoreEnumerator(
      SplitEnumeratorContext<NumberSequenceSplit> context,
      Collection<NumberSequenceSplit> checkpoint) {
    return new Enumerator(context);
  }

  private final class Enumerator
      implements SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> {

    private final SplitEnumeratorContext<NumberSequenceSplit> context;

    private Enumerator(SplitEnumeratorContext<NumberSequenceSplit> context) {
      this.context = context;
    }

    @Override
    public void start() {
      calls.add("start");
    }

    @Override
    public void addReader(int subtaskId) {
      calls.add("addReader " + subtaskId);
      context.sendEventToSourceReader(subtaskId, HELLO);
    }

    @Override
    public void handleSourceEvent(int subtaskId, SourceEvent sourceEvent) {
      calls.add("event " + subtaskId);
    }

    @Override
    public void handleSplitRequest(int subtaskId, @Nullable String requesterHostname) {
      calls.add("request " + subtaskId);
    }

    @Override
    public void addSplitsBack(List<NumberSequenceSplit> splits, int subtaskId) {
      calls.add("addSplitsBack " + subtaskId);
    }

    @Override
    public Collection<NumberSequenceSplit> snapshotState(long checkpointId) {
      calls.add("snapshot " + checkpointId);
      return List.of();
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      calls.add("complete " + checkpointId);
    }

    @Override
    public void close() {}
  }
}
