# SPDX-License-Identifier: Apache-2.0
"""Tests the installed libseedbed_policy: CMake finds it, and it makes the same decisions as the trainer."""

import json
import pathlib
import shutil
import subprocess
import time
import unittest

from harness import BUILD, SOURCE, ExportCase, main, tensors


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Embed(ExportCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix, cls.host = cls.folder / "prefix", cls.folder / "host"
        run("cmake", "--install", BUILD, "--component", "seedbed_policy", "--prefix", cls.prefix)
        shutil.copytree(SOURCE / "tests" / "export" / "embed" / "host", cls.host)
        run(
            "cmake",
            "-S",
            cls.host,
            "-B",
            cls.host / "build",
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={cls.prefix}",
        )
        run("cmake", "--build", cls.host / "build")
        cls.out = cls.folder / "exported"
        cls.seedbed(
            "export", "1:best", "--to", "onnx", "--out", cls.out, "--executor", "interpreter", "--no-replay"
        )

    def test_program_outside_of_the_tree_decides_like_the_trainer(self):
        golden = tensors(self.out / "golden.safetensors")
        shape, obs = golden["batch.obs.obs"]
        text = "\n".join(repr(x) for x in obs)
        actions = run(self.host / "build" / "host", self.out, input=text).split()
        self.assertEqual([float(a) for a in actions], list(golden["batch.action"][1]))

    def test_checkpoints_load_too_and_damage_is_told(self):
        checkpoint = next(
            p for p in (pathlib.Path(self.env["SEEDBED_DATA"]) / "checkpoints" / "1").iterdir() if p.is_dir()
        )
        self.assertIn(run(self.host / "build" / "host", checkpoint, input="0 0 0.1 0.5").strip(), ("0", "1"))
        damaged = self.folder / "damaged"
        shutil.copytree(self.out, damaged)
        data = (damaged / "model.safetensors").read_bytes()
        (damaged / "model.safetensors").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        done = subprocess.run([self.host / "build" / "host", damaged], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("SHA-256", done.stderr)

    def test_library_is_small_and_needs_little(self):
        (library,) = [p for p in self.prefix.rglob("libseedbed_policy.so.*") if not p.is_symlink()]
        stripped = self.folder / "stripped.so"
        run("strip", "-o", stripped, library)
        self.assertLessEqual(stripped.stat().st_size, 1 << 20)
        needed = run("readelf", "-d", library)
        for name in ("torch", "sqlite", "Qt"):
            self.assertNotIn(name, needed)
        symbols = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()]
        self.assertTrue(all(s.startswith("seedbed_") for s in symbols), symbols)

    def test_time_of_a_decision_is_reported(self):
        # An upper bound only; tests/bench/results/export.json has the times of an idle machine.
        reported = json.loads(run(self.host / "build" / "host", self.out, "--time", time.monotonic()))
        self.assertLess(reported["us_per_decision"], 1000)
        self.assertLess(reported["start_to_first_action_ms"], 10000)


if __name__ == "__main__":
    main()
