# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of exported policies: the program, a data folder with one trained run, and the Python
with onnxruntime.
"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PYTHON = pathlib.Path(sys.argv[2])
BUILD = pathlib.Path(sys.argv[3]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(SOURCE / "tests"))  # the folder of measure.py


def has_python():
    return PYTHON.exists()


def run_python(script, *arguments, timeout=300):
    """Runs a script with the Python that has onnxruntime; returns what it printed."""
    out = subprocess.run(
        [PYTHON, "-c", script, *map(str, arguments)], capture_output=True, text=True, timeout=timeout
    )
    assert out.returncode == 0, out.stderr
    return out.stdout


def tensors(path):
    """The arrays of a safetensors file, without the library."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    header.pop("__metadata__", None)
    return {
        n: (
            t["shape"],
            struct.unpack(
                f"<{(t['data_offsets'][1] - t['data_offsets'][0]) // 4}f", body[slice(*t["data_offsets"])]
            ),
        )
        for n, t in header.items()
    }


class ExportCase(unittest.TestCase):
    """One CartPole run, trained to the best score once for the whole class; prepare() may train others
    instead."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-export-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.env = {
            **os.environ,
            "SEEDBED_DATA": str(cls.folder / "data"),
            "HOME": str(cls.folder),
            "XDG_CONFIG_HOME": str(cls.folder / "config"),
        }
        if has_python():
            cls.env["SEEDBED_PYTHON"] = str(PYTHON)
        cls.prepare()

    @classmethod
    def prepare(cls):
        cls.seedbed("train", "cartpole", "--steps", "150000", "--eval.every_steps", "75000", "--quiet")

    @classmethod
    def seedbed(cls, *arguments, code=0, env=None, cwd=None):
        run = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            capture_output=True,
            text=True,
            env={**cls.env, **(env or {})},
            cwd=cwd,
            timeout=300,
        )
        assert run.returncode == code, f"{arguments}: {run.returncode}\n{run.stdout}\n{run.stderr}"
        return run

    def document(self, *arguments, **options):
        return json.loads(self.seedbed(*arguments, "--json", **options).stdout)

    def evaluation(self, *arguments):
        """The output of `eval` without the run, which may differ for the same policy."""
        document = self.document("eval", *arguments)
        del document["run"]
        return document

    def export(self, name, *arguments, policy="1:best", code=0, env=None, seconds="200"):
        """By default all episodes are played to the end, even on a busy machine; with `seconds` 0 only 30
        steps."""
        out = self.folder / name
        shutil.rmtree(out, ignore_errors=True)
        run = self.seedbed("export", policy, "--out", out, "--seconds", seconds, *arguments, code=code,
                           env=env)
        return out, run

    def shared(self, name, *arguments):
        """A copy of an export with these arguments, which is made once for all tests of the class, without
        pictures and with a short verification."""
        made = self.folder / "-".join(["shared", *arguments]).replace(",", "-")
        if not made.exists():
            self.export(made.name, *arguments, "--no-replay", seconds="0")
        out = self.folder / name
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)
        return out

    def assertNothingWritten(self, out):
        self.assertFalse(out.exists(), "no incomplete output")
        self.assertEqual(
            [p.name for p in out.parent.iterdir() if p.name.startswith("." + out.name)],
            [],
            "no temporary files remain",
        )


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
