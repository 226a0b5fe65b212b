package io.tidekeeper.sandbox.job;

import io.tidekeeper.sandbox.Folders;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

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

  /** Gives a lab to the tests that have one as a parameter: one for all tests of a class. */
  static final class PerClass implements BeforeAllCallback, ParameterResolver {

    private static final Namespace STORE = Namespace.create(PerClass.class);

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
      context.getStore(STORE).put(Lab.class, Started.in(Files.createTempDirectory("lab")));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Lab.class;
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return Objects.requireNonNull(context.getStore(STORE).get(Lab.class, Started.class)).lab();
    }

    /** Closed with the class's store. */
    private record Started(Lab lab, Path dir) implements AutoCloseable {

      static Started in(Path dir) {
        return new Started(Lab.start(dir), dir);
      }

      @Override
      public void close() throws IOException {
        lab.close();
        Folders.delete(dir);
      }
    }
  }
}
