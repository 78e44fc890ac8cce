# SPDX-License-Identifier: Apache-2.0
"""Procgen's games in a worker: rows of the library, episodes, levels and seeds. Needs the package procgen."""

import sys
import unittest

try:
    import numpy as np
    from fake_host import FIRST, REST, RESET, STEP, TERMINATED, Refused
    from procgen import ProcgenGym3Env
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Procgen(WorkerCase):
    def test_rows_are_those_of_the_library(self):
        worker = self.open("procgen:coinrun", 3, num_levels=200)
        direct = ProcgenGym3Env(
            num=3, env_name="coinrun", distribution_mode="easy", num_levels=200, rand_seed=5, num_threads=0
        )
        worker.exchange(RESET, seeds=[5, 6, 7])
        draw, ends, total = np.random.default_rng(1), 0, 0.0
        for _ in range(600):
            _, obs, _ = direct.observe()
            np.testing.assert_array_equal(worker.leaves[0].transpose(0, 2, 3, 1), obs["rgb"])
            actions = np.where(draw.random(3) < 0.7, 8, draw.integers(0, 15, 3))  # mostly: jump to the right
            worker.exchange(STEP, actions)
            direct.act(actions.astype(np.int32))
            rewards, _, first = direct.observe()
            np.testing.assert_array_equal(worker.rewards, rewards)
            np.testing.assert_array_equal(worker.flags, first * (TERMINATED | FIRST))
            ends, total = ends + int(first.sum()), total + float(rewards.sum())
        self.assertGreater(ends, 3)
        self.assertGreater(total, 0)
        self.assertEqual(worker.picture(1).shape, (320, 320, 3))

    def test_a_seed_repeats_its_episodes(self):
        worker, seen = self.open("procgen:bigfish", 2), []
        for seed in (3, 3, 4):
            worker.exchange(RESET, seeds=[seed, seed])
            worker.exchange(STEP, [7, 8])
            seen.append(worker.leaves[0].copy())
        np.testing.assert_array_equal(seen[0], seen[1])
        self.assertTrue((seen[0] != seen[2]).any())
        self.assertTrue(worker.spec["repeats"])
        worker.exchange([REST, STEP], [0, 0])
        self.assertEqual(worker.flags[0], 0)

    def test_mistakes_are_named(self):
        for env_id, kwargs, text in [
            ("procgen:nope", {}, "Procgen has no game 'nope'; it has bigfish"),
            ("procgen:coinrun", {"mode": "x"}, "one of easy, hard, extreme, memory, exploration, not 'x'"),
            ("procgen:coinrun", {"nope": 1}, "unknown argument nope; known: mode"),
        ]:
            with self.assertRaisesRegex(Refused, text):
                self.open(env_id, **kwargs)


if __name__ == "__main__":
    unittest.main()
