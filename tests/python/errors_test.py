# SPDX-License-Identifier: Apache-2.0
"""Environments that fail: the kind, the sentence and the traceback of each error, and what still works."""

import os
import pathlib
import signal
import sys
import tempfile
import time
import unittest

try:
    import numpy as np
    from fake_host import ENVS, FAILED, FIRST, RESET, STEP, Refused, Worker
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Errors(WorkerCase):
    def hostile(self, name, count=2, **kwargs):
        """A worker whose environment 0 misbehaves in the next step; the others never do."""
        worker = self.open(f"gym:{ENVS}/hostile.py:{name}", count, **kwargs)
        worker.exchange(RESET, seeds=range(count))
        for _ in range(2):
            worker.exchange([STEP, *[0] * (count - 1)], [1] * count)
        return worker

    def check_recovery(self, worker):
        """Environment 0 has failed, but the others have not; after a reset it works again."""
        self.assertEqual(worker.flags.tolist(), [FAILED, 0])
        worker.exchange([RESET, STEP], [1, 0])
        self.assertEqual(worker.flags.tolist(), [FIRST, 0])
        self.assertEqual(worker.errors(), [])
        worker.exchange(STEP, [1, 0])
        self.assertEqual(worker.flags.tolist(), [0, FAILED])

    def refused(self, env_id, kind, text, traceback="", **kwargs):
        with self.assertRaises(Refused) as caught:
            self.open(env_id, **kwargs)
        self.assertEqual(caught.exception.kind, kind)
        self.assertRegex(caught.exception.error, text)
        self.assertNotIn("\n", caught.exception.error)
        self.assertRegex(caught.exception.traceback, traceback or "^")

    def test_a_failed_step_costs_one_environment(self):
        cases = {
            "Raises": ("step", "^ValueError: bad$", "hostile.py.*\n.*raise ValueError"),
            "Exits": ("step", "^SystemExit: 3$", "sys.exit"),
            "Deep": ("step", "^RecursionError: maximum recursion depth", "hostile.py"),
            "Unprintable": ("step", "^Broken$", "Broken"),
            "NoneObservation": ("space", "the observation is None", ""),
            "Shape": ("space", r"the observation is float32 \[3\]; expected the shape \[2\]", ""),
            "DType": ("space", r"the observation is <U1 \[2\]; expected the dtype float32", ""),
            "Reward": ("step", "^the reward is NoneType None; step must return one finite number", ""),
            "FourValues": ("step", "^step must return .*expected 5, got 4", ""),
        }
        for name, (kind, text, traceback) in cases.items():
            with self.subTest(name):
                worker = self.hostile(name)
                worker.exchange(STEP, [1, 0])
                errors = worker.errors()
                self.assertEqual([(error["env"], error["kind"]) for error in errors], [(0, kind)])
                self.assertRegex(errors[0]["error"], text)
                self.assertRegex(errors[0]["traceback"], traceback or "^")
                self.assertLessEqual(len(errors[0]["traceback"]), 17000)
                self.assertNotIn("seedbed_worker", errors[0]["traceback"])
                self.check_recovery(worker)

    def test_a_failed_reset_costs_one_environment(self):
        for name, text in {"Raises": "KeyError: 'bad reset'", "OnlyObservation": "reset must return"}.items():
            worker = self.open(f"gym:{ENVS}/hostile.py:{name}", 2)
            worker.exchange(RESET, seeds=[13, 1])
            self.assertEqual(worker.flags.tolist(), [FAILED, FIRST])
            (error,) = worker.errors()
            self.assertEqual(error["kind"], "reset")
            self.assertRegex(error["error"], text)
            worker.exchange([RESET, STEP], [1, 1], [2, 2])
            self.assertEqual(worker.flags.tolist(), [FIRST, 0])

    def test_a_failed_constructor_is_reported_at_the_next_reset(self):
        worker = self.open(f"gym:{ENVS}/hostile.py:FailsLater")
        worker.exchange(RESET)
        worker.exchange(STEP, [1])
        self.assertEqual(worker.errors()[0]["error"], "ValueError: no step")
        worker.exchange(RESET)
        self.assertEqual(worker.flags[0], FAILED)
        (error,) = worker.errors()
        self.assertEqual((error["kind"], error["error"]), ("constructor", "RuntimeError: only one at a time"))
        self.assertIn("hostile.py", error["traceback"])
        worker.exchange(RESET)
        self.assertEqual(worker.flags[0], FIRST)

    def test_a_step_after_a_failure_fails_silently(self):
        worker = self.hostile("Raises")
        worker.exchange(STEP, [1, 0])
        self.assertEqual(len(worker.errors()), 1)
        worker.exchange(STEP, [1, 0])
        self.assertEqual(worker.flags.tolist(), [FAILED, 0])
        self.assertEqual(worker.errors(), [])

    def test_a_failed_picture_leaves_the_environment_usable(self):
        worker = self.hostile("Raises")
        with self.assertRaisesRegex(Refused, "render: OSError: no display"):
            worker.picture(0)
        worker.exchange([0, STEP], [0, 1])
        self.assertEqual(worker.flags.tolist(), [0, 0])

    def test_open_explains_what_is_wrong(self):
        hostile = f"gym:{ENVS}/hostile.py"
        self.refused(
            f"{hostile}:NoConstructor",
            "constructor",
            "RuntimeError: the licence server is away",
            "hostile.py",
        )
        self.refused(f"{hostile}:Bare", "space", "has no observation_space")
        self.refused(f"{hostile}:Raises", "constructor", "unexpected keyword argument 'nope'", nope=1)
        self.refused(
            f"gym:{ENVS}/corridor.py:Corridor",
            "constructor",
            "^Corridor has no argument 'lenght'; did you mean 'length'[?] It has length, .*, render_mode$",
            "^$",
            lenght=7,
        )
        self.refused(
            f"{hostile}:NoConstructor", "constructor", "^NoConstructor has no argument 'x'; it has none$", x=1
        )
        self.refused(f"{hostile}:Nope", "no_such_env", "neither defines nor registers 'Nope'; .*Raises")
        self.refused(f"gym:{ENVS}/nope.py:Nope", "no_such_env", "nope.py does not exist")
        self.refused(
            "gym:nope_module:Nope",
            "import",
            f"No module named 'nope_module'; the Python in use is {sys.executable}; "
            "set SEEDBED_PYTHON to choose another",
        )
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"syntax": "def", "missing": "import nope_module", "exits": "exit(1)"}.items():
                pathlib.Path(folder, f"{name}.py").write_text(text)
                self.refused(
                    f"gym:{folder}/{name}.py:Env",
                    "import",
                    "SyntaxError|ModuleNotFound|SystemExit",
                    f"{name}.py" if name != "exits" else "",
                )

    def test_seeds_are_optional_but_reported(self):
        worker = self.open(f"gym:{ENVS}/hostile.py:WithoutSeed", 2)
        worker.exchange(RESET, seeds=[1, 2])
        self.assertFalse(worker.spec["repeats"])
        self.assertEqual(worker.leaves[0][0].tolist(), worker.leaves[0][1].tolist())

    def test_nan_is_passed_to_the_host(self):
        worker = self.hostile("NaN")
        worker.exchange(STEP, [1, 0])
        self.assertTrue(np.isnan(worker.leaves[0][0]).all())

    def test_an_endless_episode_continues(self):
        worker = self.open(f"gym:{ENVS}/hostile.py:Endless")
        worker.exchange(RESET)
        for _ in range(100):
            worker.exchange(STEP, [1])
            self.assertEqual(worker.flags[0], 0)

    def test_output_disturbs_nothing(self):
        for name in ("Prints", "ClosesDescriptors"):
            worker = self.hostile(name)
            for _ in range(3):
                worker.exchange(STEP, [1, 0])
                self.assertNotEqual(worker.flags[0], FAILED)
            self.assertEqual(worker.ask("state", env=0)["state"], {})
            if name == "Prints":
                self.assertEqual(worker.text().count("x"), 2 * 64 * 65536)

    def test_a_dead_process_closes_the_socket(self):
        for name, code in {"ExitsHard": 7, "Crashes": -signal.SIGSEGV}.items():
            worker = self.hostile(name)
            with self.assertRaises(EOFError):
                worker.exchange(STEP, [1, 0])
            self.assertEqual(worker.process.wait(), code)
            self.assertIn("" if code == 7 else "hostile.py", worker.text())

    def test_a_forked_process_cannot_answer(self):
        worker = self.hostile("Forks")
        worker.exchange(STEP, [1, 0])
        for step in range(20):
            worker.exchange([0, STEP], [0, step % 2])
            self.assertEqual(worker.flags[0], 0)
            time.sleep(0.01)
        self.assertIsNone(worker.process.poll())
        children = pathlib.Path(f"/proc/{worker.process.pid}/task/{worker.process.pid}/children").read_text()
        for child in children.split():
            state = pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
            self.assertEqual(state, "Z", "the child has exited")

    def test_a_hanging_step_prints_its_stack_and_dies_with_the_host(self):
        worker = self.hostile("Sleeps")
        worker.post(STEP, [1, 0])
        self.assertFalse(worker.wait(0.3))
        os.kill(worker.process.pid, signal.SIGUSR1)
        end = time.monotonic() + 60
        while "in spoil" not in worker.text() and time.monotonic() < end:
            time.sleep(0.01)
        self.assertIn("hostile.py", worker.text())
        worker.control.close()
        self.assertEqual(worker.process.wait(60), 0)


if __name__ == "__main__":
    unittest.main()
