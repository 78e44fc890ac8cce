# SPDX-License-Identifier: Apache-2.0
"""Trains the benchmark tasks to the end, to show that the configurations whose speed is measured also learn.

    python3 tests/bench/learned.py SEEDBED [TASK...] [--seeds 3] [--threads 0]

The score of a row is the mean return of the last 100 training episodes (exploring, not greedy) at the end,
as other programs report it. Rows are written to tests/bench/results/learned.json, which keeps those of
other tasks; a seed below the required score is an error. The number of threads does not change the score.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results" / "learned.json"
# task: (decisions, required score)
TASKS = {
    "cartpole-ppo4-8x128": (500_000, 475),
    "cartpole-ppo4-512x32": (2_000_000, 475),
    "cartpole-puffer": (8_000_000, 190),
    "cartpole-puffer-lstm": (40_000_000, 190),
    "minatar-breakout-mlp": (5_000_000, 10),
    "minatar-space_invaders-mlp": (5_000_000, 43),
    "minatar-breakout-conv": (5_000_000, 10),
}


def train(program, task, steps, seed, threads):
    command = [
        program, "bench", "train", "--task", task, "--until-steps",
        str(steps), "--seed",
        str(seed), "--threads",
        str(threads), "--json"
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    figures = json.loads(run.stdout)
    return {
        "seed": seed, "steps": figures["trained_steps"], "score": figures["score"],
        "cpu_s": round(figures["cpu_s"], 1), "engine": figures["engine"]
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=", ".join(TASKS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_intermixed_args()
    if unknown := [task for task in options.tasks if task not in TASKS]:
        parser.error(f"unknown task {', '.join(unknown)}; there are {', '.join(TASKS)}")
    below = []
    for task in options.tasks or TASKS:
        steps, bar = TASKS[task]
        rows = [
            train(options.program.resolve(), task, steps, seed, options.threads)
            for seed in range(1, options.seeds + 1)
        ]
        results = json.loads(
            RESULTS.read_text()) if RESULTS.exists() else {"cores": os.cpu_count(), "tasks": {}}
        results["tasks"][task] = {"bar": bar, "rows": rows}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        scores = [row["score"] for row in rows]
        print(f"{task}: {', '.join(f'{s:.1f}' for s in scores)} after {steps:,} decisions; to reach: {bar}",
              flush=True)
        below += [task for score in scores if score < bar]
    if below:
        sys.exit("below their bar: " + ", ".join(sorted(set(below))))


if __name__ == "__main__":
    main()
