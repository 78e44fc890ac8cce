# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of single commands: an empty data folder and helpers to run the program. Not a test."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(SOURCE / "tests"))  # the folder of measure.py
QUICK = ["--steps", "2000", "--eval.episodes", "5", "--eval.final_episodes", "5"]


shared = {}  # data folders of runs that several tests begin with, by the arguments of `train`


class CommandCase(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed-cli-")
        self.addCleanup(self.folder.cleanup)
        self.data = pathlib.Path(self.folder.name) / "data"
        self.env = {
            **os.environ, "SEEDBED_DATA": str(self.data), "HOME": self.folder.name,
            "XDG_CONFIG_HOME": self.folder.name + "/config"
        }
        self.env.pop("SEEDBED_RESOURCES", None)

    def seedbed(self, *arguments, code=0, env=None):
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True,
                             env={**self.env, **(env or {})}, timeout=600)
        self.assertEqual(run.returncode, code, f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run

    def trained(self, *arguments):
        """Makes a data folder with a run; only the first test that needs this run trains it."""
        if arguments not in shared:
            folder = tempfile.TemporaryDirectory(prefix="seedbed-trained-")
            unittest.addModuleCleanup(folder.cleanup)
            shared[arguments] = pathlib.Path(folder.name) / "data"
            self.seedbed("train", *arguments, "--data", str(shared[arguments]))
        shutil.copytree(shared[arguments], self.data)

    def document(self, *arguments, code=0):
        out = self.seedbed(*arguments, "--json", code=code).stdout
        self.assertEqual(out.count("\n"), 1, "one document on one line")
        return json.loads(out)

    def evaluation(self, *arguments):
        """The output of `eval` without the run, which may differ for the same policy."""
        document = self.document("eval", *arguments)
        del document["run"]
        return document

    def assertText(self, run, *texts):
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.stderr.strip().count("\n"), 0, "one sentence: " + run.stderr)
        for text in texts:
            self.assertIn(text, run.stderr)

    def start(self, *arguments, **options):
        process = subprocess.Popen([PROGRAM, *arguments], env=self.env, text=True, **options)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, what, check, seconds=120):
        end = time.monotonic() + seconds
        while not check():
            self.assertLess(time.monotonic(), end, f"timeout of {seconds} s waiting for {what}")
            time.sleep(0.02)

    def wait_for_steps(self, run, steps):
        self.wait_for("steps", lambda: self.document("show", run)["steps"] >= steps)
