#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures fleets on this machine: the learner's CPU time per decision, compared with plain messages of
the same sizes over the same transport, and weak scaling from 1 to 8 local actors, each with 16 environments
of 1 ms.

Then both forms of a fleet with 2 actors over a link with a round trip of 50 ms, with and without a loss of
1 %, and without delay. A relay (tests/fleet/relay.py) models the link.

usage: fleet_bench.py BUILD_DIR [--seconds S] [--repetitions N] [--only PART] [--result FILE] [--busy]

  --only   exchanges, weak_scaling or links
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

sys.path.append(str(Path(__file__).resolve().parents[1] / "fleet"))
from relay import Link, free_port

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


def training_rate(build, actors, seconds, form="actions", envs=16, round_trip_s=0, loss=0):
    """Steps per second between the first and the last report of a run, and its lag."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, SEEDBED_DATA=folder)
        port = free_port()
        link = Link(port, round_trip_s, loss) if round_trip_s > 0 else None
        process = subprocess.Popen(
            [build / "bin/seedbed", "fleet", "start", "cartpole_vtrace", "--json", "--actors", str(actors),
             "--envs", str(envs), "--env.wrap.step_ms", "1", "--steps", "100000000",
             "--checkpoint.every_s", "1000", "--actor.fleet_form", form, "--listen", f"127.0.0.1:{port}",
             "--address", f"127.0.0.1:{link.port if link else port}"],
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
        names = {"lag": "policy/lag", "lag_max": "policy/lag_max", "masked": "async/masked_rows"}
        run = subprocess.run([build / "bin/seedbed", "metrics", "1", *names.values(), "--json"],
                             env=environment, check=True, capture_output=True, text=True)
        values = {key: json.loads(run.stdout)[name]["values"] for key, name in names.items()}
        subprocess.run([build / "bin/seedbed", "fleet", "stop", "1"], env=environment, check=False,
                       capture_output=True)
    first = next(point for point in points if point[0] > points[0][0] + 2)
    lag = {"mean": round(statistics.mean(values["lag"]), 2), "greatest": max(values["lag_max"]),
           "masked_rows": sum(values["masked"])}
    return (points[-1][1] - first[1]) / (points[-1][0] - first[0]), lag


# Environments of an actor, which step one after the other: a row takes 16 ms or 1 ms.
LINK_ENVS = (16, 1)
LINKS = [("windows", 0, 0), ("windows", 0.05, 0), ("windows", 0.05, 0.01), ("actions", 0, 0),
         ("actions", 0.05, 0)]  # form, round trip, loss of segments


def measure_links(build, repetitions, seconds):
    rows = []
    for envs in LINK_ENVS:
        base = None
        for form, round_trip_s, loss in LINKS:
            runs = [training_rate(build, 2, seconds, form, envs, round_trip_s, loss)
                    for _ in range(repetitions)]
            rates = summary([rate for rate, _ in runs])
            base = base or rates["median"]
            rows.append({"form": form, "environments": envs, "round_trip_ms": 1000 * round_trip_s,
                         "loss": loss, "actors": 2, "steps_per_s": rates, "lag": [lag for _, lag in runs],
                         "share_of_windows_without_delay": round(rates["median"] / base, 3)})
            print(json.dumps(rows[-1]), flush=True)
    return rows


def measure_exchanges(build, repetitions, seconds):
    rows = []
    for env, count, size in CASES:
        runs = {"rows": [], "raw": []}
        for _ in range(repetitions):
            for kind, list_ in runs.items():
                list_.append(exchange_costs(build, kind, env, count, size, seconds))
        row = {"env": env, "environments": count}
        for kind, list_ in runs.items():
            for value in ("cpu_us_per_decision", "wall_us_per_exchange"):
                row[f"{kind}_{value}"] = summary([run[value] for run in list_])
        row["throughput_of_raw"] = summary([ours["decisions_per_s"] / raw["decisions_per_s"]
                                            for ours, raw in zip(runs["rows"], runs["raw"])])
        rows.append(row)
        print(json.dumps(row), flush=True)
    return rows


def measure_scaling(build, repetitions, seconds):
    rows = []
    for actors in (1, 2, 4, 8):
        rates = [training_rate(build, actors, seconds)[0] for _ in range(repetitions)]
        rows.append({"actors": actors, "steps_per_s": summary(rates)})
        rows[-1]["efficiency"] = round(rows[-1]["steps_per_s"]["median"] / actors /
                                       rows[0]["steps_per_s"]["median"], 3)
        print(json.dumps(rows[-1]), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--only", choices=["exchanges", "weak_scaling", "links"])
    parser.add_argument("--result", type=Path)
    parser.add_argument("--busy", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    result = {"command": "tests/bench/fleet_bench.py " + " ".join(sys.argv[1:]), "processor": processor,
              "cores": os.cpu_count(), "busy": arguments.busy}
    for part, measure, factor in (("exchanges", measure_exchanges, 1), ("weak_scaling", measure_scaling, 3),
                                  ("links", measure_links, 3)):
        if arguments.only in (None, part):
            result[part] = measure(build, arguments.repetitions, factor * arguments.seconds)
    if arguments.result:
        arguments.result.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
