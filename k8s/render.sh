#!/usr/bin/env bash
# Writes what each overlay installs to target/k8s/<overlay>.yaml, for `kubectl apply --server-side -f`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v kubectl > /dev/null; then
  echo "render: nothing is rendered, since kubectl is not on the PATH; it brings kustomize along" >&2
  exit 1
fi
mkdir -p target/k8s
for overlay in k8s/overlays/*/; do
  rendered=target/k8s/$(basename "$overlay").yaml
  kubectl kustomize "$overlay" > "$rendered.part" # a failed run leaves no half of a file
  mv "$rendered.part" "$rendered"
  echo "$rendered"
done
