# SPDX-License-Identifier: Apache-2.0
"""An environment with the sizes of HalfCheetah (17 observed values, 6 actions, 1,000 steps) that costs next
to nothing, to compare learners.
"""
import gymnasium
import numpy as np


class CheetahSizes(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (17, ), np.float32)
    action_space = gymnasium.spaces.Box(-1, 1, (6, ), np.float32)
    table = np.random.default_rng(1).standard_normal((4096, 17)).astype(np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at, self.steps = int(self.np_random.integers(4096)), 0
        return self.table[self.at], {}

    def step(self, action):
        self.at, self.steps = (self.at + 1) % 4096, self.steps + 1
        return self.table[self.at], float(action[0]), False, self.steps == 1000, {}
