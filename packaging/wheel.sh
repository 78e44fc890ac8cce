#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Python wheel dist/seedbed-*.whl, which contains libseedbed and the libraries that it needs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=no
gui=no

usage() {
  cat <<END
usage: packaging/wheel.sh [--no-install | --help]

Builds libseedbed in build/package and makes dist/seedbed-VERSION-py3-none-manylinux_*.whl, for every Python
from 3.9 on. Needs a package index for auditwheel, unless it is installed.

  --no-install   list missing packages and stop instead of installing them
  --help         print this text
END
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  --no-install) install=no ;;
  "") ;;
  *) usage >&2; exit 2 ;;
esac
source "$root/packaging/setup.sh"

install_packages run
install_packages wheel
configure_package
build_quietly libseedbed || die "building failed. Full log: $log_folder/build.log"

work=$build/wheel
rm -rf "$work/made"
mkdir -p "$work"
auditwheel=$(command -v auditwheel || true)
if [ -z "$auditwheel" ]; then
  auditwheel=$work/tools/bin/auditwheel
  if [ ! -x "$auditwheel" ]; then
    say "Installing auditwheel in $work/tools ..."
    { python3 -m venv "$work/tools" && "$work/tools/bin/pip" install auditwheel==6.4.2; } \
      >"$log_folder/wheel.log" 2>&1 || die "installing auditwheel failed; see $log_folder/wheel.log"
  fi
fi
strip -o "$work/libseedbed.so" "$(readlink -f "$build/bin/libseedbed.so")"
made=$(python3 "$root/packaging/make_wheel.py" "$work/libseedbed.so" "$work/made")
"$auditwheel" repair --strip -w "$work/made/repaired" "$made" >>"$log_folder/wheel.log" 2>&1 ||
  die "auditwheel failed; see $log_folder/wheel.log"
rm -f "$root"/dist/seedbed-*.whl
mv "$work"/made/repaired/*.whl "$root/dist/"
say "$(ls "$root"/dist/seedbed-*.whl)"
