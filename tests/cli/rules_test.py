# SPDX-License-Identifier: Apache-2.0
"""Runs yield to other programs by the rules of their data folder."""
import shutil
import subprocess
import sys
import unittest

from program_case import ENDLESS, SMALL, ProgramCase


class Rules(ProgramCase):
    def plant(self):
        """Starts a program with a unique name, for a rule."""
        program = self.data.parent / "sb-planted-game"
        if not program.exists():
            shutil.copy(shutil.which("sleep"), program)
        child = subprocess.Popen([program, "600"])
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def is_paused(self):
        return self.status() == "paused"

    def is_training(self):
        return self.status() == "running"

    def test_a_run_pauses_for_a_program_and_resumes_when_it_ends(self):
        self.seedbed("rules", "--programs", "obs,sb-planted-game", "--battery", "ignore")
        game = self.plant()
        child = self.start("train", *ENDLESS)
        self.assertEqual(child.stdout.readline(), "1\n")
        self.wait_for("the pause", self.is_paused)
        reason = "the program sb-planted-game is running"
        self.assertEqual(self.document("show", "1")["status_text"], reason)
        self.assertIn(f"paused: {reason}", self.seedbed("list").stdout)
        self.assertEqual(self.document("rules")["now"], {"action": "pause", "reason": reason})
        attached = self.start("attach", "1", "--every", "50")
        self.assertIn(f"paused ({reason}):", attached.stderr.readline())
        steps = self.steps()
        game.kill()
        game.wait()
        self.wait_for("the end of the pause", lambda: self.is_training() and self.steps() > steps)
        self.assertEqual(self.document("show", "1")["status_text"], "")
        self.assertEqual([k for k in self.kinds() if k in ("paused", "continued")], ["paused", "continued"])

        # A person's request to train outlasts the rule.
        self.plant()
        self.wait_for("the pause", self.is_paused)
        self.seedbed("resume", "1")
        steps = self.steps()
        self.wait_for("more steps", lambda: self.is_training() and self.steps() > steps)
        self.seedbed("stop", "1")
        self.assertEqual(child.wait(60), 130)
        self.assertIn(f"{reason}; training resumes by itself, or with 'seedbed resume 1'",
                      child.stderr.read())

    def test_a_pause_does_not_change_the_result(self):
        def trained(run):
            self.wait_for("its end", lambda: self.status(run) == "finished", 300)
            return self.document("show", str(run))["params_sha256"]

        steps = ("--steps", "60000")
        self.seedbed("train", *SMALL, *steps)
        self.seedbed("rules", "--programs", "sb-planted-game")
        game = self.plant()
        self.start("train", *SMALL, *steps)
        self.wait_for("the pause", lambda: any(run["status"] == "paused" for run in self.document("list")))
        game.kill()
        game.wait()
        self.assertEqual(trained(2), trained(1))

    def test_changes_are_checked_and_damage_is_named(self):
        self.assertEqual(self.document("rules")["battery"], "low")
        self.assertIn("one of ignore, low, pause", self.seedbed("rules", "--battery", "sleep", code=3).stderr)
        self.seedbed("rules", "--min-memory", "-1", code=3)
        self.assertFalse((self.data / "neighbour.json").exists(), "a refused change writes nothing")
        changed = self.document("rules", "--min-disk", "1000", "--programs", "obs")
        self.assertEqual((changed["min_disk"], changed["programs"], changed["game"]), (1000, "obs", "pause"))
        self.plant()
        names = "sh,sb-planted-game,sb-no-such-program"
        self.assertEqual(self.document("rules", "--programs", names)["programs_not_found"],
                         ["sb-no-such-program"])
        self.assertIn("not in PATH, so check the spelling: sb-no-such-program", self.seedbed("rules").stderr)
        self.assertEqual(self.document("rules", "--programs", "")["programs"], "")
        (self.data / "neighbour.json").write_text("{")
        child, run = self.train()
        self.wait_for("the warning", lambda: "rules" in self.kinds(run))
        self.assertIn("neighbour.json", self.seedbed("rules").stderr)
        self.seedbed("rules", "--game", "pause")
        self.assertNotIn("neighbour.json", self.seedbed("rules").stderr)
        self.seedbed("stop", str(run))
        self.assertEqual(child.wait(60), 130)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
