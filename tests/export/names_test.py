# SPDX-License-Identifier: Apache-2.0
"""Exports a policy whose observations have similar names, keywords and names of the exported programs, and
runs every target by the names that its README lists.
"""

import json
import re
import shutil
import subprocess
import unittest

from harness import ExportCase, has_python, main, run_python, tensors

ENVIRONMENT = """
import gymnasium as gym
import numpy as np

def box():
    return gym.spaces.Box(-1, 1, (1,), np.float32)

class Near(gym.Env):
    action_space = gym.spaces.Dict({"a": gym.spaces.Dict({"b": box()}), "a_b": gym.spaces.Discrete(3)})
    observation_space = gym.spaces.Dict({
        "arm": gym.spaces.Dict({"x": box()}),
        **{name: box() for name in [
            "arm_x", "gr\\u00f6\\u00dfe", "gr__e", "float", "class", "this", "1st", "p", "i", "obs", "policy",
            "action", "obs_action", "act", "tanh", "a\\"\\\\b*/", "scalar_1", "x" * 80, "x" * 81]},
    })

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t = 0
        return self.observation_space.sample(), {}

    def step(self, action):
        self.t += 1
        return self.observation_space.sample(), 1.0, self.t == 10, False, {}
"""

ONNX = """
import sys, json, numpy as np, onnx, onnxruntime
onnx.checker.check_model(onnx.load(sys.argv[1]), full_check=True)
session = onnxruntime.InferenceSession(sys.argv[1])
feed = {name: np.array(values, np.float32)[:, None] for name, values in json.load(open(sys.argv[2])).items()}
assert sorted(feed) == sorted(i.name for i in session.get_inputs()), [i.name for i in session.get_inputs()]
print(json.dumps(session.run(["action"], feed)[0].ravel().tolist()))
"""

NUMPY = """
import sys, json, numpy as np
sys.path.insert(0, sys.argv[1])
from policy import Policy
policy = Policy(sys.argv[1])
rows = np.array(list(json.load(open(sys.argv[2])).values())).T
names = [leaf["name"] for leaf in policy.spec["inputs"]["observations"]]
assert names == list(json.load(open(sys.argv[2]))), names
print(json.dumps([float(x) for row in rows for x in policy.act([[x] for x in row])]))
"""

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


@unittest.skipUnless(has_python(), "no Python with Gymnasium")
class Names(ExportCase):
    @classmethod
    def prepare(cls):
        (cls.folder / "near.py").write_text(ENVIRONMENT)
        cls.seedbed("train", f"gym:{cls.folder}/near.py:Near", "--steps", "300", "--eval.final_episodes", "0",
                    "--quiet")

    def folder_and_golden(self, *arguments):
        """An export, its golden observations by member, and its golden actions."""
        out = self.shared("-".join(arguments), *arguments)
        golden = tensors(out / "golden.safetensors")
        prefix = "batch.obs."
        obs = {n[len(prefix) :]: v for n, (_, v) in golden.items() if n.startswith(prefix)}
        spec = json.loads((out / "spec.json").read_text())
        names = [leaf["name"] for leaf in spec["inputs"]["observations"]]
        self.assertEqual(sorted(names), sorted(obs))
        self.assertEqual(len(set(names)), 20)
        return out, {name: obs[name] for name in names}, golden["batch.action"][1]

    def assertActions(self, actual, expected):
        self.assertEqual(len(actual), len(expected))
        for a, b in zip(actual, expected):
            self.assertAlmostEqual(float(a), b, delta=1e-4)

    def test_c_programs_compile_and_act(self):
        for prefix in ("policy", "obs", "obs_arm_x"):
            out, obs, actions = self.folder_and_golden("--to", "c", "--prefix", prefix)
            header = (out / "policy.h").read_text()
            parameters = re.findall(r"const float \*(obs_\w+)", header.split(f"{prefix}_act(", 1)[1])[:20]
            self.assertEqual(len(set(parameters)), 20)
            card = (out / "README.md").read_text()
            renamed = dict(re.findall(r"- `(obs_\w+)` is the observation `(.+)`", card))
            for parameter, member in zip(parameters, obs):
                self.assertEqual(renamed.get(parameter, parameter.removeprefix("obs_")), member)
            numbers = " ".join(repr(x) for row in zip(*obs.values()) for x in row)
            for compiler, language in (("gcc", "c99"), ("clang", "c99"), ("g++", "c++11")):
                if not shutil.which(compiler):
                    continue
                program = out / compiler
                command = [compiler, "-x", language.rstrip("019"), f"-std={language}", *STRICT, "-o", program]
                subprocess.run([*command, out / "policy_example.c", "-lm"], check=True, timeout=300)
                run = subprocess.run([program], input=numbers, capture_output=True, text=True, check=True)
                self.assertActions(run.stdout.split(), actions)

    def test_graphs_and_python_act_by_the_names_of_the_readme(self):
        out, obs, actions = self.folder_and_golden("--to", "onnx,safetensors")
        listed = r'^    (".+"): np.*your observation(?: \'(.*)\')?$'
        inputs = re.findall(listed, (out / "README.md").read_text(), re.MULTILINE)
        feed = {json.loads(name): obs[member or json.loads(name)] for name, member in inputs}
        (out / "feed.json").write_text(json.dumps(feed))
        self.assertActions(json.loads(run_python(ONNX, out / "policy.onnx", out / "feed.json")), actions)
        (out / "obs.json").write_text(json.dumps(obs))
        self.assertActions(json.loads(run_python(NUMPY, out, out / "obs.json")), actions)

    def test_readme_of_other_profiles_names_the_members(self):
        out, obs, _ = self.folder_and_golden("--to", "onnx", "--profile", "unity")
        card = (out / "README.md").read_text()
        for leaf, member in enumerate(obs):
            self.assertRegex(card, rf'"obs_{leaf}": np.*your observation \'{re.escape(member)}\'\n')
        self.folder_and_golden("--to", "onnx", "--profile", "godot")


if __name__ == "__main__":
    main()
