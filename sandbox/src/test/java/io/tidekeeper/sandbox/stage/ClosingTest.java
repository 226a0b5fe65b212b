package io.tidekeeper.sandbox.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {

  private final List<String> closed = new ArrayList<>();

  @Test
  void theLastIsClosedFirstAndEachOnceThoughOneCannotBe() {
    Closing closing = Closing.atTheEnd();
    AutoCloseable unusedFirst = closing.add(part("first"));
    AutoCloseable unusedStuck = closing.add(ClosingTest::failToClose);
    AutoCloseable unusedLast = closing.add(part("last"));

    closing.close();
    closing.close();

    assertThat(closed).containsExactly("last", "first");
  }

  @Test
  void whatComesAfterTheEndIsClosedAtOnce() {
    Closing closing = Closing.atTheEnd();
    closing.close();

    assertThatThrownBy(() -> closing.add(part("late"))).isInstanceOf(IllegalStateException.class);
    assertThat(closed).containsExactly("late");
  }

  private static void failToClose() {
    throw new IllegalStateException("stuck");
  }

  private AutoCloseable part(String name) {
    return () -> closed.add(name);
  }
}
