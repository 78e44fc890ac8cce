# SPDX-License-Identifier: Apache-2.0
"""The wrappers env.wrap.sticky_actions, action_repeat and noop_starts in a worker: their effects, and
that their random numbers depend on the seed of the episode. Needs NumPy."""

import pathlib
import sys
import unittest

try:
    import numpy as np
    from fake_host import ENVS, FIRST, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

OFF = {"sticky_actions": 0.0, "action_repeat": 1, "noop_starts": 0}


class Wrappers(WorkerCase):
    def wrapped(self, env_id, count=1, kwargs=None, options=(), **wrap):
        worker = self.worker(*options)
        reply = worker.ask(
            "open", protocol=1, id=env_id, kwargs=kwargs or {}, count=count, wrap={**OFF, **wrap}
        )
        worker.spec, worker.count = reply["spec"], count
        worker.map()
        return worker

    def counter(self, count=1, **wrap):
        return self.wrapped(f"gym:{ENVS}/counter.py:Counter", count, **wrap)

    def episode(self, worker, actions, seed):
        """The actions that the environment has executed."""
        worker.exchange(RESET, seeds=[seed])
        for action in actions:
            worker.exchange(STEP, [action])
        return worker.leaves[0][0].astype(int).tolist()

    def test_an_action_is_repeated_and_its_rewards_are_summed(self):
        worker = self.counter(action_repeat=4)
        worker.exchange(RESET, seeds=[1])
        worker.exchange(STEP, [2])
        self.assertEqual(worker.leaves[0][0, :5].tolist(), [4, 2, 2, 2, 2])
        self.assertEqual(worker.rewards[0], 1 + 2 + 3 + 4)
        self.assertEqual(worker.spec["frames_per_step"], 1, "the host multiplies it")

    def test_the_end_of_an_episode_ends_the_repetition(self):
        worker = self.counter(action_repeat=4)
        worker.exchange(RESET, seeds=[1])
        for _ in range(5):
            worker.exchange(STEP, [1])
            self.assertEqual(worker.flags[0], 0)
        worker.exchange(STEP, [1])  # this reaches the limit of 22 steps
        self.assertEqual(worker.flags[0], TRUNCATED)
        self.assertEqual(worker.rewards[0], 21 + 22)
        worker.exchange(RESET, seeds=[1])
        worker.exchange(STEP, [3])  # this action terminates the episode
        self.assertEqual(worker.flags[0], TERMINATED | FIRST)
        self.assertEqual(worker.rewards[0], 1)
        self.assertEqual(worker.leaves[0][0, 0], 0)

    def test_no_ops_precede_the_first_observation(self):
        worker = self.counter(noop_starts=5)
        lengths = set()
        for seed in range(60):
            worker.exchange(RESET, seeds=[seed])
            length = int(worker.leaves[0][0, 0])
            self.assertEqual(worker.flags[0], FIRST)
            self.assertTrue((worker.leaves[0][0, 1:] == 0).all())
            lengths.add(length)
        self.assertEqual(lengths, {1, 2, 3, 4, 5})
        worker = self.counter(noop_starts=3, action_repeat=4)
        worker.exchange(RESET, seeds=[1])
        self.assertIn(worker.leaves[0][0, 0], [4, 8, 12])

    def test_an_episode_that_ends_in_the_no_ops_begins_again(self):
        worker = self.wrapped(f"gym:{ENVS}/counter.py:Counter", kwargs={"limit": 2}, noop_starts=9)
        lengths = set()
        for seed in range(40):
            worker.exchange(RESET, seeds=[seed])
            lengths.add(int(worker.leaves[0][0, 0]))
        self.assertEqual(lengths, {0, 1})

    def test_actions_stick_with_their_probability(self):
        worker = self.counter(count=1, sticky_actions=0.25)
        stuck = total = 0
        for seed in range(200):
            executed = self.episode(worker, [1, 2] * 8, seed)[1:17]
            previous = 0
            for chosen, done in zip([1, 2] * 8, executed):
                self.assertIn(done, (chosen, previous))
                stuck, total, previous = stuck + (done != chosen), total + (previous != chosen), done
        error = 4 * np.sqrt(0.25 * 0.75 / total)
        self.assertAlmostEqual(stuck / total, 0.25, delta=error)

    def test_every_repetition_may_stick(self):
        worker = self.counter(sticky_actions=0.5, action_repeat=4)
        seen = {tuple(self.episode(worker, [2], seed)[1:5]) for seed in range(60)}
        self.assertEqual(seen, {(0,) * stuck + (2,) * (4 - stuck) for stuck in range(5)})

    def test_random_numbers_depend_on_the_seed_of_the_episode(self):
        first, second = (self.counter(sticky_actions=0.5, noop_starts=4) for _ in range(2))
        self.episode(second, [1] * 7, 99)
        runs = [self.episode(worker, [1, 2] * 6, seed) for worker in (first, second) for seed in (5, 6)]
        self.assertEqual(runs[:2], runs[2:])
        self.assertNotEqual(runs[0], runs[1])

    def test_boxes_have_the_action_0_too(self):
        worker = self.wrapped(f"gym:{ENVS}/counter.py:Continuous", noop_starts=3, sticky_actions=0.5)
        worker.exchange(RESET, seeds=[1])
        self.assertEqual(worker.leaves[0][0, 1:].tolist(), [0] * 24)

    def test_without_wrappers_nothing_changes(self):
        worker = self.open(f"gym:{ENVS}/counter.py:Counter")
        self.assertEqual(self.episode(worker, [1, 2, 1], 3)[:4], [3, 1, 2, 1])

    def test_sources_that_cannot_be_wrapped_say_so(self):
        with self.assertRaisesRegex(Refused, "a mask may forbid; apply them in the environment"):
            self.wrapped(f"gym:{ENVS}/corridor.py:Masked", sticky_actions=0.25)
        with self.assertRaisesRegex(Refused, "noop_starts are not available for 'gym:.*games.py:Race'"):
            self.wrapped(f"gym:{ENVS}/games.py:Race", action_repeat=2)
        stand_ins = pathlib.Path(__file__).resolve().parent / "stand_ins"
        with self.assertRaisesRegex(Refused, "not available for 'unity:editor'; use its own settings"):
            self.wrapped("unity:editor", options=("--path", str(stand_ins)), sticky_actions=0.25)


if __name__ == "__main__":
    unittest.main()
