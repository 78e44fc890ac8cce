#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes packages that need no compiler: Debian packages, an archive for other systems, the Python wheel.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=no
gui=yes

usage() {
  cat <<END
usage: packaging/package.sh [--no-install | --help] [deb|archive|wheel|all]...

Builds Seedbed in build/package, without LibTorch, and writes to dist/ (default: all):

  deb       Debian packages: seedbed, libseedbed1, libseedbed-dev, python3-seedbed
  archive   seedbed-VERSION-MACHINE.tar.xz, a folder that runs where it is unpacked, with all libraries
            except those of glibc, and its list of contents, seedbed-VERSION-MACHINE.spdx.json (SPDX 2.3)
  wheel     the Python wheel (packaging/wheel.sh)

and SHA256SUMS.

  --no-install   list missing packages and stop instead of installing them
  --help         print this text
END
}

umask 022 # the files are installed for all users
goals=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --no-install) install=no ;;
    deb | archive | wheel) goals+=("$1") ;;
    all) goals=(deb archive wheel) ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[ ${#goals[@]} -gt 0 ] || goals=(deb archive wheel)
has() { [[ " ${goals[*]} " == *" $1 "* ]]; }

source "$root/packaging/setup.sh"
install_packages run
install_packages package
dist=$root/dist

if has deb || has archive; then
  configure_package -DSEEDBED_GUI=ON -DSEEDBED_FLEET=ON
  build_quietly || die "building failed. Full log: $log_folder/build.log"
fi
if has deb; then
  rm -f "$dist"/*.deb
  cpack --config "$build/CPackConfig.cmake" -B "$dist" >"$log_folder/package.log" 2>&1 ||
    { tail -n 20 "$log_folder/package.log" >&2; die "CPack failed. Full log: $log_folder/package.log"; }
  rm -rf "$dist/_CPack_Packages"
fi
if has archive; then
  rm -f "$dist"/seedbed-*.tar.xz "$dist"/seedbed-*.spdx.json
  python3 "$root/packaging/make_archive.py" "$build" "$dist" || die "the archive was not made"
fi
if has wheel; then
  "$root/packaging/wheel.sh" $([ $install = yes ] || echo --no-install)
fi
write_checksums "$dist"
say "Made in $dist:"
(cd "$dist" && ls -sh1 | sed 1d >&2)
