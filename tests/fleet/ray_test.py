#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains CartPole with actors that a real Ray starts on this machine. Checks that the actors connect, that
the run reaches its goal, and that 'fleet stop' ends the job. Needs "ray[default]" from PyPI; exits with 77
and the reason if it is missing.

usage: ray_test.py PROGRAM RAY [--steps N] [--goal RETURN] [--result FILE]

  RAY      the program ray, for example .venv/bin/ray
"""

import argparse
import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
WAIT_S = 300  # for each event; Ray takes a minute to start on a busy machine
DASHBOARD = "http://127.0.0.1:9265"


def check(program, ray, folder, steps, goal):
    environment = dict(os.environ, SEEDBED_DATA=str(folder), PATH=f"{ray.parent}:{os.environ['PATH']}")
    start = ["fleet", "start", "cartpole_vtrace", "--on", "ray", "--options", f"--address {DASHBOARD}",
             "--actors", "2", "--envs", "8", "--address", "127.0.0.1", "--quiet"]

    def seedbed(*words):
        return subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False)

    def wait_for_actors(run):
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            shown = seedbed("fleet", "show", run, "--json")
            groups = json.loads(shown.stdout)["groups"] if shown.returncode == 0 else [{"actor": ""}]
            if all(group["actor"] for group in groups):
                return
            time.sleep(0.5)
        raise AssertionError(f"no actors within {WAIT_S} s")

    begin = time.monotonic()
    learner = subprocess.Popen([program, *start, "--listen", "127.0.0.1:9460", "--steps", str(steps)],
                               env=environment)
    try:
        wait_for_actors("1")
        shown = json.loads(seedbed("fleet", "show", "1", "--json").stdout)
        assert [launch["state"] for launch in shown["launches"]] == ["running"], shown
        facts = {"connected_s": round(time.monotonic() - begin, 1)}
        assert learner.wait(1200) == 0
        run = json.loads(seedbed("show", "1", "--json").stdout)
        facts["return"] = run["evaluations"][-1]["mean"]
        assert facts["return"] >= goal, facts

        learner = subprocess.Popen([program, *start, "--listen", "127.0.0.1:9461", "--steps", "100000000"],
                                   env=environment)
        wait_for_actors("2")
        stopped = seedbed("fleet", "stop", "2")
        assert stopped.returncode == 0, stopped.stderr
        assert learner.wait(WAIT_S) == 130
        authority = hashlib.sha256((folder / "fleet" / "authority.pem").read_bytes()).hexdigest()[:8]
        job = f"seedbed-run-2-{authority}"
        status = subprocess.run([ray, "job", "status", "--address", DASHBOARD, job],
                                env=environment, capture_output=True, text=True, check=False)
        assert "STOPPED" in (status.stdout + status.stderr).upper(), status.stdout + status.stderr
        return facts
    finally:
        learner.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("ray", type=Path)
    parser.add_argument("--steps", type=int, default=500_000)
    parser.add_argument("--goal", type=float, default=475)
    parser.add_argument("--result", type=Path)
    arguments = parser.parse_args()
    if not arguments.ray.exists():
        print(f'skipped: {arguments.ray} does not exist (pip install "ray[default]")')
        sys.exit(SKIPPED)
    # Ray 2.60 and later require a token, which a user has in ~/.ray/auth_token.
    os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})
    ray = arguments.ray.absolute()
    environment = dict(os.environ, PATH=f"{ray.parent}:{os.environ['PATH']}")
    subprocess.run([ray, "start", "--head", "--port=9379", "--dashboard-port=9265", "--num-cpus=4",
                    "--disable-usage-stats"], env=environment, check=True, stdout=subprocess.DEVNULL)
    try:
        with tempfile.TemporaryDirectory(prefix="seedbed-ray-", ignore_cleanup_errors=True) as folder:
            facts = check(arguments.program.resolve(), ray, Path(folder), arguments.steps, arguments.goal)
    finally:
        subprocess.run([ray, "stop"], env=environment, check=False, stdout=subprocess.DEVNULL)
    version = subprocess.run([ray, "--version"], capture_output=True, text=True, check=False)
    facts["ray"] = version.stdout.strip()
    facts["command"] = " ".join(["tests/fleet/ray_test.py", "PROGRAM", "RAY", *sys.argv[3:]])
    print(json.dumps(facts, indent=2))
    if arguments.result:
        arguments.result.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
