package io.tidekeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PolicyCodecPropertiesTest {

  private static final Set<String> DURATION_KEYS =
      Arrays.stream(PolicyOption.values())
          .filter(option -> option.unit().equals("duration"))
          .map(PolicyOption::key)
          .collect(Collectors.toSet());

  private static final Set<String> SHARE_KEYS =
      Arrays.stream(PolicyOption.values())
          .filter(option -> option.unit().equals("share"))
          .map(PolicyOption::key)
          .collect(Collectors.toSet());

  @Property(tries = 500)
  void whatIsWrittenIsReadBack(@ForAll(supplier = PolicyArbitrary.class) PolicySettings settings) {
    assertThat(PolicyOptions.read(PolicyOptions.write(settings))).isEqualTo(settings);
  }

  @Property(tries = 300)
  void spellingOrderAndRevisionDoNotChangeTheHash(
      @ForAll(supplier = PolicyArbitrary.class) PolicySettings settings, @ForAll Random random) {
    Map<String, String> respelled = shuffled(PolicyOptions.write(settings), random);
    respelled.replaceAll((key, value) -> respell(key, value));
    respelled.put(PolicyOptions.REVISION, "7");

    PolicySettings read = Objects.requireNonNull(PolicyOptions.read(respelled));
    assertThat(read.defaults()).isEqualTo(settings.defaults());
    assertThat(read.sources()).isEqualTo(settings.sources());
    assertThat(read.hash()).isEqualTo(settings.hash()).matches("[0-9a-f]{16}");
  }

  @Property(tries = 300)
  void anotherContentHasAnotherHash(
      @ForAll(supplier = PolicyArbitrary.class) PolicySettings one,
      @ForAll(supplier = PolicyArbitrary.class) PolicySettings other) {
    boolean sameContent =
        one.defaults().equals(other.defaults()) && one.sources().equals(other.sources());
    assertThat(one.hash().equals(other.hash())).isEqualTo(sameContent);
  }

  @Property(tries = 200)
  void noWrittenKeyIsAPrefixOfAnother(
      @ForAll(supplier = PolicyArbitrary.class) PolicySettings settings) {
    TreeSet<String> keys = new TreeSet<>(PolicyOptions.write(settings).keySet());
    for (String key : keys) {
      assertThat(keys.tailSet(key + ".").stream().filter(other -> other.startsWith(key + ".")))
          .isEmpty();
    }
    assertThat(keys).allMatch(PolicyOptions::owns);
  }

  @Property(tries = 100)
  void settingsSurviveSerialization(
      @ForAll(supplier = PolicyArbitrary.class) PolicySettings settings)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(settings);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(settings);
    }
  }

  private static Map<String, String> shuffled(Map<String, String> options, Random random) {
    List<Map.Entry<String, String>> entries = new ArrayList<>(options.entrySet());
    Collections.shuffle(entries, random);
    Map<String, String> shuffled = new LinkedHashMap<>();
    entries.forEach(entry -> shuffled.put(entry.getKey(), entry.getValue()));
    return shuffled;
  }

  private static String respell(String key, String value) {
    if (key.endsWith(PolicyOption.SCHEDULE_WINDOWS.key())) {
      List<String> windows = new ArrayList<>(List.of(value.split("; ")));
      Collections.reverse(windows);
      return String.join(" ;", windows).replace("Mon,Tue,Wed", "Mon-Wed").replace(" ", "  ");
    }
    if (key.endsWith(PolicyOption.THROUGHPUT_TIERS.key())) {
      List<String> tiers = new ArrayList<>(List.of(value.split("; ")));
      Collections.reverse(tiers);
      return String.join(";", tiers).replace("0 ", "0   ");
    }
    if (key.endsWith(PolicyOption.PARTITION_OVERRIDES.key()) && !value.equals("none")) {
      List<String> overrides = new ArrayList<>(List.of(value.split("; ")));
      Collections.reverse(overrides);
      return String.join(" ; ", overrides).replace(" t ", "  t\t");
    }
    if (SHARE_KEYS.stream().anyMatch(key::endsWith)) {
      return " 0" + value.replace("%", value.contains(".") ? "%" : ".0%");
    }
    if (key.endsWith(PolicyOption.QUANTILE_FACTOR.key())) {
      return value.contains(".") ? "00" + value : value + ".0";
    }
    boolean isDuration = DURATION_KEYS.stream().anyMatch(key::endsWith);
    if (isDuration && !value.equals("none")) {
      return " " + Durations.parse(value).toMillis() + "ms ";
    }
    return value;
  }
}
