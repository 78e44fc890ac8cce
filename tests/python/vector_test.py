# SPDX-License-Identifier: Apache-2.0
"""Vector environments in a worker: both autoreset modes, resets and failures. Needs NumPy."""

import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"))

try:
    import numpy as np
    from fake_host import ENVS, FAILED, FIRST, REST, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from seedbed_worker import vector
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

sys.path.insert(0, str(ENVS))
import corridor


class Clocks:
    """A same-step engine with two clocks that end at 3. The reward is the time."""

    can_reset_some, same_step = False, True
    observation_space, action_space = corridor.Box(0, 3, (1,)), corridor.Discrete(2)

    def reset(self, seeds):
        self.time = np.array([0, 1])
        return self.time[:, None].astype(np.float32)

    def step(self, actions, active):
        self.time += 1
        rewards, cut = self.time.copy(), self.time == 3
        obs = self.time[:, None].astype(np.float32)
        self.time[cut] = 0
        return obs, rewards, np.zeros(2, bool), cut, cut & active


class Vectors(WorkerCase):
    def check_mode(self, mode, said=""):
        count, draw = 4, np.random.default_rng(3)
        worker = self.open(f"gym:{ENVS}/vectors.py:Together", count, mode=mode, said=said)
        mirrors = [corridor.Corridor(length=5, limit=9) for _ in range(count)]
        seeds = [100 * number for number in range(count)]
        worker.exchange(RESET, seeds=seeds)
        expected = [mirror.reset(seed=seed)[0] for mirror, seed in zip(mirrors, seeds)]
        what, seen = np.full(count, STEP), set()
        for _ in range(300):
            np.testing.assert_array_equal(worker.leaves[0], expected)
            actions = draw.integers(0, 2, count)
            worker.exchange(what, actions, [7] * count)
            for number, mirror in enumerate(mirrors):
                reward, flags, fresh = 0, FIRST, what[number] == RESET
                if not fresh:
                    expected[number], reward, terminated, truncated, _ = mirror.step(actions[number].item())
                    same = terminated and mode == "SameStep"
                    flags = (TERMINATED | FIRST if same else TERMINATED) if terminated else 0
                    flags = TRUNCATED if truncated and not terminated else flags
                    fresh = same
                if fresh:
                    seeds[number] += 1
                    expected[number], _ = mirror.reset(seed=seeds[number])
                    if mode == "SameStep" and what[number] == RESET:  # the engine has stepped once more
                        expected[number], _, over, *_ = mirror.step(actions[number].item())
                        if over:
                            seeds[number] += 1
                            expected[number], _ = mirror.reset(seed=seeds[number])
                self.assertEqual((worker.flags[number], worker.rewards[number]), (flags, reward))
                seen.add(flags)
            over = worker.flags & (TERMINATED | TRUNCATED) != 0
            what = np.where(over & (worker.flags & FIRST == 0), RESET, STEP)
        last = TERMINATED | FIRST if mode == "SameStep" else TERMINATED
        self.assertEqual(seen, {0, FIRST, TRUNCATED, last})
        self.assertEqual(worker.errors(), [])

    def test_next_step(self):
        self.check_mode("NextStep")

    def test_same_step(self):
        self.check_mode("SameStep")

    def test_modes_may_be_texts(self):
        self.check_mode("NextStep", "NextStep")
        self.check_mode("NextStep", "none")
        self.check_mode("SameStep", "SameStep")
        self.check_mode("SameStep", "AutoresetMode.SAME_STEP")

    def test_a_same_step_engine_without_its_mode_fails_with_the_reason(self):
        for said in ("NextStep", "none"):
            worker = self.open(f"gym:{ENVS}/vectors.py:Together", 2, mode="SameStep", said=said, limit=3)
            worker.exchange(RESET, seeds=[1, 2])
            for _ in range(3):
                self.assertEqual(worker.errors(), [])
                worker.exchange(STEP, [0, 0])
            self.assertEqual(worker.flags.tolist(), [FAILED] * 2)
            self.assertRegex(worker.errors()[0]["error"], "returns final_obs, .* = 'SameStep'")

    def test_single_resets(self):
        """With masks, rows equal those of separate environments with the same seeds."""
        for mode in ("NextStep", "SameStep"):
            count, draw = 4, np.random.default_rng(3)
            worker = self.open(f"gym:{ENVS}/vectors.py:Together", count, mode=mode, masks=True)
            mirrors = [corridor.Corridor(length=5, limit=9) for _ in range(count)]
            seeds, what, seen = [100 * number for number in range(count)], np.full(count, RESET), set()
            expected = [None] * count
            for _ in range(300):
                actions, seeds = draw.integers(0, 2, count), draw.integers(0, 1000, count)
                worker.exchange(what, actions, seeds)
                for number, mirror in enumerate(mirrors):
                    reward, flags = 0, FIRST
                    if what[number] == STEP:
                        action = actions[number].item()
                        expected[number], reward, terminated, truncated, _ = mirror.step(action)
                        flags = TERMINATED | FIRST if terminated else TRUNCATED if truncated else 0
                    if flags & FIRST:
                        expected[number], _ = mirror.reset(seed=seeds[number].item())
                    self.assertEqual((worker.flags[number], worker.rewards[number]), (flags, reward))
                    seen.add((int(what[number]), flags))
                np.testing.assert_array_equal(worker.leaves[0], expected)
                what = np.where((worker.flags & TRUNCATED != 0) | (draw.random(count) < 0.05), RESET, STEP)
            self.assertEqual(
                seen, {(STEP, 0), (STEP, TRUNCATED), (STEP, TERMINATED | FIRST), (RESET, FIRST)}
            )
            self.assertEqual(worker.errors(), [])

    def test_the_reward_of_a_step_without_a_row_is_paid_with_the_next(self):
        """An engine that cannot reset single environments. They truncate at different times."""
        arrays = types.SimpleNamespace(
            what=np.full(2, RESET, np.uint8),
            seeds=np.zeros(2, np.uint32),
            actions=np.zeros((2, 1), np.float32),
            leaves=[np.zeros((2, 1), np.float32)],
            mask=None,
            rewards=np.zeros(2, np.float32),
            flags=np.zeros(2, np.uint8),
        )
        bare = type("Bare", (), {name: value for name, value in vars(Clocks).items() if name != "same_step"})
        for engine, unseen in ((Clocks, 1), (bare, 0)):
            arrays.what[...] = RESET
            source = vector.Vectors(engine, lambda _: {}, 2, None, [])
            source.attach(arrays)
            source.exchange()
            self.check_clocks(source, arrays, unseen)

    def check_clocks(self, source, arrays, unseen):
        rows = []
        for what in ([STEP, STEP], [STEP, STEP], [STEP, RESET], [RESET, STEP], [STEP, STEP]):
            arrays.what[...] = what
            source.exchange()
            rows.append((arrays.leaves[0][:, 0].tolist(), arrays.rewards.tolist(), arrays.flags.tolist()))
        self.assertEqual(
            rows,
            [
                ([1, 2], [1, 2], [0, 0]),
                ([2, 3], [2, 3], [0, TRUNCATED]),
                ([3, 1], [3, 0], [TRUNCATED, FIRST]),
                ([1, 2], [0, unseen + 2], [FIRST, 0]),
                ([2, 3], [unseen + 2, 3], [0, TRUNCATED]),
            ],
        )

    def test_other_modes_are_refused(self):
        with self.assertRaisesRegex(Refused, "unsupported: the autoreset mode Disabled is not supported"):
            self.open(f"gym:{ENVS}/vectors.py:Together", mode="Disabled")
        with self.assertRaisesRegex(Refused, "the autoreset mode Disabled is not supported"):
            self.open(f"gym:{ENVS}/vectors.py:Together", said="Disabled")

    def test_a_failure_costs_all_and_a_reset_recovers(self):
        worker = self.open(f"gym:{ENVS}/vectors.py:Together", 3, fail=2)
        worker.exchange(RESET, seeds=[1, 2, 3])
        worker.exchange(STEP, [0, 0, 0])
        worker.exchange(STEP, [0, 0, 0])
        self.assertEqual(worker.flags.tolist(), [FAILED] * 3)
        cause = "RuntimeError: the pool is broken"
        sentences = [cause, *[f"its vector environment failed: {cause}"] * 2]
        errors = worker.errors()
        self.assertEqual([error["env"] for error in errors], [0, 1, 2])
        self.assertEqual([error["error"] for error in errors], sentences)
        self.assertEqual({error["kind"] for error in errors}, {"step"})
        worker.exchange([RESET, STEP, REST], [0, 0, 0])
        self.assertEqual(worker.flags.tolist(), [FIRST, FAILED, 0])
        worker.exchange([STEP, RESET, RESET], [0, 0, 0])
        self.assertEqual(worker.flags.tolist(), [FAILED] * 3)
        self.assertRegex(worker.errors()[0]["error"], "cannot reset a single environment")
        worker.exchange(RESET, seeds=[1, 2, 3])
        self.assertEqual(worker.flags.tolist(), [FIRST] * 3)

    def test_environments_that_fail_twice_rest_before_the_next_attempt(self):
        worker = self.open(f"gym:{ENVS}/vectors.py:Together", 2, fail=1)
        worker.exchange(RESET, seeds=[1, 2])
        for _ in range(2):
            worker.exchange(STEP, [0, 0])
            self.assertEqual(worker.flags.tolist(), [FAILED] * 2)
            worker.exchange(REST)
            self.assertEqual(worker.flags.tolist(), [0, 0])
            worker.exchange([RESET, REST], seeds=[3, 4])
            self.assertEqual(worker.flags.tolist(), [FIRST, 0])

    def test_a_new_engine_resets_all_while_one_rests(self):
        worker = self.open(f"gym:{ENVS}/vectors.py:Together", 3, fail=2, masks=True)
        worker.exchange(RESET, seeds=[1, 2, 3])
        worker.exchange(STEP, [0, 0, 0])
        worker.exchange(STEP, [0, 0, 0])
        self.assertEqual(worker.flags.tolist(), [FAILED] * 3)
        worker.exchange([RESET, RESET, REST], seeds=[4, 5, 6])
        self.assertEqual(worker.flags.tolist(), [FIRST, FIRST, 0])
        first = worker.leaves[0][:2].copy()
        mirror = corridor.Corridor(length=5, limit=9)
        np.testing.assert_array_equal(first, [mirror.reset(seed=seed)[0] for seed in (4, 5)])
        worker.exchange([STEP, STEP, RESET], [0, 0, 0], [7, 8, 9])
        self.assertEqual(worker.flags.tolist(), [0, 0, FIRST])
        np.testing.assert_array_equal(worker.leaves[0][2], mirror.reset(seed=9)[0])


if __name__ == "__main__":
    unittest.main()
