# SPDX-License-Identifier: Apache-2.0
"""Atari games in ale-py's vector environment: rows depend on nothing but seed and actions. Needs ale-py."""

import sys
import unittest

try:
    import numpy as np
    from ale_py.vector_env import AtariVectorEnv
    from fake_host import FIRST, REST, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Atari(WorkerCase):
    def test_rows_do_not_depend_on_the_batch(self):
        """Four games together, with lost lives, time limits and resets, equal four games alone."""
        arguments = {"max_frames": 1200, "threads": 1}
        together = self.open("atari:breakout", 4, **arguments)
        alone = [self.open("atari:breakout", 1, **arguments) for _ in range(4)]
        draw, what, seen = np.random.default_rng(0), np.full(4, RESET), set()
        for _ in range(700):
            actions, seeds = draw.integers(0, 4, 4), draw.integers(0, 2**32, 4)
            together.exchange(what, actions, seeds)
            for number, single in enumerate(alone):
                single.exchange(what[number], actions[number], seeds[number])
                self.assertEqual(single.flags[0], together.flags[number])
                self.assertEqual(single.rewards[0], together.rewards[number])
                np.testing.assert_array_equal(single.leaves[0][0], together.leaves[0][number])
                seen.add((int(what[number]), int(single.flags[0])))
            what = np.where(together.flags & TRUNCATED, RESET, STEP)
        self.assertEqual(seen, {(RESET, FIRST), (STEP, 0), (STEP, TERMINATED | FIRST), (STEP, TRUNCATED)})
        self.assertEqual(together.errors(), [])

    def test_frames_and_rewards_are_those_of_ale_py(self):
        worker = self.open("atari:pong", 2)
        direct = AtariVectorEnv("pong", 2, stack_num=1, life_loss_info=True, reward_clipping=False)
        worker.exchange(RESET, seeds=[5, 6])
        obs, _ = direct.reset(seed=np.array([5, 6]))
        draw, rewards = np.random.default_rng(1), 0
        for _ in range(300):
            np.testing.assert_array_equal(worker.leaves[0], obs)
            actions = draw.integers(0, 6, 2)
            worker.exchange(STEP, actions)
            obs, reward, *_ = direct.step(actions)
            np.testing.assert_array_equal(worker.rewards, reward)
            rewards += np.abs(reward).sum()
        self.assertGreater(rewards, 5)

    def test_a_reset_within_an_episode(self):
        worker = self.open("atari:pong", 2)
        worker.exchange(RESET, seeds=[1, 2])
        first = worker.leaves[0].copy()
        for _ in range(30):
            worker.exchange(STEP, [2, 3], [1, 2])
        worker.exchange([RESET, REST])
        np.testing.assert_array_equal(worker.leaves[0][0], first[0])
        self.assertEqual(worker.flags.tolist(), [FIRST, 0])
        worker.exchange([STEP, RESET], [0, 0])
        np.testing.assert_array_equal(worker.leaves[0][1], first[1])
        self.assertEqual(worker.flags.tolist(), [0, FIRST])

    def test_the_variants_differ(self):
        for variant, actions, frames, horizon in [
            ("dqn", 4, 4, 27000),
            ("machado", 18, 5, 3600),
            ("r2d2", 18, 4, 27000),
        ]:
            worker = self.open("atari:breakout", 1, preprocessing=variant)
            spec = worker.spec
            self.assertEqual((spec["frames_per_step"], spec["horizon"]), (frames, horizon))
            leaf = spec["spaces"]["actions"][0]
            self.assertEqual((leaf["n"], len(leaf["labels"])), (actions, actions))
            obs = spec["spaces"]["obs"][0]
            self.assertEqual((obs["shape"], obs["stack"]), ([1, 84, 84], 4))
        worker.exchange(RESET)
        self.assertEqual(worker.picture(0).shape, (336, 336, 3))

    def test_mistakes_are_named(self):
        for env_id, kwargs, text in [
            ("atari:nope", {}, "no_such_env: ale-py has no game 'nope'; it has adventure"),
            ("atari:pong", {"nope": 1}, "unknown argument nope; known: preprocessing"),
            ("atari:pong", {"preprocessing": "x"}, "is dqn, machado, r2d2, not 'x'"),
        ]:
            with self.assertRaisesRegex(Refused, text):
                self.open(env_id, **kwargs)


if __name__ == "__main__":
    unittest.main()
