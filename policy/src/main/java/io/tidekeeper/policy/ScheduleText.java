package io.tidekeeper.policy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The spelling of schedule windows in one option: {@code Mon,Tue 07:00-09:30 30s; Sat 10:00-24:00
 * 10s}. Days may be ranges when read, {@code Fri-Mon} included.
 */
final class ScheduleText {

  private static final Pattern WINDOW =
      Pattern.compile("(\\S+)\\s+(\\d{1,2}:\\d{2})-(\\d{1,2}:\\d{2})\\s+(\\S+)");
  private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{2})");
  private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

  private ScheduleText() {}

  static String format(List<ScheduleWindow> windows) {
    return windows.stream().map(ScheduleText::format).collect(Collectors.joining("; "));
  }

  static String format(ScheduleWindow window) {
    String days = window.days().stream().map(ScheduleText::format).collect(Collectors.joining(","));
    String to = window.to().equals(LocalTime.MIDNIGHT) ? "24:00" : window.to().toString();
    return days
        + " "
        + window.from()
        + "-"
        + to
        + " "
        + Durations.format(window.maxOutOfOrderness());
  }

  static String format(DayOfWeek day) {
    return DAYS.get(day.getValue() - 1);
  }

  /**
   * Reads one window.
   *
   * @throws IllegalArgumentException saying which part is wrong and what is allowed
   */
  static ScheduleWindow parseWindow(String text) {
    Matcher matcher = WINDOW.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "write days, from-to and a duration, like Mon-Fri 07:00-09:30 30s");
    }
    Set<DayOfWeek> days = parseDays(matcher.group(1));
    String to = matcher.group(3);
    LocalTime start = parseTime(matcher.group(2));
    LocalTime end = to.equals("24:00") ? LocalTime.MIDNIGHT : parseTime(to);
    if (start.equals(end) && !to.equals("24:00")) {
      throw new IllegalArgumentException(
          "from and to are equal; the whole day is written 00:00-24:00");
    }
    return new ScheduleWindow(days, start, end, parseValue(matcher.group(4)));
  }

  private static Set<DayOfWeek> parseDays(String text) {
    EnumSet<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      DayOfWeek first = parseDay(dash < 0 ? part : part.substring(0, dash));
      DayOfWeek last = dash < 0 ? first : parseDay(part.substring(dash + 1));
      for (DayOfWeek day = first; day != last; day = day.plus(1)) {
        days.add(day);
      }
      days.add(last);
    }
    return days;
  }

  private static DayOfWeek parseDay(String text) {
    int index = DAYS.indexOf(text);
    if (index < 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a day; days are " + String.join(", ", DAYS));
    }
    return DayOfWeek.of(index + 1);
  }

  private static LocalTime parseTime(String text) {
    Matcher matcher = TIME.matcher(text);
    if (matcher.matches()) {
      int hour = Integer.parseInt(matcher.group(1));
      int minute = Integer.parseInt(matcher.group(2));
      if (hour < 24 && minute < 60) {
        return LocalTime.of(hour, minute);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a time; times go from 00:00 to 23:59, the end up to 24:00");
  }

  private static Duration parseValue(String text) {
    Duration value;
    try {
      value = Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is " + e.getMessage(), e);
    }
    String complaint = PolicyOption.SCHEDULE_DEFAULT.complaintAbout(value);
    if (complaint != null) {
      throw new IllegalArgumentException("the value '" + text + "' " + complaint);
    }
    return value;
  }
}
