# SPDX-License-Identifier: Apache-2.0
"""Copies of a data folder while runs train: a copy is complete, or the exit code is 1 and the message
lists what is missing; a killed copy leaves no temporary files."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from program_case import ENDLESS, PROGRAM, SMALL, ProgramCase
from measure import limit

EXPORTS = int(os.environ.get("SEEDBED_TEST_EXPORTS", "6"))


class Backups(ProgramCase):
    def setUp(self):
        super().setUp()
        self.copies = pathlib.Path(self.folder.name) / "copies"
        self.copies.mkdir()

    def missing(self, data, run=1):
        """Number of updates of a run without a point in loss/policy, which every update records."""
        points = len(self.document("metrics", str(run), "--data", str(data))["loss/policy"]["steps"])
        return self.document("show", str(run), "--data", str(data))["updates"] - points

    def temporaries(self, folder):
        return [str(path.relative_to(folder)) for path in folder.rglob("*") if ".tmp" in path.name]

    def test_a_copy_of_a_running_run_has_all_rows_of_its_newest_checkpoint(self):
        child, run = self.train(*ENDLESS, "--checkpoint.every_s", "0.1", "--checkpoint.time_share", "0")
        for number in range(EXPORTS):
            copy = self.copies / str(number)
            report = self.document("db", "export", str(copy))
            self.assertEqual(report["not_copied"], [])
            with sqlite3.connect(f"file:{copy}/seedbed.db?mode=ro", uri=True) as database:
                (rows,) = database.execute(
                    "select max(step) from metric_points where name = 'loss/policy'").fetchone()
            kept = [
                int(path.name.split(".")[0]) for path in (copy / "checkpoints" / str(run)).iterdir()
                if path.is_dir()
            ]
            self.assertLessEqual(max(kept), rows, "a checkpoint without its rows")
            self.assertTrue(self.document("db", "check", "--checkpoints", "--data", str(copy))["ok"])
            resumed = self.start("resume", str(run), "--data", str(copy), "--quiet", "--threads", "1")
            before = max(rows, self.document("show", str(run), "--data", str(copy))["steps"])

            def has_trained():
                if resumed.poll() is not None:
                    self.fail(f"resume exited with {resumed.returncode}: {resumed.communicate()}")
                return self.document("show", str(run), "--data", str(copy))["steps"] > before + 2000

            self.wait_for("more steps in the copy", has_trained)
            resumed.send_signal(signal.SIGTERM)
            resumed.communicate()
            self.assertEqual(self.missing(copy), 0)
            self.assertTrue(self.document("db", "check", "--checkpoints", "--data", str(copy))["ok"])
        child.send_signal(signal.SIGTERM)
        child.communicate()
        self.assertEqual(self.temporaries(pathlib.Path(self.folder.name)), [])

    def test_an_incomplete_copy_has_exit_code_1(self):
        self.seedbed("train", *SMALL, "--steps", "3000")
        newest = max((path for path in (self.data / "checkpoints" / "1").iterdir() if path.is_dir()),
                     key=lambda path: int(path.name))
        params = newest / "params.safetensors"
        good = params.read_bytes()
        params.write_bytes(good[:-1])
        report = self.document("db", "export", str(self.copies / "a"), code=1)
        self.assertIn("params.safetensors", report["not_copied"][0])
        params.write_bytes(good)
        self.document("db", "export", str(self.copies / "b"))
        copied = self.copies / "b" / "checkpoints" / "1" / newest.name / "params.safetensors"
        copied.write_bytes(good[:-1])
        other = ("--data", str(self.copies / "other"))
        self.assertEqual(
            len(self.document("db", "import", "--trust",
                              str(self.copies / "b"), *other, code=1)["not_copied"]), 1)
        self.assertFalse(self.document("db", "check", "--checkpoints", *other, code=1)["ok"])
        copied.write_bytes(good)
        self.assertEqual(
            self.document("db", "import", "--trust",
                          str(self.copies / "b"), *other)["runs"][0]["checkpoints"], 1)
        self.assertTrue(self.document("db", "check", "--checkpoints", *other)["ok"])
        # If checkpoints are not copied, the copied rows refer to none.
        self.document("db", "export", str(self.copies / "rows"), "--no-checkpoints")
        self.assertTrue(
            self.document("db", "check", "--checkpoints", "--data", str(self.copies / "rows"))["ok"])

    def test_policies_and_own_environments_are_in_a_copy_and_come_back(self):
        self.seedbed("train", *SMALL, "--steps", "300", "--quiet")
        steps = sorted((path for path in (self.data / "checkpoints" / "1").iterdir() if path.is_dir()),
                       key=lambda path: int(path.name))
        self.seedbed("import", str(steps[-1]), "--name", "mine")
        own = [{"title": "Lake", "env": "gym:./fishing.py:Lake", "arguments": []}]
        (self.data / "environments.json").write_text(json.dumps(own))
        source = self.copies / "source"
        self.assertEqual(self.document("db", "export", str(source))["policies"], ["mine"])
        self.document("db", "export", str(self.copies / "one"), "1")
        self.assertFalse((self.copies / "one" / "policies").exists())
        other = ("--data", str(self.copies / "other"))
        listed = self.copies / "other" / "environments.json"
        said = self.seedbed("db", "import", str(source), *other).stderr
        self.assertIn("imported policy: mine", said)
        self.assertIn("environments Lake", said)
        self.assertFalse(listed.exists(), "an environment runs a program")
        self.assertEqual(self.evaluation("mine", "--episodes", "2", *other),
                         self.evaluation("mine", "--episodes", "2"))
        for environments in (["Lake"], []):
            imported = self.document("db", "import", "--trust", str(source), *other)
            self.assertEqual((imported["policies"], imported["environments"]), ([], environments))
            self.assertEqual(json.loads(listed.read_text()), own)
        self.seedbed("policies", "remove", "mine", *other)
        self.seedbed("import", str(steps[0]), "--name", "mine", *other)
        said = self.seedbed("db", "import", str(source), *other, code=1).stderr
        self.assertIn("a different policy named 'mine' exists", said)
        own[0]["env"] = "gym:./other.py:Lake"
        (source / "environments.json").write_text(json.dumps(own))
        said = self.seedbed("db", "import", "--trust", str(source), *other, code=1).stderr
        self.assertIn("'Lake': there is already a different one with this title", said)
        (source / "environments.json").write_text("[1]")
        self.assertIn("is not a list", self.seedbed("db", "import", str(source), *other, code=1).stderr)

    def killed(self, delay, *arguments):
        child = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env=self.env)
        time.sleep(delay)
        child.kill()
        return child.wait() == -signal.SIGKILL

    def test_killed_copies_leave_no_temporary_files(self):
        self.seedbed("train", *SMALL, "--steps", "60000", "--eval.every_steps", "0")
        source, kills = self.copies / "source", 0
        self.document("db", "export", str(source))
        for number in range(4):
            delay = 0.03 * number
            kills += self.killed(delay, "db", "export", str(self.copies / "out"))
            if not (self.copies / "out").exists():
                self.document("db", "export", str(self.copies / "out"))
            self.assertEqual(self.temporaries(self.copies), [], "the next export cleans up")
            self.assertTrue(
                self.document("db", "check", "--checkpoints", "--data", str(self.copies / "out"))["ok"])
            subprocess.run(["rm", "-r", str(self.copies / "out")], check=True)

            other = self.copies / "other"
            kills += self.killed(delay, "db", "import", "--trust", str(source), "--data", str(other))
            if (other / "seedbed.db").exists():
                self.seedbed("train", *SMALL, "--steps", "100", "--data", str(other))
                left = [file for file in self.temporaries(other) if not file.startswith("checkpoints/")]
                self.assertEqual(left, [], "the next start cleans up")
            self.document("db", "import", "--trust", str(source), "--data", str(other))
            self.assertEqual(self.temporaries(other), [], "the next import cleans up the checkpoints")
            self.assertTrue(self.document("db", "check", "--checkpoints", "--data", str(other))["ok"])
            shown = [run["id"] for run in self.document("list", "--all", "--data", str(other))]
            with sqlite3.connect(f"file:{other}/seedbed.db?mode=ro", uri=True) as database:
                self.assertEqual(sorted(shown),
                                 [row[0] for row in database.execute("select id from runs order by id")])
            subprocess.run(["rm", "-r", str(other)], check=True)
        self.assertGreater(kills, 0, "no copy was still running when it was killed")

    def interrupted(self, number, left, *arguments):
        """Sends the signal to the command at different times until it arrives during the copy."""
        for attempt in range(100):
            child = self.start(*arguments)
            time.sleep(0.002 * (attempt % (20 if attempt < 60 else 100)))
            child.send_signal(number)
            sent = time.monotonic()
            _, said = child.communicate(timeout=60)
            self.assertLess(time.monotonic() - sent, limit(2), said)
            self.assertEqual(self.temporaries(self.copies), [])
            if "interrupted" in said:
                self.assertEqual(child.returncode, 130, said)
                return said
            subprocess.run(["rm", "-rf", str(left)], check=True)
        self.fail("no copy was still running when the signal arrived")

    def test_ctrl_c_ends_a_copy_and_removes_what_was_written(self):
        self.seedbed("train", *SMALL, "--steps", "60000", "--eval.every_steps", "0")
        source, out, other = (self.copies / name for name in ("source", "out", "other"))
        self.document("db", "export", str(source))
        for number in (signal.SIGINT, signal.SIGTERM):
            self.assertIn("interrupted; nothing was written",
                          self.interrupted(number, out, "db", "export", str(out)))
            self.assertFalse(out.exists())
            self.interrupted(number, other, "db", "import", "--trust", str(source), "--data", str(other))
            self.document("db", "import", "--trust", str(source), "--data", str(other))
            self.assertTrue(self.document("db", "check", "--checkpoints", "--data", str(other))["ok"])
            subprocess.run(["rm", "-r", str(other)], check=True)

    def test_ctrl_c_ends_an_import_between_two_policies(self):
        self.seedbed("train", *SMALL, "--steps", "300", "--quiet")
        newest = self.document("show", "1")["checkpoints"][-1]["folder"]
        self.seedbed("import", str(self.data / newest), "--name", "p0")
        source, other = self.copies / "source", self.copies / "other"
        self.seedbed("db", "export", str(source))
        for number in range(1, 1000):
            shutil.copytree(source / "policies" / "p0", source / "policies" / f"p{number}")
        child = self.start("db", "import", str(source), "--data", str(other))
        self.wait_for("the first policy", lambda: any((other / "policies").glob("p*")))
        child.send_signal(signal.SIGINT)
        sent = time.monotonic()
        _, said = child.communicate(timeout=60)
        self.assertLess(time.monotonic() - sent, limit(2), said)
        self.assertEqual(child.returncode, 130, said)
        self.assertIn("not copied: policies and environments: interrupted", said)
        self.assertIn("run 1 imported as run 1", said)
        self.assertLess(len(list((other / "policies").iterdir())), 1000)
        self.assertEqual(self.temporaries(other), [])
        self.assertEqual(len(self.document("list", "--data", str(other))), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
