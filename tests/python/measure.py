#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares workers with the vector environments of Gymnasium and ale-py: only stepping, alternately. The
processor time of all processes per step is comparable even on a busy machine.

usage: measure.py [round] [ENV_ID...]     (default: round gym:CartPole-v1)

  round   the time of an exchange with an environment that does nothing
"""

import os
import pathlib
import statistics
import sys
import time

import numpy as np
from fake_host import ENVS, RESET, STEP, Worker

SECONDS, ROUNDS, WORKERS = 1.5, 5, 2


def round_trip():
    for count in (1, 32):
        worker = Worker()
        worker.open(f"gym:{ENVS}/corridor.py:Idle", count)
        worker.exchange(RESET)
        worker.what[...] = STEP
        requested, request, answer, times = memoryview(worker.asked), worker.request, worker.answer, []
        for _ in range(20000):
            begin = time.perf_counter()
            requested[0] += 1
            os.write(request, b"\1")
            os.read(answer, 64)
            times.append(1e6 * (time.perf_counter() - begin))
        low, median, high = np.percentile(times, [5, 50, 95])
        print(f"round trip, {count} environments: {median:.1f} us (5 % {low:.1f}, 95 % {high:.1f})")
        worker.close()


def processor_seconds(processes):
    """The processor time that this process and the others have used."""
    total = time.process_time()
    for process in processes:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


class Workers:
    """Several workers that step at the same time."""

    def __init__(self, env_id, count, **kwargs):
        self.workers = [Worker() for _ in range(WORKERS)]
        self.count, self.draw = count, np.random.default_rng(0)
        for number, worker in enumerate(self.workers):
            worker.open(env_id, count // WORKERS, **kwargs)
            worker.exchange(RESET, seeds=np.arange(count // WORKERS) + 100 * number)
            worker.actions[...] = self.random(worker)
        self.name = f"{WORKERS} workers, {count} environments"
        self.processes = [worker.process.pid for worker in self.workers]

    def random(self, worker):
        leaf = worker.spec["spaces"]["actions"][0]
        if leaf["kind"] == "discrete":
            return self.draw.integers(0, leaf["n"], worker.actions.shape)
        return self.draw.uniform(leaf["low"], leaf["high"], worker.actions.shape)

    def run(self, seconds):
        end, steps = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            for worker in self.workers:
                worker.post(np.where(worker.flags & 2, RESET, STEP))
            for worker in self.workers:
                worker.wait()
                worker.actions[...] = self.random(worker)
            steps += self.count
        return steps

    def close(self):
        for worker in self.workers:
            worker.close()


class VectorEnv:
    def __init__(self, name, env):
        self.name, self.env = name, env
        self.processes = [process.pid for process in getattr(env, "processes", [])]
        env.reset(seed=1)
        env.action_space.seed(1)
        self.actions = [env.action_space.sample() for _ in range(64)]

    def run(self, seconds):
        end, steps = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            self.env.step(self.actions[steps % 64])
            steps += 1
        return steps * self.env.num_envs

    def close(self):
        self.env.close()


def candidates(env_id):
    scheme, _, name = env_id.partition(":")
    if scheme == "atari":
        from ale_py.vector_env import AtariVectorEnv

        yield lambda: VectorEnv("AtariVectorEnv, 8", AtariVectorEnv(name, 8))
        yield lambda: Workers(env_id, 8, threads=1)
        return
    import gymnasium

    sync, asynchronous = (gymnasium.VectorizeMode(mode) for mode in ("sync", "async"))
    yield lambda: VectorEnv("SyncVectorEnv, 8", gymnasium.make_vec(name, 8, sync))
    yield lambda: VectorEnv("AsyncVectorEnv, 16", gymnasium.make_vec(name, 16, asynchronous))
    yield lambda: Workers(env_id, 64)


def compare(env_id):
    made = [make() for make in candidates(env_id)]
    rates, costs = [[] for _ in made], [[] for _ in made]
    for _ in range(ROUNDS):
        for number, candidate in enumerate(made):
            begin, used = time.monotonic(), processor_seconds(candidate.processes)
            steps = candidate.run(SECONDS)
            rates[number].append(steps / (time.monotonic() - begin))
            costs[number].append(1e6 * (processor_seconds(candidate.processes) - used) / steps)
    for candidate, rate, cost in zip(made, rates, costs):
        print(
            f"{env_id}: {candidate.name}: {statistics.median(rate):,.0f} steps/s "
            f"[{min(rate):,.0f}, {max(rate):,.0f}], {statistics.median(cost):.1f} us of processor per step"
        )
        candidate.close()


if __name__ == "__main__":
    for argument in sys.argv[1:] or ["round", "gym:CartPole-v1"]:
        if argument == "round":
            round_trip()
        else:
            compare(argument)
