#!/usr/bin/env bash
# Puts a stock Flink distribution under .cache/flink-<version>, once. The tests that run Flink's own
# JobManager and TaskManager processes use it; FLINK_HOME, where set, is used instead.
#
# Flink publishes its distribution jar as part of a Python package, which pip fetches by name.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(sed -n 's:.*<flink.version>\(.*\)</flink.version>.*:\1:p' "$root/pom.xml" | head -n 1)
home="$root/.cache/flink-$version"

if [[ -n "${FLINK_HOME:-}" ]]; then
  echo "Flink distribution: FLINK_HOME is set, nothing to fetch"
  exit 0
fi
if [[ -f "$home/lib/flink-dist-$version.jar" ]]; then
  exit 0
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "Flink distribution: no python3 with pip here, so the tests that run a stock Flink's own processes are left out (set FLINK_HOME to have them)"
  exit 0
fi

echo "Flink distribution: fetching $version once (about 310 MB)"
download=$(mktemp -d "${TMPDIR:-/tmp}/flink-distribution.XXXXXX")
trap 'rm -rf "$download"' EXIT
if ! python3 -m pip download --quiet --no-deps --dest "$download" "apache-flink-libraries==$version"; then
  echo "Flink distribution: could not be fetched, so the tests that run a stock Flink's own processes are left out (set FLINK_HOME to have them)"
  exit 0
fi
mkdir -p "$download/lib" "$home/conf" "$home/plugins"
python3 - "$download" <<'PYTHON'
import glob, pathlib, shutil, sys, zipfile

download = pathlib.Path(sys.argv[1])
wheel = glob.glob(str(download / "*.whl"))[0]
wanted = ("pyflink/lib/flink-dist-", "pyflink/lib/log4j-", "pyflink/lib/flink-json-")
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if name.startswith(wanted) and name.endswith(".jar"):
            with archive.open(name) as source, open(download / "lib" / pathlib.Path(name).name, "wb") as target:
                shutil.copyfileobj(source, target)
PYTHON
mv "$download/lib" "$home/lib"
echo "Flink distribution: ready"
