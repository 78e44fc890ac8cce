# SPDX-License-Identifier: Apache-2.0
"""Ids that are registered in unusual but valid ways, and environments that draw in different ways."""

import functools

import gymnasium as gym
import numpy as np


class Steps(gym.Env):
    """Ends after `length` steps; draws if it has a mode."""

    metadata = {"render_modes": ["human", "rgb_array"]}
    observation_space = gym.spaces.Box(0, 1, (1,), np.float32)
    action_space = gym.spaces.Discrete(2)

    def __init__(self, length=10, render_mode=None):
        assert render_mode is None or render_mode in self.metadata["render_modes"]
        self.length, self.render_mode = length, render_mode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.time = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.time += 1
        return np.zeros(1, np.float32), float(action), self.time == self.length, False, {}

    def render(self):
        return self.render_mode and np.zeros((2, 3, 3), np.uint8)


class TextOnly(Steps):
    metadata = {"render_modes": ["ansi"]}

    def render(self):
        return "text"


class Frames(Steps):
    metadata = {"render_modes": ["rgb_array_list"]}

    def render(self):
        return [np.full((2, 3, 3), value, np.uint8) for value in (1, 2)]


class Headless(Steps):
    """Offers a mode that fails."""

    def __init__(self, render_mode=None):
        if render_mode:
            raise RuntimeError("no display")
        super().__init__()


class Undrawn(gym.Env):
    """Neither metadata of its own nor the argument render_mode."""

    observation_space, action_space = Steps.observation_space, Steps.action_space

    def reset(self, *, seed=None, options=None):
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.zeros(1, np.float32), 0.0, True, False, {}


def fleet(num_envs=1, **others):
    return gym.vector.SyncVectorEnv([functools.partial(Steps, 4)] * num_envs)


def processes(num_envs=1):
    return gym.vector.AsyncVectorEnv([functools.partial(gym.make, "NoVersion")] * num_envs, context="fork")


gym.register("my-space/VectorOnly-v0", entry_point=None, vector_entry_point=fleet, kwargs={"num_envs": 7})
gym.register("my-space/Partial-v0", entry_point=functools.partial(Steps, length=7))
gym.register("NoVersion", entry_point=Steps, max_episode_steps=5)
gym.register("my-space/Versions-v1", entry_point=Steps)
gym.register("my-space/Half-v0", entry_point=Steps, kwargs={"length": 3.5})
gym.register("my-space/Versions-v2", entry_point="gym_registered:Steps", kwargs={"length": 3})
