package io.tidekeeper.crds;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Arrows between modules point down only. */
@AnalyzeClasses(packages = "io.tidekeeper.crds", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule the_resource_knows_the_policy_and_fabric8_only =
      classes()
          .that()
          .resideInAPackage("io.tidekeeper.crds..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "com.fasterxml.jackson.annotation..",
              "io.fabric8..",
              "io.tidekeeper.policy..",
              "io.tidekeeper.crds..");
}
