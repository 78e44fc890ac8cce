# SPDX-License-Identifier: Apache-2.0
"""Environments that use masks, and check that each action is a legal member of the action space."""

import games
import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorWrapper

OBS = spaces.Box(0, 9, (1,), np.float32)
ONE, TWO = np.array([0, 0, 1], np.int8), np.array([1, 0, 0], np.int8)
TENTH = spaces.Box(-0.1, 0.1, (2,), np.float64)
KINDS = {  # action space, mask, what it allows
    "one": (spaces.Discrete(3, start=5, dtype=np.int32), ONE, lambda action: action == 7),
    "dict": (
        spaces.Dict({"move": spaces.Discrete(3), "act": spaces.Discrete(3)}),
        {"move": ONE, "act": TWO},  # Gymnasium sorts the keys of the space, but not those of the mask
        lambda action: (action["move"], action["act"]) == (2, 0),
    ),
    "tuple": (spaces.Tuple([spaces.Discrete(3), TENTH]), (ONE, None), lambda action: action[0] == 2),
    "multi": (spaces.MultiDiscrete([3, 2]), (ONE, None), lambda action: action[0] == 2),
}


class Parts(gymnasium.Env):
    """late: number of the step that returns the first mask. odd: returns one in every second step only. The
    last mask, and that of step `dead`, forbid everything."""

    observation_space = OBS

    def __init__(self, kind: str = "one", late: int = 0, odd: int = 0, dead: int = 0):
        self.action_space, self.mask, self.is_legal = KINDS[kind]
        self.late, self.odd, self.dead = late, odd, dead

    def result(self):
        self.masked = self.time >= self.late and not (self.odd and (self.time + self.odd) % 2)
        mask = 0 * self.mask if self.time in (9, self.dead or 9) and self.mask is ONE else self.mask
        return np.array([self.time], np.float32), {"action_mask": mask} if self.masked else {}

    def reset(self, seed=None, options=None):
        self.time = 0
        return self.result()

    def step(self, action):
        assert self.action_space.contains(action), action
        assert type(action) is type(self.action_space.sample()), type(action)
        legal = not self.masked or self.is_legal(action)
        self.time += 1
        obs, info = self.result()
        return obs, float(legal), False, self.time == 9, info


class Lists(VectorWrapper):
    results = "rewards.tolist(), terminated.astype(int), truncated[:, None]"

    def step(self, actions):
        obs, rewards, terminated, truncated, info = self.env.step(actions)
        return obs, *eval(self.results), info


def parts(num_envs: int = 1, kind: str = "one", late: int = 0, odd: int = 0, mode: str = "NextStep",
          dead: int = 0):
    envs = [lambda odd=odd and odd + number: Parts(kind, late, odd, dead) for number in range(num_envs)]
    return Lists(SyncVectorEnv(envs, autoreset_mode=AutoresetMode(mode)))


def broken(num_envs: int, results: str):
    env = parts(num_envs)
    env.results = results
    return env


class Race:
    """Parallel, as PettingZoo; masks are in the infos of step() only."""

    possible_agents = agents = ["ann", "bob"]

    def observation_space(self, agent):
        return OBS

    def action_space(self, agent):
        return spaces.Discrete(3)

    def reset(self, seed=None, options=None):
        return self.all(np.zeros(1, np.float32)), self.all({})

    def step(self, actions):
        assert all(type(action) is np.int64 for action in actions.values()), actions
        obs, no = self.reset()[0], self.all(False)
        return obs, self.all(np.ones(1)), no, no, self.all({"action_mask": ONE})

    def all(self, value):
        return dict.fromkeys(self.agents, value)


class Nim(games.Nim):
    def action_space(self, agent):
        return spaces.Discrete(3, start=1)

    def step(self, action):
        assert type(action) is np.int64, type(action)
        super().step(action)


class Returns(gymnasium.Env):
    action_space, observation_space = spaces.Discrete(2), OBS

    def __init__(self, results: str):
        self.results = results

    def reset(self, seed=None, options=None):
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.zeros(1, np.float32), *eval(self.results), {}
