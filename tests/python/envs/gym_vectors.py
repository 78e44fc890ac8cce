# SPDX-License-Identifier: Apache-2.0
"""Gymnasium's own vector environments of CartPole and of an environment with groups of actions."""

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorWrapper


def make(cls, count, mode, limit):
    def cart_pole():
        return gymnasium.make("CartPole-v1", max_episode_steps=limit)

    return cls([cart_pole] * count, autoreset_mode=mode)


def next_step(num_envs: int = 1, max_episode_steps: int = 20):
    return make(SyncVectorEnv, num_envs, AutoresetMode.NEXT_STEP, max_episode_steps)


def same_step(num_envs: int = 1, max_episode_steps: int = 20):
    return make(SyncVectorEnv, num_envs, AutoresetMode.SAME_STEP, max_episode_steps)


def processes(num_envs: int = 1, max_episode_steps: int = 20):
    return make(AsyncVectorEnv, num_envs, AutoresetMode.SAME_STEP, max_episode_steps)


def flat(action):
    if isinstance(action, (dict, tuple)):
        return np.concatenate([flat(part) for part in getattr(action, "values", lambda: action)()])
    return np.ravel(action).astype(np.float32)


class Echo(gymnasium.Env):
    """Observes the numbers of the last action."""

    def __init__(self, action_space):
        self.action_space = action_space
        self.observation_space = spaces.Box(-9, 9, flat(action_space.sample()).shape)

    def reset(self, seed=None, options=None):
        return np.zeros(self.observation_space.shape, np.float32), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        return flat(action), 0.0, False, False, {}


def tuples(num_envs: int = 1):
    space = spaces.Tuple((spaces.Discrete(3), spaces.Discrete(5)))
    return SyncVectorEnv([lambda: Echo(space)] * num_envs)


def dicts(num_envs: int = 1):
    pair = spaces.Tuple((spaces.Discrete(3, start=2), spaces.Box(-1, 1, (2,))))
    space = spaces.Dict({"one": pair, "two": spaces.MultiDiscrete([3, 4])})
    return SyncVectorEnv([lambda: Echo(space)] * num_envs)


class Says(gymnasium.Env):
    """Observes its last action, a text, and the length of the text."""

    action_space = spaces.Text(3, charset="abc")
    observation_space = spaces.Dict({"text": action_space, "number": spaces.Discrete(4)})

    def reset(self, seed=None, options=None):
        return {"text": "a", "number": 1}, {}

    def step(self, action):
        return {"text": action, "number": len(action)}, 0.0, False, False, {}


def texts(num_envs: int = 1):
    return SyncVectorEnv([Says] * num_envs)


class Forbids(gymnasium.Env):
    """Forbids the action whose number is that of the step; after the last step (the third or fourth), all
    actions."""

    action_space, observation_space = spaces.Discrete(5), spaces.Discrete(9)

    def mask(self):
        allowed = np.ones(5, np.int8)
        allowed[self.time] = 0
        return {"action_mask": allowed}

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.time, self.length = 0, 3 + int(self.np_random.integers(2))
        return self.time, self.mask()

    def step(self, action):
        assert action != self.time, action
        self.time += 1
        over = self.time == self.length
        info = {"action_mask": np.zeros(5, np.int8)} if over else self.mask()
        return self.time, 1.0, over and self.length == 3, over and self.length == 4, info


def forbids(num_envs: int = 1, mode: str = "NextStep", reset_mask: bool = True):
    env = SyncVectorEnv([Forbids] * num_envs, autoreset_mode=AutoresetMode(mode))
    env.metadata = {**env.metadata, "reset_mask": reset_mask}
    return env


class Unclear(VectorWrapper):
    def reset(self, seed=None, options=None):
        return self.env.reset(seed=seed, options=options)[0], {"action_mask": {"wide": [1, 0]}}


def unclear(num_envs: int = 1):
    return Unclear(forbids(num_envs))
