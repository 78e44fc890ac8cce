#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills training at random moments, again and again, and checks from outside that nothing which was seen is lost.

usage: kill_harness.py SEEDBED [--kills N] [--seconds S] [--seed N] [--every N] [--result FILE]

Three small runs (feed-forward, recurrent, sticky MinAtar) are trained once without interruption. Then the same runs are trained while their
process is killed with SIGKILL after a random time, some of the kills within the first milliseconds of the process, and resumed with another
number of threads. An oracle outside of the database reads, while the process lives, how many rows are committed. After each kill:

* every row that was seen is still there, the newest step has not fallen (lost)
* the live curve, episodes and evaluations are a prefix of those of the uninterrupted run (gaps, duplicates, rows counted twice)
* integrity_check of the database, every byte of every checkpoint, and at least one checkpoint that can be loaded
* nothing in /dev/shm; the run is shown as interrupted at once; after a start and a clean stop no temporary file and no socket is left

Counts of rows, the newest step, integrity_check and /dev/shm are looked at after every kill, the rest (which reads everything) after every
N-th one of --every and at the end of each run.

When a run reaches its goal it must be equal to the uninterrupted one, parameters included. Exit code 1 when anything was violated; the seed
of the random numbers is printed first.
"""
import argparse
import json
import os
import pathlib
import platform
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SMALL = ["--preset", "none", "--algo.rollout_length", "32", "--actor.num_envs", "8", "--actor.groups", "4",
         "--network.hidden", "32,32", "--checkpoint.every_s", "0.1", "--eval.episodes", "4", "--eval.final_episodes", "8"]
RUNS = {
    "cartpole": ["cartpole", *SMALL, "--steps", "60000", "--network.normalise_obs", "true"],
    "catch_lstm": ["catch", *SMALL, "--engine", "reference", "--steps", "20000", "--network.core", "lstm", "--network.core_size", "16"],
    "minatar": ["minatar_breakout", *SMALL, "--steps", "12000", "--env.wrap.sticky_actions", "0.1"],
}


class Harness:
    def __init__(self, program, seed, every):
        self.every = every
        self.program, self.random = program, random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-kill-"))
        self.data = self.folder / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": str(self.folder), "SEEDBED_LOG": "warning"}
        self.violations = []
        self.counts = {"kills": 0, "kills_at_start": 0, "clean_stops": 0, "finished_runs": 0, "rows_seen": 0, "checkpoints_read": 0,
                       "thorough_checks": 0}
        self.shm = set(os.listdir("/dev/shm"))

    def seedbed(self, *arguments, codes=(0,)):
        run = subprocess.run([self.program, *arguments], capture_output=True, text=True, env=self.env, timeout=600)
        if run.returncode not in codes:
            raise RuntimeError(f"{arguments} ended with {run.returncode}: {run.stdout}{run.stderr}")
        return run.stdout

    def violated(self, what):
        print("VIOLATED:", what, flush=True)
        self.violations.append(what)

    # --- what is in the database, seen from outside -------------------------------------------------------------------
    def open(self):
        return sqlite3.connect(f"file:{self.data}/seedbed.db?mode=ro", uri=True, timeout=10)

    def totals(self, run):
        """Rows of the run that are committed, superseded ones included, and its newest step."""
        with self.open() as database:
            one = lambda sql: database.execute(sql, (run,)).fetchone()[0] or 0
            return (one("select sum(b.points) from metric_blocks b join metric_series s on s.id = b.series_id where s.run_id = ?")
                    + one("select count(*) from metric_tail t join metric_series s on s.id = t.series_id where s.run_id = ?"),
                    one("select count(*) from episode_rows where run_id = ?"), one("select count(*) from evaluation_rows where run_id = ?"),
                    one("select count(*) from checkpoint_rows where run_id = ?"), one("select count(*) from event_rows where run_id = ?"),
                    one("select steps from runs where id = ?"))

    def live(self, run):
        """What views and commands show of the run."""
        metrics = json.loads(self.seedbed("metrics", str(run), "--json"))
        curves = {name: list(zip(c["steps"], c["values"])) for name, c in metrics.items() if not name.startswith(("speed/", "time/"))}
        with self.open() as database:
            episodes = database.execute("select step, episode_return, length, agent_slot from episodes where run_id = ? order by number",
                                        (run,)).fetchall()
            evaluations = database.execute("select step, params_version, mean, n from evaluations where run_id = ? order by step",
                                           (run,)).fetchall()
        return {"curves": curves, "episodes": episodes, "evaluations": evaluations}

    def expect_prefix(self, run, reference, name):
        live = self.live(run)
        for metric, points in live["curves"].items():
            if points != reference["curves"].get(metric, [])[:len(points)]:
                self.violated(f"{name}: metric {metric} differs from the uninterrupted run")
        for rows in ("episodes", "evaluations"):
            if live[rows] != reference[rows][:len(live[rows])]:
                self.violated(f"{name}: {rows} differ from the uninterrupted run")
        return live

    # --- one life of a process -----------------------------------------------------------------------------------------
    def live_until_killed(self, run, name, delay):
        """Resumes the run, kills it `delay` s after its start, or, for a longer delay, after its first new rows. Returns whether it ended by itself before, and what had been seen."""
        threads = str(self.random.choice((1, 1, 2, 3)))
        process = subprocess.Popen([self.program, "resume", str(run), "--quiet", "--threads", threads], env=self.env,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        early, before = delay < 0.06, self.totals(run)
        end, seen = time.monotonic() + (delay if early else 60), before
        while time.monotonic() < end and process.poll() is None:
            seen = tuple(map(max, seen, self.totals(run)))
            if not early and seen[0] > before[0]:
                early, end = True, time.monotonic() + delay - 0.06
            time.sleep(min(0.01, max(0.0, end - time.monotonic())))
        ended = process.poll() is not None
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
            self.counts["kills"] += 1
            self.counts["kills_at_start"] += delay < 0.06
        errors = process.communicate()[1]
        with self.open() as database:
            # Killed after its last word was committed: nothing is left to do.
            ended = ended or database.execute("select status from runs where id = ?", (run,)).fetchone()[0] == "finished"
        if process.returncode not in (0, -signal.SIGKILL):
            self.violated(f"{name}: resume ended with {process.returncode}: {errors.strip()}")
        return ended, seen

    def check_after(self, run, name, seen, reference, thoroughly):
        now = self.totals(run)
        self.counts["rows_seen"] = self.counts["rows_seen"] + sum(seen[:5])
        labels = ("metric points", "episodes", "evaluations", "checkpoint rows", "events", "steps")
        for label, before, after in zip(labels, seen, now):
            # A checkpoint of the same step replaces the row of the one before it.
            if after < before and label != "checkpoint rows":
                self.violated(f"{name}: {before} {label} were seen, {after} are there")
        with self.open() as database:
            state = database.execute("pragma integrity_check").fetchone()[0]
            if state != "ok":
                self.violated(f"{name}: integrity_check says {state}")
        left = {entry for entry in set(os.listdir("/dev/shm")) - self.shm if "seedbed" in entry}
        if left:
            self.violated(f"{name}: left in /dev/shm: {left}")
        if not thoroughly:
            return
        self.counts["thorough_checks"] += 1
        report = json.loads(self.seedbed("db", "check", "--checkpoints", "--json", codes=(0, 1)))
        if not report["ok"]:
            self.violated(f"{name}: db check says {report['problems']}")
        self.counts["checkpoints_read"] += report["checkpoints"]
        status = json.loads(self.seedbed("show", str(run), "--json"))["status"]
        if status not in ("interrupted", "finished", "queued"):  # queued: killed before its first word
            self.violated(f"{name}: shown as {status} while no process has it")
        self.expect_prefix(run, reference, name)

    def check_clean(self, name):
        left = [str(path.relative_to(self.data)) for path in self.data.rglob("*") if path.name.endswith((".tmp", ".sock", "-journal"))]
        if left:
            self.violated(f"{name}: left after a start and a clean stop: {left}")

    def stop_cleanly(self, run, name):
        process = subprocess.Popen([self.program, "resume", str(run), "--quiet"], env=self.env, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        errors = process.communicate()[1]
        if process.returncode not in (0, 130):
            self.violated(f"{name}: a clean stop ended with {process.returncode}: {errors.strip()}")
        self.counts["clean_stops"] += 1
        self.check_clean(name)
        return process.returncode == 0

    def run(self, kills, seconds):
        begin, deadline = time.monotonic(), time.monotonic() + seconds
        references = {}
        for name, arguments in RUNS.items():
            run = int(self.seedbed("train", *arguments, "--quiet"))
            references[name] = {**self.live(run), "sha256": json.loads(self.seedbed("show", str(run), "--json"))["params_sha256"]}
        while self.counts["kills"] < kills and time.monotonic() < deadline and len(self.violations) < 20:
            name = self.random.choice(list(RUNS))
            # The queue makes a run without starting it, so that its first process can be killed too.
            (run,) = json.loads(self.seedbed("queue", "add", *RUNS[name], "--json"))["ids"]
            self.seedbed("queue", "pause", "--quiet")
            ended = False
            while not ended and self.counts["kills"] < kills and time.monotonic() < deadline and len(self.violations) < 20:
                delay = self.random.uniform(0, 0.06) if self.random.random() < 0.2 else self.random.uniform(0.05, 0.6)
                ended, seen = self.live_until_killed(run, name, delay)
                self.check_after(run, name, seen, references[name], ended or self.counts["kills"] % self.every == 0)
                if not ended and self.random.random() < 0.1:
                    ended = self.stop_cleanly(run, name)
            if not ended:
                continue
            self.counts["finished_runs"] += 1
            if json.loads(self.seedbed("show", str(run), "--json"))["status"] != "finished":
                self.violated(f"{name}: it ended without being finished")
            live = self.expect_prefix(run, references[name], name)
            for part in ("curves", "episodes", "evaluations"):
                if live[part] != references[name][part]:
                    self.violated(f"{name}: the finished run lacks {part} of the uninterrupted one")
            if json.loads(self.seedbed("show", str(run), "--json"))["params_sha256"] != references[name]["sha256"]:
                self.violated(f"{name}: other parameters than the uninterrupted run")
            self.check_clean(name)
        return {"violations": self.violations, **self.counts, "seconds": round(time.monotonic() - begin, 1)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=210)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--result")
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    harness = Harness(str(pathlib.Path(options.program).resolve()), options.seed, options.every)
    try:
        result = {"seed": options.seed, "asked_kills": options.kills, **harness.run(options.kills, options.seconds),
                  "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release(),
                  "sqlite": sqlite3.sqlite_version}
    finally:
        if not harness.violations:
            shutil.rmtree(harness.folder, ignore_errors=True)
        else:
            print("kept for a look:", harness.folder)
    print(json.dumps(result, indent=1))
    if options.result:
        pathlib.Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
    if result["violations"]:
        sys.exit(1)
    if result["kills"] < options.kills:
        sys.exit(f"only {result['kills']} kills in the time")


if __name__ == "__main__":
    main()
