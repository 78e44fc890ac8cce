# SPDX-License-Identifier: Apache-2.0
"""Environments that show which actions they have executed."""

import numpy as np

SHOWN = 24


class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)
        self.shape, self.dtype = shape, np.dtype(dtype)


class Discrete:
    def __init__(self, n):
        self.n, self.start = n, 0


class Counter:
    """Observes the number of steps and the executed actions. Step k has reward k; action 3 terminates."""

    action_space = Discrete(4)
    observation_space = Box(-10, 100, (1 + SHOWN,), np.float32)

    def __init__(self, limit=22):
        self.limit = limit

    def reset(self, seed=None, options=None):
        self.executed = []
        return self.observation(), {}

    def step(self, action):
        self.executed.append(float(np.sum(action)))
        steps = len(self.executed)
        return self.observation(), float(steps), self.executed[-1] == 3, steps >= self.limit, {}

    def observation(self):
        obs = np.zeros(1 + SHOWN, np.float32)
        obs[0] = len(self.executed)
        obs[1 : 1 + len(self.executed)] = self.executed
        return obs


class Continuous(Counter):
    action_space = Box(-1, 1, (2,), np.float32)
