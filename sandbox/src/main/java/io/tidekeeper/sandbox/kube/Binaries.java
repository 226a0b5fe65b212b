package io.tidekeeper.sandbox.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The control plane's programs, in one folder.
 *
 * @param folder absolute, symbolic links resolved
 */
record Binaries(Path folder) {
  private static final String ETCD = "etcd";
  private static final String API_SERVER = "kube-apiserver";
  private static final String CONTROLLER_MANAGER = "kube-controller-manager";

  /** Where {@code sandbox/kube/build.sh} puts them, below the root of the repository. */
  private static final String CACHE = ".cache/kube/current";

  Path etcd() {
    return folder.resolve(ETCD);
  }

  Path apiServer() {
    return folder.resolve(API_SERVER);
  }

  Path controllerManager() {
    return folder.resolve(CONTROLLER_MANAGER);
  }

  /**
   * The built programs of the checkout that this process works in: looked for in the working folder
   * and in the folders above it as long as these hold a {@code pom.xml}.
   */
  static Optional<Binaries> find() {
    return find(Path.of("").toAbsolutePath());
  }

  static Optional<Binaries> find(Path workingFolder) {
    return Stream.iterate(
            workingFolder,
            folder -> folder != null && Files.exists(folder.resolve("pom.xml")),
            Path::getParent)
        .map(folder -> folder.resolve(CACHE))
        .filter(Binaries::isComplete)
        .map(Binaries::at)
        .findFirst();
  }

  private static boolean isComplete(Path folder) {
    return List.of(ETCD, API_SERVER, CONTROLLER_MANAGER).stream()
        .allMatch(name -> Files.isExecutable(folder.resolve(name)));
  }

  /** A version that is built later moves the {@code current} link, not what runs already. */
  private static Binaries at(Path folder) {
    try {
      return new Binaries(folder.toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be read".formatted(folder), e);
    }
  }
}
