package io.tidekeeper.sandbox;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.tidekeeper.sandbox",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule THE_ACCOUNT_IS_INDEPENDENT_OF_WHAT_IT_JUDGES =
      noClasses()
          .that()
          .resideInAnyPackage("io.tidekeeper.sandbox.account..", "io.tidekeeper.sandbox.traffic..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.tidekeeper.job..",
              "io.tidekeeper.policy..",
              "io.tidekeeper.sandbox.flink..",
              "org.apache.flink..");

  @ArchTest
  static final ArchRule SERVERS_KNOW_NOTHING_OF_THE_TRAFFIC =
      noClasses()
          .that()
          .resideInAnyPackage("io.tidekeeper.sandbox.kafka..", "io.tidekeeper.sandbox.flink..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.tidekeeper.sandbox.traffic..", "io.tidekeeper.sandbox.account..");
}
