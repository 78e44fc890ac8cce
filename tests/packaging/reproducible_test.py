#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the packages of the checked-out commit twice and compares every file in dist/. The builds are in
clones at paths of different lengths, the second with another umask, time zone and language and without
compiler cache.

usage: reproducible_test.py SOURCES
"""

import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from measure import measures  # noqa: E402

SOURCES = pathlib.Path(sys.argv.pop(1)).resolve()


def members(name, data):
    """The parts of a package by name, and what else it records about them; {} for other files."""
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return {entry.filename: (file.read(entry), entry.date_time, entry.external_attr)
                    for entry in file.infolist()}
    if name.endswith(".deb"):  # an ar archive: a line of 60 characters before each part
        parts, at = {}, 8
        while at < len(data):
            head, size = data[at:at + 48], int(data[at + 48:at + 58])
            parts[head[:16].decode().strip()] = (data[at + 60:at + 60 + size], head)
            at += 60 + size + size % 2
        return parts
    if ".tar" in name:
        with tarfile.open(fileobj=io.BytesIO(data)) as file:
            return {entry.name: (file.extractfile(entry).read() if entry.isreg() else b"", entry.mode,
                                 entry.mtime, entry.uname, entry.gname, entry.uid, entry.gid, entry.linkname,
                                 entry.type) for entry in file}
    return {}


def differences(name, first, second):
    """Where two files differ: the member, the offset and the bytes there."""
    if first == second:
        return []
    inner = members(name, first), members(name, second)
    found = [f"{name}: only in one: {member}" for member in sorted(set(inner[0]) ^ set(inner[1]))]
    for member in sorted(set(inner[0]) & set(inner[1])):
        (one, *about), (other, *about_other) = inner[0][member], inner[1][member]
        if about != about_other:
            found.append(f"{name}: {member}: {about} and {about_other}")
        found += [f"{name}: {line}" for line in differences(member, one, other)]
    if list(inner[0]) != list(inner[1]):
        found.append(f"{name}: the order of its members")
    at = next((i for i, (a, b) in enumerate(zip(first, second)) if a != b), min(len(first), len(second)))
    return found or [f"{name}: at byte {at} of {len(first)} and {len(second)}: "
                     f"{first[at - 16:at + 32]!r} and {second[at - 16:at + 32]!r}"]


def tar(path, mode="w:xz", **fields):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as file:
        for name, content in (("bin/a", b"same"), (path, b"content")):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            for key, value in fields.items():
                setattr(entry, key, value)
            file.addfile(entry, io.BytesIO(content))
    return data.getvalue()


class Comparison(unittest.TestCase):
    def test_the_first_different_member_is_named(self):
        self.assertEqual(differences("a.tar.xz", tar("bin/b"), tar("bin/b")), [])
        self.assertIn("only in one: bin/c", differences("a.tar.xz", tar("bin/b"), tar("bin/c"))[1])
        self.assertIn("b: [420, 1,", differences("a.tar.xz", tar("b", mtime=1), tar("b", mtime=2))[0])
        debs = [f"!<arch>\n{'data.tar.xz':16}{time:<32}{len(data):<10}`\n".encode() + data +
                b"\n" * (len(data) % 2)
                for time, data in ((1, tar("b", mtime=1)), (1, tar("b", mtime=2)), (2, tar("b", mtime=1)))]
        self.assertIn("a.deb: data.tar.xz: b: [420, 1,", differences("a.deb", debs[0], debs[1])[0])
        self.assertIn("a.deb: data.tar.xz: [b'data.tar.xz", differences("a.deb", debs[0], debs[2])[0])
        self.assertIn("at byte 2 of 4 and 4", differences("a", b"abcd", b"abxd")[0])


@measures
class Packages(unittest.TestCase):
    def skip(self, reason):
        print(f"[  SKIPPED ] {reason}")
        self.skipTest(reason)

    def build(self, tree, umask, environment):
        done = subprocess.run(["git", "clone", "-q", SOURCES, tree], capture_output=True, text=True)
        if done.returncode != 0:
            self.skip(f"git clone failed: {done.stderr.strip()}")
        done = subprocess.run([tree / "packaging/package.sh", "--no-install"], capture_output=True, text=True,
                              env={**os.environ, **environment}, umask=umask)
        if "not installing (--no-install)" in done.stderr:
            self.skip(done.stderr.strip().splitlines()[-1])
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return {path.name: path.read_bytes() for path in sorted((tree / "dist").iterdir())}

    def test_two_builds_of_a_commit_give_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.build(pathlib.Path(folder, "first"), 0o022, {"TZ": "UTC", "LC_ALL": "C.UTF-8"})
            other = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "CCACHE_DISABLE": "1"}
            second = self.build(pathlib.Path(folder, "a/longer/path/to/the/second"), 0o077, other)
        self.assertGreaterEqual(len(first), 8, list(first))  # four .deb, archive, list, wheel and SHA256SUMS
        self.assertEqual(list(first), list(second))
        found = [line for name in first if name != "SHA256SUMS"
                 for line in differences(name, first[name], second[name])]
        self.assertEqual(found, [], "\n".join(found[:40]))
        self.assertEqual(first["SHA256SUMS"], second["SHA256SUMS"])


if __name__ == "__main__":
    unittest.main()
