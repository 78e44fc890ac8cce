#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Event files of Seedbed in TensorBoard's own reader, and files of TensorBoard's own writer in Seedbed.

usage: tensorboard_test.py SEEDBED PYTHON BUILD_FOLDER
"""
import csv
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PYTHON = pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).resolve().parent
del sys.argv[1:]


def as_float(number):
    """The number as float32, in which event files store values."""
    return struct.unpack("f", struct.pack("f", number))[0]


class Tensorboard(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed-tensorboard-")
        self.addCleanup(self.folder.cleanup)
        self.place = pathlib.Path(self.folder.name)
        self.env = {**os.environ, "SEEDBED_DATA": self.folder.name + "/data", "HOME": self.folder.name}

    def seedbed(self, *arguments, code=0):
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=self.place,
                             env=self.env, timeout=600)
        self.assertEqual(run.returncode, code, f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run

    def metrics(self, run):
        curves = json.loads(self.seedbed("metrics", run, "--json").stdout)
        return {name: list(zip(curve["steps"], curve["values"])) for name, curve in curves.items()}

    def read(self, folder):
        """The curves in TensorBoard's reader."""
        done = subprocess.run([PYTHON, HERE / "read_events.py", self.place / folder], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def assert_same(self, events, stored):
        self.assertEqual(set(events), set(stored))
        for name, points in stored.items():
            self.assertEqual([step for step, _ in events[name]], [step for step, _ in points], name)
            for (_, theirs), (_, ours) in zip(events[name], points):
                if ours is not None:  # not finite
                    self.assertEqual(theirs, as_float(ours), name)

    def train(self, *arguments):
        self.seedbed("train", "cartpole", "--preset", "none", "--eval.every_steps", "10000",
                     "--eval.episodes", "5", "--eval.final_episodes", "5", *arguments)

    def test_live_events_are_the_metrics_of_the_run(self):
        self.train("--steps", "20000", "--run.tensorboard", "logs")
        events = self.read("logs/run-1-cartpole-ppo")
        self.assertIn("eval/return", events)
        self.assertIn("loss/policy", events)
        self.assert_same(events, self.metrics("1"))

    def test_a_killed_and_resumed_run_has_each_point_once(self):
        process = subprocess.Popen(
            [PROGRAM, "train", "cartpole", "--preset", "none", "--minutes", "5", "--run.tensorboard", "logs",
             "--checkpoint.every_s", "0.5", "--threads", "1", "--quiet"], cwd=self.place, env=self.env)
        self.addCleanup(process.kill)
        time.sleep(5)
        process.send_signal(signal.SIGKILL)
        process.wait()
        steps = json.loads(self.seedbed("show", "1", "--json").stdout)["checkpoints"][-1]["step"]
        self.seedbed("resume", "1", "--steps", str(steps + 30000), "--quiet")
        files = list((self.place / "logs/run-1-cartpole-ppo").iterdir())
        self.assertEqual(len(files), 2, "one file per process")
        # The killed process lost at most its last second of points.
        stored = self.metrics("1")
        for name, points in self.read("logs/run-1-cartpole-ppo").items():
            read = [step for step, _ in points]
            self.assertEqual(read, sorted(set(read)), name)
            self.assertLessEqual(set(read), {step for step, _ in stored[name]}, name)
            self.assertGreater(len(read), len(stored[name]) / 2, name)
            self.assertEqual(read[-1], stored[name][-1][0], name)

    def test_a_folder_that_cannot_be_written_does_not_stop_the_run(self):
        (self.place / "logs").write_text("a file")
        run = self.seedbed("train", "cartpole", "--preset", "none", "--steps", "5000",
                           "--eval.final_episodes", "5", "--run.tensorboard", "logs")
        self.assertIn("TensorBoard files cannot be written; training continues", run.stderr)

    def test_metrics_are_written_afterwards(self):
        self.train("--steps", "20000")
        run = self.seedbed("metrics", "1", "--to", "tensorboard", "--out", "logs")
        self.assertTrue(pathlib.Path(self.place / run.stdout.strip()).exists())
        self.assert_same(self.read("logs/run-1-cartpole-ppo"), self.metrics("1"))
        self.seedbed("metrics", "1", "loss/policy", "--to", "tensorboard", "--out", "one")
        self.assertEqual(list(self.read("one/run-1-cartpole-ppo")), ["loss/policy"])

    def test_csv_has_every_point(self):
        self.train("--steps", "20000")
        self.seedbed("metrics", "1", "--to", "csv", "--out", "run.csv")
        text = (self.place / "run.csv").read_text()
        self.assertEqual(text, self.seedbed("metrics", "1", "--to", "csv").stdout)
        points = {}
        for row in csv.DictReader(text.splitlines()):
            points.setdefault(row["metric"], []).append((int(row["step"]), float(row["value"])))
            self.assertGreater(float(row["time"]), 1.6e9)
        stored = self.metrics("1")
        self.assertEqual(set(points), set(stored))
        for name, curve in stored.items():
            self.assertEqual(points[name], [(step, value) for step, value in curve], name)
        self.seedbed("metrics", "1", "--to", "csv", "--out", "run.csv", code=3)

    def test_files_of_tensorboards_writer_are_imported(self):
        folder = "runs/CartPole-v1__ppo__3__1700000000"
        subprocess.run([PYTHON, HERE / "write_events.py", self.place / folder], check=True)
        imported = json.loads(self.seedbed("import", "runs", "--json").stdout)["runs"]
        self.assertEqual([(run["id"], run["env"], run["metrics"], run["points"]) for run in imported],
                         [(1, "cartpole", 3, 600)])
        curves = self.metrics("1")
        self.assertEqual(curves["episode/return"], [(100 * (i + 1), i) for i in range(200)])
        self.assertEqual(curves["losses/entropy"][4], (500, 1.0))
        shown = json.loads(self.seedbed("show", "1", "--json").stdout)
        self.assertEqual((shown["seed"], shown["algo"], shown["status"]), (3, "ppo", "finished"))
        # The score is the mean of the last 100 episodes.
        self.train("--steps", "20000")
        compared = json.loads(self.seedbed("compare", "1", "2", "--at", "last", "--json").stdout)
        self.assertEqual(compared["runs"][0]["score"], sum(range(100, 200)) / 100)
        self.assertEqual(len(compared["groups"]), 2)
        for command in ("list", "list --json", "show 1", "doctor 1", "metrics 1"):
            self.seedbed(*command.split())
        for command in ("resume 1", "eval 1", "export 1 --to onnx --out x", "play 1"):
            run = subprocess.run([PROGRAM, *command.split()], capture_output=True, text=True, cwd=self.place,
                                 env=self.env, timeout=60)
            self.assertIn(run.returncode, (1, 3), command)
            self.assertIn("seedbed: ", run.stderr)
            self.assertEqual(run.stderr.strip().count("\n"), 0, run.stderr)

    def test_damaged_files_are_refused(self):
        folder = self.place / "runs/PPO_1"
        subprocess.run([PYTHON, HERE / "write_events.py", folder], check=True)
        file = next(folder.iterdir())
        content = bytearray(file.read_bytes())
        content[-1] ^= 1
        file.write_bytes(content)
        run = self.seedbed("import", "runs", code=3)
        self.assertIn(file.name, run.stderr)
        self.assertIn("checksum", run.stderr)
        file.write_bytes(b"\x00" * 100)
        self.assertIn("checksum", self.seedbed("import", "runs", code=3).stderr)
        file.write_bytes(b"")
        self.assertIn("no scalars", self.seedbed("import", "runs", code=3).stderr)
        self.assertFalse((self.place / "data/seedbed.db").exists(), "nothing was imported")


if __name__ == "__main__":
    probe = [PYTHON, "-c", "import tensorboard"]
    if not PYTHON.exists() or subprocess.run(probe, capture_output=True).returncode:
        print("[  SKIPPED ] no Python with TensorBoard")
        sys.exit(0)
    unittest.main()
