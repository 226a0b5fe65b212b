package io.tidekeeper.sandbox.kube;

import io.tidekeeper.sandbox.LocalPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** TCP ports of 127.0.0.1 for processes that must be told theirs. */
final class FreePorts {
  private FreePorts() {}

  /** Different ports that were free a moment ago; anybody may take one before it is used. */
  static List<Integer> pick(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress(LocalPorts.loopback(), 0));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no free TCP port on 127.0.0.1", e);
    } finally {
      sockets.forEach(FreePorts::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("port %d cannot be freed".formatted(socket.getLocalPort()), e);
    }
  }
}
