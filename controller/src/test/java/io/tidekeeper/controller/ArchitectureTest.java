package io.tidekeeper.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/** Arrows point down only, and decisions are pure. */
@AnalyzeClasses(packages = "io.tidekeeper", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule the_controller_knows_no_flink_and_no_job =
      noClasses()
          .that()
          .resideInAPackage("io.tidekeeper.controller..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.flink..", "io.tidekeeper.job..", "io.tidekeeper.sandbox..");

  @ArchTest
  static final ArchRule decisions_do_no_io =
      noClasses()
          .that()
          .resideInAPackage("io.tidekeeper.controller.rollout..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.fabric8..", "io.javaoperatorsdk..", "java.io..", "java.net..", "java.nio.file..");

  @ArchTest
  static final ArchRule decisions_read_no_clock =
      noClasses()
          .that()
          .resideInAPackage("io.tidekeeper.controller.rollout..")
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule what_is_lower_does_not_know_the_controller =
      noClasses()
          .that()
          .resideInAnyPackage("io.tidekeeper.policy..", "io.tidekeeper.crds..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.tidekeeper.controller..");

  @ArchTest
  static final ArchRule packages_form_no_cycles =
      slices().matching("io.tidekeeper.controller.(*)..").should().beFreeOfCycles();
}
