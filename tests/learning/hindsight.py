# SPDX-License-Identifier: Apache-2.0
"""SAC with and without hindsight on a task with a sparse reward, the preset point_goal_sac.

    python3 tests/learning/hindsight.py build/release/bin/seedbed

The result is written to tests/learning/results/hindsight.json. A run's score is the mean of 100 greedy
episodes after training. With hindsight, every seed must get within a tenth of the distance between doing
nothing (-50) and the optimum; without it, none may.
"""
import argparse
import json
import pathlib
import sys
import tempfile

from provenance import commit_to_record, settings_hash
from suite import RESULTS, document

PRESET, SEEDS, EPISODES = "point_goal_sac", [1, 2, 3], 100
LEAST, OPTIMUM = -50, -8.63397031


def measure(program, hindsight, seed, options):
    with tempfile.TemporaryDirectory(prefix="seedbed-hindsight-") as folder:
        lines = document(program, "train", "point_goal", "--preset", PRESET, "--seed", str(seed),
                         "--data", folder, "--threads", "1", "--algo.hindsight", str(hindsight),
                         *options).splitlines()
        run = str(json.loads(lines[0])["id"])
        done = json.loads(lines[-1])["done"]
        metrics = json.loads(document(program, "metrics", run, "eval/return", "--data", folder))
        evaluation = json.loads(
            document(program, "eval", run, "--episodes", str(EPISODES), "--data", folder))
    row = {"hindsight": hindsight, "seed": seed, "params_sha256": done["params_sha256"],
           "mean": evaluation["mean"], "curve": metrics["eval/return"]}
    print(json.dumps({key: value for key, value in row.items() if key != "curve"}), flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", nargs="*", type=int, default=SEEDS)
    parser.add_argument("--try", dest="attempt", nargs=argparse.REMAINDER,
                        help="record nothing; other arguments of 'train' may follow")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    commit = "" if options.attempt is not None else commit_to_record()
    preset = next(p for p in json.loads(document(program, "presets")) if p["name"] == PRESET)
    rows = [measure(program, hindsight, seed, options.attempt or [])
            for seed in options.seeds for hindsight in (4, 0)]
    goal = OPTIMUM + 0.1 * (LEAST - OPTIMUM)
    wrong = [row for row in rows if (row["mean"] >= goal) != (row["hindsight"] > 0)]
    if options.attempt is None:
        result = {"command": "python3 tests/learning/hindsight.py build/release/bin/seedbed",
                  "commit": commit, "preset": PRESET, "preset_hash": preset["hash"], "episodes": EPISODES,
                  "goal": goal, "rows": rows}
        result["settings_sha256"] = settings_hash(result)
        (RESULTS / "hindsight.json").write_text(json.dumps(result) + "\n")
    for row in wrong:
        print(f"seed {row['seed']}, hindsight {row['hindsight']}: {row['mean']:.2f}; the goal is {goal:.2f}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
