#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs missing packages, builds everything, runs all tests and ends with ctest's summary line.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=yes
gui=yes

usage() {
  cat <<END
usage: packaging/test.sh [--no-install | --help] [CTEST ARGUMENTS...]

Installs missing Debian packages (and lists them with the reason), builds Seedbed and its tests in
build/release and runs the tests. CTEST ARGUMENTS select tests, for example packaging/test.sh -R rollout

  --no-install   list missing packages and stop instead of installing them
  --help         print this text
END
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  --no-install) install=no; shift ;;
esac
source "$root/packaging/setup.sh"

install_packages test
configure_and_build test
check_blas

# Prints "name: reason" for each skipped test, from ctest's log.
skip_reasons() {
  awk '
    / Testing: / { name = $0; sub(/^.* Testing: /, "", name) }
    reason_follows { print "  " name ": " $0; reason_follows = 0 }
    /: Skipped$/ { reason_follows = 1 }
    /^\[  SKIPPED \] / && !/\./ && !/listed below/ { print "  " name ": " substr($0, 14) }' \
    "$build/Testing/Temporary/LastTest.log"
}

# Prints ctest's summary line last, after the reasons for skipped tests.
status=0
# Three at a time on two cores, since many tests mostly wait.
ctest --test-dir "$build" --output-on-failure --no-label-summary -j3 "$@" | {
  summary=
  while IFS= read -r line; do
    if [[ $line =~ ^[0-9]+%\ tests\ passed ]]; then
      summary=$line
    elif [ -n "$line" ]; then
      printf '%s\n' "$line"
    fi
  done
  reasons=$(skip_reasons || true)
  if [ -n "$reasons" ]; then printf 'Skipped tests:\n%s\n' "$reasons"; fi
  printf '%s\n' "${summary:-No tests were run}"
  [ -n "$summary" ]
} || status=$?
exit $status
