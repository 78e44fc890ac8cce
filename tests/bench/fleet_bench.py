#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures fleets on this machine: the learner's CPU time per decision, compared with plain messages of
the same sizes over the same transport, and weak scaling from 1 to 8 local actors, each with 16 environments
of 1 ms.

usage: fleet_bench.py BUILD_DIR [--seconds S] [--repetitions N] [--result FILE] [--busy]

  --busy   records that other programs used the machine
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = [("cartpole", 16, 16), ("cartpole", 64, 16), ("cartpole", 256, 16), ("catch_pixels", 16, 7056),
         ("catch_pixels", 64, 7056)]  # environment, environments of the group, bytes of an observation
FLAGS_AND_REWARDS = 5  # bytes per row in addition to the observation


def exchange_costs(build, kind, env, count, size, seconds):
    with tempfile.TemporaryDirectory() as folder:
        bench = build / "bin/bench_fleet"
        with subprocess.Popen([bench, kind, folder, env, str(count), str(seconds)], stdout=subprocess.PIPE,
                              text=True) as learner:
            credentials = Path(folder) / "actor.json"
            while not credentials.exists():
                assert learner.poll() is None
                time.sleep(0.05)
            other = [build / "bin/seedbed", "fleet", "actor", "--quiet", "--credentials", credentials]
            if kind == "raw":
                other = [bench, "echo", credentials, str(16 + count * (size + FLAGS_AND_REWARDS))]
            with subprocess.Popen(other, stderr=subprocess.DEVNULL) as actor:
                result = json.loads(learner.stdout.read())
                actor.terminate()
        return result


def summary(values):
    numbers = {"median": statistics.median(values), "least": min(values), "greatest": max(values)}
    return {name: round(value, 3) for name, value in numbers.items()}


def weak_scaling(build, actors, seconds):
    """Steps per second between the first and the last report of a run."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, SEEDBED_DATA=folder)
        process = subprocess.Popen(
            [build / "bin/seedbed", "fleet", "start", "cartpole_vtrace", "--json", "--actors", str(actors),
             "--envs", "16", "--env.wrap.step_ms", "1", "--steps", "100000000",
             "--checkpoint.every_s", "1000"],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        points = []
        for line in process.stdout:
            event = json.loads(line)
            if event.get("steps", 0) > 0 and event.get("event") != "evaluation":
                points.append((time.monotonic(), event["steps"]))
            if points and points[-1][0] - points[0][0] > seconds + 2:
                break
        process.terminate()
        process.stdout.read()
        process.wait()
        subprocess.run([build / "bin/seedbed", "fleet", "stop", "1"], env=environment, check=False,
                       capture_output=True)
    first = next(point for point in points if point[0] > points[0][0] + 2)
    return (points[-1][1] - first[1]) / (points[-1][0] - first[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--result", type=Path)
    parser.add_argument("--busy", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    result = {"command": "tests/bench/fleet_bench.py " + " ".join(sys.argv[1:]), "processor": processor,
              "cores": os.cpu_count(), "busy": arguments.busy, "exchanges": [], "weak_scaling": []}
    for env, count, size in CASES:
        runs = {"rows": [], "raw": []}
        for _ in range(arguments.repetitions):
            for kind, list_ in runs.items():
                list_.append(exchange_costs(build, kind, env, count, size, arguments.seconds))
        row = {"env": env, "environments": count}
        for kind, list_ in runs.items():
            for value in ("cpu_us_per_decision", "wall_us_per_exchange"):
                row[f"{kind}_{value}"] = summary([run[value] for run in list_])
        row["throughput_of_raw"] = summary([rows["decisions_per_s"] / raw["decisions_per_s"]
                                            for rows, raw in zip(runs["rows"], runs["raw"])])
        result["exchanges"].append(row)
        print(json.dumps(row), flush=True)
    for actors in (1, 2, 4, 8):
        rates = [weak_scaling(build, actors, arguments.seconds * 3) for _ in range(arguments.repetitions)]
        row = {"actors": actors, "steps_per_s": summary(rates)}
        result["weak_scaling"].append(row)
        row["efficiency"] = round(row["steps_per_s"]["median"] / actors /
                                  result["weak_scaling"][0]["steps_per_s"]["median"], 3)
        print(json.dumps(row), flush=True)
    if arguments.result:
        arguments.result.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
