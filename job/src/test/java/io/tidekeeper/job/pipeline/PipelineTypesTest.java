package io.tidekeeper.job.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.late.RejectedRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PipelineTypesTest {

  /** Generic types go through Kryo: slow, and no schema evolution for savepoints. */
  @ParameterizedTest
  @ValueSource(classes = {SubwayRecord.class, StationCount.class, RejectedRecord.class})
  void whatTravelsBetweenOperatorsIsAPojoWithoutGenericFields(Class<?> type) {
    TypeInformation<?> info = TypeInformation.of(type);
    assertThat(info).isInstanceOf(PojoTypeInfo.class);
    PojoTypeInfo<?> pojo = (PojoTypeInfo<?>) info;
    for (int i = 0; i < pojo.getArity(); i++) {
      assertThat(pojo.getPojoFieldAt(i).getTypeInformation())
          .as(pojo.getPojoFieldAt(i).getField().getName())
          .isNotInstanceOf(GenericTypeInfo.class);
    }
  }
}
