package io.tidekeeper.job;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.apache.flink.metrics.MetricGroup;

/** Arrows between modules point down only. */
@AnalyzeClasses(packages = "io.tidekeeper", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule the_job_knows_no_kubernetes =
      noClasses()
          .that()
          .resideInAPackage("io.tidekeeper.job..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.fabric8..",
              "io.tidekeeper.crds..",
              "io.tidekeeper.controller..",
              "io.tidekeeper.sandbox..");

  @ArchTest
  static final ArchRule the_policy_knows_no_flink =
      noClasses()
          .that()
          .resideInAPackage("io.tidekeeper.policy..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..", "io.tidekeeper.job..");

  @ArchTest
  static final ArchRule what_runs_behind_the_source_does_not_know_the_pipelines =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.tidekeeper.job.backlog..",
              "io.tidekeeper.job.source..",
              "io.tidekeeper.job.watermark..",
              "io.tidekeeper.job.restore..",
              "io.tidekeeper.job.late..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.tidekeeper.job.pipeline..");

  @ArchTest
  static final ArchRule metrics_are_exported_by_the_catalogue_alone =
      noClasses()
          .that()
          .resideInAPackage("io.tidekeeper.job..")
          .and()
          .resideOutsideOfPackage("io.tidekeeper.job.metric..")
          .should()
          .callMethodWhere(
              target(owner(assignableTo(MetricGroup.class)))
                  .and(target(nameMatching("addGroup|gauge|counter|meter|histogram"))));

  @ArchTest
  static final ArchRule packages_form_no_cycles =
      slices().matching("io.tidekeeper.(**)").should().beFreeOfCycles();
}
