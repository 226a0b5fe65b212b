package io.tidekeeper.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports on 127.0.0.1.
 *
 * <p>Ports are taken from 21000 to 31999, below the range from which operating systems give out the
 * source ports of outgoing connections. A client that keeps trying to reach a stopped server can
 * therefore never be given that server's port, which would keep the server from coming back.
 */
public final class LocalPorts {
  private static final int LOWEST = 21_000;
  private static final int COUNT = 11_000;
  private static final int ATTEMPTS = 1_000;

  private LocalPorts() {}

  /** The address every server of the sandbox binds to. */
  public static InetAddress loopback() {
    try {
      return InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1});
    } catch (IOException e) {
      throw new IllegalStateException("127.0.0.1 is not an address here", e);
    }
  }

  /**
   * A port that nothing listened on a moment ago. Another process may take it before the caller
   * does, so whoever uses it should be ready to ask again.
   *
   * @throws IllegalStateException when no free port was found
   */
  public static int free() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = LOWEST + ThreadLocalRandom.current().nextInt(COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free TCP port on 127.0.0.1 between %d and %d after %d attempts"
            .formatted(LOWEST, LOWEST + COUNT - 1, ATTEMPTS));
  }

  /** Whether a server could listen on this port of 127.0.0.1 now; {@code port} is 1 to 65535. */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(loopback(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
