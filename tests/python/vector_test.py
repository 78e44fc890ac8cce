# SPDX-License-Identifier: Apache-2.0
"""Vector environments in a worker: both autoreset modes, resets, failures. Needs NumPy."""

import sys
import unittest

try:
    import numpy as np
    from fake_host import ENVS, FAILED, FIRST, REST, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

sys.path.insert(0, str(ENVS))
import corridor


class Vectors(WorkerCase):
    def check_mode(self, mode):
        count, draw = 4, np.random.default_rng(3)
        worker = self.open(f"gym:{ENVS}/vectors.py:Together", count, mode=mode)
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

    def test_other_modes_are_refused(self):
        with self.assertRaisesRegex(Refused, "unsupported: the autoreset mode Disabled is not supported"):
            self.open(f"gym:{ENVS}/vectors.py:Together", mode="Disabled")

    def test_a_failure_costs_all_and_a_reset_recovers(self):
        worker = self.open(f"gym:{ENVS}/vectors.py:Together", 3, fail=2)
        worker.exchange(RESET, seeds=[1, 2, 3])
        worker.exchange(STEP, [0, 0, 0])
        worker.exchange(STEP, [0, 0, 0])
        self.assertEqual(worker.flags.tolist(), [FAILED] * 3)
        self.assertEqual([error["error"] for error in worker.errors()], ["RuntimeError: the pool is broken"])
        worker.exchange([RESET, STEP, REST], [0, 0, 0])
        self.assertEqual(worker.flags.tolist(), [FIRST, FAILED, 0])
        worker.exchange([STEP, RESET, RESET], [0, 0, 0])
        self.assertEqual(worker.flags.tolist(), [FAILED] * 3)
        self.assertRegex(worker.errors()[0]["error"], "cannot reset a single environment")
        worker.exchange(RESET, seeds=[1, 2, 3])
        self.assertEqual(worker.flags.tolist(), [FIRST] * 3)


if __name__ == "__main__":
    unittest.main()
