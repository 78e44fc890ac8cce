#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs missing packages, builds Seedbed and opens its window, or trains a first agent if there is no
# screen. With arguments, runs seedbed with them.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=no
cuda=no
gui=no

usage() {
  cat <<END
usage: packaging/run.sh [--no-install | --with-torch | --with-cuda | --help] [ARGUMENTS...]

Installs missing Debian packages (and lists them with the reason), builds Seedbed in build/release and opens
its window. Uses an installed seedbed instead if it was built from the same commit. Without a screen (neither
DISPLAY nor WAYLAND_DISPLAY is set) it trains an agent on CartPole instead. With ARGUMENTS it runs
"seedbed ARGUMENTS", for example packaging/run.sh list

  --no-install   list missing packages and stop instead of installing them
  --with-torch   also install Debian's LibTorch, which adds the optional engine "torch"
  --with-cuda    build the engine "torch" with CUDA for NVIDIA cards: with the PyTorch of SEEDBED_PYTHON
                 or python3 if it has CUDA, otherwise with one that is installed in build/cuda (8 GB)
  --help         print this text

The engine "torch" is built if LibTorch is found, either installed or in CMAKE_PREFIX_PATH.
SEEDBED_CMAKE_ARGS is passed to cmake.
END
}

while true; do
  case ${1:-} in
    --help | -h) usage; exit 0 ;;
    --no-install) install=no; shift ;;
    --with-torch) torch=yes; shift ;;
    --with-cuda) cuda=yes; shift ;;
    *) break ;;
  esac
done
if [ $# = 0 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then gui=yes; fi
source "$root/packaging/setup.sh"
source "$root/packaging/cuda.sh"

# Sets program and window to those of an installed package, if it was built from the commit of this tree and
# nothing in the tree has been changed.
use_installed() {
  local commit installed
  [ -z "${SEEDBED_CMAKE_ARGS:-}" ] || return 1
  installed=$(command -v seedbed) || return 1
  [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$root" ] || return 1
  [ -z "$(git -C "$root" status --porcelain 2>/dev/null)" ] || return 1
  commit=$(git -C "$root" rev-parse --short=12 HEAD) || return 1
  [[ "$("$installed" --version 2>/dev/null)" == *" (commit $commit)" ]] || return 1
  [ $gui = no ] || [ -x "$(dirname "$installed")/seedbed-gui" ] || return 1
  program=$installed
  window=$(dirname "$installed")/seedbed-gui
}

window=$build/bin/seedbed-gui
if [ $torch = yes ] || [ $cuda = yes ] || ! use_installed; then
  if [ $cuda = yes ]; then use_cuda_torch; fi
  install_packages run
  configure_and_build run programs
  check_blas
fi
if [ $# -gt 0 ]; then
  exec "$program" "$@"
fi
if [ -x "$window" ]; then
  say "Programs: $program and $window"
else
  say "Program: $program (the window was not built: no screen, or Qt 6 or QCustomPlot is missing)"
fi
if [ $gui = yes ] && [ -x "$window" ]; then
  say "Opening the window. Runs continue when it is closed."
  exec "$window"
fi

# Ctrl-C reaches seedbed, which stops cleanly; this script then returns its exit code.
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
say "Next steps:"
next "eval $run" "evaluate the agent over 100 episodes"
next "show $run" "show the details of the run"
next list "list all runs"
next "train acrobot" "train on another environment (list them with \"env list\")"
next --help "list all commands"
