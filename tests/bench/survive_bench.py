#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What surviving costs: throughput with and without checkpoints, how long a checkpoint keeps training from its work, memory of a resume,
points written and read. Nothing else should run on the machine.

usage: survive_bench.py BUILD_FOLDER [--only cost stalls memory store] [--pairs N] [--seconds S] [--result FILE]

cost    pairs of runs that differ in checkpoints only, in alternating order; the median of the pairs' ratios with its 95 % interval
        (bootstrap). Beside it what the run's own threads say: seconds that checkpoints kept training waiting, and CPU seconds of the thread
        that writes them, shared out over the threads of the run; this has no noise of the machine in it.
stalls  a checkpoint every tenth of a second
memory  the largest resident size of a run, and of the same run resumed from its middle, three times each
store   bench_store

Parts that are not run keep their figures in FILE.
"""
import argparse
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time

QUIET = ["--eval.final_episodes", "0", "--eval.every_steps", "1000000000"]
RUNS = {
    "cartpole, 64-64": ["cartpole", "--preset", "none", "--network.hidden", "64,64", *QUIET],
    "catch, LSTM 256": ["catch", "--preset", "none", "--network.core", "lstm", "--network.core_size", "256", *QUIET],
    "pendulum, 1024-1024 (1 M parameters)": ["pendulum", "--preset", "none", "--network.hidden", "1024,1024", "--actor.num_envs", "32", *QUIET],
}
WITHOUT = ["--checkpoint.every_s", "86400", "--checkpoint.time_share", "0"]
OFTEN = ["--checkpoint.every_s", "0.1", "--checkpoint.time_share", "0"]


class Bench:
    def __init__(self, build, options):
        self.program = str(build / "bin" / "seedbed")
        self.store = build / "bin" / "bench_store"
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed-bench-")

    def train(self, arguments, seconds):
        """The run's last word, and CPU seconds of its thread that writes checkpoints."""
        process = subprocess.Popen([self.program, "train", *arguments, "--minutes", str(seconds / 60), "--json", "--quiet", "--data",
                                    self.folder.name], stdout=subprocess.PIPE, text=True)
        written = 0.0
        while process.poll() is None:
            written = max(written, cpu_seconds(process.pid, "checkpoints"))
            time.sleep(0.1)
        lines = [json.loads(line) for line in process.stdout.read().splitlines()]
        if process.returncode != 0:
            sys.exit(f"{arguments} ended with {process.returncode}")
        return next(line["done"] for line in reversed(lines) if "done" in line), written

    def cost(self):
        results = {}
        for name, arguments in RUNS.items():
            rates = {"with": [], "without": []}
            stalls = written = elapsed = count = 0
            for pair in range(self.options.pairs):
                for kind in ("with", "without") if pair % 2 == 0 else ("without", "with"):
                    done, cpu = self.train([*arguments, *([] if kind == "with" else WITHOUT)], self.options.seconds)
                    rates[kind].append(done["steps"] / done["elapsed_s"])
                    if kind == "with":
                        stalls += sum(done["checkpoint_stalls_ms"]) / 1000
                        written, elapsed, count = written + cpu, elapsed + done["elapsed_s"], count + len(done["checkpoint_stalls_ms"])
            cost = [100 * (1 - a / b) for a, b in zip(rates["with"], rates["without"])]
            results[name] = {"pairs": len(cost), "seconds_each": self.options.seconds,
                             "steps_per_s_with": round(statistics.median(rates["with"])),
                             "steps_per_s_without": round(statistics.median(rates["without"])), "checkpoints": count,
                             "cost_percent_of_pairs": round(statistics.median(cost), 2), "interval95": bootstrap(cost),
                             "cost_percent_by_threads": round(100 * (stalls + written / (os.cpu_count() or 1)) / elapsed, 3)}
            print(name, results[name], flush=True)
        return results

    def stalls(self):
        results = {}
        for name, arguments in RUNS.items():
            done, _ = self.train([*arguments, *OFTEN], self.options.seconds * 2)
            stalls = sorted(done["checkpoint_stalls_ms"])
            results[name] = {"checkpoints": len(stalls), "p50_ms": round(stalls[len(stalls) // 2], 3),
                             "p99_ms": round(stalls[int(0.99 * (len(stalls) - 1) + 0.5)], 3), "largest_ms": round(stalls[-1], 3)}
            print(name, results[name], flush=True)
        return results

    def memory(self):
        big = [*RUNS["pendulum, 1024-1024 (1 M parameters)"], "--data", self.folder.name, "--quiet"]
        whole, resumed = [], []
        for _ in range(3):
            whole.append(peak_kib([self.program, "train", *big, "--steps", "24000"]))
            run = subprocess.run([self.program, "train", *big, "--steps", "12000"], capture_output=True, text=True, check=True).stdout.strip()
            resumed.append(peak_kib([self.program, "resume", run, "--steps", "24000", "--quiet", "--data", self.folder.name]))
        result = {"train_kib": whole, "resume_kib": resumed, "ratio": round(statistics.median(resumed) / statistics.median(whole), 4)}
        print(result, flush=True)
        return result

    def points(self):
        run = subprocess.run([str(self.store), "--benchmark_format=json"], capture_output=True, text=True, check=True)
        result = {entry["name"]: {"ms": round(entry["real_time"], 3), "label": entry.get("label", "")}
                  for entry in json.loads(run.stdout)["benchmarks"]}
        print(result, flush=True)
        return result


def cpu_seconds(pid, thread):
    """Of the thread of this name so far; 0 when it is gone."""
    try:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            if (task / "comm").read_text().strip() == thread:
                fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        pass
    return 0.0


def bootstrap(values):
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return [round(medians[50], 2), round(medians[1949], 2)]


def peak_kib(command):
    """Largest resident size of the process, by its own account."""
    code = ("import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=["cost", "stalls", "memory", "store"])
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    result = json.loads(options.result.read_text()) if options.result and options.result.exists() else {}
    result.update({"date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release()})
    bench = Bench(options.build.resolve(), options)
    parts = {"cost": bench.cost, "stalls": bench.stalls, "memory": bench.memory, "store": bench.points}
    for part in options.only:
        result[part] = parts[part]()
        if options.result:
            options.result.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
