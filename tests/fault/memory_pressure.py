#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Training, resuming, exporting and importing with too little address space (RLIMIT_AS).

usage: memory_pressure.py SEEDBED [--rounds N] [--seed N] [--result FILE]

Each command runs with a limit somewhere between far too little and enough. It either works or exits with a
non-zero code and a message that mentions memory; it is never killed by a signal, never hangs and never leaves
a checkpoint or database that is damaged.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SMALL = ["--preset", "none", "--engine", "native", "--run.inference", "inline", "--threads", "2",
         "--eval.episodes", "2", "--eval.final_episodes", "2", "--checkpoint.every_s", "0.1", "--quiet"]
TRAIN = {"cartpole": ["train", "cartpole", *SMALL, "--steps", "6000"],
         "pixels": ["train", "minatar_breakout", *SMALL, "--steps", "3000", "--network.hidden", "512"]}
TIMEOUT_S = 120
MIB = 1 << 20


class Pressure:
    def __init__(self, program, seed):
        self.program, self.random = program, random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-memory-"))
        self.data = self.folder / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": str(self.folder)}
        self.outcomes = collections.Counter()
        self.messages = collections.Counter()
        self.violations = []

    def seedbed(self, *arguments, limit=None):
        def limited():
            if limit:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            return subprocess.run([self.program, *arguments], capture_output=True, text=True, env=self.env,
                                  timeout=TIMEOUT_S, preexec_fn=limited)
        except subprocess.TimeoutExpired:
            return None

    def needed(self, *arguments):
        """The largest address space of the command when nothing limits it."""
        process = subprocess.Popen([self.program, *arguments], env=self.env, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        largest = 0
        while process.poll() is None:
            try:
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                found = re.search(r"VmPeak:\s+(\d+) kB", status)
                largest = max(largest, int(found[1]) * 1024 if found else 0)
            except OSError:
                pass
            time.sleep(0.005)
        if process.returncode != 0:
            sys.exit(f"{arguments} failed without a limit")
        return largest

    def smallest(self):
        """The smallest limit of the address space with which the program starts, in bytes."""
        for limit in range(4 * MIB, 256 * MIB, MIB // 4):
            if self.seedbed("--version", limit=limit).returncode == 0:
                return limit
        sys.exit("the program does not start")

    def attempt(self, name, limit, *arguments):
        run = self.seedbed(*arguments, limit=limit)
        what = f"{name} with {limit / MIB:.1f} MiB"
        if run is None:
            self.violations.append(f"{what} hangs")
            return
        if run.returncode == 0:
            self.outcomes[f"{name}: works"] += 1
            return
        said = run.stderr.strip().splitlines()
        self.outcomes[f"{name}: reports an error"] += 1
        self.messages[(said or [""])[-1][:160]] += 1
        if run.returncode < 0:
            self.violations.append(f"{what} died of signal {-run.returncode}: {said[-3:]}")
        elif "memory" not in run.stderr:
            self.violations.append(f"{what} exited with {run.returncode}, memory not mentioned: {said[-3:]}")

    def check(self, name):
        if not (self.data / "seedbed.db").exists():
            return
        run = self.seedbed("db", "check", "--checkpoints", "--json")
        try:
            report = json.loads(run.stdout)
        except ValueError:
            # The database was created, but nothing was stored in it.
            if "is empty" not in run.stderr:
                self.violations.append(f"after {name}: db check exited with {run.returncode}: {run.stderr}")
            return
        if not report.get("ok"):
            self.violations.append(f"after {name}: {report.get('problems', report)}")

    def run(self, rounds):
        source = self.folder / "source"
        limits = {}
        for name, command in TRAIN.items():
            limits[name] = self.needed(*command)
        limits["export"] = self.needed("db", "export", str(source), "--quiet")
        shutil.rmtree(self.data)
        limits["import"] = self.needed("db", "import", str(source), "--quiet")
        print("address space in MiB:", {name: round(bytes / MIB) for name, bytes in limits.items()},
              flush=True)
        smallest = self.smallest()

        def draw(largest):
            # Most failures occur just above the limit for starting; some occur just below a sufficient limit.
            share = (i + self.random.random()) / rounds
            return int(smallest + (1.05 * largest - smallest) * share ** 1.5)

        for i in range(rounds):
            shutil.rmtree(self.data, ignore_errors=True)
            for name, command in TRAIN.items():
                self.attempt(name, draw(limits[name]), *command)
                self.check(name)
            # A run that was saved with enough memory resumes with too little, and with enough.
            shutil.rmtree(self.data, ignore_errors=True)
            if self.seedbed(*TRAIN["cartpole"]).returncode != 0:
                self.violations.append("training without a limit failed")
            more = ("resume", "1", "--steps", "9000", "--quiet")
            self.attempt("resume", draw(limits["cartpole"]), *more)
            self.check("resume")
            if json.loads(self.seedbed("show", "1", "--json").stdout)["steps"] < 9000 and self.seedbed(
                    *more).returncode != 0:
                self.violations.append("a run cannot be resumed after a resume with too little memory")
            copy = self.folder / "copy"
            self.attempt("export", draw(limits["export"]), "db", "export", str(copy), "--quiet")
            shutil.rmtree(copy, ignore_errors=True)
            self.attempt("import", draw(limits["import"]), "db", "import", str(source), "--quiet")
            # An import copies rows before checkpoints; a second import adds the missing ones.
            if self.seedbed("db", "import", str(source), "--quiet").returncode != 0:
                self.violations.append("an import cannot be repeated after one with too little memory")
            self.check("import")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    pressure = Pressure(str(pathlib.Path(options.program).resolve()), options.seed)
    try:
        pressure.run(options.rounds)
    finally:
        shutil.rmtree(pressure.folder, ignore_errors=True)
    works = sum(count for name, count in pressure.outcomes.items() if name.endswith("works"))
    reports = sum(count for name, count in pressure.outcomes.items() if name.endswith("error"))
    result = {"date": time.strftime("%Y-%m-%d"), "seed": options.seed, "rounds": options.rounds,
              "outcomes": dict(sorted(pressure.outcomes.items())), "messages": dict(pressure.messages),
              "violations": pressure.violations}
    print(json.dumps(result, indent=1))
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")
    if not works or not reports:
        sys.exit("the limits did not divide success from failure")
    return 1 if pressure.violations else 0


if __name__ == "__main__":
    sys.exit(main())
