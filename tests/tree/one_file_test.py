# SPDX-License-Identifier: Apache-2.0
"""Proves that an environment, an algorithm, an encoder, an export target and a command need one file each,
and an operation of networks needs a descriptor and one file per engine and target.

usage: one_file_test.py PROGRAM

PROGRAM is seedbed linked with the files of tests/tree/one_file, each of which adds one of these and
registers itself; no other file names them. Everything that lists or uses registered parts must find the
new ones.
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

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(__file__).resolve().parent / "one_file"
PROGRAM = sys.argv.pop() if len(sys.argv) > 1 else None
# Recipe of CONTRIBUTING.md: (folder, file written after it).
RECIPES = {
    "An environment": ("envs/", "environment.cpp"),
    "An algorithm": ("core/algo/", "algorithm.cpp"),
    "An encoder": ("core/nn/encoders/", "encoder.cpp"),
    "An export target": ("core/export/targets/", "export_target.cpp"),
    "A command": ("app/commands/", "command.cpp"),
}
# Folders of the files of an operation. The other engines are optional.
OPERATION = {
    "descriptor.cpp": "core/nn/operations/",
    "reference.cpp": "core/nn/engines/reference/operations/",
    "onnx.cpp": "core/export/onnx/operations/",
    "c.cpp": "core/export/c_operations/",
}


class OneFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed-one-file-")
        self.addCleanup(self.folder.cleanup)
        self.env = {**os.environ, "SEEDBED_DATA": self.folder.name + "/data", "HOME": self.folder.name}

    def seedbed(self, *arguments):
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=self.env, timeout=600)
        self.assertEqual(run.returncode, 0, f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run.stdout

    def document(self, *arguments):
        return json.loads(self.seedbed(*arguments, "--json").splitlines()[-1])

    def train(self, engine="reference"):
        self.seedbed("train", "one_file_env", "--preset", "none", "--algo", "one_file_algo",
                     "--network.encoder", "one_file_encoder", "--engine", engine, "--steps", "400",
                     "--eval.episodes", "2", "--eval.final_episodes", "2", "--quiet")

    def test_contributing_promises_one_file_for_each_of_them(self):
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        for recipe, (folder, file) in RECIPES.items():
            self.assertRegex(text, rf"\*\*{re.escape(recipe)}\.\*\* One file(,| in) `{re.escape(folder)}")
            self.assertTrue((FOLDER / file).exists(), file)
        self.assertEqual({path.name for path in FOLDER.glob("*.cpp")}, {file for _, file in RECIPES.values()})
        self.assertIn("**An operation of a network.** One descriptor, one file per engine and one per export",
                      text)
        for folder in OPERATION.values():
            self.assertIn(f"| `{folder}` |", text)
        self.assertEqual({path.name for path in (FOLDER / "operation").glob("*.cpp")}, set(OPERATION))

    def test_a_run_uses_environment_algorithm_and_encoder(self):
        self.train()
        shown = self.document("show", "1")
        self.assertEqual(shown["status"], "finished")
        self.assertEqual((shown["env"], shown["algo"]), ("one_file_env", "one_file_algo"))
        self.assertEqual(shown["config"]["network"]["encoder"], "one_file_encoder")
        self.assertIn("loss/one_file", self.document("metrics", "1"))
        self.assertEqual(self.document("eval", "1", "--episodes", "3")["n"], 3)

    def test_the_operation_trains_in_another_engine_and_is_exported(self):
        self.train("native")
        target = pathlib.Path(self.folder.name) / "policy"
        forms = "onnx,c" if shutil.which("cc") else "onnx"
        self.seedbed("export", "1", "--to", forms, "--out", str(target))
        self.seedbed("verify", str(target))

    def test_an_export_writes_the_new_form_and_proves_it(self):
        self.train()
        target = pathlib.Path(self.folder.name) / "policy"
        self.seedbed("export", "1", "--to", "one_file_target", "--out", str(target))
        self.assertEqual((target / "one_file.txt").read_text(), "one file\n")
        self.seedbed("verify", str(target))

    def test_lists_reference_and_completion_know_them(self):
        self.assertIn("one_file_env", [env["id"] for env in self.document("env", "list")])
        reference = self.seedbed("config")
        for name in ("one_file_algo", "one_file_encoder"):
            self.assertIn(name, reference)
        for words, completed in ((["train", "one_"], "one_file_env"),
                                 (["train", "cartpole", "--algo", "one_"], "one_file_algo"),
                                 (["train", "cartpole", "--network.encoder", "one_"], "one_file_encoder"),
                                 (["export", "1", "--to", "one_"], "one_file_target"),
                                 (["one_"], "one_file_command")):
            self.assertEqual(self.seedbed("complete", "--", *words), completed + "\n")
        self.assertIn("one_file_command", self.seedbed("--help"))

    def test_the_command_runs(self):
        self.assertEqual(self.seedbed("one_file_command"), "one file\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
