#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds everything, runs all tests, and ends with the test runner's summary line.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=yes
gui=yes

usage() {
  cat <<END
usage: packaging/test.sh [--no-install | --help] [CTEST ARGUMENTS...]

Installs missing Debian packages (it says which and why), builds Seedbed and its tests into build/release, and runs them.
CTEST ARGUMENTS select tests, e.g. packaging/test.sh -R rollout

  --no-install   stop with the list of missing packages instead of installing them
  --help         this text
END
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  --no-install) install=no; shift ;;
esac
source "$root/packaging/setup.sh"

install_packages test
# What nothing is built with: without it the fuzzers say that they were skipped.
if [ "$install" = yes ] && ! (install_packages fuzz); then say "Going on without Clang: the tests of fuzz.libfuzzer will be skipped."; fi
configure_and_build test
check_blas

# Why tests were skipped, from ctest's log: "name: reason".
skip_reasons() {
  awk '
    / Testing: / { name = $0; sub(/^.* Testing: /, "", name) }
    reason_follows { print "  " name ": " $0; reason_follows = 0 }
    /: Skipped$/ { reason_follows = 1 }
    /^\[  SKIPPED \] / && !/\./ && !/listed below/ { print "  " name ": " substr($0, 14) }' \
    "$build/Testing/Temporary/LastTest.log"
}

# ctest's closing lines are held back, so that the reasons of skipped tests come before and its summary line is the last.
status=0
ctest --test-dir "$build" --output-on-failure --no-label-summary -j2 "$@" | {
  summary=
  while IFS= read -r line; do
    if [[ $line =~ ^[0-9]+%\ tests\ passed ]]; then summary=$line; elif [ -n "$line" ]; then printf '%s\n' "$line"; fi
  done
  reasons=$(skip_reasons || true)
  if [ -n "$reasons" ]; then printf 'Skipped, and why:\n%s\n' "$reasons"; fi
  printf '%s\n' "${summary:-No test was run}"
  [ -n "$summary" ]
} || status=$?
exit $status
