#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much a viewer slows down training: one run on all cores, with and without a headless player of
one agent at speed 1 that follows its newest weights, in alternating intervals of a few seconds. Nothing else
should run on the machine.

usage: play_bench.py BUILD_FOLDER [--pairs 16] [--seconds 1.5] [--result FILE] [--closed | --window PAGE]

--closed measures after the player has exited: two runs alternate, one of which was watched before. --window
measures a page of the window (watch or run) with its player (needs Xvfb); both are suspended in every other interval.
"""
import argparse
import json
import os
import pathlib
import platform
import signal
import socket
import statistics
import subprocess
import tempfile
import time

START_S, EXIT_S = 1.0, 0.3  # time for a player to start (at low priority while a run uses all cores) and exit
RESUME_S = 4.0  # a window that was suspended first does at once what it had to do meanwhile


class Run:
    """Reads a run's progress from its control socket."""

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


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def slower(a, b):
    """By how many per cent the rates a are below the rates b, pair by pair."""
    percent = [100 * (1 - x / y) for x, y in zip(a, b)]
    return {"median": round(statistics.median(percent), 2), "mean": round(statistics.mean(percent), 2),
            "standard_error": round(statistics.stdev(percent) / len(percent) ** 0.5, 2)}


def train(program, folder, options):
    return subprocess.Popen([
        program, "train", options.env, "--json", "--quiet", "--data", folder, "--steps", "0", "--minutes",
        "60", "--eval.every_steps", "1000000000000", "--checkpoint.every_s", "86400",
        "--checkpoint.time_share", "0"
    ],
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def play(program, folder):
    return subprocess.Popen(
        [program, "play", "1", "--headless", "--follow", "--speed", "1", "--data", folder, "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)


def closed(program, options):
    with tempfile.TemporaryDirectory(prefix="seedbed-bench-") as watched, tempfile.TemporaryDirectory(
            prefix="seedbed-bench-") as never:
        trainings = [train(program, folder, options) for folder in (watched, never)]
        try:
            runs = [Run(f"{folder}/control/run-1.sock") for folder in (watched, never)]
            player = play(program, watched)
            time.sleep(2 * START_S)
            assert player.poll() is None, "the player exited early"
            player.terminate()
            player.wait()
            for run in runs:
                run.ask("pause")
            rates = [[], []]
            for pair in range(options.pairs):
                for which in (0, 1) if pair % 2 == 0 else (1, 0):
                    runs[which].ask("resume")
                    time.sleep(EXIT_S)
                    rates[which].append(runs[which].rate(options.seconds))
                    runs[which].ask("pause")
                    time.sleep(EXIT_S)
            for run in runs:
                run.ask("stop")
        finally:
            for training in trainings:
                training.terminate()
                training.wait()
    return {
        "pairs": options.pairs, "seconds": options.seconds,
        "steps_per_s_watched_before": [round(x) for x in rates[0]],
        "steps_per_s_never_watched": [round(x)
                                      for x in rates[1]], "slower_percent": {**slower(*rates), "limit": 0}
    }


def window(program, options):
    """The rates of a run with a page of the window, and while window and player are suspended."""
    with tempfile.TemporaryDirectory(prefix="seedbed-bench-") as folder:
        training = train(program, folder, options)
        state = pathlib.Path(folder, "state", "seedbed")
        state.mkdir(parents=True)
        (state / "window.ini").write_text(f"[window]\npage={options.window}\n")
        pathlib.Path(folder, "run").mkdir(mode=0o700)
        env = {**os.environ, "DISPLAY": ":96", "HOME": folder, "XDG_STATE_HOME": f"{folder}/state",
               "XDG_CONFIG_HOME": f"{folder}/config", "XDG_RUNTIME_DIR": f"{folder}/run"}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        screen = subprocess.Popen(["Xvfb", ":96", "-screen", "0", "1280x800x24"], **quiet)
        shown = None
        try:
            run = Run(f"{folder}/control/run-1.sock")
            shown = subprocess.Popen([f"{program}-gui", "--data", folder], env=env, **quiet)

            def children(what):
                return subprocess.run(["pgrep", "-P", str(shown.pid), "-f", what], capture_output=True, text=True,
                                      check=False).stdout.split()

            # The window first measures the computer.
            time.sleep(5 * START_S)
            deadline = time.monotonic() + 300
            while children("calibrate") or not children("seedbed play"):
                assert time.monotonic() < deadline and shown.poll() is None, "the page did not open"
                time.sleep(0.5)
            group = [shown.pid, *map(int, children("seedbed play"))]

            def used():
                ticks = 0
                for process in group:
                    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
                    ticks += int(fields[11]) + int(fields[12])
                return ticks / os.sysconf("SC_CLK_TCK")

            # The window shows a young run more often.
            while run.ask("status")["status"]["trained_s"] < options.after:
                time.sleep(START_S)
            rates, busy, shown_s = {True: [], False: []}, used(), 0
            for pair in range(options.pairs):
                for watched in (True, False) if pair % 2 == 0 else (False, True):
                    for process in group:
                        os.kill(process, signal.SIGCONT if watched else signal.SIGSTOP)
                    time.sleep(RESUME_S)
                    rates[watched].append(run.rate(options.seconds))
                    shown_s += watched * (options.seconds + RESUME_S)
            busy = used() - busy
        finally:
            for process in (shown, training, screen):
                if process is not None:
                    process.send_signal(signal.SIGCONT)
                    process.terminate()
                    process.wait()
    return {
        "date": time.strftime("%Y-%m-%d"), "processor": processor(), "cores": os.cpu_count(), "env": options.env,
        "page": options.window, "after_s": options.after, "pairs": options.pairs, "seconds": options.seconds,
        "cpu_percent_of_all_cores": round(100 * busy / shown_s / os.cpu_count(), 2),
        "steps_per_s_watched": [round(x) for x in rates[True]],
        "steps_per_s_alone": [round(x) for x in rates[False]],
        "slower_percent": {**slower(rates[True], rates[False]), "limit": 2}
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--env", default="cartpole")
    parser.add_argument("--result")
    parser.add_argument("--after", type=float, default=100, help="seconds of training before --window measures")
    parser.add_argument("--closed", action="store_true")
    parser.add_argument("--window", choices=("watch", "run"))
    options = parser.parse_args()
    program = str(pathlib.Path(options.build).resolve() / "bin" / "seedbed")
    if options.closed or options.window:
        result = (closed if options.closed else window)(program, options)
        print(json.dumps(result, indent=1))
        if options.result:
            path = pathlib.Path(options.result)
            path.write_text(
                json.dumps({**json.loads(path.read_text()),
                            "player_closed" if options.closed else f"page_{options.window}": result}, indent=1) + "\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="seedbed-bench-") as folder:
        training = train(program, folder, options)
        try:
            run = Run(f"{folder}/control/run-1.sock")
            time.sleep(2)
            never = run.rate(options.seconds)
            with_player, without = [], []
            for pair in range(options.pairs):
                for watched in (True, False) if pair % 2 == 0 else (False, True):
                    player = None
                    if watched:
                        player = play(program, folder)
                    time.sleep(START_S if watched else EXIT_S)
                    (with_player if watched else without).append(run.rate(options.seconds))
                    if player:
                        assert player.poll() is None, "the player exited early"
                        player.terminate()
                        player.wait()
            run.ask("stop")
        finally:
            training.terminate()
            training.wait()
    result = {
        "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release(),
        "env": options.env, "pairs": options.pairs, "seconds": options.seconds,
        "steps_per_s_with_player": [round(x) for x in with_player],
        "steps_per_s_without": [round(x) for x in without], "steps_per_s_before_any_player": round(never),
        "slower_percent": {**slower(with_player, without), "limit": 3}
    }
    print(json.dumps(result, indent=1))
    if options.result:
        path = pathlib.Path(options.result)
        before = json.loads(path.read_text()) if path.exists() else {}
        kept = {key: before[key] for key in ("player_closed", "page_watch") if key in before}
        path.write_text(json.dumps({**result, **kept}, indent=1) + "\n")
    return 0 if result["slower_percent"]["median"] <= 3 else 1


if __name__ == "__main__":
    raise SystemExit(main())
