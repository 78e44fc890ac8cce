# SPDX-License-Identifier: Apache-2.0
"""Tests of `seedbed population`: copies, lineage, members that fail, and populations that survive kills: 18
with SEEDBED_LONG=1, otherwise 9."""
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from command_case import CommandCase
from measure import MEASURING

SMALL = ["--steps", "4000", "--every", "1000", "--eval.final_episodes", "5", "--run.threads", "1"]
MUTATE = ["--mutate", "algo.learning_rate=1e-5..1e-1:log"]
START = ["population", "start", "cartpole", "--members", "3", *SMALL, *MUTATE]
KILLS = int(os.environ.get("SEEDBED_KILLS", 18 if MEASURING else 9))
LONG = ["--steps", str(1000 * KILLS), "--every", "2000", "--eval.final_episodes", "5", "--run.threads", "1",
        "--checkpoint.every_s", "0.1"]


class Population(CommandCase):
    shared = {}  # by name, data folders that earlier tests have made

    def made_once(self, name, make):
        """Makes the data folder, or copies it as an earlier test has made it."""
        if name in self.shared:
            shutil.copytree(self.shared[name], self.data)
            return
        make()
        folder = tempfile.TemporaryDirectory(prefix="seedbed-populations-")
        unittest.addModuleCleanup(folder.cleanup)
        # SQLite makes the file of its shared memory again, and may remove it during the copy.
        self.shared[name] = shutil.copytree(self.data, pathlib.Path(folder.name) / "data",
                                            ignore=shutil.ignore_patterns("*-shm"))

    def whole(self):
        """A complete population."""
        self.made_once("whole", lambda: self.seedbed(*START, "--quiet"))

    def stopped_in_the_second_round(self):
        def make():
            child = self.start(*START, "--quiet", stdout=subprocess.DEVNULL)
            self.wait_for("the second round", lambda: self.populations() and
                          any(number == 2 for number, _, _ in self.rounds()))
            child.terminate()
            child.wait()

        self.made_once("stopped", make)

    def result(self, name="1"):
        """All of a population that does not depend on time, with the parameters of its members."""
        shown = self.document("population", "show", name)
        with sqlite3.connect(self.data / "seedbed.db") as database:
            parameters = [
                database.execute(
                    "SELECT params_sha256 FROM checkpoints WHERE run_id = ? ORDER BY step DESC LIMIT 1",
                    (member["run"],)).fetchone()[0] for member in shown["members"]
            ]
        return shown, parameters

    def rounds(self):
        with sqlite3.connect(self.data / "seedbed.db") as database:
            return database.execute("SELECT round, member, state FROM population_rounds").fetchall()

    def test_worse_members_copy_better_ones(self):
        shown = self.document(*START, "--quiet")
        self.assertTrue(shown["complete"])
        self.assertFalse(shown["running"])
        self.assertEqual((shown["round"], shown["rounds_total"]), (4, 4))
        self.assertEqual(len(shown["rounds"]), 12)
        copies = [row for row in shown["rounds"] if row["parent"] != row["member"]]
        self.assertEqual(len(copies), 3, "one of three members in each round but the first")
        scores = {(row["round"], row["member"]): row["score"] for row in shown["rounds"]}
        for row in copies:
            before = {member: scores[row["round"] - 1, member] for member in (1, 2, 3)}
            self.assertEqual(before[row["member"]], min(before.values()))
            self.assertEqual(before[row["parent"]], max(before.values()))
        for row in shown["rounds"]:
            self.assertTrue(1e-5 <= row["settings"]["algo.learning_rate"] <= 1e-1)
        self.assertEqual(len(shown["lineage"]), 6)
        self.assertEqual(sum(node["parent"] is None for node in shown["lineage"]), 3)
        best = shown["best"]
        self.assertEqual(best["evaluation"], max(member["evaluation"] for member in shown["members"]))
        self.assertEqual(best["evaluation"], self.document("show", str(best["run"]))["last_return"])
        # Members are ordinary runs with a history of settings.
        for member in shown["members"]:
            run = self.document("show", str(member["run"]))
            self.assertEqual((run["status"], run["steps"] >= 4000), ("finished", True))
            changes = [row for row in copies if row["member"] == member["member"]]
            self.assertEqual([change["new"] for change in run["setting_changes"]],
                             [row["settings"]["algo.learning_rate"] for row in changes])
        text = self.seedbed("population", "show", "population-1").stdout
        for part in ("round 4 of 4, complete", "Lineage", "└─ member", "algo.learning_rate"):
            self.assertIn(part, text)
        self.assertEqual(self.document("population", "list")[0]["members"], 3)
        self.assertIn("population-1", self.seedbed("population", "list").stdout)
        self.assertIn("populations are not copied",
                      self.seedbed("db", "export", str(self.data.parent / "backup")).stderr)
        with sqlite3.connect(self.data.parent / "backup/seedbed.db") as copy:
            for table in ("populations", "population_members", "population_rounds"):
                self.assertEqual(copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0], 0)
        again = self.seedbed("population", "resume", "1", "--quiet")
        self.assertIn("complete", again.stdout)

    def test_equal_seeds_give_equal_populations(self):
        self.whole()
        first = self.result()
        shutil.rmtree(self.data)
        self.seedbed(*START, "--quiet", "--jobs", "3")
        second = self.result()
        self.assertEqual(first, second)
        shutil.rmtree(self.data)
        self.seedbed(*START, "--quiet", "--seed", "9")
        self.assertNotEqual(first[0]["rounds"], self.result()[0]["rounds"])

    def kill_newest_member(self):
        """Kills the process that has trained a run of the population most recently, if it still exists."""
        with sqlite3.connect(self.data / "seedbed.db") as database:
            row = database.execute("SELECT pid FROM segments ORDER BY started DESC LIMIT 1").fetchone()
        if row is None:
            return
        try:
            command = pathlib.Path(f"/proc/{row[0]}/cmdline").read_bytes().split(b"\0")
            if b"population" in command and str(self.data).encode() in command:
                os.kill(row[0], signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass

    def test_kills_change_nothing(self):
        start = [*START[:5], *LONG, *MUTATE, "--quiet"]
        self.seedbed(*start)
        whole = self.result()
        shutil.rmtree(self.data)
        rng = random.Random(5)

        def begin():
            words = ["population", "resume", "1", "--quiet"] if self.populations() else start
            return self.start(*words, stdout=subprocess.DEVNULL)

        child = begin()
        killed = 0
        for number in range(KILLS):
            time.sleep(rng.uniform(0.05, 0.5))
            if number % 3 != 2:
                killed += child.poll() is None
                child.kill()
                child.wait()
            # A member's process survives its controller, or is started again by it.
            if number % 3 != 0 and self.populations():
                self.kill_newest_member()
            if number % 3 != 2:
                child = begin()
        self.assertEqual(child.wait(), 0)
        self.assertGreater(killed, 0, "all kills came too late")
        resumed = self.result()
        self.assertEqual(whole[0]["rounds"], resumed[0]["rounds"])
        self.assertEqual(whole, resumed)

    def populations(self):
        try:
            with sqlite3.connect(self.data / "seedbed.db") as database:
                return database.execute("SELECT count(*) FROM populations").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def test_a_stopped_population_continues(self):
        child = self.start(*START, "--quiet", stdout=subprocess.DEVNULL)
        self.wait_for("a result", lambda: self.populations() and
                      any(state == "done" for _, _, state in self.rounds()))
        self.assertIn("is stopping", self.seedbed("population", "stop", "1").stdout)
        self.assertEqual(child.wait(), 130)
        self.assertIn("is not being trained", self.seedbed("population", "stop", "1", code=1).stderr)
        self.seedbed("population", "resume", "1", "--quiet")
        stopped = self.result()
        shutil.rmtree(self.data)
        self.whole()
        self.assertEqual(self.result(), stopped)

    def test_others_continue_without_a_member_whose_checkpoints_were_removed(self):
        self.stopped_in_the_second_round()
        shutil.rmtree(self.data / "checkpoints" / "2")
        run = self.seedbed("population", "resume", "1", "--json", code=1)
        self.assertIn("member 2 failed", run.stderr)
        self.assertIn("1 member failed in the last round", run.stderr)
        shown = self.document("population", "show", "1")
        self.assertTrue(shown["complete"])
        self.assertEqual([member["state"] for member in shown["members"]], ["done", "failed", "done"])
        self.assertIn("checkpoint", shown["members"][1]["error"])
        self.assertIn("failed: ", self.seedbed("population", "show", "1").stdout)

    def test_members_keep_their_replay(self):
        start = ("population", "start", "--preset", "cartpole_dqn", "--members", "2", "--steps", "3000",
                 "--every", "1000", "--eval.final_episodes", "5", *MUTATE, "--quiet")
        shown = self.document(*start)
        for member in shown["members"]:
            run = self.document("show", str(member["run"]))
            self.assertEqual(run["config"]["checkpoint"]["replay"], "full")
            self.assertNotIn("replay", " ".join(event["text"] for event in run["events"]))

    def test_a_member_that_failed_becomes_a_copy(self):
        self.stopped_in_the_second_round()
        with sqlite3.connect(self.data / "seedbed.db") as database:
            newest = max(number for number, _, _ in self.rounds())
            database.execute("UPDATE population_rounds SET state = 'failed', error = 'broken', score = NULL "
                             "WHERE member = 3 AND round = ?", (newest,))
        self.assertLess(newest, 4)
        self.seedbed("population", "resume", "1", "--quiet")
        rows = {(row["round"], row["member"]): row
                for row in self.document("population", "show", "1")["rounds"]}
        self.assertEqual(rows[newest, 3]["error"], "broken")
        self.assertNotEqual(rows[newest + 1, 3]["parent"], 3)
        self.assertEqual(rows[newest + 1, 3]["state"], "done")

    def test_what_does_not_fit_is_named(self):
        start = ("population", "start", "cartpole", *SMALL)
        for arguments, parts in {
            ("--members", "1", *MUTATE): ["2 to 256 members, not 1"],
            (): ["--mutate", "algo.learning_rate=1e-5..1e-3:log"],
            ("--mutate", "algo.learning_rate=1e-3..20"): ["outside the allowed one: 0 to 10"],
            ("--mutate", "algo.learningrate=1e-3..1e-2"): ["unknown setting", "algo.learning_rate"],
            ("--mutate", "algo.lr_schedule=1..2"): ["is not a number"],
            ("--mutate", "algo.gamma=0.9..0.99"): ["cannot change during a run", "algo.entropy_cost"],
            (*MUTATE, *MUTATE): ["twice"],
        }.items():
            self.assertText(self.seedbed(*start, *arguments, code=3), *parts)
        start_long = ("population", "start", "cartpole", "--steps", "4000", "--every", "5000")
        self.assertText(self.seedbed(*start_long, *MUTATE, code=3), "--every", "4,000")
        short = ("population", "start", "cartpole", "--steps", "4000", "--every", "100")
        self.assertText(self.seedbed(*short, *MUTATE, code=3), "shorter than an update", "256 steps")
        self.assertText(self.seedbed(*start, *MUTATE, "--minutes", "1", code=2), "run.minutes",
                        "does not apply")
        self.assertFalse((self.data / "seedbed.db").exists(), "nothing was created")
        self.assertText(self.seedbed("population", "show", "3", code=3), "no population '3'", "start one")
        run = self.seedbed(*start, *MUTATE, "--members", "2", "--objective", "loss/politics", code=1)
        for part in ("is not a metric of run", "loss/policy"):
            self.assertIn(part, run.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
