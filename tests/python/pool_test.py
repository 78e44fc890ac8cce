# SPDX-License-Identifier: Apache-2.0
"""EnvPool's environments in a worker, and the rewards of football's checkpoints. Most tests need EnvPool."""

import importlib.util
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"))
try:
    import numpy as np
    from fake_host import FIRST, REST, RESET, STEP, TERMINATED, TRUNCATED
    from seedbed_worker import football
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Checkpoints(unittest.TestCase):
    @staticmethod
    def frame(ball, player):
        frame = np.zeros((72, 96, 4), np.uint8)
        frame[ball[0], ball[1], 2] = frame[player[0], player[1], 3] = 255
        return frame

    def test_distances_are_those_of_the_field(self):
        self.assertAlmostEqual(football.distance_to_goal((35.5, 47.5), (72, 96)), 1)
        self.assertAlmostEqual(football.distance_to_goal((35.5, 95.5), (72, 96)), 0)
        self.assertAlmostEqual(football.distance_to_goal((-0.5, 95.5), (72, 96)), 1 / 2.25)

    def test_ten_checkpoints_from_the_middle_to_the_goal(self):
        collected = [
            football.checkpoints_reached(distance, 0) for distance in (1, 0.99, 0.98, 0.9, 0.5, 0.189, 0)
        ]
        self.assertEqual(collected, [0, 1, 1, 2, 6, 10, 10])
        self.assertEqual(football.checkpoints_reached(0.99, 7), 7, "each one only once")

    def test_only_our_player_near_the_ball_collects(self):
        reached = football.Football.reached
        self.assertEqual(reached(self.frame((36, 90), (36, 89)), 0, 0, 0), 10)
        self.assertEqual(reached(self.frame((36, 90), (36, 89)), 0, 1, 3), 3, "the other team has the ball")
        self.assertEqual(reached(self.frame((36, 90), (36, 80)), 0, 0, 3), 3, "another player has the ball")
        self.assertEqual(reached(np.zeros((72, 96, 4), np.uint8), 0, 0, 3), 3, "no ball")
        self.assertEqual(reached(self.frame((36, 0), (70, 0)), 1, -1, 3), 10, "a goal")


@unittest.skipUnless(importlib.util.find_spec("envpool"), "EnvPool is not installed")
class EnvPool(WorkerCase):
    def test_rows_equal_the_pool_stepped_directly(self):
        import envpool

        seeds, draw = [3, 4, 5], np.random.default_rng(0)
        worker = self.open("envpool:CartPole-v1", 3)
        direct = envpool.make_gymnasium("CartPole-v1", num_envs=3, env_seed=seeds)
        worker.exchange(RESET, seeds=seeds)
        expected, _ = direct.reset()
        ends = 0
        for _ in range(150):
            np.testing.assert_array_equal(worker.leaves[0], expected)
            actions = draw.integers(0, 2, 3).astype(np.int32)
            worker.exchange(STEP, actions)
            expected, rewards, terminated, *_ = direct.step(actions)
            over = np.flatnonzero(terminated).astype(np.int32)
            if len(over) > 0:
                expected[over] = direct.reset(over)[0]
            np.testing.assert_array_equal(worker.flags, terminated * (TERMINATED | FIRST))
            np.testing.assert_array_equal(worker.rewards, rewards)
            ends += len(over)
        self.assertGreater(ends, 5)
        before = worker.leaves[0].copy()
        worker.exchange([REST, RESET, STEP], [0, 0, 1])
        self.assertEqual(worker.flags.tolist(), [0, FIRST, 0])
        np.testing.assert_array_equal(worker.leaves[0][0], before[0])
        worker.exchange(STEP, [0, 0, 0])
        self.assertAlmostEqual(worker.leaves[0][0, 0], before[0, 0] + 0.02 * before[0, 1], places=5)
        self.assertFalse(worker.spec["repeats"])

    def test_football_pays_checkpoints_and_goals(self):
        returns = {}
        for rewards in ("scoring", "scoring,checkpoints"):
            worker = self.open("football:academy_empty_goal_close", 2, rewards=rewards)
            worker.exchange(RESET, seeds=[1, 2])
            total, flags = np.zeros(2), np.zeros(2, int)
            for step in range(400):  # run to the goal and shoot
                worker.exchange(np.where(flags, REST, STEP), [5 if step < 12 else 12] * 2)
                total += np.where(flags, 0, worker.rewards)
                flags |= worker.flags
                if (flags != 0).all():
                    break
            returns[rewards] = total
        self.assertTrue((returns["scoring"] == 1).all(), returns)
        np.testing.assert_allclose(returns["scoring,checkpoints"], 2, rtol=1e-6)
        leaf = worker.spec["spaces"]["obs"][0]
        self.assertEqual((leaf["shape"], leaf["stack"]), ([4, 72, 96], 4))
        self.assertEqual(worker.picture(0).shape, (432, 576, 3))


if __name__ == "__main__":
    unittest.main()
