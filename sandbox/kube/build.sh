#!/usr/bin/env bash
# Builds the sandbox's Kubernetes control plane (etcd, kube-apiserver, kube-controller-manager) from
# the Go module in this folder, once, into .cache/kube/<version>/ at the root of the repository, and
# points .cache/kube/current there. Does nothing when that has been done already.
#
# Exit codes: 0 built or already there, 3 Go is missing or too old, anything else the build failed.
# GOPROXY, GOCACHE and the like are taken from the environment as they are.
set -euo pipefail

module=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$module/../.." && pwd)
cache=$root/.cache/kube
parts=(etcd kube-apiserver kube-controller-manager)

version=$(awk '$1 == "k8s.io/kubernetes" { sub(/^v/, "", $2); print $2; exit }' "$module/go.mod")
needed_go=$(awk '$1 == "go" { print $2; exit }' "$module/go.mod")
home=$cache/$version

say() { printf '%s\n' "$*"; }

give_up_on_go() {
  say "The Kubernetes control plane needs Go $needed_go or newer to build; $1. See https://go.dev/doc/install" >&2
  exit 3
}

# What the binary depends on; kept beside it, so that a change to the module builds it anew.
sources=$(cd "$module" && cat go.mod go.sum main.go build.sh | cksum)

already_built() {
  [[ -f $home/built-from && $(<"$home/built-from") == "$sources" ]] || return 1
  local part
  for part in "${parts[@]}"; do
    [[ -x $home/$part ]] || return 1
  done
}

point_current_here() {
  ln -sfn "$version" "$cache/current"
}

# at_least 1.26.8 1.26.0: compares major and minor; the patch level never matters to the language.
at_least() {
  local have_major have_minor need_major need_minor
  IFS=. read -r have_major have_minor _ <<<"$1"
  IFS=. read -r need_major need_minor _ <<<"$2"
  have_minor=${have_minor%%[!0-9]*} # 27rc1
  ((have_major > need_major || (have_major == need_major && have_minor >= need_minor)))
}

# A Go from 1.21 on may fetch the newer toolchain that go.mod asks for, if its settings allow that.
check_go() {
  command -v go >/dev/null || give_up_on_go "there is no 'go' on the PATH"
  local have
  have=$(cd "$module" && go env GOVERSION 2>/dev/null) ||
    have=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null) || have=
  have=${have#go}
  [[ $have =~ ^[0-9]+\.[0-9]+ ]] || give_up_on_go "the 'go' on the PATH does not say its version"
  at_least "$have" "$needed_go" || give_up_on_go "the one on the PATH is $have"
}

# Go prints one line for each package that it compiles; of those, every 200th is worth telling.
tell_progress() {
  awk -v total="$1" '
    /^[^ ]+$/ { if (++n % 200 == 0) { print "  " n " of about " total " packages"; fflush() } next }
    { print > "/dev/stderr" }'
}

if already_built; then
  point_current_here
  exit 0
fi
check_go

export GOFLAGS=-mod=readonly CGO_ENABLED=0
started=$SECONDS
mkdir -p "$cache"
staging=$(mktemp -d "$cache/.building.XXXXXX")
trap 'rm -rf "$staging"' EXIT
chmod 755 "$staging"
cd "$module"

say "building the Kubernetes control plane $version once, about 4 minutes on 2 cores ..."
packages=$(go list -deps . | wc -l | tr -d ' ')
say "  sources of $packages packages are here"

IFS=. read -r major minor _ <<<"$version"
versioned=k8s.io/component-base/version
nice -n 10 go build -v -p "${TIDEKEEPER_KUBE_BUILD_JOBS:-2}" -trimpath -buildvcs=false \
  -ldflags "-s -w -X $versioned.gitVersion=v$version -X $versioned.gitMajor=$major -X $versioned.gitMinor=$minor" \
  -o "$staging/control-plane" . 2>&1 | tell_progress "$packages"

for part in "${parts[@]}"; do
  ln -s control-plane "$staging/$part"
done
printf '%s\n' "$sources" >"$staging/built-from"

rm -rf "$home"
mv "$staging" "$home"
point_current_here
say "built in $((SECONDS - started)) s: $home"
