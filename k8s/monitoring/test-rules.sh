#!/usr/bin/env bash
# Checks the Prometheus rules and runs their tests with promtool.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v promtool > /dev/null; then
  echo "test-rules: the alerts' rules and tests are left out, since promtool (Debian: prometheus) is not on the PATH"
  exit 0
fi
work=target/rules
rm -rf "$work"
mkdir -p "$work"
# promtool reads what stands below .spec of the PrometheusRule.
awk '/^[^ ]/ {spec = /^spec:/; next} spec {sub(/^  /, ""); print}' k8s/monitoring/rules.yaml > "$work/rules.yaml"
cp k8s/monitoring/tests/*.yaml "$work"
promtool check rules --lint=all --lint-fatal "$work/rules.yaml"
for tests in k8s/monitoring/tests/*.yaml; do
  promtool test rules "$work/$(basename "$tests")"
done
