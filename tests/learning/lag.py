# SPDX-License-Identifier: Apache-2.0
"""Trains CartPole with old data: actors use the parameters of 1, 4 and 16 updates ago (run.forced_lag).
V-trace must solve the task. PPO with and without V-trace's correction is recorded for comparison, on the same
environments, network, rollouts and budget.

    python3 tests/learning/lag.py build/release/bin/seedbed        result in tests/learning/results/lag.json

A row contains the mean of 100 greedy episodes with the final parameters, and the curve of evaluations.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

from provenance import commit_to_record, settings_hash
from suite import RESULTS, document

SOLVED = 475
LAGS = [1, 4, 16]
SEEDS = [1, 2, 3]
PPO = {
    "algo.id": "ppo", "env.wrap.reward_scale": "0.1", "actor.num_envs": "16", "network.hidden": "64,64",
    "network.activation": "tanh", "network.separate_critic": "true", "optimiser.max_grad_norm": "40",
    "algo.rollout_length": "20", "algo.epochs": "4", "algo.minibatches": "2", "algo.learning_rate": "0.0006",
    "algo.lr_schedule": "linear", "algo.lr_horizon": "500000", "algo.entropy_cost": "0.005"
}
KINDS = {
    "vtrace": ("cartpole_vtrace", {}),
    "ppo, corrected": ("none", {**PPO, "algo.correction": "vtrace"}),
    "ppo, not corrected": ("none", {**PPO, "algo.correction": "none"}),
}


def train(program, kind, lag, seed, folder):
    preset, settings = KINDS[kind]
    settings = {
        **settings, "run.schedule": "sync", "run.forced_lag": str(lag), "run.threads": "1",
        "run.steps": "500000"
    }
    options = [word for key, value in settings.items() for word in ("--" + key, value)]
    lines = document(program, "train", "cartpole", "--preset", preset, "--seed", str(seed), "--data", folder,
                     *options).splitlines()
    run = str(json.loads(lines[0])["id"])
    metrics = json.loads(document(program, "metrics", run, "eval/return", "policy/lag", "--data", folder))
    evaluation = json.loads(
        document(program, "eval", run, "--episodes", "100", "--seed", "12345", "--data", folder))
    return {
        "kind": kind, "forced_lag": lag, "seed": seed, "mean": evaluation["mean"], "ci95": evaluation["ci95"],
        "policy_lag": metrics["policy/lag"]["values"][-1], "evaluations": metrics["eval/return"]
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    commit = commit_to_record()
    with tempfile.TemporaryDirectory(prefix="seedbed-lag-") as folder, concurrent.futures.ThreadPoolExecutor(
            os.cpu_count()) as pool:
        runs = [
            pool.submit(train, program, kind, lag, seed, f"{folder}/{kind}-{lag}-{seed}") for lag in LAGS
            for kind in KINDS for seed in SEEDS
        ]
        rows = [run.result() for run in runs]
    failed = []
    for lag in LAGS:
        for kind in KINDS:
            means = [row["mean"] for row in rows if row["kind"] == kind and row["forced_lag"] == lag]
            print(f"lag {lag:2}  {kind:20} {', '.join(f'{mean:.1f}' for mean in means)}", flush=True)
            if kind == "vtrace" and min(means) < SOLVED:
                failed.append(lag)
    result = {
        "command": "python3 tests/learning/lag.py build/release/bin/seedbed", "commit": commit,
        "steps": 500000, "solved": SOLVED, "settings_of_ppo": PPO, "rows": rows
    }
    result["settings_sha256"] = settings_hash(result)
    (RESULTS / "lag.json").write_text(json.dumps(result) + "\n")
    if failed:
        sys.exit(f"V-trace does not solve CartPole with data that are {failed} updates old")


if __name__ == "__main__":
    main()
