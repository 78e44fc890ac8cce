#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Resuming needs no more memory than training did: compares the peaks of both processes.

usage: resume_memory.py SEEDBED [--seed N]

Each run is trained for a few thousand steps, then resumed for as long. Checkpoints are saved continuously, so
that both processes reach the maximum number of copies of the parameters. Peaks are those of the kernel
(ru_maxrss). A resume may exceed the training by 2 %, plus 2 MiB for the allocator's variation.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

COMMON = ["--preset", "none", "--engine", "native", "--run.inference", "inline", "--threads", "1",
          "--eval.episodes", "2", "--eval.final_episodes", "2", "--checkpoint.every_s", "0.1",
          "--checkpoint.time_share", "0", "--quiet"]
RUNS = {
    "large network": ["cartpole", *COMMON, "--network.hidden", "1024,1024", "--steps", "8192"],
    "pixels": ["minatar_breakout", *COMMON, "--steps", "8192"],
    "lstm": ["catch", *COMMON, "--network.core", "lstm", "--steps", "8192"],
    "async": ["catch", *COMMON, "--algo", "vtrace", "--schedule", "async", "--actor.threads", "2", "--steps",
              "16384"],
}
SHARE, SLACK = 1.02, 2 << 20


def peak(env, *command):
    """Resident bytes at the peak of the command."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} exited with {process.returncode}")
    return usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed)
    program = str(pathlib.Path(options.program).resolve())
    failed = False
    for name, arguments in RUNS.items():
        with tempfile.TemporaryDirectory(prefix="seedbed-resume-") as folder:
            env = {**os.environ, "SEEDBED_DATA": folder, "HOME": folder}
            trained = peak(env, program, "train", *arguments, "--seed", str(options.seed))
            more = str(2 * int(arguments[arguments.index("--steps") + 1]))
            resumed = peak(env, program, "resume", "1", "--steps", more, "--quiet")
        ok = resumed <= SHARE * trained + SLACK
        failed = failed or not ok
        print(f"{name}: {trained / 2**20:.1f} MiB trained, {resumed / 2**20:.1f} MiB resumed "
              f"({100 * resumed / trained - 100:+.1f} %)", "" if ok else "TOO MUCH", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
