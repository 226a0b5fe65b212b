package io.tidekeeper.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No server of the sandbox can be reached from another machine. */
class ListeningTest {
  private static final Path FILES = Path.of("/proc/self/fd");
  private static final String LISTENING = "0A";
  private static final String LOOPBACK = "0100007F";
  private static final String LOOPBACK_IN_V6 = "0000000000000000FFFF0000" + LOOPBACK;

  @Test
  void everyServerListensOnTheLoopbackOnly(@TempDir Path dir) throws Exception {
    assumeTrue(
        Files.isReadable(Path.of("/proc/self/net/tcp")), "the sockets cannot be listed here");
    Set<String> before = new HashSet<>(listening());
    try (KafkaBroker broker = KafkaBroker.start(dir.resolve("kafka"));
        FlinkCluster cluster = FlinkCluster.in(dir.resolve("flink")).taskManagers(2, 1).start()) {
      List<String> sockets = listening();
      sockets.removeAll(before);

      // Kafka's two listeners, REST, Prometheus and the blob server at least.
      assertThat(sockets).hasSizeGreaterThanOrEqualTo(5);
      assertThat(sockets).anyMatch(socket -> socket.endsWith(hex(broker.port())));
      assertThat(sockets).anyMatch(socket -> socket.endsWith(hex(cluster.restUri().getPort())));
      assertThat(sockets)
          .allMatch(
              socket ->
                  socket.startsWith(LOOPBACK + ":") || socket.startsWith(LOOPBACK_IN_V6 + ":"));
    }
  }

  /** The addresses, in the kernel's hexadecimal, on which this process listens. */
  private static List<String> listening() throws IOException {
    Set<String> own = ownSockets();
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      List<String> lines = Files.readAllLines(Path.of(table));
      for (String line : lines.subList(1, lines.size())) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns[3].equals(LISTENING) && own.contains("socket:[" + columns[9] + "]")) {
          addresses.add(columns[1]);
        }
      }
    }
    return addresses;
  }

  private static Set<String> ownSockets() throws IOException {
    Set<String> sockets = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(FILES)) {
      for (Path file : files) {
        try {
          sockets.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          // Closed since it was listed: not listening any more.
          sockets.remove(file.toString());
        }
      }
    }
    return sockets;
  }

  private static String hex(int port) {
    return ":%04X".formatted(port);
  }
}
