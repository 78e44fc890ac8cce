#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the memory estimate of 'seedbed train --dry-run' with the peak of the run.

usage: memory_bench.py PROGRAM [--short] [--only NAME ...] [--result FILE]

The peak is the largest resident size of a run that trains a few updates, evaluates and saves, minus that
of the dry run, which starts the same program. Fails if an estimate is more than 5 % below the
peak or more than 20 % above it, unless the difference is at most 2 MiB. --short measures a few
configurations; engines that are missing are skipped.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/learning"))
from provenance import commit_to_record  # noqa: E402

LOW, HIGH = -0.05, 0.20
SLACK = 2 << 20  # pages of code and heap, which matter only for the smallest runs
COMMON = ["--preset", "none", "--run.threads", "2", "--engine", "native", "--run.inference", "inline"]
REPLAY = ["--algo.replay_start", "2000", "--algo.replay_ratio", "0.1", "--actor.num_envs", "16"]
PART = 50_000  # steps after which these runs stop, before their replay is full
PARTLY_FILLED = {
    algo.upper(): [env, "--algo.id", algo, "--algo.replay_ratio", "0.5"]
    for env, algo in (("cartpole", "dqn"), ("pendulum", "sac"), ("pendulum", "td3"), ("catch", "r2d2"))
}
CONFIGURATIONS = {
    "small": ["cartpole"],
    "many environments": ["cartpole", "--actor.num_envs", "8192", "--algo.rollout_length", "32"],
    "large batch": ["pendulum", "--actor.num_envs", "512", "--algo.rollout_length", "512"],
    "big network": ["cartpole", "--network.hidden", "1024,1024,1024"],
    "pixels": ["pong_pixels", "--actor.num_envs", "32"],
    "LSTM": ["catch", "--network.core", "lstm", "--network.core_size", "512", "--actor.num_envs", "64"],
    "forced lag": ["cartpole", "--network.hidden", "512,512", "--run.forced_lag", "40"],
    "grids": ["minigrid_empty_8x8", "--actor.num_envs", "512"],
    "async": ["minatar_breakout", "--run.schedule", "async", "--actor.num_envs", "256"],
    "async, central inference": [
        "pong_pixels", "--run.schedule", "async", "--run.inference", "central", "--actor.num_envs", "64"
    ],
    "sync, central inference": ["minatar_breakout", "--run.inference", "central", "--actor.num_envs", "1024"],
    "large evaluation": [
        "pendulum", "--eval.episodes", "10000", "--network.hidden", "64", "--actor.num_envs", "64"
    ],
    # Counted as 5,000 decisions per episode, because nothing ends a good episode.
    "large evaluation without a time limit": [
        "minatar_breakout", "--eval.episodes", "2000", "--network.hidden", "512,512", "--actor.num_envs", "64"
    ],
    "LibTorch": ["pong_pixels", "--engine", "torch", "--actor.num_envs", "16"],
    "replay": ["minatar_breakout", "--algo.id", "dqn", "--algo.replay_size", "30000", *REPLAY],
    "prioritised replay of pixels, saved": [
        "pong_pixels", "--algo.id", "dqn", "--algo.replay_size", "10000", "--algo.prioritised", "true",
        "--checkpoint.replay", "full", *REPLAY
    ],
    **PARTLY_FILLED,
}
SHORT = ["small", "many environments", "big network", "async"]  # these take less than a minute of CPU time
UPDATES = 6  # the lag of the parameters is added to this number


def measured(program, arguments, folder):
    """Exit code, largest resident size in bytes, and outputs of a run of the program."""
    # The kernel reports only the largest of several children, so each has a separate parent.
    helper = ("import resource, subprocess, sys; "
              "run = subprocess.run(sys.argv[1:], capture_output=True, text=True); "
              "print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); "
              "print(run.stdout); print(run.stderr, file=sys.stderr)")
    environment = {**os.environ, "SEEDBED_DATA": str(folder / "data"), "HOME": str(folder)}
    run = subprocess.run([sys.executable, "-c", helper, program, *arguments], capture_output=True, text=True,
                         env=environment, timeout=1200)
    first, _, rest = run.stdout.partition("\n")
    code, kib = first.split()
    return int(code), int(kib) * 1024, rest, run.stderr


def measure(program, name):
    arguments = ["train", CONFIGURATIONS[name][0], *COMMON]
    # Later settings replace earlier ones.
    for key, value in zip(CONFIGURATIONS[name][1::2], CONFIGURATIONS[name][2::2]):
        if key in arguments:
            arguments[arguments.index(key) + 1] = value
        else:
            arguments += [key, value]
    with tempfile.TemporaryDirectory(prefix="seedbed-memory-") as folder:
        folder = pathlib.Path(folder)

        def planned(steps):
            code, base, out, error = measured(
                program, [*arguments, "--steps", str(steps), "--dry-run", "--json"], folder)
            if code not in (0, 4):
                sys.exit(f"{name}: {error}")
            return base, json.loads(out) if code == 0 else None

        _, plan = planned(1)
        if plan is None:
            return None
        config = plan["config"]
        rows = config["algo"]["rollout_length"] * config["actor"]["num_envs"]
        steps = PART if name in PARTLY_FILLED else (
            (UPDATES + config["run"]["forced_lag"]) * rows + config["algo"].get("replay_size", 0))
        base, plan = planned(steps)
        code, top, out, error = measured(program, [
            *arguments, "--steps", str(steps), "--eval.every_steps", str(steps // 2),
            "--checkpoint.every_s", "1", "--quiet"
        ], folder)
        if code != 0:
            sys.exit(f"{name}: {error}")
    need = top - base
    estimate = plan["memory_bytes"]
    return {
        "peak_mib": round(need / 2**20, 1),
        "estimate_mib": round(estimate["total"] / 2**20, 1),
        "error": round(estimate["total"] / need - 1, 3),
        "parts_mib": {part: round(value / 2**20, 2) for part, value in estimate.items() if part != "total"},
    }


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--result")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    commit = commit_to_record() if options.result else None
    names = options.only or (SHORT if options.short else list(CONFIGURATIONS))
    results, bad = {}, []
    for name in names:
        result = measure(program, name)
        if result is None:
            print(f"{name}: the engine is not available")
            continue
        results[name] = result
        inside = LOW <= result["error"] <= HIGH or abs(
            result["estimate_mib"] - result["peak_mib"]) * 2**20 <= SLACK
        print(f"{name}: peak {result['peak_mib']} MiB, estimate {result['estimate_mib']} MiB "
              f"({result['error']:+.1%}){'' if inside else '  OUTSIDE'} {result['parts_mib']}", flush=True)
        if not inside:
            bad.append(name)
    if options.result:
        pathlib.Path(options.result).write_text(
            json.dumps({"command": "python3 tests/bench/memory_bench.py build/release/bin/seedbed --result "
                                   "tests/bench/results/memory.json",
                        "date": time.strftime("%Y-%m-%d"), "commit": commit, "processor": processor(),
                        "configurations": results}, indent=2) + "\n")
    if bad:
        sys.exit(f"outside {LOW:+.0%} to {HIGH:+.0%}: {', '.join(bad)}")


if __name__ == "__main__":
    main()
