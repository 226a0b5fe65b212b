package io.tidekeeper.crds;

import io.fabric8.crdv2.generator.CRDGenerator.CRDOutput;
import java.io.OutputStream;

/** The generator must write somewhere; the object is taken before it does. */
final class Discard implements CRDOutput<OutputStream> {

  @Override
  public OutputStream outputFor(String crdName) {
    return OutputStream.nullOutputStream();
  }

  @Override
  public void close() {}
}
