# SPDX-License-Identifier: Apache-2.0
"""ViZDoom in a worker: preprocessing, rewards, repetition, no leftover processes. Needs ViZDoom."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"))
try:
    import numpy as np
    import vizdoom
    from fake_host import FIRST, RESET, STEP, TERMINATED, Refused, Worker
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Doom(WorkerCase):
    def test_basic_has_the_rewards_of_sample_factory(self):
        worker = self.open("vizdoom:basic", 1)
        worker.exchange(RESET, seeds=[3])
        worker.exchange(STEP, [0])
        self.assertAlmostEqual(worker.rewards[0], -0.04, places=6)  # four tics
        total, steps = worker.rewards[0], 1
        while not worker.flags[0]:
            worker.exchange(STEP, [0])
            total, steps = total + worker.rewards[0], steps + 1
        self.assertEqual(worker.flags[0], TERMINATED | FIRST)
        self.assertAlmostEqual(total, -3, delta=0.2)
        self.assertEqual(worker.spec["horizon"], 75)
        labels = worker.spec["spaces"]["actions"][0]["labels"]
        self.assertEqual(labels, ["nothing", "move left", "move right", "attack"])

    def test_episodes_depend_on_the_seed_only(self):
        worker = self.open("vizdoom:health_gathering_supreme", 2)
        draw, rows = np.random.default_rng(1), []
        actions = draw.integers(0, 5, (60, 1)).repeat(2, 1)
        for seeds in ([5, 6], [6, 5]):
            worker.exchange(RESET, seeds=seeds)
            episode = []
            for action in actions:
                worker.exchange(STEP, action)
                episode.append((worker.leaves[0].copy(), worker.rewards.copy()))
            rows.append(episode)
        for (obs, rewards), (other_obs, other_rewards) in zip(*rows):
            np.testing.assert_array_equal(obs, other_obs[::-1])
            np.testing.assert_array_equal(rewards, other_rewards[::-1])
        self.assertFalse((rows[0][-1][0][0] == rows[0][-1][0][1]).all())
        self.assertAlmostEqual(float(rewards[0]), 0.04, delta=1.1)

    def test_scenarios_have_their_actions(self):
        for name, sizes in {
            "deadly_corridor": [3, 3, 3, 2],
            "my_way_home": [3, 3],
            "defend_the_line": [3, 2],
            "health_gathering": [5],
        }.items():
            spec = self.open(f"vizdoom:{name}", 1).spec
            self.assertEqual([leaf["n"] for leaf in spec["spaces"]["actions"]], sizes)
            self.assertEqual(spec["spaces"]["obs"][0]["shape"], [3, 72, 128])
        with self.assertRaisesRegex(Refused, "there is no scenario 'nope'; there are basic"):
            self.open("vizdoom:nope")

    def test_no_engine_is_left(self):
        worker = Worker()
        worker.open("vizdoom:basic", 2)
        task = pathlib.Path(f"/proc/{worker.process.pid}/task")
        children = [
            int(child) for thread in task.iterdir() for child in (thread / "children").read_text().split()
        ]
        self.assertEqual(len(children), 2)
        self.assertEqual(worker.close(), 0)
        for child in children:
            self.assertFalse(pathlib.Path(f"/proc/{child}").exists())


if __name__ == "__main__":
    unittest.main()
