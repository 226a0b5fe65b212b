package io.tidekeeper.policy;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.tidekeeper.policy",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule onlyTheJdk =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "io.tidekeeper.policy..");

  @ArchTest
  static final ArchRule timeIsPassedIn =
      noClasses()
          .should()
          .callMethodWhere(
              target(owner(resideInAPackage("java.time..")))
                  .and(target(nameMatching("now|system.*|tick.*"))))
          .orShould()
          .callMethodWhere(
              target(owner(belongToAnyOf(System.class)))
                  .and(target(nameMatching("currentTimeMillis|nanoTime|getenv|getProperty"))));

  @ArchTest
  static final ArchRule settingsDoNotKnowTheTrackers =
      noClasses()
          .that()
          .resideInAPackage("io.tidekeeper.policy")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.tidekeeper.policy.watermark..");
}
