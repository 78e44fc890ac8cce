# SPDX-License-Identifier: Apache-2.0
"""The queue over several days: shutdowns, runs started by the user, and several schedulers."""
import signal
import subprocess
import sys
import unittest

from program_case import ENDLESS, SMALL, ProgramCase


class Queue(ProgramCase):
    def queue(self):
        return self.document("queue", "list")

    def worker(self, run):
        return self.document("show", str(run))["segments"][-1]["pid"]

    def test_a_run_interrupted_by_shutdowns_continues_each_time(self):
        (run,) = self.document("queue", "add", *ENDLESS)["ids"]
        steps = 0
        for day in range(5):
            scheduler = self.start("queue", "work")
            self.wait_for("its steps", lambda: self.status(run) == "running" and self.steps(run) > steps)
            steps = self.steps(run)
            # All processes receive the signal, as at a shutdown.
            scheduler.send_signal(signal.SIGTERM)
            self.assertEqual(scheduler.wait(60), 130)
            subprocess.run(["kill", "-TERM", str(self.worker(run))], check=True)
            self.wait_for("its end", lambda: self.status(run) == "interrupted")
            self.assertEqual([e["id"] for e in self.queue()["entries"]], [run], f"day {day + 1}")

    def test_a_run_started_by_hand_is_left_alone(self):
        (run,) = self.document("queue", "add", *ENDLESS)["ids"]
        by_hand = self.start("resume", str(run), "--quiet")
        self.wait_for("its steps", lambda: self.status(run) == "running" and self.steps(run) > 0)
        scheduler = self.start("queue", "work")
        self.wait_for("the scheduler", lambda: self.queue()["entries"][0]["begun"])
        steps = self.steps(run)
        self.wait_for("more steps", lambda: self.steps(run) > steps)
        self.assertEqual(len(self.document("show", str(run))["segments"]), 1)
        self.assertEqual(self.status(run), "running")
        self.seedbed("stop", str(run))
        self.assertEqual(by_hand.wait(60), 130)
        self.assertEqual(scheduler.wait(60), 0)
        self.assertEqual(self.queue()["entries"], [])
        self.assertEqual(self.status(run), "interrupted")

    def test_the_next_seed_is_the_first_unused_one_of_the_same_settings(self):
        def seeds(*more):
            return self.document("queue", "add", *SMALL, "--steps", "200", *more, "--seeds", "next")["seeds"]

        self.assertEqual(seeds(), [1])
        self.assertEqual(seeds(), [2])
        self.document("queue", "add", *SMALL, "--steps", "200", "--seeds", "4")
        self.assertEqual(seeds(), [3])
        self.assertEqual(seeds(), [5])
        self.assertEqual(seeds("--algo.learning_rate", "0.02"), [1], "other settings")
        self.assertEqual(seeds("--run.threads", "2"), [6],
                         "settings that cannot change the result are ignored")
        self.assertEqual(seeds("--grid", "algo.learning_rate=0.02,0.03"), [2, 1])
        self.assertEqual(self.document("show", "2")["config"]["run"]["seed"], 2)

    def test_add_with_start_runs_jobs_at_once_or_joins_the_running_queue(self):
        added = self.document("queue", "add", *SMALL, "--steps", "200", "--start")
        self.assertEqual(added, {"ids": [1], "seeds": [1]})
        self.wait_for("its end", lambda: self.status(1) == "finished")
        (run,) = self.document("queue", "add", *ENDLESS, "--start")["ids"]
        self.wait_for("its steps", lambda: self.status(run) == "running")
        self.document("queue", "add", *SMALL, "--steps", "200", "--start")
        self.assertEqual([e["id"] for e in self.queue()["entries"]], [run, 3])
        self.assertTrue(self.queue()["working"])
        self.seedbed("stop", str(run))
        self.wait_for("the next one's end", lambda: self.status(3) == "finished")
        # A stopped run continues in the same way.
        self.assertEqual(self.document("queue", "add", "--run", str(run), "--start"), {"ids": [run]})
        self.wait_for("more steps", lambda: self.status(run) == "running")
        self.seedbed("stop", str(run))
        self.wait_for("the end of the work", lambda: not self.queue()["working"])

    def test_a_job_starts_from_the_weights_of_a_policy(self):
        short = [*SMALL, "--steps", "300"]
        self.seedbed("train", *short)
        self.assertIn("no run 7", self.seedbed("queue", "add", *short, "--init-from", "7", code=3).stderr)
        (run,) = self.document("queue", "add", *short, "--init-from", "1")["ids"]
        # The same settings with new weights are another job.
        self.assertEqual(len(self.document("queue", "add", *short)["ids"]), 1)
        self.assertEqual(self.document("queue", "add", *short, "--init-from", "1")["ids"], [])
        other = [value if value != "16,16" else "8" for value in short]
        self.assertIn("these parts differ: hidden",
                      self.seedbed("queue", "add", *other, "--init-from", "1", code=3).stderr)
        self.seedbed("queue", "work")
        events = [event["text"] for event in self.document("show", str(run))["events"]]
        self.assertIn("weights taken from 1", events)

    def test_the_list_distinguishes_jobs_of_a_grid(self):
        output = self.seedbed("queue", "add", *SMALL, "--steps", "200", "--grid",
                              "algo.learning_rate=1e-3,3e-4", "--grid", "algo.gamma=0.9,0.99", "--seeds",
                              "1..2").stderr
        self.assertIn("Added 8 jobs: algo.learning_rate=1e-3,3e-4, algo.gamma=0.9,0.99, seeds 1..2; ", output)
        rows = [row.split(None, 6) for row in self.seedbed("queue", "list").stdout.splitlines()[1:]]
        shown = [(row[4], row[6].split("  ")[-1]) for row in rows]
        self.assertEqual(len(set(shown)), 8, shown)
        entries = self.document("queue", "list")["entries"]
        self.assertEqual([(str(entry["seed"]), entry["settings"]) for entry in entries], shown)
        # 3e-4 and 0.99 are the defaults, but jobs that set them also show them.
        self.assertEqual([text.split(", ")[:2] for _, text in shown[::2]],
                         [[f"gamma={gamma}", f"learning_rate={rate}"] for rate in ("0.001", "0.0003")
                          for gamma in ("0.9", "0.99")])
        self.assertIn("learning_rate=0.001", self.seedbed("list").stdout)

    def test_undoing_a_pause_mentions_that_the_queue_is_not_running(self):
        self.seedbed("queue", "add", *SMALL, "--steps", "200")
        self.seedbed("queue", "pause")
        self.assertIn("queue start", self.seedbed("queue", "pause", "--undo").stderr)
        self.seedbed("queue", "pause", "1")
        reported = self.seedbed("queue", "pause", "1", "--undo").stderr
        self.assertIn("run 1", reported)
        self.assertIn("queue start", reported)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
