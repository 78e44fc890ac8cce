# SPDX-License-Identifier: Apache-2.0
"""Runs the code in the READMEs of exports exactly as it is printed there, for policies of every shape:
several observations, masks, memory, boxes, and every profile. With SEEDBED_LONG=1 also the profiles of
policies that have the inputs of another one.
"""
import json
import pathlib
import re
import shutil
import subprocess
import unittest

import harness
from harness import PYTHON, ExportCase, has_python
from measure import MEASURING

FAST = [
    "--preset", "none", "--steps", "600", "--eval.episodes", "1", "--eval.final_episodes", "0",
    "--eval.every_steps", "1000000", "--run.inference", "inline", "--network.hidden", "16,16", "--quiet"
]
STAND_IN = pathlib.Path(__file__).resolve().parent / "onnxruntime_web.mjs"
LSTM = ["--network.core", "lstm", "--network.core_size", "8"]
# The header in C has 10 MB; with the default encoder, whose compilation takes longest, 73 MB.
IMAGES = ["--network.encoder", "impala_shallow", "--network.separate_critic", "false"]
FEEDBACK = ["--network.previous_action", "true", "--network.previous_reward", "true"]
# The environment, its settings, and the profiles that can represent the policy.
POLICIES = {
    "cartpole": ("cartpole", [], ("plain", "unity", "godot")),
    "pendulum": ("pendulum", [], ("plain", "unity", "godot")),
    "lstm": ("cartpole", LSTM, ("plain", "unity")),
    "feedback": ("cartpole", LSTM + FEEDBACK, ("plain", )),
    "minigrid": ("minigrid_empty_5x5", [], ("plain", "unity", "godot")),
    "masks": ("connect_four", [], ("plain", "unity")),
    "pixels": ("catch_pixels", IMAGES, ("plain", "unity", "godot")),
    "sac": ("pendulum", ["--algo", "sac"], ("plain", "unity", "godot")),
    "td3": ("pendulum", ["--algo", "td3"], ("plain", "unity", "godot")),
    "ensemble": ("cartpole", ["--algo", "dqn", "--algo.values", "ensemble"], ("plain", "unity", "godot")),
    "r2d2": ("cartpole", ["--algo", "r2d2", *LSTM], ("plain", "unity")),
}
LIKE_ANOTHER = {"sac", "td3", "ensemble", "r2d2"}  # inputs and profiles like those of another policy
RUN_AS_PRINTED = {"python", "js", "sh"}  # languages of the blocks that the tests below run
# Reads [[folder, code], ...]. Runs each code in its folder, without the names and the modules of the folders
# before it, and prints [[what it printed, its error, the inputs of policy.onnx], ...].
RUN_BLOCKS = """
import contextlib, io, json, os, sys, traceback
results = []
for folder, code in json.load(sys.stdin):
    os.chdir(folder)
    printed, error, inputs = io.StringIO(), "", []
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
        if os.path.exists("policy.onnx"):
            import onnxruntime
            inputs = [i.name for i in onnxruntime.InferenceSession("policy.onnx").get_inputs()]
    except BaseException:
        error = traceback.format_exc()
    sys.modules.pop("policy", None)
    results.append([printed.getvalue(), error, inputs])
print(json.dumps(results))
"""


def blocks(folder, language):
    text = (folder / "README.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


class ReadmeCase(ExportCase):

    @classmethod
    def prepare(cls):
        for name, (env, settings, _) in POLICIES.items():
            cls.seedbed("train", env, "--name", name, *FAST, *settings)
        cls.results = {}  # of run_python_blocks(), by folder

    def exported(self, policy, *arguments):
        out = self.folder / f"{policy}-{'-'.join(arguments)}".replace("--", "")
        if out.exists():  # another test has made and examined it
            return out
        # The verification itself is tested elsewhere.
        self.seedbed("export", policy, "--out", out, "--seconds", "0.1", "--no-replay", "--eval-episodes",
                     "0", *arguments)
        text = (out / "README.md").read_text()
        self.assertIn("\n## Use\n", text, f"{policy} {arguments}")
        languages = set(re.findall(r"^```(\S*)\n.*?^```$", text, re.M | re.S))
        self.assertLessEqual(languages, RUN_AS_PRINTED, f"{policy} {arguments}: code that no test runs")
        return out

    def run_block(self, folder, command):
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                             env=self.env)
        self.assertEqual(run.returncode, 0, f"{folder.name}: {command}\n{run.stderr}")
        return run.stdout

    def run_python_blocks(self, folders):
        """What the only Python code of each folder prints, and the inputs of its ONNX file. One process runs
        all of it, since starting Python with onnxruntime takes longer."""
        new = [folder for folder in folders if folder not in self.results]
        work = []
        for folder in new:
            found = blocks(folder, "python")
            self.assertEqual(len(found), 1, folder.name)
            work.append([str(folder), found[0]])
        run = subprocess.run([PYTHON, "-c", RUN_BLOCKS], input=json.dumps(work), capture_output=True,
                             text=True, timeout=300, env=self.env)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.results.update(zip(new, json.loads(run.stdout)))
        for folder in folders:
            _, error, _ = self.results[folder]
            self.assertEqual(error, "", folder.name)
        return {folder: self.results[folder][::2] for folder in folders}

    @unittest.skipUnless(has_python(), "no Python with onnxruntime")
    def test_python_code_of_onnx_exports_runs_as_printed(self):
        folders = {}
        for policy, (_, _, profiles) in POLICIES.items():
            for profile in profiles:
                if profile == "plain":
                    folders[policy, profile] = self.exported(policy, "--to", "onnx")
                elif MEASURING or policy not in LIKE_ANOTHER:
                    folders[policy, profile] = self.exported(policy, "--to", "onnx", "--profile", profile)
        results = self.run_python_blocks([*folders.values()])
        for (policy, profile), out in folders.items():
            with self.subTest(policy=policy, profile=profile):
                printed, inputs = results[out]
                self.assertTrue(printed.strip())
                self.assertTrue(inputs)
                for name in inputs:
                    self.assertIn(f'"{name}"', blocks(out, "python")[0])
                    if profile == "plain":
                        self.assertIn(f'"{name}"', blocks(out, "js")[0])
                if profile == "unity":
                    self.assertIn("not a sample", (out / "README.md").read_text())

    @unittest.skipUnless(has_python(), "no Python with onnxruntime")
    @unittest.skipUnless(shutil.which("node"), "no node (Debian package nodejs)")
    def test_javascript_of_onnx_exports_runs_as_printed_with_a_stand_in_for_the_web_runtime(self):
        folders = {policy: self.exported(policy, "--to", "onnx") for policy in POLICIES}
        results = self.run_python_blocks([*folders.values()])
        for policy, out in folders.items():
            with self.subTest(policy=policy):
                (code, ) = blocks(out, "js")
                program = self.folder / f"{policy}.mjs"
                program.write_text(f'import "{STAND_IN.as_uri()}";\n{code}console.log(action);\n')
                action = float(self.run_block(out, ["node", program]))
                same, _ = results[out]
                self.assertAlmostEqual(action, float(re.search(r"-?\d[-.e\d]*", same)[0]), places=5)

    @unittest.skipUnless(has_python(), "no Python with safetensors")
    def test_python_code_of_safetensors_exports_runs_as_printed(self):
        folders = {policy: self.exported(policy, "--to", "safetensors") for policy in POLICIES}
        results = self.run_python_blocks([*folders.values()])
        for policy, out in folders.items():
            with self.subTest(policy=policy):
                self.assertTrue(results[out][0].strip())

    def test_commands_of_c_exports_run_as_printed(self):
        for policy in POLICIES:
            with self.subTest(policy=policy):
                out = self.exported(policy, "--to", "c")
                (code, ) = blocks(out, "sh")
                self.assertRegex(self.run_block(out, ["sh", "-e", "-c", code]), "^[-0-9.e ]+\n$")
                if MEASURING or policy in ("cartpole", "feedback"):  # it is beside the files of any export
                    self.assertIn("'agent'", self.seedbed("verify", out, "--episodes", "0").stderr)


if __name__ == "__main__":
    harness.main()
