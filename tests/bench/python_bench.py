# SPDX-License-Identifier: Apache-2.0
"""Compares stepping 1,024 CartPoles from Python: seedbed.make_vec, EnvPool and Gymnasium's NumPy vector
environment, and `seedbed bench env` without Python; alternating in one run, with medians, ranges and ratios
as JSON.

    python3 -m venv venv && venv/bin/pip install envpool 'gymnasium>=1.1' dist/seedbed-*.whl
    venv/bin/python tests/bench/python_bench.py build/release/bin/seedbed

All use one thread; EnvPool is also measured with a thread per processor. Timed are only steps: actions, of
type int64 (EnvPool: int32), are drawn beforehand. Decisions are rows of a step without those in which an
environment begins its next episode, because the program without Python has no such rows. A ratio is that of
measurements in the same round.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import time

import envpool
import gymnasium as gym
import numpy as np
import seedbed

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
ENVS = 1024
GOALS = {"seedbed / native": 0.8, "seedbed / envpool": 50, "seedbed / gymnasium": 4}


def rate(env, dtype, seconds):
    """Decisions per second after half a second of warm-up."""
    rng = np.random.default_rng(1)
    actions = [rng.integers(0, 2, ENVS).astype(dtype) for _ in range(64)]
    env.reset()
    rows, ends, number = 0, 0, 0
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end:
        _, _, terminated, truncated, _ = env.step(actions[number % 64])
        ends += int(np.count_nonzero(terminated | truncated))
        rows += ENVS
        number += 1
    number, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        observations, rewards, terminated, truncated, info = env.step(actions[number % 64])
        number += 1
    taken = time.perf_counter() - begin
    return number * ENVS * (1 - ends / rows) / taken


def native(program, seconds):
    done = subprocess.run(
        [program, "bench", "env", "cartpole", "--envs", str(ENVS), "--seconds", str(seconds), "--json"],
        capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["sps"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--no-write", dest="write", action="store_false",
                        help="do not write results/python.json")
    options = parser.parse_args()
    cores = os.cpu_count()
    environments = {
        "seedbed": (seedbed.make_vec("cartpole", ENVS), np.int64),
        "seedbed, copy=False": (seedbed.make_vec("cartpole", ENVS, copy=False), np.int64),
        "envpool": (envpool.make_gymnasium("CartPole-v1", num_envs=ENVS, num_threads=1), np.int32),
        f"envpool, {cores} threads":
            (envpool.make_gymnasium("CartPole-v1", num_envs=ENVS, num_threads=cores), np.int32),
        "gymnasium": (gym.make_vec("CartPole-v1", ENVS, vectorization_mode="vector_entry_point"), np.int64),
    }
    rates = {name: [] for name in ["native", *environments]}
    for _ in range(options.rounds):
        rates["native"].append(native(options.program, options.seconds))
        for name, (env, dtype) in environments.items():
            rates[name].append(rate(env, dtype, options.seconds))
    median = {name: statistics.median(values) for name, values in rates.items()}
    pool = max((name for name in median if name.startswith("envpool")), key=median.get)
    rivals = {"native": "native", "envpool": pool, "gymnasium": "gymnasium"}
    ratios = {}
    for name, rival in rivals.items():
        values = [ours / theirs for ours, theirs in zip(rates["seedbed"], rates[rival])]
        ratios[f"seedbed / {name}"] = {"median": round(statistics.median(values), 3),
                                       "range": [round(min(values), 3), round(max(values), 3)]}
    info = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    processor = next((line.split(":")[1].strip() for line in info if "model name" in line), "")
    document = {
        "command": "venv/bin/python tests/bench/python_bench.py build/release/bin/seedbed",
        "unit": "decisions per second, 1,024 CartPoles",
        "processor": processor, "cores": cores, "python": platform.python_version(),
        "versions": {"envpool": envpool.__version__, "gymnasium": gym.__version__, "numpy": np.__version__},
        "rounds": options.rounds,
        "rows": {name: {"median": round(median[name]), "range": [round(min(v)), round(max(v))]}
                 for name, v in rates.items()},
        "ratios": ratios,
        "goals": GOALS,
        "met": {name: ratios[name]["median"] >= goal for name, goal in GOALS.items()},
    }
    if options.write:
        (RESULTS / "python.json").write_text(json.dumps(document, indent=1) + "\n")
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
