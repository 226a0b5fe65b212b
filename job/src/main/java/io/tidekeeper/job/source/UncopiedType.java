package io.tidekeeper.job.source;

import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The type of what a source hands to its observer. Flink copies each record between two chained
 * operators unless the job reuses objects; the observer looks at the timestamp only, so that copy
 * would be for nothing. What the observer hands on has the records' own type, and is copied as it
 * would be without an observer.
 *
 * @param <T> records
 */
public final class UncopiedType<T> extends TypeInformation<T> {

  private static final long serialVersionUID = 1L;

  private final TypeInformation<T> type;

  /**
   * @param type the records' own type
   */
  public UncopiedType(TypeInformation<T> type) {
    this.type = type;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return new UncopiedSerializer<>(type.createSerializer(config));
  }

  @Override
  public boolean isBasicType() {
    return type.isBasicType();
  }

  @Override
  public boolean isTupleType() {
    return type.isTupleType();
  }

  @Override
  public int getArity() {
    return type.getArity();
  }

  @Override
  public int getTotalFields() {
    return type.getTotalFields();
  }

  @Override
  public Class<T> getTypeClass() {
    return type.getTypeClass();
  }

  @Override
  public Map<String, TypeInformation<?>> getGenericParameters() {
    return type.getGenericParameters();
  }

  @Override
  public boolean isKeyType() {
    return type.isKeyType();
  }

  @Override
  public boolean isSortKeyType() {
    return type.isSortKeyType();
  }

  @Override
  public String toString() {
    return type.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UncopiedType<?> that && that.canEqual(this) && type.equals(that.type);
  }

  @Override
  public int hashCode() {
    return Objects.hash(UncopiedType.class, type);
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof UncopiedType<?>;
  }
}
