#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the packages in dist/ that packaging/package.sh made: sizes, checksums, lintian, the list of
contents, and that archive and Debian packages work on a bare Debian.

usage: package_test.py DIST [ROOT]

ROOT: a folder that `debootstrap --variant=minbase bookworm ROOT` made; it is copied. Without it, or if not
run as root, the tests in it are skipped.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DIST = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
del sys.argv[1:]
DEBS = sorted(DIST.glob("*.deb"))
ARCHIVES = sorted(DIST.glob("seedbed-*.tar.xz"))
if not DEBS or not ARCHIVES:
    print(f"[  SKIPPED ] {DIST} does not contain packages (packaging/package.sh)")
    sys.exit()
CAN_ENTER = ROOT is not None and os.geteuid() == 0


def run(*words, **options):
    options.setdefault("timeout", 300)
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


class Files(unittest.TestCase):
    def test_checksums_are_those_of_all_files(self):
        done = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=DIST)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        listed = {line.split(None, 1)[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(listed, {path.name for path in DIST.iterdir()} - {"SHA256SUMS"})

    def test_the_four_debian_packages_and_their_sizes(self):
        names = [path.name.split("_")[0] for path in DEBS]
        self.assertEqual(names, ["libseedbed-dev", "libseedbed1", "python3-seedbed", "seedbed"])
        for path in DEBS:
            self.assertLess(path.stat().st_size, 40e6, path.name)
        self.assertLess(ARCHIVES[0].stat().st_size, 60e6)

    def test_stripped_libraries_are_small(self):
        with tempfile.TemporaryDirectory() as folder:
            run("dpkg-deb", "-x", DEBS[1], folder)
            sizes = {path.name: path.stat().st_size
                     for path in pathlib.Path(folder).glob("usr/lib/*/*.so.*.*.*")}
        self.assertEqual(len(sizes), 2, sizes)
        for name, size in sizes.items():
            self.assertLessEqual(size, 1 << 20 if "policy" in name else 6 << 20, f"{name}: {size}")

    def test_packages_and_archive_have_fleets(self):
        depends = run("dpkg-deb", "-f", DEBS[3], "Depends").stdout
        self.assertRegex(depends, r"\blibgrpc\+\+")
        members = run("tar", "-tf", ARCHIVES[0]).stdout
        for name in (r"lib/seedbed/seedbed_grpc\.so", r"lib/libgrpc\+\+\.so\S*", r"lib/libgrpc\.so\S*"):
            self.assertRegex(members, rf"(?m)^[^/]+/{name}$")

    @unittest.skipUnless(shutil.which("lintian"), "lintian was not found")
    def test_lintian_finds_no_errors(self):
        done = run("lintian", "--allow-root", "--fail-on", "error", *DEBS)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_development_package_has_examples(self):
        listed = run("dpkg-deb", "-c", DEBS[0]).stdout
        for name in ("thermostat.c", "game_loop.c", "lander_env.c"):
            self.assertIn(f"/usr/share/doc/libseedbed-dev/examples/{name}\n", listed)

    def test_the_list_of_contents_names_every_library(self):
        document = json.loads(next(DIST.glob("*.spdx.json")).read_text())
        self.assertEqual(document["spdxVersion"], "SPDX-2.3")
        comments = "\n".join(package.get("comment", "") for package in document["packages"])
        listed = set(re.findall(r"^(lib/\S+) sha256 [0-9a-f]{64}$", comments, re.M))
        members = run("tar", "-tf", ARCHIVES[0]).stdout.split("\n")
        libraries = {name.split("/", 1)[1] for name in members if "/lib/" in name and ".so" in name}
        self.assertEqual({name for name in libraries if "seedbed" not in name.split("/")[-1]}, listed)


@unittest.skipUnless(CAN_ENTER, "needs root and a folder made by debootstrap")
class BareDebian(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed_root_", dir=ROOT.parent)
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name) / "root"
        run("cp", "-a", ROOT, self.root)  # copies devices as devices
        if pathlib.Path("/etc/resolv.conf").exists():
            shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        self.assertEqual(self.inside("mount -t proc proc /proc && umount /proc").returncode, 0)

    def inside(self, command, **options):
        """Runs a command in the root, with mounts that only it sees."""
        script = f"mount -t proc proc /proc; mount -t tmpfs shm /dev/shm; export HOME=/root; {command}"
        return run("unshare", "--mount", "--fork", "chroot", self.root, "sh", "-c", script, **options)

    def trains_and_opens(self, folder):
        done = self.inside(f"{folder}/seedbed train cartpole --steps 20000 --quiet --data /tmp/d && "
                           f"{folder}/seedbed list --data /tmp/d")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cartpole", done.stdout)
        done = self.inside(f"{folder}/seedbed fleet start cartpole_vtrace --actors 1 --envs 8 --steps 3000 "
                           "--eval.final_episodes 2 --quiet --data /tmp/d")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.inside(f"QT_QPA_PLATFORM=offscreen timeout --foreground --preserve-status 120 "
                           f"{folder}/seedbed-gui --data /tmp/d; echo code $?")
        self.assertIn("code 0", done.stdout, done.stderr)
        self.assertIn("(commit ", self.inside(f"{folder}/seedbed-gui --version").stdout)

    def test_the_archive_runs_where_it_is_unpacked(self):
        run("tar", "-xf", ARCHIVES[0], "-C", self.root / "opt")
        unpacked = next((self.root / "opt").iterdir())
        unpacked.rename(self.root / "opt/moved here")
        self.trains_and_opens("'/opt/moved here/bin'")

    def test_debian_packages_are_installed_used_and_removed(self):
        for path in DEBS:
            shutil.copy(path, self.root / "tmp")
        done = self.inside("apt-get update -q && apt-get install -y -q --no-install-recommends /tmp/*.deb",
                           timeout=900)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        self.trains_and_opens("/usr/bin")
        done = self.inside("python3 -c 'import seedbed; run = seedbed.train(\"cartpole\", steps=20000); "
                           "print(run.steps >= 20000)'")
        self.assertEqual(done.stdout.strip(), "True", done.stderr)
        done = self.inside("apt-get install -y -q --no-install-recommends gcc libc6-dev pkg-config && cd /tmp && "
                           "cp /usr/share/doc/libseedbed-dev/examples/*.c . && cc thermostat.c -o thermostat "
                           "$(pkg-config --cflags --libs seedbed) -lm && ./thermostat", timeout=900)
        self.assertIn("after two hours: 2", done.stdout, done.stderr)
        done = self.inside("apt-get purge -y -q seedbed libseedbed1 && ls /tmp/d/seedbed.db && ls /usr/bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("/tmp/d/seedbed.db", done.stdout)
        self.assertNotIn("\nseedbed", done.stdout.split("/tmp/d/seedbed.db")[1])


if __name__ == "__main__":
    unittest.main()
