package io.tidekeeper.sandbox.job;

import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.nio.file.Path;

/** A broker and a Flink cluster; each test runs its own streams on them. */
final class Lab implements AutoCloseable {

  final KafkaBroker broker;
  final FlinkCluster flink;
  private int streams;

  private Lab(KafkaBroker broker, FlinkCluster flink) {
    this.broker = broker;
    this.flink = flink;
  }

  static Lab start(Path dir) {
    return start(dir, 1, 8);
  }

  static Lab start(Path dir, int taskManagers, int slotsEach) {
    KafkaBroker broker = KafkaBroker.start(dir.resolve("kafka"));
    return new Lab(
        broker,
        FlinkCluster.in(dir.resolve("flink")).taskManagers(taskManagers, slotsEach).start());
  }

  /** Fresh topics for one test, with so many input partitions. */
  Stream stream(int partitions) {
    return new Stream(broker, "s" + ++streams, partitions);
  }

  @Override
  public void close() {
    flink.close();
    broker.close();
  }
}
