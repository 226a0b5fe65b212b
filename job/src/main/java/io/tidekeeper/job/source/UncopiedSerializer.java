package io.tidekeeper.job.source;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** A serializer that is the given one in all but this: the copy of an object is the object. */
final class UncopiedSerializer<T> extends TypeSerializer<T> {

  private static final long serialVersionUID = 1L;

  private final TypeSerializer<T> serializer;

  UncopiedSerializer(TypeSerializer<T> serializer) {
    this.serializer = serializer;
  }

  @Override
  public T copy(T from) {
    return from;
  }

  @Override
  public T copy(T from, T reuse) {
    return from;
  }

  @Override
  public boolean isImmutableType() {
    return serializer.isImmutableType();
  }

  @Override
  public TypeSerializer<T> duplicate() {
    return new UncopiedSerializer<>(serializer.duplicate());
  }

  @Override
  public T createInstance() {
    return serializer.createInstance();
  }

  @Override
  public int getLength() {
    return serializer.getLength();
  }

  @Override
  public void serialize(T record, DataOutputView target) throws IOException {
    serializer.serialize(record, target);
  }

  @Override
  public T deserialize(DataInputView source) throws IOException {
    return serializer.deserialize(source);
  }

  @Override
  public T deserialize(T reuse, DataInputView source) throws IOException {
    return serializer.deserialize(reuse, source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serializer.copy(source, target);
  }

  /** That of the given serializer; nothing of this one is ever in a savepoint. */
  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    return serializer.snapshotConfiguration();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UncopiedSerializer<?> that && serializer.equals(that.serializer);
  }

  @Override
  public int hashCode() {
    return Objects.hash(UncopiedSerializer.class, serializer);
  }
}
