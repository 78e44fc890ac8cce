#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the overhead of checkpoints and the store. Nothing else should run on the machine.

usage: survive_bench.py BUILD_FOLDER [--only cost stalls memory store] [--pairs N] [--seconds S] [--run NAME]
                        [--result FILE]

cost    pairs of runs with the same seed, with many checkpoints (as in `stalls`) and with none, alternately:
        CPU seconds per step charged to the process by the operating system. Their difference divided by the
        number of checkpoints is the cost of one; many are needed because speeds vary by a few percent.
        The reported share is relative to the time between two checkpoints of a run with default settings
        (measured once, for 40 s). Medians of the pairs with a 95 % interval (bootstrap). Also reports
        figures of the default run's threads: seconds that checkpoints delayed training, and CPU seconds of
        the writer thread divided by the number of processors. Pairs are added to those in FILE, so that the
        machine need not be idle for long.
stalls  a checkpoint every tenth of a second: how long each delays training
memory  the largest resident size of a run, and of the same run resumed from its middle; median of the ratios
store   bench_store

--run selects a run by the beginning of its name. Parts that are not measured keep their figures in FILE.
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
import threading
import time

QUIET = ["--eval.final_episodes", "0", "--eval.every_steps", "1000000000"]
RUNS = {
    "cartpole, 64-64": ["cartpole", "--preset", "none", "--network.hidden", "64,64", *QUIET],
    "catch, LSTM 256": [
        "catch", "--preset", "none", "--network.core", "lstm", "--network.core_size", "256", *QUIET
    ],
    "pendulum, 1024-1024 (1 M parameters)": [
        "pendulum", "--preset", "none", "--network.hidden", "1024,1024", "--actor.num_envs", "32", *QUIET
    ],
}
# Actors are paused while the windows that they fill are copied.
STALLS = {
    **RUNS,
    "minatar_breakout, async, 256 environments": [
        "minatar_breakout", "--preset", "none", "--run.schedule", "async", "--actor.num_envs", "256", *QUIET
    ],
    "minatar_breakout, async, 2,048 environments": [
        "minatar_breakout", "--preset", "none", "--run.schedule", "async", "--actor.num_envs", "2048", *QUIET
    ],
}
MEMORY = {
    "pendulum, 1024-1024 (1 M parameters)": (RUNS["pendulum, 1024-1024 (1 M parameters)"], 24000),
    "cartpole, 64-64": (RUNS["cartpole, 64-64"], 200000),
}
WITHOUT = ["--checkpoint.every_s", "86400", "--checkpoint.time_share", "0"]
OFTEN = ["--checkpoint.every_s", "0.1", "--checkpoint.time_share", "0"]


class Bench:
    def __init__(self, build, options, before):
        self.before = before  # results already in FILE
        self.program = str(build / "bin" / "seedbed")
        self.store = build / "bin" / "bench_store"
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed-bench-")

    def train(self, arguments, seconds):
        """The last line of output, CPU seconds of the process, and of its thread that writes checkpoints."""
        process = subprocess.Popen([
            self.program, "train", *arguments, "--minutes",
            str(seconds / 60), "--json", "--quiet", "--data", self.folder.name
        ],
                                   stdout=subprocess.PIPE,
                                   text=True)
        written = 0.0
        reported = []
        reader = threading.Thread(target=lambda: reported.extend(process.stdout))
        reader.start()
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            written = max(written, cpu_seconds(process.pid, "checkpoints"))
            time.sleep(0.1)
        reader.join()
        if status != 0:
            sys.exit(f"{arguments} ended with {status}")
        lines = [json.loads(line) for line in reported]
        return next(line["done"] for line in reversed(lines)
                    if "done" in line), usage.ru_utime + usage.ru_stime, written

    def chosen(self, runs):
        return {name: arguments for name, arguments in runs.items() if name.startswith(self.options.run)}

    def cost(self):
        results = self.before.get("cost", {})
        for name, arguments in self.chosen(RUNS).items():
            result = results.setdefault(name, {"pairs": []})
            if "default" not in result:
                done, cpu, written = self.train(arguments, 40)
                stalls = done["checkpoint_stalls_ms"]
                result["default"] = {
                    "seconds": round(done["elapsed_s"], 1), "checkpoints": len(stalls) + 1,
                    "cpu_s": round(cpu, 2), "by_threads_percent": round(
                        100 * (sum(stalls) / 1000 + written / (os.cpu_count() or 1)) / done["elapsed_s"], 4)
                }
            for _ in range(self.options.pairs):
                pair = {}
                for kind in ("often", "none") if len(result["pairs"]) % 2 == 0 else ("none", "often"):
                    done, cpu, _ = self.train([*arguments, *(OFTEN if kind == "often" else WITHOUT)],
                                              self.options.seconds)
                    pair[kind] = {
                        "cpu_s": round(cpu, 3), "steps": done["steps"],
                        "elapsed_s": round(done["elapsed_s"], 2)
                    }
                    if kind == "often":
                        pair["checkpoints"] = len(done["checkpoint_stalls_ms"])
                result["pairs"].append(pair)
            default = result["default"]
            costs = [
                (pair["often"]["cpu_s"] -
                 pair["none"]["cpu_s"] / pair["none"]["steps"] * pair["often"]["steps"]) / pair["checkpoints"]
                for pair in result["pairs"]
            ]
            per_cpu_s = 100 * default["checkpoints"] / default[
                "cpu_s"]  # checkpoints of the default run in 100 CPU seconds
            result.update({"cpu_ms_of_a_checkpoint": round(1000 * statistics.median(costs), 2),
                           "cpu_ms_quartiles": quartiles([1000 * cost for cost in costs]),
                           "percent": round(per_cpu_s * statistics.median(costs), 3),
                           "percent_interval95": bootstrap([per_cpu_s * cost for cost in costs])})
            print(name,
                  len(costs), {key: value for key, value in result.items() if key != "pairs"},
                  flush=True)
        return results

    def stalls(self):
        results = self.before.get("stalls", {})
        for name, arguments in self.chosen(STALLS).items():
            done, _, _ = self.train([*arguments, *OFTEN], self.options.seconds * 2)
            first = done["checkpoint_stalls_ms"][:3]
            stalls = sorted(done["checkpoint_stalls_ms"])
            results[name] = {
                "checkpoints": len(stalls), "first_ms": [round(stall, 1) for stall in first],
                "windows_mb": self.largest_windows(), "p50_ms": round(stalls[len(stalls) // 2], 3),
                "p99_ms": round(stalls[int(0.99 * (len(stalls) - 1) + 0.5)],
                                3), "largest_ms": round(stalls[-1], 3)
            }
            print(name, results[name], flush=True)
        return results

    def largest_windows(self):
        """Megabytes of open windows in the largest checkpoint that still exists."""
        sizes = [path.stat().st_size for path in pathlib.Path(self.folder.name).rglob("windows*")]
        return round(max(sizes, default=0) / 1e6, 1)

    def memory(self):
        results = self.before.get("memory", {})
        for name, (arguments, steps) in MEMORY.items():
            if not name.startswith(self.options.run):
                continue
            run_of = [*arguments, "--data", self.folder.name, "--quiet"]
            pairs = []
            for _ in range(max(5, self.options.pairs)):
                whole = peak_kib([self.program, "train", *run_of, "--steps", str(steps)])
                half = subprocess.run([self.program, "train", *run_of, "--steps",
                                       str(steps // 2)],
                                      capture_output=True,
                                      text=True,
                                      check=True)
                resumed = peak_kib([
                    self.program, "resume",
                    half.stdout.strip(), "--steps",
                    str(steps), "--quiet", "--data", self.folder.name
                ])
                pairs.append((whole, resumed))
            ratios = [resumed / whole for whole, resumed in pairs]
            results[name] = {
                "train_kib": [whole for whole, _ in pairs], "resume_kib": [resumed for _, resumed in pairs],
                "ratio": round(statistics.median(ratios), 4),
                "smallest_and_largest_ratio": [round(min(ratios), 4),
                                               round(max(ratios), 4)]
            }
            print(name, results[name], flush=True)
        return results

    def points(self):
        run = subprocess.run([str(self.store), "--benchmark_format=json"],
                             capture_output=True,
                             text=True,
                             check=True)
        result = {
            entry["name"]: {
                "ms": round(entry["real_time"], 3), "label": entry.get("label", ""),
                **{key: round(entry[key], 3) for key in ("longest_wait_ms", "file_mb") if key in entry}
            } for entry in json.loads(run.stdout)["benchmarks"]
        }
        print(result, flush=True)
        return result


def cpu_seconds(pid, thread):
    """CPU seconds of the thread with this name; 0 after it has exited."""
    try:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            if (task / "comm").read_text().strip() == thread:
                fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        pass
    return 0.0


def quartiles(values):
    return [round(value, 2) for value in statistics.quantiles(values, n=4)[::2]] if len(values) > 1 else []


def bootstrap(values):
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return [round(medians[50], 2), round(medians[1949], 2)]


def peak_kib(command):
    """Largest resident size of the process in KiB, measured by the operating system."""
    code = ("import resource,subprocess,sys\n"
            "subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(
        subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True,
                       check=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=["cost", "stalls", "memory", "store"])
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--run", default="")
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    result = json.loads(options.result.read_text()) if options.result and options.result.exists() else {}
    result.update({"date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release()})
    bench = Bench(options.build.resolve(), options, result)
    parts = {"cost": bench.cost, "stalls": bench.stalls, "memory": bench.memory, "store": bench.points}
    for part in options.only:
        result[part] = parts[part]()
        if options.result:
            options.result.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
