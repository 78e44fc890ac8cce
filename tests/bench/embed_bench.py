#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures libseedbed in C programs that are built outside of the tree: the time until the thermostat example
is trained, the frames of the game loop that exceed their budget, and what a decision costs if the environment
is in callbacks instead of built in. Nothing else should run on the machine.

usage: embed_bench.py BUILD_FOLDER [--rounds 9] [--frames 20000] [--steps 4000000] [--result FILE]

Programs alternate; figures are medians with the smallest and largest value.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = SOURCE / "docs" / "examples" / "embed"
GOALS = {"thermostat_s": 1.0, "late_frames_percent": 0.1, "callbacks_minus_built_in_us": 0.2}
BUSY = 0.3  # load of other programs above which the result is doubtful


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True,
                          **options).stdout


def prepare(build, work):
    """Installs the library and compiles the programs."""
    run("cmake", "--install", build, "--component", "libseedbed", "--prefix", work / "prefix")
    (library,) = (work / "prefix").rglob("libseedbed.so")
    for source in (EXAMPLES / "thermostat.c", EXAMPLES / "game_loop.c",
                   SOURCE / "tests/bench/embed/decision_cost.c"):
        run(os.environ.get("CC", "cc"), "-std=c99", "-O2", "-I", work / "prefix" / "include", source, "-o",
            work / source.stem, "-L", library.parent, "-lseedbed", f"-Wl,-rpath,{library.parent}", "-lm")


def measure(work, rounds, frames, steps):
    rows = {"thermostat_s": [], "late_frames_percent": [], "longest_frame_ms": [],
            "built_in_us": [], "callbacks_us": [], "callbacks_minus_built_in_us": []}
    returns = {"built_in": [], "callbacks": []}
    for number in range(rounds):
        begin = time.monotonic()
        out = run(work / "thermostat")
        rows["thermostat_s"].append(time.monotonic() - begin)
        assert "after two hours: 2" in out, out
        late, longest = re.search(r"(\d+) of \d+ frames exceeded.* took ([\d.]+) ms",
                                  run(work / "game_loop", frames)).groups()
        rows["late_frames_percent"].append(100 * int(late) / frames)
        rows["longest_frame_ms"].append(float(longest))
        cost = {}
        # The first of two programs alternates as well.
        for way in sorted(returns, reverse=number % 2 == 1):
            printed = json.loads(run(work / "decision_cost", way, steps))
            cost[way] = printed["us_per_decision"]
            returns[way].append(printed["mean_return"])
            rows[f"{way}_us"].append(cost[way])
        rows["callbacks_minus_built_in_us"].append(cost["callbacks"] - cost["built_in"])
    return rows, returns


def spread(values):
    return {"median": round(statistics.median(values), 4), "low": round(min(values), 4),
            "high": round(max(values), 4)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=4_000_000)
    parser.add_argument("--result", type=pathlib.Path, default=SOURCE / "tests/bench/results/embed.json")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    if load > BUSY:
        print(f"warning: other programs use this machine (load {load:.1f}); the figures will be too high")
    with tempfile.TemporaryDirectory(prefix="seedbed-embed-") as folder:
        work = pathlib.Path(folder)
        prepare(options.build.resolve(), work)
        rows, returns = measure(work, options.rounds, options.frames, options.steps)
    figures = {name: spread(values) for name, values in rows.items()}
    info = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    result = {
        "command": "python3 tests/bench/embed_bench.py build/release",
        "date": time.strftime("%Y-%m-%d"),
        "processor": next((line.split(":")[1].strip() for line in info if "model name" in line), ""),
        "cores": os.cpu_count(), "kernel": platform.release(), "load_before": round(load, 2),
        "compiler": run(os.environ.get("CC", "cc"), "--version").splitlines()[0],
        "rounds": options.rounds, "frames": options.frames, "decisions": options.steps,
        "rows": figures,
        "mean_returns": {way: spread(values) for way, values in returns.items()},
        "goals": GOALS,
        "met": {name: figures[name]["median"] <= goal for name, goal in GOALS.items()},
    }
    options.result.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
