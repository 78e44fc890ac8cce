# SPDX-License-Identifier: Apache-2.0
"""lib:FILE: environments in a shared library, compiled from stand_ins/library_env.c and the example."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    from fake_host import FAILED, FIRST, RESET, REST, SOURCE, STEP, TERMINATED, TRUNCATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

COMPILER = shutil.which("cc")
if COMPILER is None:
    print("[  SKIPPED ] no C compiler")
    sys.exit()
STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_ins" / "library_env.c"
EXAMPLE = SOURCE / "docs" / "examples" / "environment" / "lander_env.c"
GO, END, CUT = 0, 1, 2  # the first word of an action


def compiled(folder, source, *options):
    library = pathlib.Path(folder) / f"{source.stem}{len(list(pathlib.Path(folder).iterdir()))}.so"
    subprocess.run(
        [COMPILER, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC", *options]
        + ["-I", SOURCE / "core" / "embed", source, "-o", library, "-lm"],
        check=True,
    )
    return library


class Library(WorkerCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.library = compiled(folder.name, STAND_IN)

    def start(self, count=2, **kwargs):
        worker = self.open(f"lib:{self.library}", count, **kwargs)
        worker.exchange(RESET, seeds=list(range(count)))
        return worker

    def refused(self, kind, text, library=None, **kwargs):
        with self.assertRaises(Refused) as caught:
            self.open(f"lib:{library or self.library}", 1, **kwargs)
        self.assertEqual(caught.exception.kind, kind)
        self.assertRegex(caught.exception.error, text)

    def test_the_description_becomes_spaces(self):
        spec = self.start().spec
        self.assertEqual((spec["title"], spec["horizon"], spec["can_save"]), ("Test world", 5, True))
        obs = [(leaf["name"], leaf["kind"], leaf["shape"], leaf["stack"]) for leaf in spec["spaces"]["obs"]]
        self.assertEqual(
            obs,
            [
                ("numbers", "vector", [4], 1),
                ("picture", "image", [1, 12, 10], 2),
                ("choice", "discrete", [1], 1),
            ],
        )
        actions = spec["spaces"]["actions"]
        self.assertEqual([leaf["name"] for leaf in actions], ["what", "force"])
        self.assertEqual([leaf["kind"] for leaf in actions], ["discrete", "box"])
        self.assertEqual(actions[1]["low"], [-2, -2])
        self.assertTrue(spec["spaces"]["has_mask"])
        self.assertEqual(spec["files"][0]["path"], str(self.library))
        self.assertEqual(len(spec["files"][0]["sha256"]), 64)

    def test_columns_are_stepped_end_and_begin_independently(self):
        worker = self.start(3)
        np.testing.assert_array_equal(worker.flags, [FIRST] * 3)
        np.testing.assert_array_equal(worker.leaves[2][:, 0], [0, 1, 2])
        actions = [[GO, 1, 9], [END, 0, 0], [GO, 0, 0]]
        worker.exchange([STEP, STEP, REST], actions, seeds=[0, 3, 0])
        np.testing.assert_array_equal(worker.flags, [0, TERMINATED | FIRST, 0])
        np.testing.assert_array_equal(worker.rewards[:2], [0.5, 0.5])
        # The force of 9 was clipped.
        np.testing.assert_array_equal(worker.leaves[0], [[1, 0, 1, 2], [0, 0, 0, 0], [0, 0, 0, 0]])
        self.assertEqual(worker.leaves[2][1, 0], 3)  # the new episode has the new seed
        np.testing.assert_array_equal(worker.leaves[1][:, 0, 0, 0], [1, 0, 0])
        worker.exchange([STEP, STEP, STEP], [[CUT, 0, 0], [GO, 0, 0], [GO, 0, 0]])
        np.testing.assert_array_equal(worker.flags, [TRUNCATED, 0, 0])
        self.assertEqual(worker.leaves[0][0, 0], 2)  # the last observation of the episode
        np.testing.assert_array_equal(worker.mask, [[1, 1, 0], [1, 1, 1], [1, 1, 1]])
        worker.exchange([RESET, STEP, REST], [[GO, 0, 0]] * 3, seeds=[2, 0, 0])
        np.testing.assert_array_equal(worker.flags, [FIRST, 0, 0])
        self.assertEqual(worker.rewards[0], 0)

    def test_max_steps_truncates(self):
        worker = self.start()
        for _ in range(4):
            worker.exchange(STEP, [[GO, 0, 0]] * 2)
            np.testing.assert_array_equal(worker.flags, [0, 0])
        worker.exchange(STEP, [[GO, 0, 0], [END, 0, 0]])
        np.testing.assert_array_equal(worker.flags, [TRUNCATED, TERMINATED | FIRST])

    def test_states_and_pictures(self):
        worker = self.start()
        for _ in range(3):
            worker.exchange(STEP, [[GO, 0, 0]] * 2)
        state = worker.ask("save", env=1)["state"]
        other = self.start()
        other.ask("load", env=0, state=state)
        other.exchange(STEP, [[GO, 0, 0]] * 2)
        np.testing.assert_array_equal(other.leaves[0][:, 0], [4, 1])
        other.exchange(STEP, [[GO, 0, 0]] * 2)
        np.testing.assert_array_equal(other.flags, [TRUNCATED, 0])  # the count of steps is part of the state
        with self.assertRaisesRegex(Refused, "a state has 4 bytes"):
            other.ask("load", env=0, state="AAAA")
        picture = worker.picture(1)
        self.assertEqual(picture.shape, (2, 3, 3))
        self.assertTrue((picture == 10).all())
        with self.assertRaisesRegex(Refused, r"draw\(\) returned a picture of -1 x 3"):
            self.start(fault="picture").picture(0)

    def test_a_failure_loses_the_episodes_and_the_library_is_opened_again(self):
        worker = self.start(fault="step")
        for _ in range(2):
            worker.exchange(STEP, [[GO, 0, 0]] * 2)
        worker.exchange(STEP, [[GO, 0, 0]] * 2)
        np.testing.assert_array_equal(worker.flags, [FAILED, FAILED])
        (event,) = worker.errors()
        self.assertEqual((event["kind"], event["error"]), ("step", "step() failed"))
        worker.exchange(RESET, seeds=[1, 2])
        np.testing.assert_array_equal(worker.flags, [FIRST, FIRST])
        for _ in range(3):
            worker.exchange(STEP, [[GO, 0, 0]] * 2)
            np.testing.assert_array_equal(worker.flags, [0, 0])
        for fault, text in (("reset", r"reset() of column 0 failed"), ("observe", "observe() failed")):
            worker = self.start(fault=fault)
            np.testing.assert_array_equal(worker.flags, [FAILED, FAILED])
            self.assertEqual(worker.errors()[0]["error"], text)

    def test_a_crash_ends_only_the_worker(self):
        worker = self.start(fault="crash")
        for _ in range(2):
            worker.exchange(STEP, [[GO, 0, 0]] * 2)
        with self.assertRaisesRegex(EOFError, "-6"):
            worker.exchange(STEP, [[GO, 0, 0]] * 2)

    def test_libraries_that_cannot_be_used_are_refused_with_the_reason(self):
        other = compiled(self.folder, STAND_IN, "-DOTHER_ABI")
        self.refused("import", r"with version 2 of seedbed_env.h.*version 1; compile it again", other)
        unfinished = compiled(self.folder, STAND_IN, "-DNO_CLOSE")
        self.refused("import", "has no seedbed_env_close; define it as in seedbed_env.h", unfinished)
        text = pathlib.Path(self.folder) / "text.so"
        text.write_text("not a library")
        self.refused("import", "cannot be loaded: .*text.so", text)
        self.refused("constructor", "^the simulator has no licence$", fault="open")
        self.refused("space", "must set reset, step and observe", fault="no_step")
        self.refused("space", "has 0 observations", fault="nothing")

    def test_the_example_lands_with_its_argument(self):
        example = compiled(self.folder, EXAMPLE)
        worker = self.open(f"lib:{example}", 1, fuel_cost=0.25)
        worker.exchange(RESET, seeds=[5])
        worker.exchange(STEP, [[1]])
        self.assertAlmostEqual(worker.rewards[0], -0.25)
        self.assertEqual(worker.picture(0).shape, (64, 64, 3))
        for _ in range(300):
            worker.exchange(STEP, [[0]])
            if worker.flags[0]:
                break
        self.assertEqual(worker.flags[0], TERMINATED | FIRST)
        self.assertLess(worker.rewards[0], 0)
        self.refused("constructor", "the only argument is fuel_cost, a number; got .*heavy", example, heavy=1)


if __name__ == "__main__":
    unittest.main()
