#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long a command takes from start to exit with a database of one gigabyte.

usage: start_bench.py BUILD_FOLDER [--bytes N] [--times N] [--result FILE]

A short run is trained; its curves are copied inside the database, as curves of more runs, until the file has
N bytes (default: 10^9). Then each command runs N times (default: 50) with warm caches: wall-clock time
from fork to exit in ms, median and 95th percentile, and CPU time, which depends less on other programs.
"""
import argparse
import json
import os
import pathlib
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

RUN = [
    "cartpole", "--preset", "none", "--engine", "reference", "--run.inference", "inline",
    "--algo.rollout_length", "8", "--network.hidden", "8", "--actor.num_envs", "4", "--eval.every_steps",
    "1000000000", "--eval.final_episodes", "2"
]
RUNS = 100
COMMANDS = {
    "version": ["--version"], "list": ["list"], "show": ["show", "2"], "metrics": ["metrics", "2"],
    "queue list": ["queue", "list"], "edit": ["edit", "3", "--star"]
}


def columns(database, table, without):
    rows = database.execute(f"PRAGMA table_info({table})").fetchall()
    return [row[1] for row in rows if row[1] not in without]


def copy_run(database, source, number):
    """Adds another run with the rows of `source`; its curves are as long as the file allows."""
    names = columns(database, "runs", ("id", "uid", "name"))
    text = ",".join(names)
    database.execute(f"INSERT INTO runs (uid, {text}) SELECT ?, {text} FROM runs WHERE id = ?",
                     (f"copy-{number}", source))
    run = database.execute("SELECT last_insert_rowid()").fetchone()[0]
    for table in ("segments", "checkpoint_rows"):
        text = ",".join(columns(database, table, ("run_id", )))
        database.execute(
            f"INSERT INTO {table} (run_id, {text}) SELECT ?, {text} FROM {table} WHERE run_id = ?",
            (run, source))
    text = ",".join(columns(database, "metric_series", ("id", "run_id")))
    database.execute(
        f"INSERT INTO metric_series (run_id, {text}) SELECT ?, {text} FROM metric_series WHERE run_id = ?",
        (run, source))
    return run


def add_blocks(database, source, run, ordinal):
    text = ",".join(columns(database, "metric_blocks", ("id", "series_id", "ordinal")))
    many = ",".join("b." + name for name in text.split(","))
    database.execute(
        f"INSERT INTO metric_blocks (series_id, ordinal, {text}) SELECT t.id, b.ordinal + ?, {many} "
        "FROM metric_blocks b JOIN metric_series s ON s.id = b.series_id AND s.run_id = ? "
        "JOIN metric_series t ON t.name = s.name AND t.run_id = ?", (ordinal, source, run))


def grow(file, target):
    with sqlite3.connect(file, isolation_level=None) as database:
        database.execute("PRAGMA synchronous=OFF")
        database.execute("BEGIN")
        runs = [copy_run(database, 1, number) for number in range(RUNS)]
        database.execute("COMMIT")
        stride = database.execute("SELECT max(ordinal) + 512 FROM metric_blocks").fetchone()[0]
        for turn in range(1, 100_000):
            database.execute("BEGIN")
            for run in runs:
                add_blocks(database, 1, run, turn * stride)
            database.execute("COMMIT")
            pages = database.execute("PRAGMA page_count").fetchone()[0]
            if pages * database.execute("PRAGMA page_size").fetchone()[0] >= target:
                break
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def milliseconds(command):
    """Wall-clock and CPU milliseconds."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command} exited with {status}")
    return 1000 * (time.perf_counter() - begin), 1000 * (usage.ru_utime + usage.ru_stime)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--bytes", type=int, default=10**9)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    program = str((options.build / "bin" / "seedbed").resolve())
    with tempfile.TemporaryDirectory(prefix="seedbed-bench-") as folder:
        data = ["--data", folder]
        subprocess.run([program, "train", *RUN, "--steps", "33000", "--quiet", *data], check=True,
                       stdout=subprocess.DEVNULL)
        grow(pathlib.Path(folder) / "seedbed.db", options.bytes)
        result = {
            "date": time.strftime("%Y-%m-%d"), "processor": processor(), "cores": os.cpu_count(),
            "kernel": platform.release(), "load": [round(load, 1) for load in os.getloadavg()],
            "bytes": (pathlib.Path(folder) / "seedbed.db").stat().st_size, "commands": {}
        }
        for name, arguments in COMMANDS.items():
            command = [program, *arguments, *(data if name != "version" else [])]
            both = [milliseconds(command) for _ in range(options.times)]
            times = sorted(wall for wall, _ in both)
            result["commands"][name] = {
                "median_ms": round(statistics.median(times), 1),
                "p95_ms": round(times[int(0.95 * (len(times) - 1))], 1),
                "cpu_ms": round(statistics.median(cpu for _, cpu in both), 1)
            }
            print(name, result["commands"][name], flush=True)
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
