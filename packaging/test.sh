#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs missing packages, builds everything, runs the tests and ends with a summary line.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=yes
gui=yes
long=no

usage() {
  cat <<END
usage: packaging/test.sh [--no-install] [--long] [--help] [CTEST ARGUMENTS...]

Installs missing Debian packages (and lists them with the reason), builds Seedbed and its tests in
build/release and runs the tests. CTEST ARGUMENTS select tests, for example packaging/test.sh -R rollout

A failed test is repeated up to twice, alone, after the others. If it then passes, it is listed, and the exit
status is 0.

  --no-install   list missing packages and stop instead of installing them
  --long         run all tests one at a time, with their long forms and those with the label "measure",
                 which assert elapsed time, memory use or speed; this takes hours and needs an idle computer.
                 The results are written to build/release/Testing/long.xml (JUnit)
  --help         print this text
END
}

while true; do
  case ${1:-} in
    --help | -h) usage; exit 0 ;;
    --no-install) install=no ;;
    --long) long=yes ;;
    *) break ;;
  esac
  shift
done
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

# Prints the last lines of the output of each failed test, from ctest's log.
failed_output() {
  awk -v most=40 '
    / Testing: / { name = $0; sub(/^.* Testing: /, "", name); count = 0; reading = 0 }
    /^<end of output>$/ { reading = 0 }
    reading && NF { lines[count++ % most] = $0 }
    /^Output:$/ { reading = 1; getline }
    /^Test Failed\.$/ {
      print "Failed: " name
      for (i = count > most ? count - most : 0; i < count; ++i) print "  " lines[i % most]
    }' "$build/Testing/Temporary/LastTest.log"
}

# run_ctest ARGUMENTS...: prints ctest's output without its summary line, which it writes to $counts.
run_ctest() {
  ctest --test-dir "$build" --no-label-summary "$@" | {
    : >"$counts"
    while IFS= read -r line; do
      if [[ $line =~ ^[0-9]+%\ tests\ passed ]]; then
        printf '%s\n' "$line" >"$counts"
      elif [ -n "$line" ]; then
        printf '%s\n' "$line"
      fi
    done
  }
}

# The names of the tests that failed in ctest's last run.
failed_names() { sed 's/^[0-9]*://' "$failed_log" | LC_ALL=C sort -u; }

# Three at a time on two cores, since many tests mostly wait; five are not faster.
only=(-j3 -LE '^measure$')
if [ $long = yes ]; then
  export SEEDBED_LONG=1
  only=(-j1 --output-junit "$build/Testing/long.xml")
fi
failed_log=$build/Testing/Temporary/LastTestsFailed.log
mkdir -p "$build/Testing"
counts=$build/Testing/counts failed=
status=0
rm -f "$failed_log"
run_ctest "${only[@]}" "$@" || status=$?
summary=$(cat "$counts")
reasons=$(skip_reasons || true)
if [ $status != 0 ]; then
  failed_output || true
  [ ! -s "$failed_log" ] || failed=$(failed_names)
fi

# Repeats what failed, if that is not most of the tests.
second=
for attempt in second third; do
  if [ -z "$failed" ] || [ "$(wc -l <<<"$failed")" -gt 60 ]; then break; fi
  printf 'Running the failed tests a %s time\n' $attempt
  repeated=0
  run_ctest -j1 --rerun-failed || repeated=$?
  still=
  if [ $repeated != 0 ]; then
    failed_output || true
    still=$(failed_names)
  fi
  passed=$(LC_ALL=C comm -23 <(printf '%s\n' "$failed") <(printf '%s\n' "$still"))
  if [ -n "$passed" ]; then second+=$(printf '  %s\n' $passed)$'\n'; fi
  failed=$still
  [ -n "$failed" ] || status=0
done

# Prints the reasons for skipped tests and the tests that passed when repeated; last, ctest's summary line, or
# if a test failed, its name.
if [ -n "$reasons" ]; then printf 'Skipped tests:\n%s\n' "$reasons"; fi
if [ -n "$second" ]; then printf 'Passed on a second try:\n%s' "$second"; fi
total=${summary##* }
if [ -z "$summary" ] || ! [ "$total" -gt 0 ] 2>/dev/null; then
  echo "No tests were run"
  exit 1
fi
count=0
[ -z "$failed" ] || count=$(wc -l <<<"$failed")
if [ $status != 0 ]; then
  printf '%s\n' "$failed" >"$build/Testing/failed"
  [ $count -gt 0 ] || count=$(sed 's/.* passed, \([0-9]*\) .*/\1/' <<<"$summary")
  printf '%s%% tests passed, %s tests failed out of %s\n' $((100 * (total - count) / total)) "$count" "$total"
  if [ -n "$failed" ]; then printf 'Failed tests: %s\n' "$(paste -sd ' ' <<<"$failed")"; fi
else
  rm -f "$build/Testing/failed"
  printf '100%% tests passed, 0 tests failed out of %s\n' "$total"
fi
exit $status
