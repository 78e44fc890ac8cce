# SPDX-License-Identifier: Apache-2.0
"""Checks on three tasks with different networks that the learning curves of the native and the LibTorch
engine overlap.

    python3 tests/learning/engines.py SEEDBED     trains, records and checks results/engines.json
    python3 tests/learning/engines.py SEEDBED cartpole --arms vulkan --seeds 3
    python3 tests/learning/engines.py --check     checks the recorded curves

A curve is the mean training return in twentieths of the budget, with a 95 % interval over the seeds
(Student's t). Two engines agree on a task if the intervals of their curves' means intersect, and the
intervals of at least 18 of 20 points intersect. (By chance, 5 % of the intervals miss the true value. If the
engines are equal, even fewer pairs of intervals fail to intersect.) A third arm, the native engine with a
wrong learning rate, must NOT agree, which shows that the check can fail. The arm vulkan, on the device vulkan:0,
is optional, because software devices are slow.
"""
import argparse
import json
import math
import pathlib
import statistics
import sys
import tempfile

from provenance import commit_to_record, settings_hash
from suite import RESULTS, document

RECORD = RESULTS / "engines.json"
POINTS, MISSES = 20, 2
# 97.5 % quantile of Student's t for n seeds: n - 1 degrees of freedom
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}
# task: (preset, decisions, network, wrong learning rate)
TASKS = {
    "cartpole": ("cartpole", 100_000, "two networks of 64 x 64 tanh", "0.0003"),
    "memory_chain": ("memory_chain", 80_000, "16 tanh and a GRU of 32", "0.0002"),
    "minatar_breakout": ("minatar_breakout", 200_000, "16 convolutions 3x3 and 128 ReLU", "0.0001"),
}
ARMS = {"native": "native", "torch": "torch", "wrong": "native"}
OPTIONAL = {"vulkan": "vulkan"}


def curve(program, task, arm, seed, folder):
    """Mean training return in each twentieth of the budget; an empty one repeats the previous value."""
    preset, steps, _, wrong = TASKS[task]
    extra = ["--algo.learning_rate", wrong] if arm == "wrong" else []
    if arm == "vulkan":
        extra = ["--device", "vulkan:0"]
    lines = document(program, "train", task, "--preset", preset, "--seed", str(seed), "--data", folder,
                     "--engine", (ARMS | OPTIONAL)[arm], "--threads", "1", "--run.steps", str(steps), *extra).splitlines()
    run = str(json.loads(lines[0])["id"])
    metric = json.loads(document(program, "metrics", run, "episode/return", "--data",
                                 folder))["episode/return"]
    bins = [[] for _ in range(POINTS)]
    for step, value in zip(metric["steps"], metric["values"]):
        bins[min(POINTS - 1, int(step * POINTS / steps))].append(value)
    values = []
    for found in bins:
        values.append(round(statistics.fmean(found), 4) if found else values[-1] if values else 0.0)
    return values


def interval(values):
    half = STUDENT[len(values)] * statistics.stdev(values) / math.sqrt(len(values))
    mean = statistics.fmean(values)
    return mean - half, mean + half


def intersect(a, b):
    return a[0] <= b[1] and b[0] <= a[1]


def compare(first, second):
    """Number of points whose intervals do not intersect, and whether those of the curves' means intersect."""
    misses = sum(not intersect(interval(a), interval(b)) for a, b in zip(zip(*first), zip(*second)))
    whole = intersect(interval([statistics.fmean(c) for c in first]),
                      interval([statistics.fmean(c) for c in second]))
    return misses, whole


def judge(record):
    failed = []
    for task, entry in record["tasks"].items():
        curves = entry["curves"]
        if min(len(curves[arm]) for arm in ARMS) < 3:
            failed.append(f"{task}: fewer than 3 seeds")
            continue
        arms = [("torch", True), ("wrong", False)]
        arms += [(arm, True) for arm in OPTIONAL if arm in curves]
        for arm, wanted in arms:
            misses, whole = compare(curves["native"], curves[arm])
            agree = whole and misses <= MISSES
            verdict = f"{task}: native and {arm} {'agree' if agree else 'differ'}"
            print(f"{verdict} ({misses} of {POINTS} points apart, means {'together' if whole else 'apart'})")
            if agree != wanted:
                failed.append(verdict)
    if set(record["tasks"]) != set(TASKS):
        failed.append("the recorded tasks are not " + ", ".join(TASKS))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=pathlib.Path)
    parser.add_argument("tasks", nargs="*", metavar="TASK")
    parser.add_argument("--seeds", type=int, default=5, choices=sorted(STUDENT))
    parser.add_argument("--arms", nargs="+", choices=[*ARMS, *OPTIONAL], default=list(ARMS))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_intermixed_args()
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {"tasks": {}}
    if not options.check:
        if options.program is None:
            parser.error("name the program or pass --check")
        commit = commit_to_record()
        if set(options.arms) >= set(ARMS):
            record["commit"] = commit
            record.pop("commit_note", None)
        for task in options.tasks or TASKS:
            with tempfile.TemporaryDirectory(prefix="seedbed-engines-") as folder:
                curves = {
                    arm: [
                        curve(str(options.program.resolve()), task, arm, seed, f"{folder}/{arm}{seed}")
                        for seed in range(1, options.seeds + 1)
                    ] for arm in options.arms
                }
            preset, steps, network, wrong = TASKS[task]
            entry = record["tasks"].get(task, {})
            record["tasks"][task] = {
                "commit": entry.get("commit", {}) | {arm: commit for arm in options.arms},
                "preset": preset, "steps": steps, "network": network, "wrong_learning_rate": wrong,
                "curves": {**entry.get("curves", {}), **curves}
            }
            record["settings_sha256"] = settings_hash(record)
            RECORD.write_text(json.dumps(record) + "\n")
            print(f"{task}: trained", flush=True)
    if failed := judge(record):
        sys.exit("; ".join(failed))


if __name__ == "__main__":
    main()
