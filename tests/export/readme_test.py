# SPDX-License-Identifier: Apache-2.0
"""Runs the code in the READMEs of exports exactly as it is printed there, for policies of every shape:
several observations, masks, memory, boxes, and every profile.
"""
import json
import pathlib
import re
import shutil
import subprocess
import unittest

import harness
from harness import PYTHON, ExportCase, has_python

FAST = [
    "--preset", "none", "--steps", "600", "--eval.episodes", "1", "--eval.final_episodes", "0",
    "--eval.every_steps", "1000000", "--run.inference", "inline", "--network.hidden", "16,16", "--quiet"
]
STAND_IN = pathlib.Path(__file__).resolve().parent / "onnxruntime_web.mjs"
LSTM = ["--network.core", "lstm", "--network.core_size", "8"]
FEEDBACK = ["--network.previous_action", "true", "--network.previous_reward", "true"]
# The environment, its settings, and the profiles that can represent the policy.
POLICIES = {
    "cartpole": ("cartpole", [], ("plain", "unity", "godot")),
    "pendulum": ("pendulum", [], ("plain", "unity", "godot")),
    "lstm": ("cartpole", LSTM, ("plain", "unity")),
    "feedback": ("cartpole", LSTM + FEEDBACK, ("plain", )),
    "minigrid": ("minigrid_empty_5x5", [], ("plain", "unity", "godot")),
    "masks": ("connect_four", [], ("plain", "unity")),
    "pixels": ("catch_pixels", [], ("plain", "unity", "godot")),
    "sac": ("pendulum", ["--algo", "sac"], ("plain", "unity", "godot")),
    "td3": ("pendulum", ["--algo", "td3"], ("plain", "unity", "godot")),
    "ensemble": ("cartpole", ["--algo", "dqn", "--algo.values", "ensemble"], ("plain", "unity", "godot")),
    "r2d2": ("cartpole", ["--algo", "r2d2", *LSTM], ("plain", "unity")),
}
RUN_AS_PRINTED = {"python", "js", "sh"}  # languages of the blocks that the tests below run


def blocks(folder, language):
    text = (folder / "README.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


class ReadmeCase(ExportCase):

    @classmethod
    def prepare(cls):
        for name, (env, settings, _) in POLICIES.items():
            cls.seedbed("train", env, "--name", name, *FAST, *settings)

    def exported(self, policy, *arguments):
        out = self.folder / f"{policy}-{'-'.join(arguments)}".replace("--", "")
        # The verification itself is tested elsewhere.
        self.seedbed("export", policy, "--out", out, "--seconds", "1", "--no-replay", "--eval-episodes", "0",
                     *arguments)
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

    def required_inputs(self, folder):
        script = ("import onnxruntime, json; print(json.dumps([i.name for i in "
                  "onnxruntime.InferenceSession('policy.onnx').get_inputs()]))")
        return json.loads(self.run_block(folder, [PYTHON, "-c", script]))

    @unittest.skipUnless(has_python(), "no Python with onnxruntime")
    def test_python_code_of_onnx_exports_runs_as_printed(self):
        for policy, (_, _, profiles) in POLICIES.items():
            for profile in profiles:
                with self.subTest(policy=policy, profile=profile):
                    out = self.exported(policy, "--to", "onnx", "--profile", profile)
                    found = blocks(out, "python")
                    self.assertEqual(len(found), 1)
                    self.assertTrue(self.run_block(out, [PYTHON, "-c", found[0]]).strip())
                    for name in self.required_inputs(out):
                        self.assertIn(f'"{name}"', found[0])
                        if profile == "plain":
                            self.assertIn(f'"{name}"', blocks(out, "js")[0])
                    if profile == "unity":
                        self.assertIn("not a sample", (out / "README.md").read_text())

    @unittest.skipUnless(has_python(), "no Python with onnxruntime")
    @unittest.skipUnless(shutil.which("node"), "no node (Debian package nodejs)")
    def test_javascript_of_onnx_exports_runs_as_printed_with_a_stand_in_for_the_web_runtime(self):
        for policy in POLICIES:
            with self.subTest(policy=policy):
                out = self.exported(policy, "--to", "onnx")
                (code, ) = blocks(out, "js")
                (python, ) = blocks(out, "python")
                program = self.folder / f"{policy}.mjs"
                program.write_text(f'import "{STAND_IN.as_uri()}";\n{code}console.log(action);\n')
                action = float(self.run_block(out, ["node", program]))
                same = self.run_block(out, [PYTHON, "-c", python])
                self.assertAlmostEqual(action, float(re.search(r"-?\d[-.e\d]*", same)[0]), places=5)

    @unittest.skipUnless(has_python(), "no Python with safetensors")
    def test_python_code_of_safetensors_exports_runs_as_printed(self):
        for policy in POLICIES:
            with self.subTest(policy=policy):
                out = self.exported(policy, "--to", "safetensors")
                (code, ) = blocks(out, "python")
                self.assertTrue(self.run_block(out, [PYTHON, "-c", code]).strip())

    def test_commands_of_c_exports_run_as_printed(self):
        for policy in POLICIES:
            with self.subTest(policy=policy):
                out = self.exported(policy, "--to", "c")
                (code, ) = blocks(out, "sh")
                self.assertRegex(self.run_block(out, ["sh", "-e", "-c", code]), "^[-0-9.e ]+\n$")
                self.assertIn("'agent'", self.seedbed("verify", out, "--episodes", "0").stderr)


if __name__ == "__main__":
    harness.main()
