# SPDX-License-Identifier: Apache-2.0
"""Shared by all peers. A peer gets ready (imports, environments, compilation), reports that in one JSON
line, then measures on request: it reads a line with seconds from standard input and writes a JSON line. With
BENCH_UNTIL_SOLVED=1 it trains once, from process start until solved.
"""
import collections
import json
import os
import resource
import sys
import time

# compare.py sets this variable just before it starts the process.
BEGAN = float(os.environ.get("BENCH_BEGAN", time.time()))
SEED = int(os.environ.get("BENCH_SEED", "1"))
UNTIL_SOLVED = os.environ.get("BENCH_UNTIL_SOLVED") == "1"


class Solved:
    """Mean of the last 100 training episodes."""

    def __init__(self):
        self.returns = collections.deque(maxlen=100)

    def add(self, value):
        self.returns.append(float(value))

    @property
    def mean(self):
        return sum(self.returns) / len(self.returns) if self.returns else None


def say(**line):
    print(json.dumps(line), flush=True)


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def serve(step, score=lambda: None, version="", figure="sps"):
    """step() trains for a while and returns a count: the decisions made or, for some figures, the optimiser
    steps. The time of these calls is measured."""
    step()
    say(ready=time.time() - BEGAN, version=version)
    for line in sys.stdin:
        begin, cpu_begin, steps = time.time(), cpu_seconds(), 0
        while time.time() - begin < float(line):
            steps += step()
        seconds = time.time() - begin
        say(steps=int(steps),
            seconds=seconds,
            **{figure: steps / seconds},
            cpu_s_per_million_steps=(cpu_seconds() - cpu_begin) / steps * 1e6,
            score=score())


def until_solved(step, score, bar, limit=120):
    """Trains until score() reaches the bar; seconds count from the start of the process."""
    steps = 0
    while time.time() - BEGAN < limit:
        steps += step()
        value = score()
        if value is not None and value >= bar:
            return say(solve_s=time.time() - BEGAN, steps=int(steps), score=value)
    say(solve_s=None, steps=int(steps), score=score())
