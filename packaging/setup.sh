# SPDX-License-Identifier: Apache-2.0
# Shared by the other scripts, which source it. Installs missing packages and builds the preset "release".
# The caller sets root (repository root), install, torch and gui (yes or no).

build=$root/build/release
log_folder=$root/build/log
program=$build/bin/seedbed

say() { printf '%s\n' "$*" >&2; }

die() {
  say "seedbed: $*"
  exit 1
}

# packages_for run|test|fuzz|check|cuda|wheel|package|edge: lines of packages.txt, as
# "for<TAB>reason<TAB>package<TAB>upstream name".
packages_for() {
  awk -v goal="$1" '
    /^#/ || /^[ \t]*$/ { next }
    /^\[/ { kind = substr($1, 2, length($1) - 2); reason = $0; sub(/^\[[a-z]+\] */, "", reason); next }
    BEGIN { special = "^(fuzz|check|cuda|wheel|package|edge)$"; own = goal ~ special }
    own ? kind == goal : kind !~ special && (kind != "test" || goal == "test") {
      upstream = $0; sub(/^[^ \t]+[ \t]*/, "", upstream)
      printf "%s\t%s\t%s\t%s\n", kind, reason, $1, upstream
    }' "$root/packaging/packages.txt"
}

# Succeeds if CMAKE_PREFIX_PATH contains LibTorch; then Debian's is not needed.
has_own_torch() {
  local folder
  local IFS=:\;
  for folder in ${CMAKE_PREFIX_PATH:-}; do
    [ -e "$folder/share/cmake/Torch/TorchConfig.cmake" ] && return 0
  done
  return 1
}

# missing_packages run|test|fuzz|check: the lines of packages_for whose package is needed but not installed.
missing_packages() {
  local wanted installed
  wanted=$(packages_for "$1")
  if [ "$torch" = no ] || has_own_torch; then wanted=$(printf '%s\n' "$wanted" | sed '/^optional/d'); fi
  if [ "$gui" = no ]; then wanted=$(printf '%s\n' "$wanted" | sed '/^gui/d'); fi
  installed=$(printf '%s\n' "$wanted" | cut -f3 |
    xargs dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p') || true
  printf '%s\n' "$wanted" | awk -F '\t' -v have="$installed" '
    BEGIN { count = split(have, names, "\n"); for (i = 1; i <= count; i++) installed[names[i]] = 1 }
    !($3 in installed)'
}

# Prints "  reason: packages" per group for the lines on stdin.
explain() {
  awk -F '\t' '
    $2 != reason { if (reason != "") print "  " reason ": " names; reason = $2; names = "" }
    { names = names (names == "" ? "" : " ") $3 }
    END { if (reason != "") print "  " reason ": " names }' >&2
}

# Lists the requirements for systems without Debian packages.
explain_upstream() {
  say "This is not a Debian system; install these requirements yourself:"
  packages_for "$1" | awk -F '\t' '
    $2 != reason { print "  " $2 ($1 == "optional" || $1 == "gui" ? " (optional)" : ""); reason = $2 }
    { print "    " $4 }' >&2
}

# as_root COMMAND...: runs the command as root, with sudo if necessary.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

run_apt() {
  as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    apt-get -y -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" \
    </dev/null >>"$log_folder/install.log" 2>&1
}

# Prints the end of apt's log and stops with its error message.
apt_failed() {
  local reason
  reason=$(sed -n 's/^[EW]: \(Failed to fetch.*\)/\1/p; s/^E: //p' "$log_folder/install.log" | awk 'NR == 1')
  tail -n 12 "$log_folder/install.log" | sed 's/^/  | /' >&2
  die "$1: ${reason:-see the lines above}. Full log: $log_folder/install.log"
}

package_lists_are_old() {
  [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -mtime -7 2>/dev/null)" ]
}

# Prints the packages among the arguments that apt cannot install.
unavailable() {
  LC_ALL=C apt-cache policy "$@" 2>/dev/null | awk -v names="$*" '
    /^[^ ].*:$/ { name = substr($0, 1, length($0) - 1) }
    /^  Candidate: [^(]/ { offered[name] = 1 }
    END {
      count = split(names, wanted, " ")
      for (i = 1; i <= count; i++) if (!(wanted[i] in offered)) print wanted[i]
    }'
}

# install_packages run|test|fuzz|check
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [ -e "$build/build.ninja" ] || explain_upstream "$1"
    return
  fi
  local missing names optional absent
  missing=$(missing_packages "$1")
  [ -n "$missing" ] || return 0
  say "Seedbed needs Debian packages that are not installed:"
  printf '%s\n' "$missing" | explain
  names=$(printf '%s\n' "$missing" | cut -f3 | paste -sd ' ')
  if [ "$install" = no ]; then
    die "not installing (--no-install). Install them with: apt-get install --no-install-recommends $names"
  fi
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    die "installing packages needs root, and sudo is missing." \
      "As root: apt-get install --no-install-recommends $names"
  fi
  mkdir -p "$log_folder"
  : >"$log_folder/install.log"
  # sudo may prompt for a password: let it do so here, right after the explanation.
  [ "$(id -u)" = 0 ] || sudo -v || die "installing packages needs root, and sudo failed"

  if package_lists_are_old || [ -n "$(unavailable $names)" ]; then
    say "Fetching Debian's package lists ..."
    # An unrelated broken source must not stop the installation; the availability of the packages is checked
    # afterwards.
    run_apt update || true
  fi
  absent=$(unavailable $names)
  if [ -n "$absent" ] && grep -q '^[EW]: ' "$log_folder/install.log"; then
    apt_failed "cannot fetch Debian's package lists"
  fi
  if [ -n "$absent" ]; then
    optional=$(printf '%s\n' "$missing" |
      awk -F '\t' '$1 == "optional" || $1 == "gui" || $1 == "fuzz" || $1 == "check" { print $3 }')
    for name in $absent; do
      printf '%s\n' "$optional" | grep -qx "$name" ||
        die "the package $name is not available on this system; Seedbed needs Debian 12 or newer"
    done
    say "Not available on this system, continuing without: $(printf '%s ' $absent)"
    names=$(printf '%s\n' $names | grep -vxF "$(printf '%s\n' $absent)" | paste -sd ' ')
    [ -n "$names" ] || return 0
  fi

  local size start=$SECONDS
  size=$(LC_ALL=C apt-get -q --assume-no --no-install-recommends install $names 2>/dev/null </dev/null |
    sed -n 's/^Need to get \(.*\) of archives\./, \1 to download/p') || true
  say "Installing them (apt-get install --no-install-recommends$size) ..."
  run_apt install --no-install-recommends $names || apt_failed "installing the packages failed"
  say "Installed in $((SECONDS - start)) s."
}

# Warns if LibTorch would use the slow reference BLAS although OpenBLAS is installed.
check_blas() {
  local link name
  for link in /usr/lib/*-linux-gnu*/libblas.so.3; do
    [ -e "$link" ] || continue
    name=$(readlink -f "$link")
    case $name in
      *openblas* | *blis* | *atlas* | *mkl*) ;;
      *) say "Note: libblas.so.3 is the slow $name. Select OpenBLAS with:" \
        "update-alternatives --auto $(basename "$link")-$(basename "$(dirname "$link")")" ;;
    esac
  done
}

# Number of parallel compilers: one per CPU, but at least 700 MB of free memory for each.
jobs() {
  local processors memory_mb
  processors=$(nproc 2>/dev/null || echo 2)
  memory_mb=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null)
  awk -v p="$processors" -v m="${memory_mb:-4000}" '
    BEGIN { j = int(m / 700); print j < 1 ? 1 : j < p ? j : p }'
}

# Shows ninja's "[done/total]" lines as one refreshed line on a terminal, else one line per tenth.
progress() {
  local line done_count total step=0 terminal=no
  [ -t 2 ] && terminal=yes
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    done_count=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    if [ $terminal = yes ]; then
      printf '\rBuilding %s of %s ' "$done_count" "$total" >&2
    elif [ $((done_count * 10 / total)) -gt $step ]; then
      step=$((done_count * 10 / total))
      say "Building $done_count of $total"
    fi
  done
  [ $terminal = no ] || [ -z "${total:-}" ] || printf '\r\033[K' >&2
}

# build_quietly [TARGET...]: shows a progress line; compiler output goes to the log.
build_quietly() {
  cmake --build "$build" --parallel "$(jobs)" ${1:+--target "$@"} 2>&1 |
    tee "$log_folder/build.log" | progress
}

# configure_and_build GOAL [TARGET...]: preset "release" in build/release; all targets when none is named.
configure_and_build() {
  local goal=$1 start=$SECONDS
  shift
  mkdir -p "$log_folder" || die "cannot write to $root/build"
  command -v cmake >/dev/null || die "cmake was not found"
  # Objects of one clone are hits of ccache in another.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-true}
  # A copied or moved tree contains a build folder with wrong paths.
  local fresh=
  if [ -e "$build/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    fresh=--fresh
  fi
  # A first build compiles files together, which halves its time but makes rebuilds slower.
  local together=
  if [ ! -e "$build/CMakeCache.txt" ] || [ -n "$fresh" ]; then
    together=-DSEEDBED_TOGETHER=ON
  fi
  # Without a screen a first build excludes the window; a later build adds it.
  local window=
  if [ "$gui" = yes ]; then
    window=-DSEEDBED_GUI=AUTO
  elif [ -n "$together" ]; then
    window=-DSEEDBED_GUI=OFF
  fi
  if ! (cd "$root" && cmake --preset release $fresh $together $window ${SEEDBED_CMAKE_ARGS:-}) \
    >"$log_folder/configure.log" 2>&1; then
    tail -n 25 "$log_folder/configure.log" | sed 's/^/  | /' >&2
    command -v apt-get >/dev/null || explain_upstream "$goal"
    die "configuring failed. Full log: $log_folder/configure.log"
  fi
  local built=yes
  build_quietly "$@" || built=no
  if [ $built = no ] && grep -qx 'SEEDBED_TOGETHER:BOOL=ON' "$build/CMakeCache.txt"; then
    # Retries without compiling files together, in case two files define the same name.
    say "Compiling files together failed; compiling them one by one, which takes twice as long."
    (cd "$root" && cmake --preset release -DSEEDBED_TOGETHER=OFF) >>"$log_folder/configure.log" 2>&1 || true
    built=yes
    build_quietly "$@" || built=no
  fi
  if [ $built = no ]; then
    grep -v '^\[' "$log_folder/build.log" | head -n 60 | sed 's/^/  | /' >&2
    die "building failed. Full log: $log_folder/build.log"
  fi
  if [ $((SECONDS - start)) -gt 5 ]; then say "Built in $((SECONDS - start)) s."; fi
}

# configure_package [CMAKE OPTIONS...]: preset "release" in build/package, from which packages are made. With
# CCACHE_BASEDIR the programs would contain the relative paths of ccache instead of those inside the repository.
configure_package() {
  build=$root/build/package
  export CCACHE_BASEDIR=
  mkdir -p "$log_folder" "$root/dist"
  export_commit_time
  (cd "$root" && cmake --preset release -B "$build" -DCMAKE_INSTALL_PREFIX=/usr -DSEEDBED_TOGETHER=ON \
    -DSEEDBED_TESTS=OFF -DSEEDBED_TORCH=OFF "$@") >"$log_folder/configure.log" 2>&1 ||
    die "configuring failed. Full log: $log_folder/configure.log"
}

# write_checksums FOLDER: SHA256SUMS of its files.
write_checksums() {
  (cd "$1" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort |
    xargs -d '\n' sha256sum >SHA256SUMS)
}

# Exports SOURCE_DATE_EPOCH, the time of files in packages: that of the commit.
export_commit_time() {
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 315532800)}
  export SOURCE_DATE_EPOCH
}
