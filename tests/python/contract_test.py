# SPDX-License-Identifier: Apache-2.0
"""What reaches an environment and what it may return: masks, actions, rewards, ends. Needs Gymnasium."""

import sys
import unittest

try:
    import gymnasium  # noqa: F401
    import numpy as np
    from fake_host import ENVS, FAILED, FIRST, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Contract(WorkerCase):
    def setUp(self):
        self.shared = self.worker("--path", str(ENVS))  # a worker can open several environments

    def begin(self, name, count=1, **kwargs):
        worker = self.shared
        worker.open(f"gym:{ENVS}/contract.py:{name}", count, **kwargs)
        worker.exchange(RESET)
        return worker

    def wrapped(self, name, **kwargs):
        wrap = {"sticky_actions": 0, "action_repeat": 2, "noop_starts": 0}
        env_id = f"gym:{ENVS}/contract.py:{name}"
        reply = self.shared.ask("open", protocol=1, id=env_id, kwargs=kwargs, count=1, wrap=wrap)
        self.shared.spec, self.shared.count = reply["spec"], 1
        self.shared.map()
        self.shared.exchange(RESET)

    def choose(self, worker):
        """The last allowed choice of each leaf; numbers beyond the bounds."""
        columns, end = [], 0
        for leaf in worker.spec["spaces"]["actions"]:
            begin, end = end, end + leaf["n"]
            allowed = worker.mask[:, begin:end]
            columns += [leaf["n"] - 1 - allowed[:, ::-1].argmax(1)] if leaf["n"] else [[9] * worker.count] * 2
        return np.stack(columns, 1)

    def test_masks_are_used_in_every_format_from_reset_or_step(self):
        single = [("Parts", {})]
        vector = [("parts", {"mode": mode}) for mode in ("NextStep", "SameStep")]
        for kind in ("one", "dict", "tuple", "multi"):
            for more in ({}, {"late": 1}, {"odd": 2}):
                for name, arguments in single + vector:
                    worker, over = self.begin(name, 3, kind=kind, **arguments, **more), False
                    for _ in range(25):
                        worker.exchange(RESET if over else STEP, self.choose(worker))
                        self.assertEqual(worker.errors(), [], (name, arguments, more))
                        self.assertEqual(worker.rewards.tolist(), [not over] * 3, (name, arguments, more))
                        self.assertLessEqual(worker.mask.max(), 1)
                        over = worker.flags[0] == TRUNCATED

    def test_a_mask_without_a_choice_is_reported_once_unless_it_ends_an_episode(self):
        for name in ("Parts", "parts"):
            for dead, expected in ((0, 0), (3, 1)):
                worker, over = self.begin(name, 2, dead=dead), False
                for _ in range(25):
                    worker.exchange(RESET if over else STEP, [0, 0])
                    over = worker.flags[0] == TRUNCATED
                self.assertEqual(worker.errors(), [])
                notes = [event["text"] for event in worker.events if event["event"] == "note"]
                worker.events.clear()
                self.assertEqual(len(notes), expected, (name, dead, notes))
                self.assertTrue(all("allows no choice" in note for note in notes))

    def test_several_agents(self):
        worker = self.begin("Race")
        for expected in ([1, 1, 1], [0, 0, 1]):
            self.assertEqual(worker.mask.tolist(), [expected] * 2)
            worker.exchange(STEP, [2, 2])
            self.assertEqual((worker.errors(), worker.rewards.tolist()), ([], [1, 1]))
        worker = self.begin("Nim")
        worker.exchange(STEP, [1, 3])
        self.assertEqual((worker.errors(), worker.flags.tolist()), ([], [0, 0]))

    def test_masks_that_come_too_late_for_the_network_are_refused(self):
        for name in ("Parts", "parts"):
            worker = self.begin(name, late=3)
            for expected in (0, 0, FAILED):
                worker.exchange(STEP, [0])
                self.assertEqual(worker.flags[0], expected)
            text = "^action_mask: .* first mask after several steps; return one in"
            self.assertRegex(worker.errors()[0]["error"], text)
        with self.assertRaisesRegex(Refused, "sticky_actions"):
            self.wrapped("Parts", late=1)

    def test_results_that_are_accepted(self):
        one = "1.0 1 np.float16(1) np.float64(1) True np.array(1) np.ones((1,1)) [1]"
        flags = {"True": TERMINATED | FIRST, "np.bool_(0)": 0, "np.ones((1, 1), bool)": TERMINATED | FIRST}
        for results, expected in [
            *((f"({reward}, False, False)", 0) for reward in one.split()),
            *((f"(1.0, {value}, 0)", flag) for value, flag in flags.items()),
            ("(1.0, 0, np.array([1]))", TRUNCATED),
        ]:
            worker = self.begin("Returns", results=results)
            worker.exchange(STEP, [0])
            outcome = worker.errors(), worker.rewards[0], worker.flags[0]
            self.assertEqual(outcome, ([], 1, expected), results)

    def test_others_are_named(self):
        numbers = "None np.ones(2) [1,2] '1' 1j np.complex128(1) np.inf 1e39 float('nan') np.array(np.nan)"
        flags = "None np.ones(2,bool) 'False' 2 0.5"
        text = "^{} is .*; step must return "
        for results, expected in [
            *((f"({value}, False, False)", text.format("the reward")) for value in numbers.split()),
            *((f"(1.0, {value}, False)", text.format("terminated")) for value in flags.split()),
            *((f"(1.0, False, {value})", text.format("truncated")) for value in flags.split()),
        ]:
            worker = self.begin("Returns", results=results)
            worker.exchange(STEP, [0])
            self.assertRegex(worker.errors()[0]["error"], expected, results)
        for results, text in [
            ("None, terminated, truncated", "^the rewards are NoneType None; step must return an array"),
            ("rewards * 1e39 + 1e39, terminated, truncated", "; each must be a finite number"),
            ("rewards * np.nan, terminated, truncated", "; each must be a finite number"),
            ("rewards, rewards[1:], truncated", r"^terminated is float64 \[1\]; step must return an array"),
            ("rewards, terminated, 2 + truncated", "^truncated is .*; step must return an array of 2 bool"),
        ]:
            worker = self.begin("broken", 2, results=results)
            worker.exchange(STEP, [0, 0])
            self.assertRegex(worker.errors()[0]["error"], text)
        self.wrapped("Returns", results="(None, False, False)")
        worker.exchange(STEP, [0])
        self.assertRegex(worker.errors()[0]["error"], "^the reward is NoneType None; step must return")


if __name__ == "__main__":
    unittest.main()
