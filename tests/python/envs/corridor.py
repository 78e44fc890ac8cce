# SPDX-License-Identifier: Apache-2.0
"""Environments that need no package: their spaces only have the attributes of Gymnasium's."""

import random

import numpy as np


class Discrete:
    def __init__(self, n, start=0):
        self.n, self.start = n, start


class Box:
    def __init__(self, low, high, shape, dtype=np.float32):
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)


class Corridor:
    """Walk to the right end of a corridor. The start depends on the seed."""

    def __init__(
        self,
        length: int = 8,
        limit: int = 20,
        reward: float = 1.0,
        name: str = "plain",
        slippery: bool = False,
        render_mode=None,
    ):
        self.length, self.limit, self.reward, self.render_mode = length, limit, reward, render_mode
        self.observation_space = Box(-1.0, np.inf, (2,))
        self.action_space = Discrete(2)

    def observe(self):
        return np.array([self.place, self.time], np.float32)

    def reset(self, seed=None, options=None):
        self.place, self.time = random.Random(seed).randrange(self.length - 1), 0
        return self.observe(), {}

    def step(self, action):
        assert type(action) is int and action in (0, 1), action
        self.place = max(0, self.place + 2 * action - 1)
        self.time += 1
        done = self.place >= self.length - 1
        return self.observe(), self.reward if done else 0.0, done, self.time >= self.limit, {}

    def render(self):
        picture = np.zeros((4, self.length, 3), np.uint8)
        picture[:, min(self.place, self.length - 1)] = 255
        return picture


class Furnace:
    """Choose a temperature between the bounds; that at 70 % of the way is best, with a reward of 0."""

    observation_space = Box(0, 1, (1,))

    def __init__(self, low: float = 100.0, high: float = 200.0):
        self.best, self.half = low + 0.7 * (high - low), (high - low) / 2
        self.action_space = Box(low, high, (1,))

    def reset(self, seed=None, options=None):
        self.left = 10
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.left -= 1
        reward = -abs(float(action[0]) - self.best) / self.half
        return np.zeros(1, np.float32), reward, self.left == 0, False, {}


class Masked(Corridor):
    """Forbids stepping left at the left end."""

    def reset(self, seed=None, options=None):
        obs, info = super().reset(seed=seed)
        return obs, {**info, "action_mask": np.array([self.place > 0, True])}

    def step(self, action):
        obs, reward, terminated, truncated, info = super().step(action)
        return obs, reward, terminated, truncated, {"action_mask": np.array([self.place > 0, True])}


class MaskMethod(Corridor):
    def action_masks(self):
        return [self.place > 0, True]


class Idle(Corridor):
    """Does nothing, to measure the time of an exchange."""

    def __init__(self):
        super().__init__()
        self.observation, self.info = np.zeros(2, np.float32), {}

    def reset(self, seed=None, options=None):
        return self.observation, self.info

    def step(self, action):
        return self.observation, 0.0, False, False, self.info
