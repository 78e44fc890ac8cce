#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds with GCC's --coverage, runs tests and prints the covered lines of core. There is no minimum.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/coverage
jobs=$(nproc)
tests='^(test_|fuzz\.)'
result=

usage() {
  cat <<END
usage: packaging/coverage.sh [--parsers] [--jobs N] [--tests REGEX] [--targets "T ..."] [--result FILE]

Builds into build/coverage (without the window and LibTorch), runs the tests that match REGEX (default: unit
tests and replays of the fuzzers) and prints covered lines by folder and by parser. --targets builds only
these, --result writes the numbers as JSON. --parsers instead builds the fuzzers and runs each on its seeds,
its stored inputs and 200 mutations of them; the result is tests/fuzz/coverage.json.
END
}

targets=
parsers=
fuzzers=
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --jobs) jobs=$2; shift ;;
    --parsers)
      parsers=--parsers
      fuzzers=$(find "$root/tests/fuzz" -name 'fuzz_*.cpp' -printf '%f\n' | sed 's/^fuzz_//; s/\.cpp$//')
      # shellcheck disable=SC2086
      targets=$(printf ' fuzz_%s' $fuzzers)
      ;;
    --tests) tests=$2; shift ;;
    --targets) targets=$2; shift ;;
    --result) result=$2; shift ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

cd "$root" || exit 1
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O0 --coverage" \
  -DSEEDBED_TOGETHER=ON -DSEEDBED_TORCH=OFF -DSEEDBED_GUI=OFF >"$build.log" 2>&1 ||
  { tail -n 20 "$build.log"; exit 1; }
# shellcheck disable=SC2086
cmake --build "$build" --parallel "$jobs" ${targets:+--target $targets} >>"$build.log" 2>&1 ||
  { grep -E 'error|FAILED' "$build.log" | head -n 20; exit 1; }
find "$build" -name '*.gcda' -delete
[ -n "$parsers" ] ||
  ctest --test-dir "$build" -R "$tests" --no-label-summary -j "$jobs" --timeout 1200 | tail -n 12
for name in $fuzzers; do
  SEEDBED_LOG=off "$build/bin/fuzz_$name" 200 1 "$root/tests/fuzz/corpus/$name" || exit 1
done
python3 packaging/coverage.py "$build" ${parsers:+"$parsers"} ${result:+--result "$result"}
