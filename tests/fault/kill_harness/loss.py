#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much training a kill loses with default settings: the time between the newest loadable checkpoint and
the kill.

usage: loss.py SEEDBED [--kills N] [--longest S] [--jobs N] [--seed N] [--result FILE]

Runs of several sizes are killed after a random time of up to --longest seconds. The newest complete
checkpoint contains the state of a step; the rows of that step record when it was reached. Training after
that time is lost: at most 60 s by default. Time in which this program did not run either (the machine slept
or was stopped) does not count.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

RUNS = {
    "cartpole, 64-64": ["cartpole", "--network.hidden", "64,64"],
    "minatar_breakout, convolution": ["minatar_breakout"],
    "pendulum, 1024-1024 (1 M parameters)": [
        "pendulum", "--network.hidden", "1024,1024", "--actor.num_envs", "32"
    ],
    "the same, checkpoints 60 s apart": [
        "pendulum", "--network.hidden", "1024,1024", "--actor.num_envs", "32", "--checkpoint.time_share", "0"
    ],
}


class Standstills:
    """Intervals of wall-clock time in which this program did not run."""

    POLL_INTERVAL, LONGEST = 0.25, 1.5  # seconds

    def __init__(self):
        self.intervals = []
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        before = time.time()
        while True:
            time.sleep(self.POLL_INTERVAL)
            now = time.time()
            if now - before > self.LONGEST:
                self.intervals.append((before, now))
            before = now

    def within(self, begin, end):
        return sum(max(0.0, min(end, b) - max(begin, a)) for a, b in list(self.intervals))


STANDSTILLS = Standstills()


def lost_seconds(program, name, delay):
    with tempfile.TemporaryDirectory(prefix="seedbed-loss-") as data:
        process = subprocess.Popen([
            program, "train", *RUNS[name], "--preset", "none", "--minutes", "60", "--threads", "1", "--quiet",
            "--data", data
        ],
                                   stdout=subprocess.DEVNULL,
                                   start_new_session=True)
        database = pathlib.Path(data) / "seedbed.db"
        deadline = time.monotonic() + 600
        while not (pathlib.Path(data) / "checkpoints" / "1" / "0" / "manifest.json").exists():
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"{name}: training did not start")
            time.sleep(0.05)
        started = time.time()
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGKILL)
        killed = time.time()
        process.wait()
        steps = [int(folder.name) for folder in (pathlib.Path(data) / "checkpoints" / "1").iterdir()
                 if folder.name.isdigit() and (folder / "manifest.json").exists()]
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as rows:
            reached = rows.execute(
                "select max(time) from metric_points where run_id = 1 and step <= ? and points = 1",
                (max(steps), )).fetchone()[0]
            if reached is None and max(steps) > 0:
                reached = rows.execute("select max(time) from metric_points where run_id = 1 and step <= ?",
                                       (max(steps), )).fetchone()[0]
        since = reached if max(steps) > 0 else started
        time.sleep(2 * Standstills.LONGEST)  # so that an interval that ends now has been recorded
        return killed - since - STANDSTILLS.within(since, killed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--longest", type=float, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    draw = random.Random(options.seed)
    plan = [(list(RUNS)[i % len(RUNS)], draw.uniform(1, options.longest)) for i in range(options.kills)]
    program = str(pathlib.Path(options.program).resolve())
    lost = {name: [] for name in RUNS}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, delay), seconds in zip(plan, pool.map(lambda job: lost_seconds(program, *job), plan)):
            lost[name].append(seconds)
            print(f"{name}: killed after {delay:.1f} s, {seconds:.2f} s lost", flush=True)
    result = {
        "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "seed": options.seed,
        "kills": options.kills, "lost_seconds": {
            name: {
                "kills": len(all_), "median": round(sorted(all_)[len(all_) // 2], 2),
                "largest": round(max(all_), 2)
            } for name, all_ in lost.items() if all_
        }, "largest": round(max(max(all_) for all_ in lost.values() if all_), 2)
    }
    print(json.dumps(result, indent=1))
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")
    return 0 if result["largest"] <= 60 else 1


if __name__ == "__main__":
    sys.exit(main())
