#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts several processes at the same instant that all resume the same run: exactly one of them may
resume it.

usage: double_starts.py SEEDBED [--rounds N] [--seed N] [--result FILE]

Each round releases two to four processes of `seedbed resume` at once. All but one must exit with code 1 and
report that another process has the run; the remaining one must have begun the only new segment. Then it is
killed. The exit code is 1 after any violation.
"""
import argparse
import json
import os
import pathlib
import platform
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SMALL = [
    "cartpole", "--preset", "none", "--engine", "reference", "--algo.rollout_length", "32",
    "--network.hidden", "16,16", "--eval.every_steps", "0", "--steps", "100000000"
]
TIMEOUT = 60  # seconds for a process to start and be rejected


def together(command, env, files):
    """Starts one process per file at the same instant; returns their ids. Their output goes to `files`."""
    ready, go = os.pipe()
    children = []
    for file in files:
        child = os.fork()
        if child == 0:
            os.close(go)
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
            os.read(ready, 1)  # continues when the parent closes its end
            os.execve(command[0], command, env)
        children.append(child)
    os.close(ready)
    os.close(go)
    return children


def segments(data):
    with sqlite3.connect(f"file:{data}/seedbed.db?mode=ro", uri=True, timeout=30) as database:
        return database.execute("select count(*) from segments where run_id = 1").fetchone()[0]


def play_round(command, env, data, count):
    """Runs a round and returns its violations."""
    before = segments(data)
    files = [tempfile.TemporaryFile(mode="w+") for _ in range(count)]
    running = dict(zip(together(command, env, files), files))
    violations, deadline = [], time.monotonic() + TIMEOUT
    while len(running) > 1 and time.monotonic() < deadline:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            time.sleep(0.005)
            continue
        file = running.pop(child)
        file.seek(0)
        output, code = file.read(), os.waitstatus_to_exitcode(status)
        if code != 1 or "another process" not in output:
            violations.append(f"one of {count} exited with {code}: {output.strip()}")
    if len(running) != 1:
        violations.append(f"{len(running)} of {count} processes keep the run")
    # The remaining process may not have started its segment yet.
    while segments(data) == before and not violations and time.monotonic() < deadline:
        time.sleep(0.01)
    for child in running:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            violations.append("the remaining process had exited on its own")
    if segments(data) != before + 1:
        violations.append(f"{segments(data) - before} segments began in a round of {count}")
    return violations


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--result")
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    chance, begin = random.Random(options.seed), time.monotonic()
    violations, starts = [], 0
    with tempfile.TemporaryDirectory(prefix="seedbed-double-", ignore_cleanup_errors=True) as folder:
        data = pathlib.Path(folder) / "data"
        env = {**os.environ, "SEEDBED_DATA": str(data), "HOME": folder, "SEEDBED_LOG": "warning"}
        program = str(pathlib.Path(options.program).resolve())
        subprocess.run([program, "queue", "add", *SMALL], env=env, check=True, capture_output=True)
        subprocess.run([program, "queue", "pause"], env=env, check=True, capture_output=True)
        rounds = 0
        while rounds < options.rounds and len(violations) < 20:
            count = chance.choice((2, 2, 3, 4))
            starts, rounds = starts + count, rounds + 1
            for violation in play_round([program, "resume", "1", "--quiet", "--threads", "1"], env, data,
                                        count):
                print(f"VIOLATED: round {rounds}: {violation}", flush=True)
                violations.append(violation)
    result = {
        "violations": violations, "rounds": rounds, "starts": starts, "seed": options.seed,
        "seconds": round(time.monotonic() - begin, 1), "date": time.strftime("%Y-%m-%d"),
        "cores": os.cpu_count(), "kernel": platform.release(), "sqlite": sqlite3.sqlite_version
    }
    if options.result:
        pathlib.Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
