package io.tidekeeper.sandbox.flink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A reader of the Prometheus text format, as far as Flink's reporter writes it. */
public final class PrometheusText {
  private final String line;
  private int at;

  private PrometheusText(String line) {
    this.line = line;
  }

  /**
   * All samples of a scrape, in order; comments and empty lines are left out, timestamps ignored.
   *
   * @throws IllegalArgumentException when a line is not a sample; the message holds the line
   */
  public static List<Sample> parse(String text) {
    List<Sample> samples = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (!line.isBlank() && !line.startsWith("#")) {
        samples.add(new PrometheusText(line).sample());
      }
    }
    return samples;
  }

  private Sample sample() {
    String name = upTo("{ ");
    Map<String, String> labels = new HashMap<>();
    if (line.charAt(at) == '{') {
      at++;
      while (peek() != '}') {
        String label = upTo("=");
        at++;
        labels.put(label, quoted());
        if (peek() == ',') {
          at++;
        }
      }
      at++;
    }
    String value = line.substring(at).strip();
    int space = value.indexOf(' ');
    return new Sample(name, labels, number(space < 0 ? value : value.substring(0, space)));
  }

  private String upTo(String ends) {
    int start = at;
    while (ends.indexOf(peek()) < 0) {
      at++;
    }
    return line.substring(start, at);
  }

  private String quoted() {
    StringBuilder text = new StringBuilder();
    if (peek() != '"') {
      throw malformed();
    }
    at++;
    while (peek() != '"') {
      char c = line.charAt(at++);
      if (c == '\\') {
        char escaped = peek();
        at++;
        c = escaped == 'n' ? '\n' : escaped;
      }
      text.append(c);
    }
    at++;
    return text.toString();
  }

  private double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException("not a sample: " + line, e);
        }
      }
    };
  }

  private char peek() {
    if (at >= line.length()) {
      throw malformed();
    }
    return line.charAt(at);
  }

  private IllegalArgumentException malformed() {
    return new IllegalArgumentException("not a sample: " + line);
  }
}
