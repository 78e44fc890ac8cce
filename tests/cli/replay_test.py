# SPDX-License-Identifier: Apache-2.0
"""DQN on the command line: resume with and without its replay, memory, mistakes and export.
"""
import json
import pathlib
import sys
import unittest

from command_case import CommandCase

DQN = ["--preset", "none", "--algo", "dqn", "--eval.episodes", "2", "--eval.final_episodes", "2"]
FULL = [*DQN, "--checkpoint.replay", "full", "--algo.prioritised", "yes", "--algo.n_step", "3"]


class Replay(CommandCase):

    def parameters(self, *arguments):
        lines = self.seedbed(*arguments, "--json").stdout.splitlines()
        return json.loads(lines[-1])["done"]["params_sha256"]

    def events(self, run):
        return {event["kind"]: event for event in self.document("show", run)["events"]}

    def test_a_resume_with_the_saved_replay_continues_bit_for_bit(self):
        whole = self.parameters("train", "cartpole", *FULL, "--steps", "6000", "--threads", "1")
        self.parameters("train", "cartpole", *FULL, "--steps", "3000", "--threads", "2")
        self.assertEqual(self.parameters("resume", "2", "--steps", "6000"), whole)
        self.assertIn("continues bit for bit", self.events("2")["resumed"]["text"])

    def test_a_resume_without_the_replay_reports_it(self):
        self.seedbed("train", "cartpole", *DQN, "--steps", "3000")
        run = self.seedbed("resume", "1", "--steps", "6000")
        self.assertIn("the replay was not saved (checkpoint.replay=none)", run.stdout + run.stderr)
        self.assertIn("checkpoint.replay=none", self.events("1")["resumed"]["text"])

    def test_the_dry_run_shows_the_memory_of_the_replay(self):
        small, large = (
            self.document("train", "cartpole", *DQN, "--steps", "2000000", "--dry-run",
                          "--algo.replay_size", size)["memory_bytes"]
            for size in ("100000", "1000000"))
        # A row of CartPole: four observations, an action, two values, and the fields of every row.
        self.assertGreater(large["replay"] - small["replay"], 900_000 * 50)
        self.assertGreater(large["total"] - small["total"], 900_000 * 50)

    def test_mistakes_are_refused_before_anything_runs(self):
        def refused(*arguments, code=3):
            return self.seedbed("train", *arguments, "--steps", "100", code=code)

        self.assertText(refused("pendulum", *DQN), "needs one discrete action",
                        "algorithms that fit: a2c, awr, ppo, sac, td3, vmpo, vtrace")
        self.assertText(refused("bit_flipping", *DQN, "--algo.hindsight", "4", "--schedule", "async"),
                        "run.schedule=sync")
        self.assertText(refused("cartpole", *DQN, "--algo.n_step", "500", "--algo.replay_size", "2000"),
                        "need 501")
        self.assertText(refused("cartpole", "--checkpoint.replay", "full"), "algo.id=ppo has none")
        self.assertText(refused("minatar_breakout", *DQN, "--algo.replay_size", "900_000_000", code=5),
                        "algo.replay_size")
        self.assertIn("unknown setting 'algo.replay_size'",
                      refused("cartpole", "--algo.replay_size", "5").stderr)
        self.assertFalse((self.data / "checkpoints").exists())

    def test_an_exported_policy_takes_the_best_action(self):
        self.seedbed("train", "cartpole", *DQN, "--steps", "3000")
        target = pathlib.Path(self.folder.name) / "policy"
        self.seedbed("export", "1", "--to", "onnx,safetensors", "--out", str(target))
        self.seedbed("verify", str(target))
        self.assertEqual(self.evaluation("1", "--episodes", "3")["mean"],
                         self.evaluation("1", "--episodes", "3", "--sample")["mean"],
                         "values of actions are not probabilities")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
