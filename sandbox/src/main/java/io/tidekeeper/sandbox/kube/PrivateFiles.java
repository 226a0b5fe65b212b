package io.tidekeeper.sandbox.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that hold secrets: readable by their owner only, where the file system knows owners. */
final class PrivateFiles {
  private PrivateFiles() {}

  /** Writes the text to a new file in place of an existing one. */
  static void write(Path file, String text) {
    try {
      Files.deleteIfExists(file);
      Files.createFile(file, ownerOnly(file));
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be written".formatted(file), e);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
