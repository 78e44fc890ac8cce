# SPDX-License-Identifier: Apache-2.0
"""ViZDoom in a worker: preprocessing, rewards, repetition, and no leftover processes. Needs ViZDoom."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"))
try:
    import numpy as np
    import vizdoom
    from fake_host import FIRST, RESET, STEP, TERMINATED, Refused, Worker
    from seedbed_worker import vizdoom as definitions
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Doom(WorkerCase):
    def test_basic_has_the_rewards_of_sample_factory(self):
        worker = self.open("vizdoom:basic", 1)
        worker.exchange(RESET, seeds=[3])
        worker.exchange(STEP, [0])
        self.assertAlmostEqual(worker.rewards[0], -0.04, places=6)  # the sum of four tics
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
        with self.assertRaisesRegex(Refused, "there is no scenario 'nope'; known: basic"):
            self.open("vizdoom:nope")

    def test_pictures_are_reduced_to_the_nearest_pixel(self):
        wide = np.random.default_rng(0).integers(0, 256, (3, 120, 160), np.uint8)
        small = wide[:, definitions.ROWS][:, :, definitions.COLUMNS]
        self.assertEqual(small.shape, (3, 72, 128))
        for row, column in [(0, 0), (10, 17), (71, 127), (36, 64)]:
            # The floor of the scaled position, as in OpenCV.
            expected = wide[:, int(row * 120 / 72), int(column * 160 / 128)]
            np.testing.assert_array_equal(small[:, row, column], expected)

    def test_a_medical_kit_is_worth_one_point(self):
        game = definitions.Doom("health_gathering")
        self.addCleanup(game.close)
        game.reset(seed=1)
        _, plain, *_ = game.step(0)
        self.assertAlmostEqual(plain, 0.04)  # 0.01 for each of four tics
        game.health -= 30
        _, kit, *_ = game.step(0)
        self.assertAlmostEqual(kit, 1.04)

    def test_deathmatch_has_the_actions_and_numbers_of_sample_factory(self):
        worker = self.open("vizdoom:deathmatch_bots", 1)
        spec = worker.spec
        self.assertEqual([leaf["n"] for leaf in spec["spaces"]["actions"]], [3, 3, 8, 2, 2, 21])
        self.assertEqual(spec["spaces"]["actions"][5]["labels"][:2], ["turn -12.5", "turn -11.25"])
        self.assertEqual([leaf["shape"] for leaf in spec["spaces"]["obs"]], [[3, 72, 128], [23]])
        self.assertEqual((spec["horizon"], spec["frames_per_step"]), (4200, 2))
        worker.exchange(RESET, seeds=[1])
        self.assertAlmostEqual(worker.leaves[1][0, 2], 100 / 30, places=5, msg="health")
        for _ in range(20):
            worker.exchange(STEP, [[1, 0, 0, 1, 0, 10]])
        self.assertAlmostEqual(worker.leaves[1][0, 6], 8 / 5, places=5, msg="seven bots have joined")
        self.assertEqual(worker.flags[0], 0)

    def test_deathmatch_rewards_are_those_of_sample_factory(self):
        before = dict.fromkeys(definitions.CHANGES, 0.0) | {"HEALTH": 100.0}
        for changed, reward in [
            ({"FRAGCOUNT": 2}, 2),
            ({"FRAGCOUNT": -1}, -1.5),
            ({"DEATHCOUNT": 1}, -0.75),
            ({"HEALTH": 80}, -0.06),
            ({"HEALTH": 110}, 0.05),
            ({"DAMAGECOUNT": 1000, "HITCOUNT": 9}, 0.6 + 0.05),
            ({"WEAPON3": 1, "AMMO3": 10}, 0.1 + 0.01),
            ({"WEAPON7": 1}, 0.2),
        ]:
            self.assertAlmostEqual(definitions.change_reward(before, before | changed), reward, msg=changed)

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
