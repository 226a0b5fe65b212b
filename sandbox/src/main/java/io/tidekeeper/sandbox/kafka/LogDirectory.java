package io.tidekeeper.sandbox.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;

/** The broker's data directory, which KRaft wants formatted before the first start. */
final class LogDirectory {
  private LogDirectory() {}

  /** Formats the directory unless it holds a broker's data already. */
  static void format(BrokerSettings settings) throws IOException {
    if (Files.exists(settings.logDir().resolve("meta.properties"))) {
      return;
    }
    Files.createDirectories(settings.logDir());
    String logDir = settings.logDir().toString();
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    try {
      new Formatter()
          .setPrintStream(silent)
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(BrokerSettings.NODE_ID)
          .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
          .setMetadataLogDirectory(logDir)
          .addDirectory(logDir)
          .run();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the log directory %s could not be formatted".formatted(logDir), e);
    }
  }
}
