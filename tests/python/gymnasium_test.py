# SPDX-License-Identifier: Apache-2.0
"""Gymnasium's environments behave the same in a worker and when stepped directly. Needs Gymnasium."""

import base64
import importlib.util
import itertools
import json
import sys
import unittest

try:
    import gymnasium
    import numpy as np
    from envs import gym_limits
    from fake_host import ENVS, FIRST, REST, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Gymnasium(WorkerCase):
    def equal(self, env_id, steps, count=3, short_id=None, make=gymnasium.make, **kwargs):
        """Steps a worker and the environments of Gymnasium's own make() with the same actions and seeds."""
        worker = self.open(short_id or f"gym:{env_id}", count, **kwargs)
        mirrors = [make(env_id, **kwargs) for _ in range(count)]
        draw = np.random.default_rng(3)
        seeds = draw.integers(0, 2**32, count)
        worker.exchange(RESET, seeds=seeds)
        expected = [mirror.reset(seed=int(seed))[0] for mirror, seed in zip(mirrors, seeds)]
        what, ends = [STEP] * count, 0
        for _ in range(steps):
            np.testing.assert_array_equal(
                worker.leaves[0].reshape(count, -1), np.asarray(expected, np.float32).reshape(count, -1)
            )
            seeds = draw.integers(0, 2**32, count)
            actions = self.actions(mirrors[0].action_space, draw, count)
            worker.exchange(what, actions, seeds)
            for e, mirror in enumerate(mirrors):
                reward, flags = 0.0, FIRST
                if what[e] == STEP:
                    space = mirror.action_space
                    action = int(actions[e]) if hasattr(space, "n") else actions[e].astype(space.dtype)
                    expected[e], reward, terminated, truncated, _ = mirror.step(action)
                    flags = TERMINATED | FIRST if terminated else TRUNCATED if truncated else 0
                if flags & FIRST:
                    expected[e], _ = mirror.reset(seed=int(seeds[e]))
                self.assertEqual((worker.flags[e], worker.rewards[e]), (flags, np.float32(reward)))
                what[e] = RESET if flags == TRUNCATED else STEP
                ends += flags != 0
        self.assertEqual(worker.errors(), [])
        return worker, ends

    @staticmethod
    def actions(space, draw, count):
        if hasattr(space, "n"):
            return draw.integers(0, space.n, count)
        low, high = np.maximum(space.low, -5), np.minimum(space.high, 5)
        return draw.uniform(low, high, (count, *space.shape)).astype(np.float32)

    def test_vector_environments(self):
        """No row is lost at the ends of episodes, and their seeds are those of the host."""
        for name in ("next_step", "same_step", "processes"):
            short_id = f"gym:{ENVS}/gym_vectors.py:{name}"
            _, ends = self.equal("CartPole-v1", 120, short_id=short_id, max_episode_steps=20)
            self.assertGreater(ends, 10)

    def test_vector_environments_are_reset_within_an_episode(self):
        for name in ("next_step", "same_step", "processes"):
            worker = self.open(f"gym:{ENVS}/gym_vectors.py:{name}", 2)
            worker.exchange(RESET, seeds=[1, 2])
            first = worker.leaves[0].copy()
            for _ in range(3):
                worker.exchange(STEP, [0, 0])
            worker.exchange([RESET, STEP], [0, 0], [1, 0])
            self.assertEqual(worker.flags.tolist(), [FIRST, 0])
            np.testing.assert_array_equal(worker.leaves[0][0], first[0])
            worker.exchange(STEP, [0, 0])
            self.assertEqual(worker.flags.tolist(), [0, 0])

    def test_groups_of_actions_reach_the_environments_of_a_vector_environment(self):
        for count in (2, 3):
            worker = self.open(f"gym:{ENVS}/gym_vectors.py:tuples", count)
            worker.exchange(RESET)
            actions = [[0, 4], [1, 3], [2, 0]][:count]
            worker.exchange(STEP, actions)
            self.assertEqual(worker.leaves[0].tolist(), actions)
            worker = self.open(f"gym:{ENVS}/gym_vectors.py:dicts", count)
            worker.exchange(RESET)
            actions = np.array([[0, 0.5, -1, 2, 3], [1, 0, 0.25, 0, 1], [2, -0.5, 1, 1, 0]][:count])
            worker.exchange(STEP, actions)
            np.testing.assert_array_equal(worker.leaves[0], actions + [2, 0, 0, 0, 0])
            self.assertEqual(worker.errors(), [])

    def test_texts_of_vector_environments(self):
        worker, single = (self.open(f"gym:{ENVS}/gym_vectors.py:{name}", 2) for name in ("texts", "Says"))
        for each in (worker, single):
            each.exchange(RESET)
            each.exchange(STEP, [[1, 2, 3], [2, 0, 0]])
            self.assertEqual(each.errors(), [])
        for leaf, expected in zip(worker.leaves, single.leaves, strict=True):
            np.testing.assert_array_equal(leaf, expected)

    def test_cart_pole(self):
        worker, ends = self.equal("CartPole-v1", 200)
        self.assertGreater(ends, 10)
        self.assertEqual(worker.spec["horizon"], 500)
        self.assertEqual(worker.versions["gymnasium"], gymnasium.__version__)

    @unittest.skipUnless(importlib.util.find_spec("mujoco"), "MuJoCo is not installed")
    def test_time_limits_between_other_wrappers(self):
        for name in ("two_limits", "inner_limit", "outer_limit"):
            _, ends = self.equal(
                "CartPole-v1",
                120,
                short_id=f"gym:{ENVS}/gym_limits.py:{name}",
                make=lambda _, name=name: getattr(gym_limits, name)(),
            )
            self.assertGreater(ends, 30)

    def test_a_time_limit_is_restored(self):
        worker = self.open("gym:MountainCar-v0", 2, max_episode_steps=10)
        worker.exchange(RESET, seeds=[1, 2])
        for _ in range(4):
            worker.exchange([STEP, STEP], [0, 0])
        for _ in range(3):
            worker.exchange([STEP, REST], [0, 0])
        worker.ask("load", env=1, state=worker.ask("save", env=0)["state"])
        for step in range(8, 11):
            worker.exchange(STEP, [0, 0])
            self.assertEqual(worker.flags.tolist(), [TRUNCATED if step == 10 else 0] * 2)
        worker.exchange(RESET, seeds=[1, 2])
        worker.exchange(STEP, [0, 0])
        self.assertEqual(worker.flags.tolist(), [0, 0])

    def test_actions_have_the_dtype_of_the_space(self):
        """Only Gymnasium's own environments receive this dtype; others receive int."""
        worker = self.open("gym:FrozenLake-v1")
        worker.exchange(RESET)
        worker.exchange(STEP, [2])
        state = json.loads(base64.b64decode(worker.ask("save", env=0)["state"]))
        self.assertEqual(state[-1]["lastaction"]["scalar"], "<i8")

    @unittest.skipUnless(importlib.util.find_spec("mujoco"), "MuJoCo is not installed")
    def test_half_cheetah_has_a_short_id(self):
        worker, ends = self.equal("HalfCheetah-v5", 120, short_id="mujoco:half_cheetah")
        self.assertEqual(worker.spec["horizon"], 1000)

    @unittest.skipUnless(importlib.util.find_spec("minigrid"), "MiniGrid is not installed")
    def test_minigrid_has_the_leaves_of_the_native_one(self):
        importlib.import_module("minigrid")  # importing it registers its environments

        worker = self.open("minigrid:DoorKey-5x5-v0", 1)
        mirror, draw = gymnasium.make("MiniGrid-DoorKey-5x5-v0"), np.random.default_rng(0)
        leaves = {leaf["name"]: leaf for leaf in worker.spec["spaces"]["obs"]}
        self.assertEqual((leaves["image"]["shape"], leaves["image"]["high"]), ([3, 7, 7], 10))
        self.assertEqual((leaves["direction"]["cardinality"], leaves["mission"]["cardinality"]), (4, 1))
        worker.exchange(RESET, seeds=[4])
        obs, _ = mirror.reset(seed=4)
        for _ in range(100):
            image = worker.leaves[list(leaves).index("image")][0]
            np.testing.assert_array_equal(image, obs["image"].transpose(2, 0, 1))
            self.assertEqual(worker.leaves[list(leaves).index("direction")][0, 0], obs["direction"])
            action = int(draw.integers(7))
            worker.exchange(STEP, [action], [4])
            obs, reward, terminated, *_ = mirror.step(action)
            self.assertEqual(worker.rewards[0], np.float32(reward))
            if terminated:
                obs, _ = mirror.reset(seed=4)

    def test_pendulum_is_truncated(self):
        _, ends = self.equal("Pendulum-v1", 450)
        self.assertEqual(ends, 3 * 4)

    def test_arguments_reach_the_constructor(self):
        worker, _ = self.equal("FrozenLake-v1", 100, map_name="8x8", is_slippery=False)
        self.assertEqual(worker.spec["spaces"]["obs"][0]["cardinality"], 64)
        names = {parameter["name"] for parameter in worker.spec["parameters"]}
        self.assertTrue({"map_name", "is_slippery"} <= names)

    def test_a_mask_in_info_is_found(self):
        worker = self.open("gym:Taxi-v4", 2)
        worker.exchange(RESET, seeds=[1, 2])
        self.assertTrue(worker.spec["spaces"]["has_mask"])
        taxi = gymnasium.make("Taxi-v4")
        for e in range(2):
            np.testing.assert_array_equal(worker.mask[e], taxi.reset(seed=e + 1)[1]["action_mask"])

    def test_masks_of_vector_environments(self):
        for mode, reset_mask in itertools.product(("NextStep", "SameStep"), (True, False)):
            name = f"gym:{ENVS}/gym_vectors.py:forbids"
            worker, seen = self.open(name, 3, mode=mode, reset_mask=reset_mask), set()
            self.assertTrue(worker.spec["spaces"]["has_mask"])
            what = np.full(3, RESET)
            for step in range(60):
                # Chooses allowed actions even in steps that reset, since an engine may play them.
                actions = worker.mask.argmax(1)
                worker.exchange(what, actions, [step, step + 1, step + 2])
                over = worker.flags & (TERMINATED | TRUNCATED) != 0
                what = np.where(over & (worker.flags & FIRST == 0), RESET, STEP)
                times = worker.leaves[0][:, 0]
                for mask, time in zip(worker.mask[what == STEP], times[what == STEP]):
                    self.assertEqual(mask.tolist(), [int(number != time) for number in range(5)])
                self.assertTrue(worker.mask.any(1).all(), "no mask forbids all actions")
                seen.update(worker.flags.tolist())
            self.assertEqual(worker.errors(), [])
            self.assertIn(TRUNCATED, seen)

    def test_masks_of_vector_environments_that_are_no_arrays_are_refused(self):
        with self.assertRaisesRegex(Refused, r"space: the info 'action_mask' .* an array \[2, choices\]"):
            self.open(f"gym:{ENVS}/gym_vectors.py:unclear", 2)

    def test_an_unknown_id_is_an_error_with_a_suggestion(self):
        with self.assertRaisesRegex(Refused, "no_such_env: .*`CartPoles` doesn't exist. Did you mean"):
            self.open("gym:CartPoles-v1")


if __name__ == "__main__":
    unittest.main()
