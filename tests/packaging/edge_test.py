#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the static libraries for 64-bit ARM that packaging/edge.sh made: programs that are built from the
archive alone train, fine-tune and act under qemu-aarch64.

usage: edge_test.py BUILD [--long] [--kernel VMLINUZ]

BUILD: the folder of a build for this computer, whose library exports the policy that is fine-tuned. Skipped
without archive, cross compiler or emulator; --long makes the archive first. --kernel measures memory without
the emulator's: qemu-system-aarch64 starts this kernel, such as that of Debian's package linux-image-arm64.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
LONG = "--long" in sys.argv[2:]
KERNEL = pathlib.Path(sys.argv[sys.argv.index("--kernel") + 1]) if "--kernel" in sys.argv else None
del sys.argv[1:]
EXAMPLES = ROOT / "docs/examples/edge"
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
BUDGET = 16_000_000  # bytes of resident memory for CartPole
STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O2")


def skip(reason):
    print(f"[  SKIPPED ] {reason}")
    sys.exit()


for tool in (COMPILER, EMULATOR):
    if shutil.which(tool) is None:
        skip(f"{tool} was not found (packaging/packages.txt, group edge)")
if LONG:
    subprocess.run([ROOT / "packaging/edge.sh", "--no-install"], check=True)
ARCHIVES = sorted((ROOT / "dist").glob("libseedbed-static-*-aarch64.tar.xz"))
if not ARCHIVES:
    skip("dist/ contains no static libraries for aarch64 (packaging/edge.sh)")


def run(*words, code=0, **options):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, **options)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout if code == 0 else done.stderr


def archive_of_files(files):
    """A cpio archive (format newc) of programs, which the kernel unpacks as its first file system."""
    out = b""
    entries = [("dev", 0o40755, b"", 0), ("dev/console", 0o20600, b"", 1),
               *((name, 0o100755, data, 0) for name, data in files.items()), ("TRAILER!!!", 0, b"", 0)]
    for number, (name, mode, data, device) in enumerate(entries):
        fields = (number + 1, mode, 0, 0, 1, 0, len(data), 0, 0, 5 * device, device, len(name) + 1, 0)
        out += b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        out += b"\0" * (-len(out) % 4) + data
        out += b"\0" * (-len(out) % 4)
    return out


class Edge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="seedbed-edge-")
        cls.folder = pathlib.Path(cls.scratch.name)
        run("tar", "-xf", ARCHIVES[-1], "-C", cls.folder)
        (cls.prefix,) = cls.folder.glob("libseedbed-static-*")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def program(self, source, library="seedbed", include=(), strict=STRICT):
        """Builds a program from the archive, without the source tree's headers."""
        out = self.folder / f"{source.stem}-{library}"
        if not out.exists():
            shutil.copy(EXAMPLES / "process_status.h", self.folder)
            copied = shutil.copy(source, self.folder)
            folders = [self.prefix / "include", *include]
            run(COMPILER, *strict, "-static", *(f"-I{folder}" for folder in folders), copied, "-o", out,
                f"-L{self.prefix / 'lib'}", f"-l{library}", "-lstdc++", "-lm")
        return out

    def emulate(self, program, *words, code=0, **options):
        return run(EMULATOR, program, *words, code=code, **options)

    def exported(self):
        """The policy of the example, trained and exported on this computer."""
        out = self.folder / "exported"
        if not out.exists():
            program = self.folder / "fine_tune-host"
            libraries = BUILD / "bin"
            run("cc", "-std=c99", f"-I{self.prefix / 'include'}", EXAMPLES / "fine_tune.c", "-o", program,
                f"-L{libraries}", "-lseedbed", "-lm", f"-Wl,-rpath,{libraries}")
            run(program, "desktop", out)
        return out

    def test_programs_see_only_the_functions_of_the_api(self):
        for library, headers in (("seedbed", ("seedbed.h", "seedbed_policy.h")),
                                 ("seedbed_policy", ("seedbed_policy.h",))):
            text = "".join((self.prefix / "include" / name).read_text() for name in headers)
            functions = set(re.findall(r"SEEDBED_POLICY_API [^;(]*\b(seedbed_\w+)\(", text))
            listed = run("aarch64-linux-gnu-nm", "--defined-only", "--extern-only",
                         self.prefix / f"lib/lib{library}.a")
            defined = {line.split()[-1] for line in listed.splitlines() if len(line.split()) == 3}
            self.assertEqual(defined, functions, library)

    def test_programs_need_no_other_file(self):
        for program in (self.program(EXAMPLES / "budget.c"), self.prefix / "bin/fine_tune"):
            header = run("readelf", "-hl", program)
            self.assertIn("AArch64", header)
            self.assertNotIn("INTERP", header)

    def test_cartpole_is_learned(self):
        out = self.emulate(self.program(EXAMPLES / "budget.c"))
        print(out.strip(), "(includes the emulator)")
        self.assertGreater(float(re.search(r"mean return ([\d.]+)", out)[1]), 200)

    @unittest.skipUnless(KERNEL, "no kernel was named (--kernel)")
    def test_memory_on_an_emulated_machine(self):
        init = self.program(ROOT / "tests/packaging/edge/init.c", strict=("-O2",))
        files = {"init": init.read_bytes(), "budget": (self.prefix / "bin/budget").read_bytes()}
        (self.folder / "files.cpio").write_bytes(archive_of_files(files))
        out = run("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-m", "512M", "-nographic",
                  "-no-reboot", "-nic", "none", "-kernel", KERNEL, "-initrd", self.folder / "files.cpio",
                  "-append", "console=ttyAMA0 quiet panic=-1", stdin=subprocess.DEVNULL)
        print(next(line for line in out.splitlines() if "peak memory" in line), "(emulated machine)")
        self.assertIn("status 0", out)
        self.assertLessEqual(float(re.search(r"peak memory ([\d.]+) MiB", out)[1]) * (1 << 20), BUDGET)

    def test_no_thread_remains(self):
        program = self.program(EXAMPLES / "budget.c")
        done = subprocess.run([EMULATOR, "-strace", program, "cartpole", "2000"], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("brk(", done.stderr)
        # The environments are created by a thread that ends before training begins.
        threads = len(re.findall(r"\b(?:clone3?|fork|vfork)\(", done.stderr))
        self.assertLessEqual(threads, 1)
        self.assertEqual(len(re.findall(r"\bexit\(0\)", done.stderr)), threads)
        self.assertNotRegex(done.stderr, r"O_(WRONLY|RDWR|CREAT)")

    def test_more_memory_than_the_budget_is_refused(self):
        program = self.program(EXAMPLES / "budget.c")
        error = self.emulate(program, "cartpole", 1000, "actor.num_envs=4096", "algo.rollout_length=512",
                             code=1)
        self.assertRegex(error, r"create: .*memory")

    def test_an_exported_policy_is_fine_tuned(self):
        new = self.folder / "new"
        out = self.emulate(self.program(EXAMPLES / "fine_tune.c"), "device", new, self.exported())
        print(out.strip())
        before, after = map(float, re.findall(r": ([\d.]+)$", out, re.MULTILINE))
        self.assertLess(before, 450)
        self.assertGreaterEqual(after, 475)
        # It needs less training than random weights do.
        self.assertLess(int(re.search(r"for (\d+) steps", out)[1]), 10000)
        self.assertIn(self.act(new, "0 0 0.1 0.5"), ("0", "1"))

    def act(self, folder, observation):
        host = ROOT / "tests/export/embed/host/host.c"
        return self.emulate(self.program(host, "seedbed_policy"), folder, input=observation).strip()

    def test_policies_decide_as_on_this_computer(self):
        program = self.folder / "host-native"
        run("cc", "-std=c99", f"-I{self.prefix / 'include'}", ROOT / "tests/export/embed/host/host.c", "-o",
            program, f"-L{BUILD / 'bin'}", "-lseedbed_policy", f"-Wl,-rpath,{BUILD / 'bin'}")
        observations = [f"{0.02 * i - 0.5} {0.3 - 0.01 * i} {0.004 * i - 0.1} {((7 * i) % 50 - 25) / 10}"
                        for i in range(50)]
        text = "\n".join(observations)
        decided = self.act(self.exported(), text).split()
        self.assertEqual(decided, run(program, self.exported(), input=text).split())
        self.assertEqual(set(decided), {"0", "1"})

    def test_damaged_policies_are_refused(self):
        damaged = self.folder / "damaged"
        shutil.copytree(self.exported(), damaged)
        data = (damaged / "model.safetensors").read_bytes()
        (damaged / "model.safetensors").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        error = self.emulate(self.program(EXAMPLES / "fine_tune.c"), "device", self.folder / "none", damaged,
                             code=1)
        self.assertIn("SHA-256", error)
        self.assertFalse((self.folder / "none").exists())

    def test_runs_are_stored_and_resumed(self):
        stored = ROOT / "tests/export/embed/trainer/stored.c"
        program = self.program(stored, include=[stored.parent])
        data = self.folder / "data"
        whole = self.emulate(program, self.folder / "whole", "world", 1280).split()
        run_id = self.emulate(program, data, "world", 640).split()[0]
        self.assertEqual(self.emulate(program, data, "world", 1280, run_id).split(), [run_id, *whole[1:]])
        # The program on this computer reads the database.
        seedbed = BUILD / "bin/seedbed"
        if seedbed.exists():
            listed = run(seedbed, "show", run_id, "--json", env={**os.environ, "SEEDBED_DATA": str(data)})
            self.assertIn('"host:world"', listed)

    def test_licences_of_the_included_libraries_are_there(self):
        libraries = self.prefix / "share/doc/seedbed/libraries"
        for name in ("libsqlite3", "libssl", "zlib1g", "libfmt", "libspdlog"):
            self.assertTrue((libraries / name).read_text(), name)


if __name__ == "__main__":
    unittest.main()
