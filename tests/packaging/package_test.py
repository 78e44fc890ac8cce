#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the packages in dist/ that packaging/package.sh made: sizes, checksums, lintian, list of contents.

usage: package_test.py DIST
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DIST = pathlib.Path(sys.argv[1]).resolve()
del sys.argv[1:]
DEBS = sorted(DIST.glob("*.deb"))
ARCHIVES = sorted(DIST.glob("seedbed-*.tar.xz"))
if not DEBS or not ARCHIVES:
    print(f"[  SKIPPED ] {DIST} does not contain packages (packaging/package.sh)")
    sys.exit()


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


if __name__ == "__main__":
    unittest.main()
