# SPDX-License-Identifier: Apache-2.0
"""Population-based training on MinAtar Breakout: does a population find a learning rate in a range of two
decades, and reach the score of the best fixed one, if each member trains as long as one fixed run?

    python3 tests/learning/population.py build/release/bin/seedbed
        result in tests/learning/results/population.json; takes hours, and --keep FILE continues an interrupted
        measurement: the file has the scores so far
    python3 tests/learning/population.py build/release/bin/seedbed --short
        a test of this script with tiny runs; records nothing

Trains each fixed learning rate with eight seeds, and five populations of eight members, two processes at a time. A
score is the mean of 100 greedy episodes with the final parameters; a population's is that of its best member, chosen by the evaluations
at the end of the runs, which play other episodes. Overhead compares the time of a population with that of the eight runs with the best fixed rate.
"""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import sys
import tempfile
import time

from provenance import commit_to_record, settings_hash
from suite import RESULTS, document

PRESET = "minatar_breakout"
RANGE = (1e-4, 1e-2)
FIXED = [1e-4, 3e-4, 1e-3, 3e-3, 1e-2]
JOBS = 2
SHARE = 0.8  # of the populations that must reach the best fixed score
OVERHEAD = 0.02


def evaluate(program, run, folder, episodes):
    evaluation = json.loads(
        document(program, "eval", str(run), "--episodes", str(episodes), "--seed", "12345", "--data", folder))
    return {"mean": evaluation["mean"], "ci95": evaluation["ci95"]}


def train_fixed(program, rate, folder, options):
    def train(seed):
        lines = document(program, "train", PRESET, "--seed", str(seed), "--data", folder, "--steps",
                         str(options.steps), "--algo.learning_rate", str(rate)).splitlines()
        return json.loads(lines[0])["id"]

    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        runs = list(pool.map(train, range(1, options.members + 1)))
    seconds = time.monotonic() - begin
    scores = [evaluate(program, run, folder, options.episodes) for run in runs]
    return {
        "learning_rate": rate, "seconds": seconds, "mean": statistics.mean(score["mean"] for score in scores),
        "seeds": scores
    }


def train_population(program, seed, folder, options):
    begin = time.monotonic()
    shown = json.loads(
        document(program, "population", "start", PRESET, "--members", str(options.members), "--seed",
                 str(seed), "--steps", str(options.steps), "--every", str(options.every), "--jobs", str(JOBS),
                 "--mutate", f"algo.learning_rate={RANGE[0]}..{RANGE[1]}:log", "--quiet", "--data", folder))
    seconds = time.monotonic() - begin
    return {
        "seed": seed, "member": shown["best"]["member"], "objective": shown["best"]["score"],
        "evaluation": shown["best"]["evaluation"],
        "lineage": shown["lineage"], "seconds": seconds,
        **evaluate(program, shown["best"]["run"], folder, options.episodes)
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, help="scores so far: read at the start, and written")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    options.steps, options.every, options.members, options.episodes = 1_000_000, 100_000, 8, 100
    seeds, rates, commit = [11, 12, 13, 14, 15], FIXED, None
    if options.short:
        options.steps, options.every, options.members, options.episodes = 32_768, 8_192, 3, 5
        seeds, rates = [1], FIXED[2:4]
    else:
        commit = commit_to_record()
    rows = json.loads(options.keep.read_text()) if options.keep and options.keep.exists() else {}
    commit = rows.setdefault("commit", commit)
    fixed, populations = rows.setdefault("fixed", []), rows.setdefault("populations", [])

    def add(row, to):
        to.append(row)
        if options.keep:
            options.keep.write_text(json.dumps(rows))
        return row

    with tempfile.TemporaryDirectory(prefix="seedbed-population-") as folder:
        for rate in rates:
            if any(row["learning_rate"] == rate for row in fixed):
                continue
            row = add(train_fixed(program, rate, f"{folder}/{rate}", options), fixed)
            print(f"learning rate {rate:g}: {row['mean']:.2f} in {row['seconds']:.0f} s", flush=True)
        for seed in seeds:
            if any(row["seed"] == seed for row in populations):
                continue
            row = add(train_population(program, seed, f"{folder}/population-{seed}", options), populations)
            print(f"population, seed {seed}: {row['mean']:.2f} in {row['seconds']:.0f} s", flush=True)
    best = max(fixed, key=lambda row: row["mean"])
    reached = sum(row["mean"] >= best["mean"] for row in populations)
    overhead = statistics.median(row["seconds"] for row in populations) / best["seconds"] - 1
    print(f"best fixed learning rate {best['learning_rate']:g}: {best['mean']:.2f}; reached by {reached} of "
          f"{len(populations)} populations; overhead {overhead:.1%}")
    if options.short:
        return
    result = {
        "command": "python3 tests/learning/population.py build/release/bin/seedbed", "commit": commit,
        "preset": PRESET, "steps": options.steps, "every": options.every, "members": options.members,
        "range": RANGE, "fixed_learning_rates": FIXED,
        "rows": {"fixed": fixed, "populations": populations, "best_fixed": best["learning_rate"],
                 "best_fixed_mean": best["mean"], "reached": reached, "overhead": overhead}
    }
    result["settings_sha256"] = settings_hash(result)
    (RESULTS / "population.json").write_text(json.dumps(result) + "\n")
    if reached < SHARE * len(populations) or overhead > OVERHEAD:
        sys.exit("the population does not reach the best fixed learning rate, or its overhead is too high")


if __name__ == "__main__":
    main()
