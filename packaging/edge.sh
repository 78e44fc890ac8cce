#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes static libraries for devices: libseedbed.a (trainer) and libseedbed_policy.a.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=yes
torch=no
gui=no
machine=aarch64

usage() {
  cat <<END
usage: packaging/edge.sh [--no-install | --help] [aarch64|native]

Builds libseedbed.a and libseedbed_policy.a and writes dist/libseedbed-static-VERSION-MACHINE.tar.xz with
headers, pkg-config files and example programs. Programs with these libraries need no other
file (docs/edge.md).

  aarch64   (default) 64-bit ARM, with Debian's cross compiler. Unpacks Debian's arm64 packages of the needed
            libraries in build/edge; the system and its list of architectures stay as they are.
  native    this computer's processor

  --no-install   list missing packages and stop instead of installing them
  --help         print this text

SEEDBED_SYSROOT=FOLDER: take the libraries for aarch64 from this folder instead.
END
}

umask 022
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --no-install) install=no ;;
    aarch64) machine=aarch64 ;;
    native) machine=native ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

source "$root/packaging/setup.sh"
install_packages run
[ $machine = native ] || install_packages edge
build=$root/build/$machine
dist=$root/dist
mkdir -p "$log_folder" "$dist" "$build"
export_commit_time

# Debian packages whose content becomes part of the libraries.
libraries="libsqlite3-dev zlib1g-dev libssl-dev libpng-dev libgif-dev libspdlog-dev libfmt-dev
  nlohmann-json3-dev libexpected-dev libcli11-dev"

# unpack_libraries FOLDER: unpacks the arm64 packages of $libraries. Uses the system's package sources and
# keys, but a separate state, so that it changes nothing and needs no root.
unpack_libraries() {
  local folder=$1 state=$root/build/edge/apt package
  command -v apt-get >/dev/null ||
    die "this is not a Debian system; set SEEDBED_SYSROOT (packaging/edge.sh --help)"
  rm -rf "$folder" "$state"
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/packages" "$folder.new"
  : >"$state/status"
  local apt=(apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$state"
    -o "Dir::State::status=$state/status" -o "Dir::Cache=$state/cache" -o "APT::Sandbox::User=$(id -un)")
  say "Fetching Debian's libraries for arm64 ..."
  # shellcheck disable=SC2086
  { "${apt[@]}" update && (cd "$state/packages" && "${apt[@]}" download $libraries); } \
    >"$log_folder/install.log" 2>&1 </dev/null || apt_failed "the arm64 packages could not be downloaded"
  for package in "$state"/packages/*.deb; do dpkg-deb -x "$package" "$folder.new"; done
  cp -r "$folder.new/usr/include/aarch64-linux-gnu/." "$folder.new/usr/include/"
  # The static libraries remain.
  find "$folder.new" -name '*.so' -delete
  mv "$folder.new" "$folder"
}

options=(-DSEEDBED_STATIC=ON -DSEEDBED_TOGETHER=ON -DSEEDBED_TESTS=OFF -DSEEDBED_TORCH=OFF -DSEEDBED_GUI=OFF
  -DSEEDBED_WEB=OFF)
compiler=cc
strip=strip
documents=/usr/share/doc
if [ $machine = aarch64 ]; then
  sysroot=${SEEDBED_SYSROOT:-$root/build/edge/root}
  [ -e "$sysroot/usr/include" ] || [ -n "${SEEDBED_SYSROOT:-}" ] || unpack_libraries "$sysroot"
  options+=(--toolchain "$root/cmake/aarch64.cmake" "-DSEEDBED_SYSROOT=$sysroot")
  compiler=aarch64-linux-gnu-gcc
  strip=aarch64-linux-gnu-strip
  documents=$sysroot/usr/share/doc
else
  machine=$(uname -m)
fi

(cd "$root" && cmake --preset release -B "$build" "${options[@]}") >"$log_folder/configure.log" 2>&1 ||
  die "configuring failed. Full log: $log_folder/configure.log"
build_quietly static_libraries || die "building failed. Full log: $log_folder/build.log"

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=libseedbed-static-$version-$machine
stage=$build/stage/$name
rm -rf "$build/stage"
cmake --install "$build" --component static --prefix "$stage" >"$log_folder/package.log" 2>&1 ||
  die "installing failed. Full log: $log_folder/package.log"
mkdir -p "$stage/bin" "$stage/share/doc/seedbed/libraries"
cp -r "$root/docs/examples/edge" "$stage/share/doc/seedbed/examples"
cp "$root/LICENSE" "$root/docs/edge.md" "$stage/share/doc/seedbed/"
for library in $libraries; do
  [ ! -e "$documents/$library/copyright" ] ||
    cp -L "$documents/$library/copyright" "$stage/share/doc/seedbed/libraries/${library%-dev}"
done
for example in budget fine_tune; do
  "$compiler" -static -O2 -Wl,--gc-sections -I"$stage/include" "$root/docs/examples/edge/$example.c" \
    -o "$stage/bin/$example" -L"$stage/lib" -lseedbed -lstdc++ -lm || die "the example $example was not built"
  "$strip" "$stage/bin/$example"
done
archive=$dist/$name.tar.xz
rm -f "$dist"/libseedbed-static-*-"$machine".tar.xz
tar -C "$build/stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - \
  "$name" | xz -9 -T1 >"$archive"
write_checksums "$dist"
say "Made $archive:"
ls -sh1 "$stage"/bin/* "$stage"/lib/*.a "$archive" >&2
