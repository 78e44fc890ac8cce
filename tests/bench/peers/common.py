# SPDX-License-Identifier: Apache-2.0
"""What all peers share: when the process began, processor time, when a task was learned, and the line that is printed."""
import collections
import json
import os
import resource
import time

BEGAN = float(os.environ.get("BENCH_BEGAN", time.time()))  # set by compare.py just before it starts the process
SEED = int(os.environ.get("BENCH_SEED", "1"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "6"))      # training time after which a peer stops
UNTIL_SOLVED = os.environ.get("BENCH_UNTIL_SOLVED") == "1"


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Solved:
    """Mean of the last 100 training episodes, and the seconds since process start at which it first passed a bar."""

    def __init__(self, bar):
        self.returns, self.bar, self.at = collections.deque(maxlen=100), bar, None

    def add(self, value):
        self.returns.append(float(value))
        if self.at is None and len(self.returns) == 100 and sum(self.returns) / 100 >= self.bar:
            self.at = time.time() - BEGAN

    @property
    def mean(self):
        return sum(self.returns) / len(self.returns) if self.returns else None


def report(steps, seconds, **more):
    print(json.dumps({"steps": int(steps), "seconds": seconds, "sps": steps / seconds if seconds else None, **more}), flush=True)
