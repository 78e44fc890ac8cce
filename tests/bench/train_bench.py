# SPDX-License-Identifier: Apache-2.0
"""Measures training speed of fixed tasks, engines alternating; medians and ranges as JSON in
tests/bench/results.

    python3 tests/bench/train_bench.py SEEDBED [--repeats 5] [--seconds 5]

Not a test: it does not fail on a slow machine. Run it on an otherwise idle machine; it records the
load before each run.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
TASKS = ["cartpole-ppo4-8x128", "cartpole-ppo4-64x128", "cartpole-ppo4-512x32"]
ENGINES = ["reference", "torch"]


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    rows = []
    for repeat in range(options.repeats):
        for task in TASKS:
            for engine in ENGINES:
                command = [
                    options.program, "bench", "train", "--task", task, "--engine", engine, "--seconds",
                    str(options.seconds), "--json"
                ]
                rows.append(
                    json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    summary = []
    for task in TASKS:
        for engine in ENGINES:
            mine = [row for row in rows if row["task"] == task and row["engine"] == engine]
            sps = [row["sps"] for row in mine]
            cpu = [row["cpu_s_per_million_steps"] for row in mine]
            phases = {
                phase: round(
                    statistics.median(row["thread_s"][phase] / row["seconds"] / row["threads"]
                                      for row in mine), 4) for phase in mine[0]["thread_s"]
            }
            summary.append({
                "task": task, "engine": engine, "threads": mine[0]["threads"],
                "sps_median": round(statistics.median(sps)), "sps_range": [round(min(sps)),
                                                                           round(max(sps))],
                "cpu_s_per_million_steps": round(statistics.median(cpu), 2), "share_of_thread_time": phases
            })
            print(f"{task:22} {engine:10} {statistics.median(sps):10,.0f} steps/s "
                  f"[{min(sps):,.0f} - {max(sps):,.0f}]  {statistics.median(cpu):6.2f} CPU-s per million")
    RESULTS.mkdir(parents=True, exist_ok=True)
    command = ("python3 tests/bench/train_bench.py build/release/bin/seedbed "
               f"--repeats {options.repeats} --seconds {options.seconds:g}")
    (RESULTS / "train.json").write_text(
        json.dumps({"command": command, "cpu": cpu_name(), "summary": summary, "rows": rows}, indent=1) +
        "\n")


if __name__ == "__main__":
    main()
