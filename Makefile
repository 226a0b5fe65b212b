# The front door. `make help` lists what there is.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

MVN ?= mvn
MVN_FLAGS ?=
JAVA ?= java
# The file is named because a library on the class path brings a log configuration of its own.
SANDBOX = $(JAVA) -Xmx2g -Dlog4j2.configurationFile=classpath:log4j2.xml -cp sandbox/target/classes:$$(cat sandbox/target/classpath.txt)

##@ Everyday

.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} \
	  /^##@/ {printf "\n\033[1m%s\033[0m\n", substr($$0, 5); next} \
	  /^[a-zA-Z0-9_-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Compile everything and package the job jar, without tests
	$(MVN) $(MVN_FLAGS) -q package -DskipTests

.PHONY: test
test: dist kube ## Run every test: unit, property, real Kafka, real Flink, real savepoints
	$(MVN) $(MVN_FLAGS) verify

.PHONY: test-flink-2.3
test-flink-2.3: ## Run the job's tests on Flink 2.3: units, savepoints, rescaling, alignment, live changes, metrics
	$(MVN) $(MVN_FLAGS) verify -pl policy,crds,controller,job,sandbox -Dflink.version=2.3.0 \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false \
	  -Dtest='io.tidekeeper.job.**' -Dit.test=SavepointInterchangeIT,WatermarkRestoreIT,AlignmentIT,RescaleIT,SilentPartitionIT,LiveChangeIT,LiveChangeFaultsIT,SkipLaggardIT,LearnedStateIT,MetricCatalogueIT

.PHONY: demo
demo: build kube ## The whole story on one machine: kubectl changes thresholds, every record is accounted for
	$(SANDBOX) -Dtidekeeper.log=target/demo.log io.tidekeeper.sandbox.demo.Demo $(DEMO_ARGS)

.PHONY: sandbox
sandbox: build kube ## Keep all of it running to explore with kubectl, until Ctrl-C
	$(SANDBOX) -Dtidekeeper.log=target/sandbox.log io.tidekeeper.sandbox.explore.Sandbox $(SANDBOX_ARGS)

##@ Longer runs

.PHONY: soak
soak: build ## 100 changes of every kind in a row under load (about 15 minutes)
	$(SANDBOX) -Dtidekeeper.log=target/soak.log io.tidekeeper.sandbox.soak.Soak $(SOAK_ARGS)

.PHONY: bench
bench: build ## What a record costs in a source, against Flink's own generator (JMH, about 5 minutes)
	$(JAVA) -Xmx1g -cp bench/target/classes:$$(cat bench/target/classpath.txt) org.openjdk.jmh.Main -prof gc $(BENCH_ARGS)

.PHONY: bench-job
bench-job: build ## The whole job's throughput against the same job on plain Flink, in turn (about 20 minutes)
	$(JAVA) -Xmx4g -Dlog4j2.configurationFile=classpath:log4j2.xml -Dtidekeeper.log=target/bench.log \
	  -cp bench/target/classes:$$(cat bench/target/classpath.txt) io.tidekeeper.bench.job.JobBenchmark $(BENCH_ARGS)

##@ Sources

.PHONY: crd
crd: ## Write the WatermarkPolicy CRD in k8s/crd anew from the Java records
	$(MVN) $(MVN_FLAGS) -q -pl policy,crds test -Dtest=CommittedCrdTest -Dsurefire.failIfNoSpecifiedTests=false -Dtidekeeper.crd.refresh=true

.PHONY: fmt
fmt: ## Format all sources
	$(MVN) $(MVN_FLAGS) -q spotless:apply

.PHONY: lint
lint: ## Check format, house rules and compiler warnings without running tests
	$(MVN) $(MVN_FLAGS) -q test-compile

.PHONY: docs
docs: ## Write docs/options.md, docs/metrics.md and the tables of docs/rollout.md anew from the code
	$(MVN) $(MVN_FLAGS) -q test -pl policy,crds,controller,job -Dtest=OptionsReferenceTest,MetricsReferenceTest,RolloutReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dtidekeeper.refresh-docs=true

.PHONY: clean
clean: ## Remove what was built (downloads in .cache stay)
	$(MVN) $(MVN_FLAGS) -q clean
	rm -rf target

##@ Prerequisites that are fetched once

.PHONY: dist
dist: ## Fetch a stock Flink distribution for the tests that run its own processes
	@sandbox/flink-distribution.sh

.PHONY: kube
kube: ## Build a real Kubernetes control plane for the sandbox (Go, some minutes)
	@sandbox/kube/build.sh || [ $$? -eq 3 ] # 3: no Go here, which it has said; what needs the control plane is left out

##@ Kubernetes

.PHONY: render
render: ## Write what there is to install to target/k8s (kubectl)
	@k8s/render.sh

.PHONY: test-rules
test-rules: ## Check the Prometheus alerts and run their tests (promtool)
	@k8s/monitoring/test-rules.sh
