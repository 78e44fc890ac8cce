# SPDX-License-Identifier: Apache-2.0
"""A loaded environment continues exactly like the saved one. Needs Gymnasium, MuJoCo and MiniGrid."""

import base64
import importlib.util
import json
import sys
import unittest

try:
    import gymnasium
    import numpy as np
    from fake_host import ENVS, RESET, STEP, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

CLASSIC = ["CartPole-v1", "Acrobot-v1", "MountainCar-v0", "MountainCarContinuous-v0", "Pendulum-v1"]
TOY_TEXT = ["FrozenLake-v1", "Taxi-v4", "CliffWalking-v1", "Blackjack-v1"]
MUJOCO = ["HalfCheetah-v5", "Ant-v5", "Hopper-v5", "Humanoid-v5", "Reacher-v5", "InvertedDoublePendulum-v5"]
MINIGRID = [
    "DoorKey-5x5-v0",
    "Dynamic-Obstacles-5x5-v0",
    "MemoryS7-v0",
    "Fetch-5x5-N2-v0",
    "KeyCorridorS3R1-v0",
    "UnlockPickup-v0",
    "PutNear-6x6-N2-v0",
    "MultiRoom-N2-S4-v0",
]


class Saved(WorkerCase):
    def check(self, env_id, steps=120):
        """Environment 0 is saved and loaded into environment 1 several times; then both must be equal."""
        worker = self.open(env_id, 2)
        self.assertTrue(worker.spec["can_save"])
        spaces, draw = worker.spec["spaces"], np.random.default_rng(1)
        worker.exchange(RESET, seeds=[1, 2])
        for length in (3, 40):
            for _ in range(length):
                worker.exchange(
                    np.where(worker.flags & 2, RESET, STEP), self.actions(spaces, draw, 2), [5, 6]
                )
            worker.exchange(np.where(worker.flags & 2, RESET, 0), seeds=[5, 6])
            worker.ask("load", env=1, state=worker.ask("save", env=0)["state"])
            what = STEP
            for _ in range(steps):
                actions = self.actions(spaces, draw, 1).repeat(2, 0)
                worker.exchange(what, actions, [7, 7])
                for leaf in worker.leaves:
                    np.testing.assert_array_equal(leaf[0], leaf[1])
                self.assertEqual(worker.rewards[0], worker.rewards[1])
                self.assertEqual(worker.flags[0], worker.flags[1])
                what = RESET if worker.flags[0] & 2 else STEP
        self.assertEqual(worker.errors(), [])

    @staticmethod
    def actions(spaces, draw, rows):
        leaf = spaces["actions"][0]
        if leaf["kind"] == "discrete":
            return draw.integers(0, leaf["n"], (rows, 1))
        return draw.uniform(leaf["low"], leaf["high"], (rows, len(leaf["low"])))

    def check_all(self, ids):
        for env_id in ids:
            with self.subTest(env_id):
                self.check(env_id)

    def test_classic_control(self):
        self.check_all(f"gym:{name}" for name in CLASSIC)

    def test_toy_text(self):
        self.check_all(f"gym:{name}" for name in TOY_TEXT)

    @unittest.skipUnless(importlib.util.find_spec("mujoco"), "MuJoCo is not installed")
    def test_mujoco(self):
        self.check_all(f"gym:{name}" for name in MUJOCO)

    @unittest.skipUnless(importlib.util.find_spec("minigrid"), "MiniGrid is not installed")
    def test_minigrid(self):
        self.check_all(f"minigrid:{name}" for name in MINIGRID)

    def test_other_packages_are_not_saved(self):
        worker = self.open(f"gym:{ENVS}/corridor.py:Corridor")
        self.assertFalse(worker.spec["can_save"])
        for op in ("save", "load"):
            with self.assertRaisesRegex(
                Refused, "unsupported: the state of this environment cannot be saved"
            ):
                worker.ask(op, env=0, state="")

    def test_a_damaged_state_is_refused_and_executes_nothing(self):
        worker = self.open("gym:CartPole-v1")
        worker.exchange(RESET)
        evil = {"object": "Popen", "module": "subprocess", "number": 0, "members": {}}
        for document in (evil, {"array": "<f4", "shape": [9], "bytes": ""}, {"nope": 1}, {"array": "O"}):
            state = base64.b64encode(json.dumps([{}, {"state": document}]).encode()).decode()
            with self.assertRaisesRegex(Refused, "unsupported: this is not a state of the environment"):
                worker.ask("load", env=0, state=state)
        for state in ("", "x", "AAAA"):
            with self.assertRaises(Refused):
                worker.ask("load", env=0, state=state)
        worker.exchange(STEP, [1])
        self.assertEqual(worker.flags[0], 0)


if __name__ == "__main__":
    unittest.main()
