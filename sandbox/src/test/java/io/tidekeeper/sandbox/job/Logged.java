package io.tidekeeper.sandbox.job;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What one logger says from now on. */
final class Logged implements AutoCloseable {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AbstractAppender appender;

  Logged(String loggerName) {
    this.logger = (Logger) LogManager.getLogger(loggerName);
    this.appender =
        new AbstractAppender("captured", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    logger.addAppender(appender);
  }

  /** Each line so far: its level and its message. */
  List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
  }
}
