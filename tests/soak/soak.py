#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates hours of use: trains, stops, resumes, queues, evaluates, plays, exports, compares, lists and
copies, while long-lived processes are measured once a second.

usage: soak.py SEEDBED [--minutes M] [--seed N] [--result FILE]    (480: the long form, 10: the short one)

Three processes run from beginning to end: a training run, a player that follows it, and the queue's
scheduler, which gets a new job occasionally. Meanwhile commands run in random order in the same data
folder. After a warm-up of a quarter of the time, a straight line is fitted to memory, descriptors, threads
and mappings of each of them, and to the disk space of the data folder. The exit code is 1 if a command
fails, a process exits early, something is left behind, or a fitted line rises faster than its limit.
SIGTERM ends the test early, with the same report. The limits:

* memory: 1 MiB per hour, plus 4 MiB in total, since a fit over a short time cannot resolve less
* descriptors, threads, mappings: less than one (descriptors, threads) or 20 (mappings) in total
* disk: 1 MiB per hour plus 16 MiB, without the database. The database is only reported, since it contains
  the rows of the endless run
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

MIB = 1 << 20
SMALL = ["--preset", "none", "--engine", "native", "--run.inference", "inline", "--threads", "1",
         "--actor.num_envs", "8", "--network.hidden", "32,32", "--eval.episodes", "2",
         "--eval.final_episodes", "2", "--checkpoint.every_s", "1"]
LIMITS = {"memory": (1 * MIB, 4 * MIB), "descriptors": (0, 0.99), "threads": (0, 0.99), "mappings": (0, 20),
          "disk": (1 * MIB, 16 * MIB), "database": (float("inf"), 0)}  # limits per hour, and in total
WARM_UP = 0.25  # share of the time


def line(points):
    """Slope and intercept of the line fitted to (x, y)."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    slope, intercept = statistics.linear_regression(xs, ys)
    return slope, intercept


class Soak:
    def __init__(self, program, seed):
        self.program, self.random = program, random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-soak-"))
        self.data = self.folder / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": str(self.folder)}
        self.problems, self.counts, self.samples = [], {}, {}
        self.lived = {}  # kind to process
        self.done = threading.Event()
        self.enough = False  # set by SIGTERM
        self.runs = []  # finished runs that commands may use

    # --- commands
    def seedbed(self, *arguments, codes=(0,), timeout=300):
        name = " ".join(arguments[:2]) if arguments[0] in ("db", "queue", "env") else arguments[0]
        self.counts[name] = self.counts.get(name, 0) + 1
        try:
            run = subprocess.run([self.program, *arguments], capture_output=True, text=True, env=self.env,
                                 timeout=timeout)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{' '.join(arguments)} takes more than {timeout} s")
            return ""
        if run.returncode not in codes:
            self.problems.append(f"{' '.join(arguments)} exited with {run.returncode}: {run.stderr[-300:]}")
        return run.stdout

    def start(self, kind, *arguments):
        self.lived[kind] = subprocess.Popen([self.program, *arguments], env=self.env,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def live_run(self):
        return "1"

    def train(self):
        env = self.random.choice(["cartpole", "catch", "pendulum", "minatar_breakout"])
        steps = str(self.random.choice([2000, 4000]))
        run = self.seedbed("train", env, *SMALL, "--steps", steps, "--quiet").strip()
        if run:
            self.runs.append(run)

    def stop_and_resume(self):
        process = subprocess.Popen([self.program, "train", "cartpole", *SMALL, "--steps", "100000000",
                                    "--quiet"], env=self.env, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        run = process.stdout.readline().strip()
        time.sleep(self.random.uniform(0.3, 1.5))
        self.seedbed("pause", run)
        self.seedbed("set", run, "--algo.learning_rate", "1e-4")
        self.seedbed("resume", run)
        self.seedbed("stop", run)
        process.communicate(timeout=120)
        steps = json.loads(self.seedbed("show", run, "--json"))["steps"]
        self.seedbed("resume", run, "--steps", str(steps + 3000), "--quiet")
        self.runs.append(run)

    def queue(self):
        self.seedbed("queue", "add", "cartpole", *SMALL, "--steps", "3000", "--quiet")
        if self.lived["scheduler"].poll() is not None:  # the scheduler exits when its queue is empty
            self.start("scheduler", "queue", "start", "--foreground")

    def look(self):
        for command in (("list",), ("list", "--json"), ("metrics", self.live_run()),
                        ("metrics", self.live_run(), "--json"), ("show", self.live_run()),
                        ("queue", "list"), ("env", "list"), ("doctor", self.live_run())):
            self.seedbed(*command, codes=(0, 1) if command[0] == "doctor" else (0,))

    def evaluate(self):
        self.seedbed("eval", self.any_run(), "--episodes", "10", "--json")

    def play(self):
        file = self.folder / "games.replay"
        self.seedbed("play", self.any_run(), "--headless", "--episodes", "5", "--record", str(file))
        self.seedbed("replay", str(file), "--verify")
        file.unlink(missing_ok=True)

    def export(self):
        target = self.folder / "policy"
        self.seedbed("export", self.any_run(), "--to", "onnx", "--out", str(target), "--quiet")
        if target.exists():
            self.seedbed("verify", str(target))
            shutil.rmtree(target)

    def compare(self):
        self.seedbed("compare", *self.runs[-3:], codes=(0, 3))

    def edit(self):
        self.seedbed("edit", self.any_run(), "--note", str(self.random.random()), "--tag", "soak", "--star")

    def copy(self):
        target = self.folder / "copy"
        self.seedbed("db", "export", str(target), "--quiet")
        other = ("--data", str(self.folder / "other"))
        self.seedbed("db", "import", str(target), *other, "--quiet")
        shutil.rmtree(target, ignore_errors=True)
        shutil.rmtree(self.folder / "other", ignore_errors=True)

    def clean(self):
        while len(self.runs) > 4:
            self.seedbed("rm", self.runs.pop(0), "--quiet", codes=(0, 3))
        # Exit code 1 is allowed: a database of more than 64 MiB is not compacted while a run uses it.
        self.seedbed("db", "vacuum", "--empty-trash", "--quiet", codes=(0, 1))

    def any_run(self):
        return self.random.choice(self.runs)

    # --- measuring
    def sample(self, begin):
        while not self.done.wait(1):
            now = time.monotonic() - begin
            for kind, process in list(self.lived.items()):
                try:
                    folder = pathlib.Path(f"/proc/{process.pid}")
                    status = dict(entry.split(":", 1) for entry in
                                  (folder / "status").read_text().splitlines() if ":" in entry)
                    if "VmRSS" not in status:
                        continue
                    mappings = (folder / "maps").read_text().count("\n")
                    values = {"memory": int(status["VmRSS"].split()[0]) * 1024,
                              "descriptors": len(os.listdir(folder / "fd")),
                              "threads": int(status["Threads"]), "mappings": mappings}
                except OSError:
                    continue
                for what, value in values.items():
                    self.samples.setdefault((kind, what), []).append((now, value))
            for what, value in self.disk().items():
                self.samples.setdefault(("data folder", what), []).append((now, value))

    def disk(self):
        total = {"disk": 0, "database": 0}
        for folder, _, names in os.walk(self.data):
            for name in names:
                try:
                    bytes = os.stat(os.path.join(folder, name)).st_blocks * 512
                    total["database" if name.startswith("seedbed.db") else "disk"] += bytes
                except OSError:
                    pass
        return total

    def slopes(self, seconds):
        report = {}
        for (kind, what), points in sorted(self.samples.items()):
            late = [point for point in points if point[0] >= seconds * WARM_UP]
            if len(late) < 20:
                continue
            slope, _ = line(late)
            grown = slope * (late[-1][0] - late[0][0])
            per_hour, total = LIMITS[what]
            allowed = per_hour * (late[-1][0] - late[0][0]) / 3600 + total
            unit = "MiB" if what in ("memory", "disk", "database") else "count"
            scale = MIB if unit == "MiB" else 1
            report.setdefault(kind, {})[what] = {
                "unit": unit, "first": round(late[0][1] / scale, 2), "last": round(late[-1][1] / scale, 2),
                "slope_per_hour": round(slope * 3600 / scale, 3), "fitted_growth": round(grown / scale, 3),
                "samples": len(late)}
            if allowed < float("inf"):
                report[kind][what]["allowed_growth"] = round(allowed / scale, 3)
            if grown > allowed:
                self.problems.append(f"{what} of {kind} grows by {grown / scale:.2f} {unit} in "
                                     f"{late[-1][0] - late[0][0]:.0f} s; {allowed / scale:.2f} are allowed")
        return report

    def run(self, minutes):
        begin = time.monotonic()
        self.start("training", "train", "cartpole", *SMALL, "--steps", "100000000000", "--quiet")
        deadline = time.monotonic() + 60
        while not (self.data / "checkpoints" / "1").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        self.train()
        self.train()
        self.start("player", "play", "1", "--follow", "--headless", "--episodes", "10000000", "--speed", "20")
        self.start("scheduler", "queue", "start", "--foreground")
        sampler = threading.Thread(target=self.sample, args=(begin,))
        sampler.start()
        activities = [self.train, self.stop_and_resume, self.queue, self.look, self.evaluate, self.play,
                      self.export, self.compare, self.edit, self.copy, self.clean]
        while time.monotonic() - begin < minutes * 60 and len(self.problems) < 10 and not self.enough:
            self.random.choice(activities)()
            for kind in ("training", "player"):
                if self.lived[kind].poll() is not None:
                    self.problems.append(f"{kind} ended with {self.lived[kind].returncode}")
                    self.done.set()
            if self.done.is_set():
                break
        self.done.set()
        sampler.join()
        seconds = time.monotonic() - begin
        report = self.slopes(seconds)
        self.end()
        return {"seconds": round(seconds, 1), "commands": dict(sorted(self.counts.items())),
                "processes": report, "problems": self.problems}

    def end(self):
        for kind, process in self.lived.items():
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(60)
                except subprocess.TimeoutExpired:
                    self.problems.append(f"{kind} does not stop on SIGINT")
                    process.kill()
        self.seedbed("queue", "pause", codes=(0, 3))
        report = json.loads(self.seedbed("db", "check", "--checkpoints", "--json", codes=(0, 1)) or "{}")
        if not report.get("ok"):
            self.problems.append(f"db check: {report.get('problems')}")
        left = [str(path.relative_to(self.data)) for path in self.data.rglob("*")
                if ".tmp" in path.name or path.name.endswith((".sock", "-journal"))]
        if left:
            self.problems.append(f"left behind: {left}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=480)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    # If a shell starts this program in the background, SIGINT is ignored, and the child processes would
    # inherit this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("seed", options.seed, flush=True)
    soak = Soak(str(pathlib.Path(options.program).resolve()), options.seed)
    signal.signal(signal.SIGTERM, lambda *_: setattr(soak, "enough", True))
    try:
        result = soak.run(options.minutes)
    finally:
        soak.done.set()
        for process in soak.lived.values():
            if process.poll() is None:
                process.kill()
        shutil.rmtree(soak.folder, ignore_errors=True)
    result = {"date": time.strftime("%Y-%m-%d"), "seed": options.seed, "minutes": options.minutes,
              "cores": os.cpu_count(), **result}
    print(json.dumps(result, indent=1))
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")
    return 1 if result["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
