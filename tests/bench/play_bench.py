#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What watching costs the training: one run on all cores, and a headless player of one agent at speed 1 that follows its newest weights, there
in every other stretch of some seconds. Nothing else should run on the machine.

usage: play_bench.py BUILD_FOLDER [--pairs 16] [--seconds 1.5] [--result FILE]
"""
import argparse
import json
import os
import pathlib
import platform
import socket
import statistics
import subprocess
import tempfile
import time

STARTED, GONE = 1.0, 0.3  # seconds until a player has started (at low priority beside a run on all cores), and until it is gone


class Run:
    """A run's control socket: how far it is."""

    def __init__(self, path):
        deadline = time.monotonic() + 30
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        self.lines = self.socket.makefile("r")
        json.loads(self.lines.readline())
        self.number = 0

    def ask(self, verb, **fields):
        self.number += 1
        self.socket.sendall((json.dumps({"id": self.number, "do": verb, **fields}) + "\n").encode())
        while True:
            reply = json.loads(self.lines.readline())
            if reply.get("re") == self.number:
                return reply

    def rate(self, seconds):
        """Steps per second of training time over the next seconds."""
        def now():
            status = self.ask("status")["status"]
            return status["steps"], status["trained_s"]
        steps, trained = now()
        time.sleep(seconds)
        steps_after, trained_after = now()
        return (steps_after - steps) / (trained_after - trained)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--env", default="cartpole")
    parser.add_argument("--result")
    options = parser.parse_args()
    program = str(pathlib.Path(options.build).resolve() / "bin" / "seedbed")
    with tempfile.TemporaryDirectory(prefix="seedbed-bench-") as folder:
        training = subprocess.Popen(
            [program, "train", options.env, "--json", "--quiet", "--data", folder, "--steps", "0", "--minutes", "60",
             "--eval.every_steps", "1000000000000", "--checkpoint.every_s", "86400", "--checkpoint.time_share", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            run = Run(f"{folder}/control/run-1.sock")
            time.sleep(2)
            never = run.rate(options.seconds)
            with_player, without = [], []
            for pair in range(options.pairs):
                for watched in (True, False) if pair % 2 == 0 else (False, True):
                    player = None
                    if watched:
                        player = subprocess.Popen([program, "play", "1", "--headless", "--follow", "--speed", "1", "--data", folder, "--quiet"],
                                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    time.sleep(STARTED if watched else GONE)
                    (with_player if watched else without).append(run.rate(options.seconds))
                    if player:
                        assert player.poll() is None, "the player has ended"
                        player.terminate()
                        player.wait()
            run.ask("stop")
        finally:
            training.terminate()
            training.wait()
    slower = [100 * (1 - a / b) for a, b in zip(with_player, without)]
    result = {"date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release(), "env": options.env,
              "pairs": options.pairs, "seconds": options.seconds,
              "steps_per_s_with_player": [round(x) for x in with_player], "steps_per_s_without": [round(x) for x in without],
              "steps_per_s_before_any_player": round(never),
              "slower_percent": {"median": round(statistics.median(slower), 2), "mean": round(statistics.mean(slower), 2),
                                 "standard_error": round(statistics.stdev(slower) / len(slower) ** 0.5, 2), "limit": 3}}
    print(json.dumps(result, indent=1))
    if options.result:
        pathlib.Path(options.result).write_text(json.dumps(result, indent=1) + "\n")
    return 0 if result["slower_percent"]["median"] <= 3 else 1


if __name__ == "__main__":
    raise SystemExit(main())
