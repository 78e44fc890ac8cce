# SPDX-License-Identifier: Apache-2.0
"""PPO with and without a central critic on the preset simple_tag.

    python3 tests/learning/central_critic.py build/release/bin/seedbed

The result is written to tests/learning/results/central_critic.json: for each seed the mean of 2000 greedy
episodes with and against scripted players after training, its curve, and the curve of the variance of the
returns that the value estimate explains. Nothing decides: the result is evidence for docs/multi-agent.md.
"""
import argparse
import json
import pathlib
import tempfile

from provenance import commit_to_record, settings_hash
from suite import RESULTS, document

PRESET, SEEDS, EPISODES = "simple_tag", [1, 2, 3], 2000
EXPLAINED = "value/explained_variance"


def measure(program, central, seed, options):
    with tempfile.TemporaryDirectory(prefix="seedbed-central-") as folder:
        lines = document(program, "train", "simple_tag", "--preset", PRESET, "--seed", str(seed),
                         "--data", folder, "--threads", "1",
                         "--env.wrap.central_critic", str(central).lower(), *options).splitlines()
        run = str(json.loads(lines[0])["id"])
        done = json.loads(lines[-1])["done"]
        metrics = json.loads(document(program, "metrics", run, "eval/return", EXPLAINED, "--data", folder))
        evaluation = json.loads(
            document(program, "eval", run, "--episodes", str(EPISODES), "--data", folder))
    explained = metrics[EXPLAINED]
    last = explained["values"][-len(explained["values"]) // 4:]
    row = {"central_critic": central, "seed": seed, "params_sha256": done["params_sha256"],
           "mean": evaluation["mean"], "ci95": evaluation["ci95"],
           "explained_variance_of_last_quarter": sum(last) / len(last),
           "curve": metrics["eval/return"], "explained_variance": explained}
    print(json.dumps({key: value for key, value in row.items() if not isinstance(value, (list, dict))}),
          flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--try", dest="attempt", nargs=argparse.REMAINDER,
                        help="record nothing; other arguments of 'train' may follow")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    commit = "" if options.attempt is not None else commit_to_record()
    preset = next(p for p in json.loads(document(program, "presets")) if p["name"] == PRESET)
    rows = [measure(program, central, seed, options.attempt or [])
            for seed in SEEDS for central in (False, True)]
    if options.attempt is not None:
        return
    result = {"command": "python3 tests/learning/central_critic.py build/release/bin/seedbed",
              "commit": commit, "preset": PRESET, "preset_hash": preset["hash"], "episodes": EPISODES,
              "rows": rows}
    result["settings_sha256"] = settings_hash(result)
    (RESULTS / "central_critic.json").write_text(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
