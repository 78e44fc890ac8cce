#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What surviving costs: throughput with and without checkpoints, how long a checkpoint keeps training from its work, memory of a resume,
points written and read. Nothing else should run on the machine.

usage: survive_bench.py BUILD_FOLDER [--result FILE]
"""
import argparse
import json
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = {  # what is trained, and for how many seconds each
    "cartpole, 64-64": ["cartpole", "--preset", "none", "--network.hidden", "64,64"],
    "catch, LSTM 256": ["catch", "--preset", "none", "--network.core", "lstm", "--network.core_size", "256"],
    "pendulum, 1024-1024 (1 M parameters)": ["pendulum", "--preset", "none", "--network.hidden", "1024,1024", "--actor.num_envs", "32"],
}


def train(program, data, arguments, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    run = subprocess.run([program, "train", *arguments, "--json", "--quiet", "--data", data, *more], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return lines[0]["id"], next(line["done"] for line in reversed(lines) if "done" in line), before


def peak_kib(command):
    """Largest resident size of the process, by its own account."""
    run = subprocess.run(["/usr/bin/env", "python3", "-c",
                          "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL,"
                          "stderr=subprocess.DEVNULL);print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)", *command],
                         capture_output=True, text=True, check=True)
    return int(run.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--result")
    parser.add_argument("--minutes", type=float, default=0.1)
    options = parser.parse_args()
    program = str(pathlib.Path(options.build).resolve() / "bin" / "seedbed")
    result = {"date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release(), "runs": {}}
    with tempfile.TemporaryDirectory(prefix="seedbed-bench-") as folder:
        for name, arguments in RUNS.items():
            arguments = [*arguments, "--minutes", str(options.minutes), "--eval.final_episodes", "0", "--eval.every_steps", "1000000000"]
            rates = {"with": [], "without": []}
            stalls, counts = [], 0
            for pair in range(3):
                for kind in ("with", "without") if pair % 2 == 0 else ("without", "with"):
                    every = "60" if kind == "with" else "86400"
                    _, done, _ = train(program, folder, arguments, "--checkpoint.every_s", every, *(
                        [] if kind == "with" else ["--checkpoint.time_share", "0"]))
                    rates[kind].append(done["steps"] / done["elapsed_s"])
                    if kind == "with":
                        stalls += done["checkpoint_stalls_ms"]
                        counts += len(done["checkpoint_stalls_ms"])
            stalls.sort()
            with_, without = statistics.median(rates["with"]), statistics.median(rates["without"])
            result["runs"][name] = {"steps_per_s_with": round(with_), "steps_per_s_without": round(without),
                                    "cost_percent": round(100 * (1 - with_ / without), 2), "checkpoints": counts,
                                    "stall_ms_p50": round(stalls[len(stalls) // 2], 3) if stalls else None,
                                    "stall_ms_p99": round(stalls[min(len(stalls) - 1, int(0.99 * len(stalls)))], 3) if stalls else None}
            print(name, result["runs"][name], flush=True)
        # Peak memory: the same run once, and resumed from its middle.
        big = ["pendulum", "--preset", "none", "--network.hidden", "1024,1024", "--actor.num_envs", "32", "--eval.final_episodes", "0", "--eval.every_steps",
               "1000000000", "--quiet", "--data", folder]
        whole = peak_kib([program, "train", *big, "--steps", "24000"])
        run = subprocess.run([program, "train", *big, "--steps", "12000"], capture_output=True, text=True, check=True).stdout.strip()
        resumed = peak_kib([program, "resume", run, "--steps", "24000", "--quiet", "--data", folder])
        result["peak_memory"] = {"train_kib": whole, "resume_kib": resumed, "ratio": round(resumed / whole, 4)}
        print(result["peak_memory"], flush=True)
    bench = pathlib.Path(options.build) / "bin" / "bench_store"
    if bench.exists():
        run = subprocess.run([str(bench), "--benchmark_format=json"], capture_output=True, text=True, check=True)
        for entry in json.loads(run.stdout)["benchmarks"]:
            result.setdefault("store", {})[entry["name"]] = {"ms": round(entry["real_time"], 3), "label": entry.get("label", "")}
        print(result["store"])
    if options.result:
        pathlib.Path(options.result).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
