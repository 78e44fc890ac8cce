# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and SIGTERM in the phases of commands: all end within two seconds, and nothing is lost silently."""
import pathlib
import signal
import sys
import unittest

from program_case import ENDLESS, SMALL, ProgramCase
from measure import limit

LIMIT = limit(2)
DEVICE_UNAVAILABLE = 4  # exit code, also used if an engine is not installed
# An update that takes many seconds.
HUGE = [
    "cartpole", "--preset", "none", "--run.inference", "inline",
    "--algo.rollout_length", "2048", "--algo.epochs", "1000", "--network.hidden", "64,64", "--steps",
    "1000000", "--eval.final_episodes", "0"
]


class Stop(ProgramCase):
    def stop(self, child, number=signal.SIGINT):
        took = self.seconds_to_stop(child, number)
        _, said = child.communicate(timeout=60)
        self.assertLess(took, LIMIT, said)
        return said

    def handles(self, child):
        """Waits until the process has a handler for SIGINT."""

        def handler():
            status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
            caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
            return int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1

        self.wait_for("the handler of SIGINT", handler)

    def check_huge_update(self, *engine):
        child = self.start("train", *HUGE, *engine)
        if not child.stdout.readline():
            said = child.communicate(timeout=60)[1]
            if child.returncode == DEVICE_UNAVAILABLE:
                self.skipTest(said.strip())
            self.fail(said)
        self.computes(child, 1.5)
        self.stop(child)
        self.assertEqual(child.returncode, 130)
        self.assertEqual(self.status(), "interrupted")
        # A resumed run does not collect the experience again, and is stopped in the same way.
        again = self.start("resume", "1")
        again.stdout.readline()
        self.computes(again, 1)
        self.stop(again)
        self.assertEqual(again.returncode, 130)
        self.assertEqual(self.steps(), 0)

    def test_in_a_huge_update(self):
        self.check_huge_update("--engine", "native")

    def test_in_a_huge_update_of_libtorch(self):
        self.check_huge_update("--engine", "torch")

    def test_before_there_is_a_run(self):
        child = self.start("train", "cartpole", "--preset", "none", "--engine", "reference",
                           "--run.inference", "inline", "--network.hidden", "5000,5000", "--steps", "1000")
        self.handles(child)
        said = self.stop(child)
        self.assertEqual((child.returncode, said.splitlines()[0]),
                         (130, "stopping; press Ctrl-C again to stop immediately"))
        self.assertNotIn("saving", said)

    def test_two_signals_at_once_are_one(self):
        child, _ = self.train()
        child.send_signal(signal.SIGTERM)
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(60), 130)
        self.assertEqual(self.status(), "interrupted")
        newest = max(row["step"] for row in self.document("show", "1")["checkpoints"])
        self.assertEqual(newest, self.steps())

    def test_in_an_evaluation_of_a_run(self):
        child = self.start("train", *SMALL, "--steps", "64", "--eval.final_episodes", "100000", "--quiet")
        child.stdout.readline()
        self.computes(child, 0.5)
        self.stop(child)
        self.assertEqual(child.returncode, 130)

    def test_in_the_command_eval(self):
        self.seedbed("train", *SMALL, "--steps", "64", "--quiet")
        child = self.start("eval", "1", "--episodes", "10000000")
        self.handles(child)
        self.computes(child, 0.3)
        self.stop(child)
        self.assertEqual(child.returncode, 130)

    def test_in_the_doctor(self):
        child = self.start("doctor")
        self.handles(child)
        said = self.stop(child)
        self.assertEqual((child.returncode, said.strip()),
                         (130, "stopping; press Ctrl-C again to stop immediately"))

    def test_in_the_queue(self):
        self.seedbed("queue", "add", *ENDLESS)
        child = self.start("queue", "start", "--foreground")
        self.wait_for("the first steps", lambda: self.steps(1) > 0)
        self.addCleanup(self.seedbed, "stop", "1")  # the run continues after its scheduler has exited
        self.stop(child)
        self.assertEqual(child.returncode, 130)

    def test_evaluations_cut_long_episodes_and_say_so(self):
        self.seedbed("train", *SMALL, "--steps", "64", "--quiet")
        run = self.seedbed("eval", "1", "--episodes", "4", "--max-steps", "1", code=1)
        self.assertIn("no episode was completed: 4 of 4 episodes were cut short after 1 decisions",
                      run.stderr)
        result = self.document("eval", "1", "--episodes", "4")
        self.assertEqual((result["n"], result["asked"], result["problem"]), (4, 4, ""))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
