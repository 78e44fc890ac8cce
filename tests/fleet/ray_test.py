#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains CartPole and MinAtar Breakout to the goals of their presets with actors that a real Ray starts on
this machine. Checks that the actors connect, and that 'fleet stop' ends the job. Needs "ray[default]" from
PyPI; prints the reason if it is missing, or without SEEDBED_LONG.

usage: SEEDBED_LONG=1 ray_test.py PROGRAM [RAY] [--steps N] [--result FILE]

  RAY      the program ray, for example .venv/bin/ray; otherwise the one in PATH
  --steps  of each run, instead of those of its preset; its goal is not checked
"""

import argparse
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tasks

sys.path.append(str(Path(__file__).resolve().parents[1]))
from measure import MEASURING

WAIT_S = 300  # for each event; Ray takes a minute to start on a busy machine
DASHBOARD = "http://127.0.0.1:9265"


def check(program, ray, folder, steps):
    environment = dict(os.environ, SEEDBED_DATA=str(folder), PATH=f"{ray.parent}:{os.environ['PATH']}")
    learner = None

    def seedbed(*words):
        return subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False)

    def start(port, *options):
        return subprocess.Popen([program, "fleet", "start", *options, "--on", "ray", "--options",
                                 f"--address {DASHBOARD}", "--address", "127.0.0.1", "--listen",
                                 f"127.0.0.1:{port}", "--quiet"], env=environment)

    def wait_for_actors(run):
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            shown = seedbed("fleet", "show", run, "--json")
            machines = json.loads(shown.stdout) if shown.returncode == 0 else {"groups": [{"actor": ""}]}
            if all(group["actor"] for group in machines["groups"]):
                return machines
            time.sleep(0.5)
        raise AssertionError(f"no actors within {WAIT_S} s")

    facts = {}
    try:
        for number, task in enumerate(tasks.TASKS, 1):
            begin = time.monotonic()
            learner = start(9459 + number, *tasks.start_options(task, steps))
            machines = wait_for_actors(str(number))
            assert [launch["state"] for launch in machines["launches"]] == ["running"], machines
            facts[task] = {"connected_s": round(time.monotonic() - begin, 1)}
            assert learner.wait(1800) == 0
            run = json.loads(seedbed("show", str(number), "--json").stdout)
            facts[task].update(tasks.outcome(task, run, steps), seconds=round(time.monotonic() - begin))
            print(json.dumps(facts[task]), flush=True)

        last = str(len(tasks.TASKS) + 1)
        learner = start(9470, *tasks.start_options(tasks.TASKS[0], 100_000_000))
        wait_for_actors(last)
        stopped = seedbed("fleet", "stop", last)
        assert stopped.returncode == 0, stopped.stderr
        assert learner.wait(WAIT_S) == 130
        authority = hashlib.sha256((folder / "fleet" / "authority.pem").read_bytes()).hexdigest()[:8]
        job = f"seedbed-run-{last}-{authority}"
        status = subprocess.run([ray, "job", "status", "--address", DASHBOARD, job],
                                env=environment, capture_output=True, text=True, check=False)
        assert "STOPPED" in (status.stdout + status.stderr).upper(), status.stdout + status.stderr
        return facts
    finally:
        if learner is not None:
            learner.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("ray", type=Path, nargs="?", default=shutil.which("ray") or "ray")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--result", type=Path)
    arguments = parser.parse_args()
    if not MEASURING:
        print("[  SKIPPED ] it takes several minutes; set SEEDBED_LONG=1")
        return
    if not arguments.ray.exists():
        print(f'[  SKIPPED ] {arguments.ray} was not found (pip install "ray[default]")')
        return
    # Ray 2.60 and later require a token, which a user has in ~/.ray/auth_token.
    os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})
    ray = arguments.ray.absolute()
    environment = dict(os.environ, PATH=f"{ray.parent}:{os.environ['PATH']}")
    subprocess.run([ray, "start", "--head", "--port=9379", "--dashboard-port=9265", "--num-cpus=4",
                    "--disable-usage-stats"], env=environment, check=True, stdout=subprocess.DEVNULL)
    try:
        with tempfile.TemporaryDirectory(prefix="seedbed-ray-", ignore_cleanup_errors=True) as folder:
            facts = check(arguments.program.resolve(), ray, Path(folder), arguments.steps)
    finally:
        subprocess.run([ray, "stop"], env=environment, check=False, stdout=subprocess.DEVNULL)
    version = subprocess.run([ray, "--version"], capture_output=True, text=True, check=False)
    facts["ray"] = version.stdout.strip()
    words = [word for word in sys.argv[2:] if word != str(arguments.ray)]
    facts["command"] = " ".join(["SEEDBED_LONG=1 tests/fleet/ray_test.py PROGRAM RAY", *words])
    print(json.dumps(facts, indent=2))
    if arguments.result:
        arguments.result.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
