#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all checks except the tests: format, prose, tree, thread annotations, lint, sanitizers and fuzzers.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=yes
gui=yes
base=
short=no

usage() {
  cat <<END
usage: packaging/check.sh [--changed BASE] [--short] [--no-install] [--help] [STEP...]

Installs the tools of the group [check] in packages.txt, runs the steps, prints a line for each, and exits
with 1 if any fails. The output of a step is in build/check/STEP.log. Without STEP: all.
Findings of prose, and of tree about lengths and wording, are printed and are not failures. A step that is
ended by a signal is "stopped".

  format   clang-format 16 changes nothing
  prose    no unidiomatic English (packaging/check_prose.py)
  tree     the rules of the source tree (packaging/check_tree.py)
  threads  Clang's thread-safety analysis of all files that lock a mutex
  tidy     clang-tidy 16 has no finding
  asan     tests under the address and undefined-behaviour sanitizers
  tsan     tests under the thread sanitizer
  fuzz     libFuzzer tests each parser for a minute

  --changed BASE  format and tidy check the files that differ from the commit BASE, headers included
  --short         asan and tsan build and run the tests of parsers and stores only
  --no-install    skip the steps whose tools are missing instead of installing them
END
}

steps=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --changed) base=${2:?--changed needs a commit}; shift ;;
    --short) short=yes ;;
    --no-install) install=no ;;
    format | prose | tree | threads | tidy | asan | tsan | fuzz) steps+=("$1") ;;
    all) steps+=(format prose tree threads tidy asan tsan fuzz) ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[ ${#steps[@]} -gt 0 ] || steps=(format prose tree threads tidy asan tsan fuzz)
source "$root/packaging/setup.sh"
log_folder=$root/build/log
logs=$root/build/check
mkdir -p "$logs" || die "cannot write to $root/build"
cd "$root" || exit 1

# --- the files

# C and C++ files of the repository, or only those that differ from $base.
sources() {
  local file
  if [ -n "$base" ]; then git diff --name-only "$base" --; else git ls-files; fi |
    grep -E '\.(cpp|hpp|h|inl|c)$' |
    while IFS= read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done
}

# Makes a compile database, without the files that include LibTorch, and prints its folder. It has an entry
# per source file, or with "together" one for up to 16 of them.
configure_lint() {
  local together=OFF folder=$logs/lint
  if [ "${1:-}" = together ]; then together=ON folder=$logs/lint-together; fi
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSEEDBED_TOGETHER=$together \
    -DSEEDBED_TORCH=OFF >"$logs/lint-configure.log" 2>&1 || {
    tail -n 20 "$logs/lint-configure.log"
    return 1
  }
  # Sources include the compiled shaders.
  ninja -C "$folder" -t targets all | sed -n 's/^\(.*shaders\/.*[.]inc\): CUSTOM_COMMAND$/\1/p' |
    xargs -r ninja -C "$folder" >>"$logs/lint-configure.log" 2>&1
  # Builds only Qt's generated sources; their targets would also build the libraries below.
  local info
  for info in $(find "$folder" -name AutogenInfo.json); do
    cmake -E cmake_autogen "$info" Release >>"$logs/lint-configure.log" 2>&1
  done
  printf '%s\n' "$folder"
}

# Prints the files of the compile database in folder $1 whose path matches $2, each once.
database_files() {
  python3 - "$1" "$2" <<'END'
import json, re, sys
folder, pattern = sys.argv[1:]
for path in dict.fromkeys(e["file"] for e in json.load(open(folder + "/compile_commands.json"))):
    # The SIMD kernels use vector extensions that only GCC has.
    if "mocs_compilation" in path or "/qrc_" in path or "/kernels_" in path:
        continue
    if re.search(pattern, path):
        print(path)
END
}

# --- the steps: print findings; return 0 (passed), 77 (skipped; the last line is the reason), 78 (findings
# that are not failures) or another code

step_format() {
  sources | xargs -r clang-format-16 --dry-run -Werror
}

step_prose() { python3 packaging/check_prose.py || return 78; }

step_tree() { python3 packaging/check_tree.py --findings; }

# The analysis needs Clang, so the flags of the compile database are reduced to definitions and include paths.
step_threads() {
  local folder
  folder=$(configure_lint) || { printf '%s\n' "$folder"; return 1; }
  git grep -lE 'core/base/mutex\.hpp' -- '*.cpp' '*.hpp' | sed 's/\.hpp$/.cpp/' | sort -u | grep -v /tests/ |
    python3 -c '
import json, shlex, sys
entries = {e["file"]: e for e in json.load(open(sys.argv[1] + "/compile_commands.json"))}
for name in sys.stdin.read().split():
    entry = entries.get(sys.argv[2] + "/" + name)
    if not entry:
        continue
    words, flags = shlex.split(entry["command"]), []
    for i, word in enumerate(words):
        if word.startswith(("-D", "-I", "-std=")):
            flags.append(word)
        elif word == "-isystem":
            flags += [word, words[i + 1]]
    print(" ".join(shlex.quote(w) for w in flags + [entry["file"]]))' "$folder" "$root" |
    xargs -P "$(jobs)" -L 1 clang++-16 -fsyntax-only -fPIC -w -Wthread-safety -Werror=thread-safety
}

step_tidy() {
  local folder files
  if [ -n "$base" ]; then
    # Checks a changed header through the source file of the same name.
    files=$(sources | sed -E 's/\.(hpp|h)$/.cpp/' | sort -u | sed 's/[.+]/\\&/g' | paste -sd '|')
    [ -n "$files" ] || { echo "no C++ file differs from $base"; return 0; }
    folder=$(configure_lint) || { printf '%s\n' "$folder"; return 1; }
    files=$(database_files "$folder" "/($files)\$")
  else
    folder=$(configure_lint together) || { printf '%s\n' "$folder"; return 1; }
    files=$(database_files "$folder" .)
  fi
  [ -n "$files" ] || return 0
  # Clang's warnings, turned into errors, would bypass the filter of .clang-tidy; the tree uses GCC's
  # warnings.
  printf '%s\n' "$files" |
    xargs -P "$(jobs)" -n 1 clang-tidy-16 -p "$folder" --quiet \
      --warnings-as-errors='*,-clang-diagnostic-*' 2>/dev/null
}

# sanitizer PRESET: builds it and runs its tests; the short form runs only those of parsers, files and stores.
short_targets="test_base test_config test_ipc test_policy test_store fuzz_bundle fuzz_onnx"
sanitizer() {
  local preset=$1 targets= only=
  if [ $short = yes ]; then
    targets="--target $short_targets"
    only="-R ^(test_base|test_config|test_ipc|test_policy|test_store)\\.|^fuzz\\.(bundle|onnx)$"
  fi
  if ! cmake --preset "$preset" >"$logs/$preset-configure.log" 2>&1; then
    tail -n 20 "$logs/$preset-configure.log"
    return 1
  fi
  if ! cmake --build --preset "$preset" --parallel "$(jobs)" $targets >"$logs/$preset-build.log" 2>&1; then
    grep -v '^\[' "$logs/$preset-build.log" | head -n 40
    return 1
  fi
  ctest --preset "$preset" --no-label-summary --timeout 600 $only
}

step_asan() { sanitizer asan-ubsan; }

step_tsan() { sanitizer tsan; }

# A fixed seed searches the same inputs every time, so the step fails because of a change, not by chance.
step_fuzz() { python3 tests/fuzz/run_fuzzers.py --seconds 60 --seed 1; }

# --- running them

tool_of() {
  case $1 in
    format) echo clang-format-16 ;;
    tidy) echo clang-tidy-16 ;;
    threads) echo clang++-16 ;;
    prose | tree | fuzz) echo python3 ;;
    *) echo cmake ;;
  esac
}

if [ $install = yes ]; then
  (install_packages check && install_packages fuzz) ||
    say "Some tools could not be installed; their steps are skipped."
fi

failed=0
step= start=0
trap 'printf "stopped %-8s %5d s\n" "$step" $((SECONDS - start)); exit 143' TERM INT
for step in "${steps[@]}"; do
  start=$SECONDS
  status=0
  if ! command -v "$(tool_of "$step")" >/dev/null; then
    echo "$(tool_of "$step") is not installed" >"$logs/$step.log"
    status=77
  else
    # In the background, so that a signal ends the wait.
    "step_$step" >"$logs/$step.log" 2>&1 &
    wait $! || status=$?
  fi
  seconds=$((SECONDS - start))
  case $status in
    0) printf 'ok      %-8s %5d s\n' "$step" $seconds ;;
    78)
      printf 'found   %-8s %5d s  build/check/%s.log ends:\n' "$step" $seconds "$step"
      tail -n 30 "$logs/$step.log" | sed 's/^/  | /'
      ;;
    77) printf 'skipped %-8s %5d s  %s\n' "$step" $seconds "$(tail -n 1 "$logs/$step.log")" ;;
    *)
      printf 'FAILED  %-8s %5d s  build/check/%s.log ends:\n' "$step" $seconds "$step"
      tail -n 30 "$logs/$step.log" | sed 's/^/  | /'
      failed=1
      ;;
  esac
done
exit $failed
