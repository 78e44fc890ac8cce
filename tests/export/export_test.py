# SPDX-License-Identifier: Apache-2.0
"""Tests exports end to end: ONNX in a separate Python on Gymnasium's CartPole, a C program on the golden
vectors, the checks of the format, Unity's and Godot's names, verification, import, and errors.
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import unittest

from harness import ExportCase, PROGRAM, PYTHON, has_python, main, run_python, tensors

PLAY = """
import sys, numpy as np, gymnasium, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1])
env, returns = gymnasium.make("CartPole-v1"), []
for seed in range(int(sys.argv[2])):
    obs, total, done = env.reset(seed=seed)[0], 0.0, False
    while not done:
        action = session.run(["action"], {"obs": obs[None].astype(np.float32)})[0]
        obs, reward, terminated, truncated, _ = env.step(int(action[0, 0]))
        total, done = total + reward, terminated or truncated
    returns.append(total)
print(np.mean(returns))
"""

CHECK = """
import sys, json, onnx
model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
model = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
def shape(value):
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]
print(json.dumps({"ir": model.ir_version, "opset": [[o.domain, o.version] for o in model.opset_import],
                  "inputs": {v.name: shape(v) for v in model.graph.input},
                  "outputs": {v.name: shape(v) for v in model.graph.output},
                  "metadata": {p.key: p.value for p in model.metadata_props},
                  "ops": sorted({n.op_type for n in model.graph.node})}))
"""

HEADER_PROGRAM = r"""
#include <stdio.h>
#include "policy.h"
int main(void)
{
    static policy p;
    float obs[4], action[1];
    policy_reset(&p);
    while (fread(obs, sizeof(float), 4, stdin) == 4) {
        policy_act(&p, obs, action);
        printf("%d\n", (int)action[0]);
    }
    return 0;
}
"""


class Export(ExportCase):
    # --- playing exported policies
    @unittest.skipUnless(has_python(), "no Python with onnxruntime")
    def test_onnx_plays_cartpole_of_gymnasium(self):
        out = self.shared("onnx", "--to", "onnx", "--profile", "plain")
        self.assertGreaterEqual(float(run_python(PLAY, out / "policy.onnx", 20)), 475)

    def test_c_program_decides_like_the_trainer(self):
        out = self.shared("c", "--to", "c")
        golden = tensors(out / "golden.safetensors")
        shape, obs = golden["batch.obs.obs"]
        self.assertGreaterEqual(shape[0], 32)
        work = self.folder / "c-program"
        work.mkdir(exist_ok=True)
        (work / "main.c").write_text(HEADER_PROGRAM)
        for compiler in ("gcc", "clang"):
            if not shutil.which(compiler):
                continue
            for standard in (["-std=c99"], ["-x", "c++", "-std=c++11"]):
                flags = [
                    *standard,
                    "-O2",
                    "-Wall",
                    "-Wextra",
                    "-Wpedantic",
                    "-Wconversion",
                    "-Werror",
                    "-I",
                    out,
                ]
                subprocess.run(
                    [compiler, *flags, "-o", work / "main", work / "main.c", "-lm"], check=True, timeout=300
                )
                data = struct.pack(f"<{len(obs)}f", *obs)
                actions = subprocess.run(
                    [work / "main"], input=data, capture_output=True, check=True
                ).stdout.split()
                self.assertEqual([int(a) for a in actions], [int(a) for a in golden["batch.action"][1]])
            subprocess.run(
                [
                    compiler,
                    "-std=c99",
                    "-Wall",
                    "-Wextra",
                    "-Wpedantic",
                    "-Wconversion",
                    "-Werror",
                    "-o",
                    work / "example",
                    out / "policy_example.c",
                    "-lm",
                ],
                check=True,
                timeout=300,
            )
            text = subprocess.run(
                [work / "example"],
                input="0 0 0.1 0\n0 0 -0.1 0\n",
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            self.assertRegex(text, r"^[01]\n[01]\n$")

    @unittest.skipUnless(has_python(), "no Python with onnxruntime")
    def test_python_program_of_the_folder_acts(self):
        out = self.shared("tensors", "--to", "safetensors")
        script = (
            "import sys; sys.path.insert(0, sys.argv[1]); from policy import Policy; "
            "p = Policy(sys.argv[1]); print(int(p.act([0, 0, 0.1, 0.5])[0]))"
        )
        self.assertEqual(run_python(script, out).strip(), "1")

    # --- the format
    @unittest.skipUnless(has_python(), "no Python with onnx")
    def test_checker_and_shape_inference_accept_every_profile(self):
        for profile in ("plain", "unity", "godot"):
            out = self.shared(profile, "--to", "onnx", "--profile", profile)
            model = json.loads(run_python(CHECK, out / "policy.onnx"))
            self.assertEqual((model["ir"], model["opset"]), (8, [["", 15]]))
            for name, shape in {**model["inputs"], **model["outputs"]}.items():
                if not re.search("version_number|memory_size|_shape$", name):
                    self.assertEqual(shape[0], "batch", name)
            if profile == "plain":
                self.assertEqual(model["inputs"], {"obs": ["batch", 4]})
                self.assertEqual(
                    model["outputs"], {"logits": ["batch", 2], "action": ["batch", 1], "value": ["batch", 1]}
                )
            if profile == "unity":
                self.assertEqual(model["inputs"], {"obs_0": ["batch", 4], "action_masks": ["batch", 2]})
                for name in (
                    "version_number",
                    "memory_size",
                    "discrete_actions",
                    "deterministic_discrete_actions",
                    "discrete_action_output_shape",
                ):
                    self.assertIn(name, model["outputs"])
            if profile == "godot":
                self.assertEqual(model["inputs"], {"obs": ["batch", 4], "state_ins": ["batch"]})
                self.assertEqual(
                    (model["outputs"]["output"], model["outputs"]["state_outs"]), (["batch", 2], ["batch"])
                )
            reported = model["metadata"]
            for key in (
                "run",
                "config_sha256",
                "environment",
                "environment_version",
                "spaces",
                "training_steps",
                "evaluation",
                "licence",
                "weights_sha256",
                "frame_stack",
                "profile",
            ):
                self.assertIn("seedbed." + key, reported)
            evaluation = json.loads(reported["seedbed.evaluation"])
            self.assertEqual(sorted(evaluation), ["ci95", "iqm", "mean", "n", "std"])
            self.assertIn("labels", reported["seedbed.spaces"])

    def test_folder_is_complete_and_says_what_proved_it(self):
        out, run = self.export("all", "--to", "onnx", "--to", "safetensors,c")
        files = sorted(p.name for p in out.iterdir())
        self.assertEqual(
            files,
            [
                "README.md",
                "config.json",
                "golden.safetensors",
                "manifest.json",
                "model.safetensors",
                "parity.json",
                "policy.h",
                "policy.onnx",
                "policy.py",
                "policy_example.c",
                "replay.gif",
                "spec.json",
                "thumbnail.png",
            ],
        )
        listed = re.findall(r"^  (\S+\.\w+) +[\d.]+ \w+$", run.stdout, re.MULTILINE)
        self.assertEqual(sorted(listed), files)
        again = self.folder / "again"
        exported = self.document("export", "1", "--to", "onnx", "--to", "safetensors,c", "--out", again,
                                 "--seconds", "0")
        self.assertEqual(len(exported["files"]), len(files))
        verified = self.seedbed("verify", out, "--episodes", "1").stdout
        self.assertIn(f"all {len(files)} files are unchanged since the export", verified)
        parity = json.loads((out / "parity.json").read_text())
        self.assertEqual([t["target"] for t in parity["targets"]], ["onnx", "safetensors", "c"])
        self.assertEqual(parity["tolerance"], 1e-5)
        for target in parity["targets"]:
            self.assertTrue(target["passed"])
            self.assertLessEqual(target["max_relative_difference"], 1e-5)
            self.assertGreaterEqual(target["closed_loop"]["episodes"], 20)
            self.assertEqual(target["closed_loop"]["equal"], target["closed_loop"]["compared"])
            self.assertIs(target["closed_loop_passed"], True)
            self.assertGreater(target["closed_loop"]["compared"], 1000)
            self.assertEqual(len(target["free_running"]["exported"]["returns"]), 20)
        executors = [t["executor"]["id"] for t in parity["targets"]]
        self.assertEqual(
            executors, ["onnxruntime", "numpy", "c"] if has_python() else ["interpreter", "reference", "c"]
        )
        config = json.loads((out / "config.json").read_text())
        self.assertEqual(config["networks"][0]["spec"]["hidden"], [64, 64])
        self.assertTrue(config["provenance"]["config"], "the complete configuration")
        card = (out / "README.md").read_text()
        self.assertTrue(card.startswith("---\nlibrary_name: seedbed\n"))
        for text in ("model-index:", "mean_reward", "reinforcement-learning", "replay.gif", "| onnx |"):
            self.assertIn(text, card)
        self.assertEqual((out / "replay.gif").read_bytes()[:3], b"GIF")

    # --- verification
    def test_verify_repeats_anywhere_and_finds_every_changed_byte(self):
        out, _ = self.export("verified", "--to", "onnx", "--to", "c", seconds="0")
        elsewhere = self.folder / "elsewhere"
        shutil.rmtree(elsewhere, ignore_errors=True)
        shutil.copytree(out, elsewhere)
        empty = {"SEEDBED_DATA": str(self.folder / "no-data")}
        self.assertTrue(
            all(t["passed"] for t in self.document("verify", elsewhere, env=empty)["parity"]["targets"])
        )
        for path in sorted(elsewhere.iterdir()):
            whole = path.read_bytes()
            for at in {0, len(whole) // 2, len(whole) - 1}:
                path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
                run = self.seedbed("verify", elsewhere, "--episodes", "1", code=7)
                self.assertIn(path.name, run.stderr)
            path.write_bytes(whole + b" ")
            self.seedbed("verify", elsewhere, code=7)
            path.write_bytes(whole)
        self.assertEqual(self.document("verify", elsewhere, "--episodes", "1")["notices"], [])
        (elsewhere / "extra.txt").write_text("")
        notices = self.document("verify", elsewhere, "--quiet", "--episodes", "1")["notices"]
        self.assertEqual(len(notices), 1)
        self.assertIn("not checked: 'extra.txt'", notices[0])
        self.assertIn("not part of the export, and not checked: 'extra.txt'",
                      self.seedbed("verify", elsewhere, "--episodes", "1").stderr)
        (elsewhere / "extra.txt").unlink()
        (elsewhere / "golden.safetensors").unlink()
        self.seedbed("verify", elsewhere, code=7)

    def test_verify_does_not_run_what_seedbed_did_not_write(self):
        out = self.shared("hostile", "--to", "c")
        header = out / "policy.h"
        header.write_text(
            header.read_text().replace("#include <math.h>", "#include <math.h>\n#error compiled")
        )
        rewrite_manifest(out)
        run = self.seedbed("verify", out, code=7)
        self.assertIn("were not run", run.stderr)
        self.assertIn("--trust", run.stderr)
        reported = self.seedbed("verify", out, "--trust", code=1).stderr
        self.assertIn("compiling", reported)
        self.assertIn("#error", reported, "what the compiler said")

    def test_verify_runs_nothing_that_lies_beside_an_export(self):
        # Names that would shadow files of the compiler or of Python, listed with correct hashes or unlisted.
        ran = self.folder / "ran"
        traps = {
            "stdio.h": "static void __attribute__((constructor)) trap(void) "
            f"{{ extern int system(const char *); system(\"touch {ran}\"); }}\n#include_next <stdio.h>\n",
            "pathlib.py": f"open({str(ran)!r}, 'w')\n",
            "json.py": f"open({str(ran)!r}, 'w')\n",
            "numpy.py": f"open({str(ran)!r}, 'w')\n",
        }

        def run_in(folder, *arguments):
            options = {"env": self.env, "capture_output": True, "text": True, "timeout": 300}
            return subprocess.run([PROGRAM, *arguments], cwd=folder, **options)

        for name, text in traps.items():
            out = self.shared("trap", "--to", "onnx,safetensors,c")
            (out / name).write_text(text)
            here = run_in(out, "verify", ".", "--trust", "--episodes", "1")
            self.assertEqual(here.returncode, 0, here.stderr)
            self.assertIn(f"not checked: '{name}'", here.stderr)
            self.assertFalse(ran.exists(), name)
            manifest = json.loads((out / "manifest.json").read_text())
            manifest["files"].append({"name": name})
            (out / "manifest.json").write_text(json.dumps(manifest))
            rewrite_manifest(out)
            here = run_in(out, "verify", ".", "--trust")
            self.assertEqual(here.returncode, 7, here.stderr)
            self.assertIn(name, here.stderr)
            self.assertFalse(ran.exists(), name)
            # Exporting into such a folder also fails.
            made = self.folder / "made-alongside"
            shutil.rmtree(made, ignore_errors=True)
            here = run_in(
                out, "export", "1:best", "--to", "onnx,safetensors,c", "--no-replay", "--seconds", "0",
                "--out", made
            )
            self.assertEqual(here.returncode, 0, here.stderr)
            self.assertFalse(ran.exists(), name)

    def test_verify_repeats_what_an_older_version_wrote(self):
        out = self.shared("older", "--to", "onnx,c")
        manifest = json.loads((out / "manifest.json").read_text())
        version = manifest["options"]["written_by"].encode()
        manifest["options"]["written_by"] = "0" * len(version)
        (out / "manifest.json").write_text(json.dumps(manifest))
        for name in ("policy.onnx", "policy.h"):
            whole = (out / name).read_bytes()
            self.assertIn(version, whole)
            (out / name).write_bytes(
                whole.replace(b"Seedbed " + version, b"Seedbed " + b"0" * len(version))
                .replace(
                    b"seedbed_version\x12" + bytes([len(version)]) + version,
                    b"seedbed_version\x12" + bytes([len(version)]) + b"0" * len(version),
                )
                .replace(
                    b"seedbed\x1a" + bytes([len(version)]) + version,
                    b"seedbed\x1a" + bytes([len(version)]) + b"0" * len(version),
                )
            )
        rewrite_manifest(out)
        run = self.seedbed("verify", out, "--episodes", "1")
        self.assertNotIn("differently", run.stderr)
        # Bytes that no version of Seedbed wrote: data is still used, but programs are not run.
        (out / "policy.onnx").write_bytes(
            (out / "policy.onnx").read_bytes().replace(b"independent decisions", b"independent Decisions")
        )
        rewrite_manifest(out)
        self.assertIn("only data", self.seedbed("verify", out, "--episodes", "1").stderr)
        (out / "policy.h").write_text(
            (out / "policy.h").read_text().replace("once per decision", "once per Decision")
        )
        rewrite_manifest(out)
        self.assertIn("--trust", self.seedbed("verify", out, code=7).stderr)

    def test_two_headers_live_in_one_program(self):
        left, _ = self.export("left", "--to", "c", "--prefix", "left", "--no-replay", seconds="0")
        self.export("right", "--to", "c", "--prefix", "right", "--no-replay", seconds="0")
        work = self.folder / "two"
        work.mkdir(exist_ok=True)
        program = (
            '#include "left/policy.h"\n#include "right/policy.h"\n#include "left/policy.h"\n'
            "int main(void) { static left a; static right b; "
            "float o[4] = {0}, x[1]; left_reset(&a); right_reset(&b); "
            "left_act(&a, o, x); right_act(&b, o, x); return 0; }\n"
        )
        (work / "main.c").write_text(program)
        strict = [
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Wconversion",
            "-Werror",
            "-I",
            self.folder,
            "-o",
            work / "main",
            work / "main.c",
            "-lm",
        ]
        subprocess.run(["cc", *strict], check=True, timeout=300)
        subprocess.run([work / "main"], check=True)
        subprocess.run(
            ["cc", "-std=c99", "-Werror", "-o", work / "example", left / "policy_example.c", "-lm"],
            check=True,
            timeout=300,
        )
        # Two tensors with the same name are an error, even if the first one is valid.
        other = self.folder / "other"
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(left, other)
        text = (other / "policy.h").read_text()
        number = re.search(r"SEEDBED_POLICY_LEFT_H (0x[0-9a-f]{8}UL)", text).group(1)
        (other / "policy.h").write_text(text.replace(number, "0x00000001UL"))
        (work / "main.c").write_text(
            '#include "left/policy.h"\n#include "other/policy.h"\nint main(void) { return 0; }\n'
        )
        failed = subprocess.run(["cc", *strict], capture_output=True, text=True, timeout=300)
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("--prefix", failed.stderr)
        out, run = self.export("no-prefix", "--to", "c", "--prefix", "2x", code=3)
        self.assertIn("2x", run.stderr)
        self.assertNothingWritten(out)

    @unittest.skipUnless(has_python(), "no Python with onnxruntime")
    def test_previous_rewards_are_seen_as_in_training(self):
        self.seedbed(
            "train",
            "cartpole",
            "--name",
            "scaled",
            "--steps",
            "3000",
            "--network.core",
            "gru",
            "--network.core_size",
            "8",
            "--network.previous_reward",
            "true",
            "--env.wrap.reward_scale",
            "0.05",
            "--env.wrap.reward_clip",
            "0.5",
            "--eval.final_episodes",
            "0",
            "--quiet",
        )
        out, _ = self.export("scaled", "--to", "onnx,safetensors,c", "--no-replay", policy="scaled",
                             seconds="1")
        self.assertEqual(
            {k: round(v, 6) for k, v in json.loads((out / "spec.json").read_text())["reward"].items()},
            {"scale": 0.05, "clip": 0.5},
        )
        self.assertEqual(
            self.evaluation("scaled", "--episodes", "9"), self.evaluation(out, "--episodes", "9")
        )
        # Rewards that training would have clipped to 0.025, and rewards that it would never have seen.
        script = (
            "import sys; sys.path.insert(0, sys.argv[1]); from policy import Policy; "
            "p = Policy(sys.argv[1])\n"
            "def after(r):\n  p.reset(); p.act([0, 0, 0.1, 0.5], previous_reward=r); "
            "return p.result['policy'].tolist()\n"
            "print(after(0.5) == after(100), after(0.5) == after(0.25))"
        )
        self.assertEqual(run_python(script, out).split(), ["True", "False"])

    # --- import
    def test_import_evaluates_and_starts_a_run(self):
        out = self.shared("for-import", "--to", "safetensors")
        self.seedbed("import", out, "--name", "friend")
        self.assertEqual(
            self.evaluation("friend", "--episodes", "9"),
            self.evaluation("1:best", "--episodes", "9"),
        )
        loose = self.folder / "loose"
        shutil.rmtree(loose, ignore_errors=True)
        loose.mkdir()
        for name in ("config.json", "model.safetensors"):
            shutil.copy(out / name, loose)
        self.assertEqual(
            self.document("import", loose / "model.safetensors", "--name", "loose")["params_sha256"],
            self.document("import", out, "--name", "again")["params_sha256"],
        )
        self.seedbed(
            "train",
            "cartpole",
            "--init-from",
            "friend",
            "--steps",
            "300",
            "--eval.final_episodes",
            "0",
            "--quiet",
        )
        again, _ = self.export("from-import", "--to", "onnx", policy="friend", seconds="0")
        self.assertEqual((again / "model.safetensors").read_bytes(), (out / "model.safetensors").read_bytes())
        self.assertIn("already", self.seedbed("import", out, "--name", "friend", code=3).stderr)
        # A downloaded policy can be imported under any name.
        self.assertEqual(self.document("import", loose / "model.safetensors", "--name", "x")["name"], "x")

    @unittest.skipUnless(has_python(), "no Python with safetensors")
    def test_weights_written_by_python_are_read_back(self):
        out = self.shared("for-python", "--to", "safetensors")
        foreign = self.folder / "foreign"
        shutil.rmtree(foreign, ignore_errors=True)
        foreign.mkdir()
        shutil.copy(out / "config.json", foreign)
        run_python(
            "import sys; from safetensors.numpy import load_file, save_file\n"
            "t = load_file(sys.argv[1] + '/model.safetensors')\n"
            "save_file({k: v * 2 for k, v in t.items()}, sys.argv[2] + '/mine.safetensors')",
            out,
            foreign,
        )
        self.seedbed("import", foreign / "mine.safetensors", "--name", "doubled")
        self.seedbed("eval", "doubled", "--episodes", "2")

    # --- mistakes
    def test_mistakes_say_cause_and_remedy_and_write_nothing(self):
        def fails(name, *arguments, code, shows_text, policy="1", env=None):
            out, run = self.export(name, *arguments, policy=policy, code=code, env=env)
            for text in shows_text:
                self.assertIn(text, run.stderr)
            self.assertNothingWritten(out)

        fails("m1", "--to", "onnx", policy="77", code=3, shows_text=["77"])
        fails("m2", "--to", "onxn", code=3, shows_text=["did you mean 'onnx'"])
        fails("m3", "--to", "onnx", "--profile", "unit", code=3, shows_text=["did you mean 'unity'"])
        fails("m4", "--to", "c", code=1, shows_text=["no-such-cc", "CC"], env={"CC": "no-such-cc"})
        fails(
            "m5",
            "--to",
            "onnx",
            "--executor",
            "onnxruntime",
            "--python",
            "no-such-python",
            code=1,
            shows_text=["onnxruntime with the Python 'no-such-python': it cannot be run; correct --python"],
        )
        fails("m6", "--to", "onnx", "--executor", "numpy", code=3, shows_text=["onnxruntime, interpreter"])
        fails("m9", "--to", "onnx", "--episodes", "4", code=2, shows_text=["--episodes"])
        fails("m7", code=2, shows_text=["--to"])
        full = self.folder / "full"
        full.mkdir(exist_ok=True)
        (full / "mine.txt").write_text("mine")
        run = self.seedbed("export", "1", "--to", "onnx", "--out", full, code=3)
        self.assertIn("not empty", run.stderr)
        self.assertEqual([p.name for p in full.iterdir()], ["mine.txt"])
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        self.seedbed(
            "export", "1", "--to", "onnx", "--out", empty, "--executor", "interpreter", "--no-replay",
            "--seconds", "0"
        )
        self.assertTrue((empty / "manifest.json").exists())
        self.assertIn("not an export", self.seedbed("verify", full, code=3).stderr)
        self.assertIn(
            "interpreter",
            self.export(
                "m8", "--to", "onnx", "--no-replay", env={"SEEDBED_PYTHON": "no-such-python"}, seconds="0"
            )[1].stdout,
        )

    def test_run_without_a_checkpoint(self):
        data = pathlib.Path(self.env["SEEDBED_DATA"])
        with_none = self.folder / "data-none"
        shutil.rmtree(with_none, ignore_errors=True)
        shutil.copytree(data, with_none)
        shutil.rmtree(with_none / "checkpoints" / "1")
        out, run = self.export(
            "none", "--to", "onnx", policy="1", code=3, env={"SEEDBED_DATA": str(with_none)}
        )
        self.assertIn("has no checkpoint", run.stderr)
        self.assertIn("train again", run.stderr)
        self.assertNothingWritten(out)

    def test_checkpoint_of_an_unknown_version(self):
        out = self.shared("version", "--to", "safetensors")
        config = json.loads((out / "config.json").read_text())
        config["version"] = 999
        (out / "config.json").write_text(json.dumps(config))
        rewrite_manifest(out)
        target, run = self.export("newer", "--to", "onnx", policy=str(out), code=1)
        self.assertIn("newer version", run.stderr)
        self.assertIn("update Seedbed", run.stderr)
        self.assertNothingWritten(target)


def rewrite_manifest(folder):
    """Rewrites the hashes of a folder that was changed on purpose."""
    import hashlib

    manifest = json.loads((folder / "manifest.json").read_text())
    for entry in manifest["files"]:
        data = (folder / entry["name"]).read_bytes()
        entry["bytes"], entry["sha256"] = len(data), hashlib.sha256(data).hexdigest()
    del manifest["sha256"]
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    manifest["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
