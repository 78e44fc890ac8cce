# SPDX-License-Identifier: Apache-2.0
"""Trains shipped presets with several seeds and records the results in tests/learning/results.

    python3 tests/learning/suite.py SEEDBED               all measured presets
    python3 tests/learning/suite.py SEEDBED cartpole      one preset
    python3 tests/learning/suite.py SEEDBED --jobs 2 P    two seeds of P at a time, each with a share of cores
    python3 tests/learning/suite.py SEEDBED --keep DIR P  keeps the runs in DIR/P/SEED, and continues with what is there
    python3 tests/learning/suite.py SEEDBED --short       CI: one seed of the quick presets, records nothing

Presets whose runs take less than a minute are trained with five seeds, others with three. A result contains
the curves of every seed, 100 greedy evaluation episodes (raw returns), the hash of the preset and the commit.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

from provenance import commit_to_record

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RESULTS = SOURCE / "tests/learning/results"
SEEDS = {"cartpole": 10}
DEFAULT_SEEDS, QUICK_SEEDS = 3, 5
QUICK_S = 60  # presets whose runs take less get QUICK_SEEDS
SHORT = ["cartpole", "cartpole_vtrace", "two_state", "pendulum"]
NOT_MEASURED = "not yet measured"  # prefix of the source of a preset without recorded results


def document(program, *arguments):
    run = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {run.stderr}")
    return run.stdout


def use_installed_packs(folder):
    """Links the packs of the user's data folder into another, for presets whose environment needs a pack."""
    data = os.environ.get("XDG_DATA_HOME", pathlib.Path.home() / ".local/share")
    packs = pathlib.Path(os.environ.get("SEEDBED_DATA", pathlib.Path(data) / "seedbed")) / "packs"
    if packs.is_dir() and not pathlib.Path(folder, "packs").is_symlink():
        (pathlib.Path(folder) / "packs").symlink_to(packs.resolve())


def train(program, preset, seed, folder, threads):
    """Trains one seed: curves of evaluations and training returns, and 100 greedy episodes at the end."""
    options = ["--data", folder, "--threads", str(threads)]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    kept = pathlib.Path(folder, "preset_hash")
    if not kept.exists():
        kept.write_text(preset["hash"])
    assert kept.read_text() == preset["hash"], f"{folder} has a run of another version of the preset"
    begin = time.monotonic()
    if not pathlib.Path(folder, "seedbed.db").exists():
        use_installed_packs(folder)
        document(program, "train", preset["env"], "--preset", preset["name"], "--seed", str(seed), *options)
    elif json.loads(document(program, "show", "1", "--data", folder))["status"] != "finished":
        document(program, "resume", "1", *options)
    seconds = time.monotonic() - begin
    run = "1"
    done = json.loads(document(program, "show", run, "--data", folder))
    assert done["seed"] == seed and done["env"] == preset["env"], f"{folder} has another run"
    metrics = json.loads(document(program, "metrics", run, "eval/return", "episode/return", "--data", folder))
    evaluation = json.loads(
        document(program, "eval", run, "--episodes", "100", "--seed", "12345", "--data", folder))
    thin = max(1, len(metrics["episode/return"]["steps"]) // 100)
    return {
        "seed": seed,
        "steps": done["steps"],
        "seconds": round(max(seconds, done["train_seconds"]), 2),
        "params_sha256": done["params_sha256"],
        "mean": evaluation["mean"],
        "std": evaluation["std"],
        "ci95": evaluation["ci95"],
        "returns": [e["return"] for e in evaluation["episodes"]],
        "evaluations": metrics["eval/return"],
        "training": {key: values[::thin] for key, values in metrics["episode/return"].items()},
    }


def train_seeds(program, preset, seeds, options):
    """Results of some seeds, options.jobs of them at a time."""
    # In the sync schedule the number of threads does not change the results; 0: all cores.
    threads = max(1, os.cpu_count() // options.jobs) if options.jobs > 1 else 0
    with (tempfile.TemporaryDirectory(prefix="seedbed-learning-") as temporary,
          concurrent.futures.ThreadPoolExecutor(options.jobs) as pool):
        folder = options.keep or temporary
        runs = [pool.submit(train, program, preset, seed, f"{folder}/{preset['name']}/{seed}", threads) for seed in seeds]
        return [run.result() for run in runs]


def required(seeds):
    """Seeds that must reach the preset's score: all of 3, 4 of 5, 9 of 10."""
    return seeds - (1 if seeds >= 5 else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("presets", nargs="*")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--seeds", type=int, help="fewer seeds than a result needs: recorded as incomplete")
    parser.add_argument("--beside", help="other work on the machine, which makes the seconds too high")
    options = parser.parse_intermixed_args()
    program = str(pathlib.Path(options.program).resolve())
    presets = {p["name"]: p for p in json.loads(document(program, "presets"))}
    names = options.presets or (SHORT if options.short else
                                [n for n, p in presets.items() if not p["source"].startswith(NOT_MEASURED)])
    # Only recorded results name the commit; the short form does not need git.
    commit = "" if options.short else commit_to_record()
    failed = []
    for name in names:
        preset = presets[name]
        count = options.seeds or (1 if options.short else SEEDS.get(name, DEFAULT_SEEDS))
        rows = train_seeds(program, preset, range(1, count + 1), options)
        if not options.short and not options.seeds and max(row["seconds"] for row in rows) < QUICK_S:
            rows += train_seeds(program, preset, range(count + 1, QUICK_SEEDS + 1), options)
        count, slowest_s = len(rows), max(row["seconds"] for row in rows)
        reached = sum(row["mean"] >= preset["expected_score"] for row in rows)
        means = ", ".join(f"{row['mean']:.2f}" for row in rows)
        goal = preset["expected_score"]
        print(f"{name}: {reached} of {count} seeds reach {goal}: {means}; {slowest_s:.1f} s", flush=True)
        if reached < required(count) and preset["solved"]:
            failed.append(name)
        if not options.short:
            result = {
                "preset": name, "preset_hash": preset["hash"], "env": preset["env"], "commit": commit,
                "expected_score": preset["expected_score"], "reached": reached, "seeds": count,
                "cores": os.cpu_count(), "jobs": options.jobs, "machine": platform.machine(),
                "command": f"python3 tests/learning/suite.py build/release/bin/seedbed {name}", "rows": rows
            }
            if options.seeds and options.seeds < DEFAULT_SEEDS:
                result["incomplete"] = f"{options.seeds} seeds; with --keep the command continues"
            if options.beside:
                result["beside"] = options.beside
            RESULTS.mkdir(parents=True, exist_ok=True)
            (RESULTS / f"{name}.json").write_text(json.dumps(result) + "\n")
    if failed:
        sys.exit("below their expected score: " + ", ".join(failed))


if __name__ == "__main__":
    main()
