#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds Seedbed, and opens its window, or without a screen trains a first agent; with arguments, runs seedbed
# with them.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=no
gui=no

usage() {
  cat <<END
usage: packaging/run.sh [--no-install | --with-torch | --help] [ARGUMENTS...]

Installs missing Debian packages (it says which and why), builds Seedbed into build/release, and opens its window. Where
there is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set) it trains an agent on CartPole. With ARGUMENTS it runs
"seedbed ARGUMENTS" instead, e.g. packaging/run.sh list

  --no-install   stop with the list of missing packages instead of installing them
  --with-torch   install Debian's LibTorch too, which adds the engine "torch"; nothing needs it on a CPU
  --help         this text

The engine "torch" is built whenever LibTorch is there: installed, or named by CMAKE_PREFIX_PATH. SEEDBED_CMAKE_ARGS is
handed to cmake.
END
}

while true; do
  case ${1:-} in
    --help | -h) usage; exit 0 ;;
    --no-install) install=no; shift ;;
    --with-torch) torch=yes; shift ;;
    *) break ;;
  esac
done
if [ $# = 0 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then gui=yes; fi
source "$root/packaging/setup.sh"

install_packages run
configure_and_build run programs
check_blas
if [ $# -gt 0 ]; then
  exec "$program" "$@"
fi
window=$build/bin/seedbed-gui
if [ -x "$window" ]; then
  say "The programs are $program and $window"
else
  say "The program is $program (without the window: there is no screen, or Qt 6 or QCustomPlot is missing)"
fi
if [ $gui = yes ] && [ -x "$window" ]; then
  say "Opening the window; closing it stops no training."
  exec "$window"
fi

# Ctrl-C reaches seedbed, which stops cleanly; this script goes on to hand over its exit code.
trap : INT
shopt -s lastpipe
say "Training an agent on CartPole: $program train cartpole"
run= status=0
"$program" train cartpole | while IFS= read -r line; do
  run=${run:-$line}
  printf '%s\n' "$line"
done || status=$?
[ $status = 0 ] || exit $status

next() { printf '  %s %-15s %s\n' "$program" "$1" "$2" >&2; }
say ""
say "What to do next:"
next "eval $run" "test the trained agent on 100 episodes"
next "show $run" "how it was trained"
next list "all runs"
next "train acrobot" "another task; \"env list\" names all of them"
next --help "everything else"
