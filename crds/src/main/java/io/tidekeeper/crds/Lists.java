package io.tidekeeper.crds;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Absent lists of a resource. */
final class Lists {

  private Lists() {}

  static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }
}
