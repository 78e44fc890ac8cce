#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills training at random moments and checks from outside that no committed data is lost.

usage: kill_harness.py SEEDBED [--forgetful PROGRAM] [--kills N] [--long-kills N] [--seconds S]
                       [--at-least N] [--seed N] [--every N] [--jobs N] [--only KIND] [--result FILE]

Small runs (feed-forward, recurrent, sticky MinAtar, async) are trained once without interruption. Then the
same runs are trained again: their process is killed with SIGKILL after a random time, sometimes within its
first milliseconds, and the run is resumed with a different number of threads. PROGRAM is SEEDBED plus an
environment that cannot save its state (default: seedbed_forgetful in the folder of SEEDBED); it trains the
run with that environment. While the process runs, an oracle outside the database counts the committed rows.
The following is checked after each kill:

* every row counted before is present, and the newest step has not decreased
* the live curve, episodes and evaluations are a prefix of those of the uninterrupted run, without gaps or
  duplicates. Runs that never repeat exactly (async schedule, environments that cannot be saved) must not
  contain duplicate rows or more episode steps than the run has steps, and an event must report restarted
  environments
* integrity_check passes, every checkpoint file has its recorded hash, and at least one checkpoint can be
  loaded
* no process of the data folder is left and the run is shown as interrupted; after a start and a clean stop
  no temporary file, no incomplete checkpoint folder and no socket remains, and the run's lock is free

About half of the kills hit other processes: the queue's scheduler, players, edits as the window makes
them, imports, exports and emptying the trash (others.py), and matches of leagues (leagues.py). --only kills
one of these kinds and no training. Every run and every kind has its turn before one is repeated. Row counts
and the newest step are checked after every kill of a training process, the rest (which reads everything)
after every N-th kill (--every) and at the end of each run. --jobs uses that many data folders concurrently.
With SEEDBED_LONG=1, --long-kills replaces --kills.

A run that reaches its goal must equal the uninterrupted run, parameters included. The exit code is 1 after
any violation, and after fewer kills than --at-least (default: 1): a slow machine kills fewer processes in
--seconds. The random seed is printed first; --seed repeats it.
"""
import argparse
import fcntl
import hashlib
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

import others
from leagues import Leagues
from oracle import LABELS, Oracle, faults_of_rows

# Pins everything that a default would choose by a measurement: the inference mode and the engine.
INLINE, CENTRAL = ["--run.inference", "inline"], ["--run.inference", "central"]
NATIVE, REFERENCE = ["--engine", "native"], ["--engine", "reference"]
SMALL = ["--preset", "none", "--algo.rollout_length", "32", "--actor.num_envs", "8", "--actor.groups", "4",
         "--network.hidden", "32,32", "--checkpoint.every_s", "0.1", "--eval.episodes", "4",
         "--eval.final_episodes", "8"]
RUNS = {
    "cartpole": ["cartpole", *SMALL, *NATIVE, *INLINE, "--steps", "60000", "--network.normalise_obs", "true"],
    "catch_lstm": ["catch", *SMALL, *REFERENCE, *CENTRAL, "--steps", "12000", "--network.core", "lstm",
                   "--network.core_size", "16"],
    "minatar": ["minatar_breakout", *SMALL, *NATIVE, *INLINE, "--steps", "9000",
                "--env.wrap.sticky_actions", "0.1"],
    "catch_async": ["catch", *SMALL, *NATIVE, *INLINE, "--algo", "vtrace", "--schedule", "async",
                    "--steps", "40000"],
    "forgetful": ["forgetful", *SMALL, *NATIVE, *INLINE, "--steps", "60000"],
}
# Metrics that differ between equal runs: rates, times of threads, and which requests shared a batch.
MEASURED = ("speed/", "time/", "infer/")
NEVER_THE_SAME = {"catch_async", "forgetful"}
KINDS = {kind.NAME: kind for kind in (*others.KINDS, Leagues)}
COUNTS = ("kills", "kills_of_training", "kills_at_start", "kills_without_saved_environments", *others.COUNTS,
          "kills_of_leagues", "acknowledged_matches",
          "clean_stops", "finished_runs", "rows_seen", "checkpoints_read", "thorough_checks")
EARLY = 0.06  # seconds; a kill before this time hits a process that is starting


def complete(folder):
    """Whether the files of a checkpoint folder match its manifest."""
    try:
        files = json.loads((folder / "manifest.json").read_text())["files"]
        return all(hashlib.sha256((folder / file["name"]).read_bytes()).hexdigest() == file["sha256"]
                   for file in files)
    except (OSError,
            ValueError):  # includes temporary folders whose writer was killed while writing the manifest
        return False


class Harness:
    def __init__(self, program, forgetful, seed, every):
        self.every = every
        self.program, self.random = program, random.Random(seed)
        self.forgetful = forgetful
        self.turns = {}
        self.names = [name for name in RUNS if name != "forgetful" or forgetful]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-kill-"))
        self.data = self.folder / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": str(self.folder),
                    "SEEDBED_LOG": "warning"}
        self.violations = []
        self.counts = dict.fromkeys(COUNTS, 0)
        self.source = self.folder / "source"  # an exported data folder, to be imported
        self.finished = ""  # a run that is not resumed

    def program_of(self, name):
        """The program that trains this run."""
        return self.forgetful if name == "forgetful" else self.program

    def seedbed(self, *arguments, codes=(0,), program=None):
        run = subprocess.run([program or self.program, *arguments],
                             capture_output=True,
                             text=True,
                             env=self.env,
                             timeout=1200)
        if run.returncode not in codes:
            raise RuntimeError(f"{arguments} exited with {run.returncode}: {run.stdout}{run.stderr}")
        return run.stdout

    def start(self, program, *arguments):
        """Starts a separate process group; returns it and a function that reads its stderr so far."""
        errors = tempfile.TemporaryFile(mode="w+")
        process = subprocess.Popen([program, *arguments],
                                   env=self.env,
                                   stdout=subprocess.DEVNULL,
                                   stderr=errors,
                                   start_new_session=True)

        def read():
            errors.seek(0)
            return errors.read().strip()
        return process, read

    def violated(self, what):
        print("VIOLATED:", what, flush=True)
        self.violations.append(what)

    def next_of(self, what, choices):
        """Draws one of the choices; each is drawn once before one is repeated."""
        if not self.turns.get(what):
            self.turns[what] = self.random.sample(choices, len(choices))
        return self.turns[what].pop()

    def unfinished(self, kills, deadline):
        return self.counts["kills"] < kills and time.monotonic() < deadline and len(self.violations) < 20

    def live(self, run):
        """The rows of the run that views and commands show."""
        metrics = json.loads(self.seedbed("metrics", str(run), "--json"))
        curves = {name: list(zip(curve["steps"], curve["values"])) for name, curve in metrics.items()
                  if not name.startswith(MEASURED)}
        with Oracle(self.data) as oracle:
            return {"curves": curves, **oracle.rows(run)}

    def expect_prefix(self, run, reference, name):
        live = self.live(run)
        for fault in faults_of_rows(live):
            self.violated(f"{name}: {fault}")
        if name == "forgetful":
            with Oracle(self.data) as oracle:
                for segment in oracle.silent_restarts(run):
                    self.violated(f"{name}: segment {segment} restarted its episodes without an event")
        if name in NEVER_THE_SAME:
            return live
        for metric, points in live["curves"].items():
            if points != reference["curves"].get(metric, [])[:len(points)]:
                self.violated(f"{name}: metric {metric} differs from the uninterrupted run")
        for rows in ("episodes", "evaluations"):
            if live[rows] != reference[rows][:len(live[rows])]:
                self.violated(f"{name}: {rows} differ from the uninterrupted run")
        return live

    # --- one process --------------------------------------------------------------------------------------
    def live_until_killed(self, run, name, delay):
        """Resumes the run and kills its process `delay` s after the start or, if that is later than EARLY,
        `delay` - EARLY s after its first new rows. Returns how it ended ("killed", "finished", or "last word"
        if it was killed after it had committed its final status) and the totals committed before."""
        with Oracle(self.data) as oracle:
            before = seen = oracle.totals(run)
            process, errors = self.start(self.program_of(name), "resume", str(run), "--quiet", "--threads",
                                         str(self.random.choice((1, 1, 2, 3))))
            early = delay < EARLY
            end = time.monotonic() + (delay if early else 60)
            while time.monotonic() < end and process.poll() is None:
                seen = tuple(map(max, seen, oracle.totals(run)))
                if not early and seen[0] > before[0]:
                    early, end = True, time.monotonic() + delay - EARLY
                time.sleep(min(0.02, max(0.0, end - time.monotonic())))
        ended = process.poll() is not None
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
            self.counts["kills"] += 1
            self.counts["kills_of_training"] += 1
            self.counts["kills_at_start"] += delay < EARLY
            self.counts["kills_without_saved_environments"] += name == "forgetful"
        process.wait()
        if process.returncode not in (0, -signal.SIGKILL):
            self.violated(f"{name}: resume exited with {process.returncode}: {errors()}")
        with Oracle(self.data) as oracle:
            if not ended and oracle.status(run) == "finished":
                return "last word", seen
        return "finished" if ended else "killed", seen

    def check_after(self, run, name, seen, reference, thoroughly):
        with Oracle(self.data) as oracle:
            now = oracle.totals(run)
            state = oracle.integrity() if thoroughly else "ok"
        self.counts["rows_seen"] += sum(seen[:5])
        for label, before, after in zip(LABELS, seen, now):
            # A checkpoint at the same step replaces the row of the earlier checkpoint.
            if after < before and label != "checkpoint rows":
                self.violated(f"{name}: {before} {label} before the kill, {after} after it")
        if not thoroughly:
            return
        if state != "ok":
            self.violated(f"{name}: integrity_check: {state}")
        if left := others.processes_of(self.data):
            self.violated(f"{name}: processes {left} are left")
        self.counts["thorough_checks"] += 1
        report = json.loads(self.seedbed("db", "check", "--checkpoints", "--json", codes=(0, 1)))
        if not report["ok"]:
            self.violated(f"{name}: db check: {report['problems']}")
        self.counts["checkpoints_read"] += report["checkpoints"]
        # Independently of db check: once a checkpoint has been reported, one that can be loaded always
        # exists.
        folders = (self.data / "checkpoints" / str(run)).iterdir()
        if now[LABELS.index("checkpoint rows")] > 0 and not any(map(complete, folders)):
            self.violated(f"{name}: no checkpoint can be loaded")
        status = json.loads(self.seedbed("show", str(run), "--json"))["status"]
        if status not in ("interrupted", "finished", "queued"):  # "queued" if it was killed before its first
                                                                 # row
            self.violated(f"{name}: shown as {status} although no process trains it")
        self.expect_prefix(run, reference, name)

    def check_clean(self, name, run):
        """Checks that nothing is left in the data folder and the folders of the run ("*": of all runs)."""
        folders = [self.data, self.data / "control", *self.data.glob(f"checkpoints/{run}"),
                   *self.data.glob(f"checkpoints/{run}/*/")]
        left = [str(path.relative_to(self.data)) for folder in folders for path in folder.iterdir()
                if ".tmp" in path.name or path.name.endswith((".sock", "-journal"))]
        left += [str(path.relative_to(self.data)) for path in self.data.glob(f"checkpoints/{run}/*/")
                 if path.name.isdigit() and not (path / "manifest.json").exists()]
        if left:
            self.violated(f"{name}: left after a start and a clean stop: {left}")
        for path in (self.data / "locks").iterdir():
            with path.open("rb+") as file:
                try:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    self.violated(f"{name}: the lock {path.name} is held although no process is left")

    def finished_run(self):
        """A finished run for players, edits and exports."""
        return self.finished

    def stop_cleanly(self, run, name):
        socket = self.data / "control" / f"run-{run}.sock"

        def made():
            try:
                return socket.stat().st_mtime_ns
            except FileNotFoundError:
                return None

        of_a_killed_process, deadline = made(), time.monotonic() + 600
        process, errors = self.start(self.program_of(name), "resume", str(run), "--quiet")
        # A process that has created its socket also handles signals.
        while made() in (None,
                         of_a_killed_process) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(self.random.uniform(0, 0.2))
        process.send_signal(signal.SIGTERM)
        process.wait()
        if process.returncode not in (0, 130):
            self.violated(f"{name}: a clean stop exited with {process.returncode}: {errors()}")
        self.counts["clean_stops"] += 1
        self.check_clean(name, run)
        return process.returncode == 0

    def one_run(self, name, reference, kills, deadline):
        # The queue creates a run without starting it, so that its first process can be killed too.
        (run, ) = json.loads(
            self.seedbed("queue", "add", *RUNS[name], "--json", program=self.program_of(name)))["ids"]
        self.seedbed("queue", "pause", "--quiet")
        ended = "killed"
        while ended == "killed" and self.unfinished(kills, deadline):
            early = self.random.random() < 0.2
            delay = self.random.uniform(0, EARLY) if early else self.random.uniform(EARLY, 0.6)
            ended, seen = self.live_until_killed(run, name, delay)
            thoroughly = ended != "killed" or self.counts["kills"] % self.every == 0
            self.check_after(run, name, seen, reference, thoroughly)
            if ended == "killed" and self.random.random() < 0.1 and self.stop_cleanly(run, name):
                ended = "finished"
        if ended == "killed":
            return
        self.counts["finished_runs"] += 1
        shown = json.loads(self.seedbed("show", str(run), "--json"))
        if shown["status"] != "finished":
            self.violated(f"{name}: it exited without finishing")
        live = self.expect_prefix(run, reference, name)
        if name not in NEVER_THE_SAME:
            for part in ("curves", "episodes", "evaluations"):
                if live[part] != reference[part]:
                    self.violated(f"{name}: the {part} of the finished run differ from the uninterrupted run")
            if shown["params_sha256"] != reference["sha256"]:
                self.violated(f"{name}: its parameters differ from the uninterrupted run")
        if ended == "finished":
            self.check_clean(name, run)

    def run_only(self, name, kills, seconds):
        begin, deadline = time.monotonic(), time.monotonic() + seconds
        kind = KINDS[name](self)
        while self.unfinished(kills, deadline):
            kind.round()
        kind.finish()
        return {"violations": self.violations, **self.counts, "seconds": round(time.monotonic() - begin, 1)}

    def run(self, kills, seconds):
        begin, deadline = time.monotonic(), time.monotonic() + seconds
        references = {}
        elsewhere = ("--data", str(self.folder / "elsewhere"), "--quiet")
        self.seedbed("train", *RUNS["cartpole"], *elsewhere)
        self.seedbed("db", "export", str(self.source), *elsewhere)
        for name in self.names:
            run = int(self.seedbed("train", *RUNS[name], "--quiet", program=self.program_of(name)))
            shown = json.loads(self.seedbed("show", str(run), "--json"))
            references[name] = {**self.live(run), "sha256": shown["params_sha256"]}
            self.finished = self.finished or str(run)
        kinds = [kind(self) for kind in KINDS.values()]
        while self.unfinished(kills, deadline):
            of_training = self.counts["kills_of_training"]
            while self.unfinished(kills, deadline) and of_training >= self.counts["kills"] / 2:
                self.next_of("kinds", kinds).round()
            name = self.next_of("names", self.names)
            self.one_run(name, references[name], kills, deadline)
        for kind in kinds:
            kind.finish()
        return {"violations": self.violations, **self.counts, "seconds": round(time.monotonic() - begin, 1)}


def work(program, options, seed, kills):
    harness = Harness(program, options.forgetful, seed, options.every)
    try:
        if options.only:
            return harness.run_only(options.only, kills, options.seconds)
        return harness.run(kills, options.seconds)
    finally:
        if harness.violations:
            print("data kept in", harness.folder, flush=True)
        else:
            shutil.rmtree(harness.folder, ignore_errors=True)


def work_side_by_side(program, options):
    """Runs one process per data folder, each with its own seed, and returns the sum of their results."""
    share = -(-options.kills // options.jobs)
    command = [sys.executable, __file__, program, "--kills", str(share), "--seconds", str(options.seconds),
               "--every", str(options.every)]
    if options.only:
        command += ["--only", options.only]
    if options.forgetful:
        command += ["--forgetful", options.forgetful]
    with tempfile.TemporaryDirectory(prefix="seedbed-kill-results-") as folder:
        files = [pathlib.Path(folder) / f"{job}.json" for job in range(options.jobs)]
        processes = [subprocess.Popen([*command, "--seed", str(options.seed + job), "--result", str(file)])
                     for job, file in enumerate(files)]
        for process in processes:
            process.wait()
        parts = [json.loads(file.read_text()) for file in files if file.exists()]
    if len(parts) < options.jobs:
        sys.exit(f"{options.jobs - len(parts)} of {options.jobs} jobs exited without a result")
    first, *others = parts
    for part in others:
        for key, value in part.items():
            if key in ("violations", *COUNTS):
                first[key] += value
        first["seconds"] = max(first["seconds"], part["seconds"])
    return first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--forgetful")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--long-kills", type=int)
    parser.add_argument("--seconds", type=float, default=210)
    parser.add_argument("--at-least", type=int, default=1)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", choices=[name for name, kind in KINDS.items() if kind.ALONE])
    parser.add_argument("--result")
    options = parser.parse_args()
    if options.long_kills and os.environ.get("SEEDBED_LONG"):
        options.kills = options.long_kills
    print("seed", options.seed, flush=True)
    program = str(pathlib.Path(options.program).resolve())
    beside = pathlib.Path(program).parent / "seedbed_forgetful"
    if not options.forgetful and beside.exists():
        options.forgetful = str(beside)
    if options.forgetful:
        options.forgetful = str(pathlib.Path(options.forgetful).resolve())
    else:
        print("seedbed_forgetful not found: skipping the run whose environment cannot save its state",
              flush=True)
    if options.jobs > 1:
        result = work_side_by_side(program, options)
    else:
        result = work(program, options, options.seed, options.kills)
    result = {**result, "seed": options.seed, "asked_kills": options.kills, "jobs": options.jobs,
              "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release(),
              "sqlite": sqlite3.sqlite_version}
    if options.result:
        pathlib.Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))
    if result["violations"]:
        sys.exit(1)
    if result["kills"] < options.at_least:
        sys.exit(f"only {result['kills']} kills within the time limit")


if __name__ == "__main__":
    main()
