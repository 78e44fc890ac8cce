# SPDX-License-Identifier: Apache-2.0
"""The host's wrappers env.wrap.sticky_actions, action_repeat and noop_starts for single environments, as in
core/env/wrappers.cpp: every repetition of an action may stick, and no-ops are repeated as well.

Their random numbers depend only on the seed of the episode.
"""

import random

from seedbed_worker.results import as_bool, as_number


class Wrapped:
    """step, reset(seed): functions of the environment. first: the action 0. wrap: the settings from the
    host."""

    def __init__(self, step, reset, first, wrap):
        self.env_step, self.env_reset, self.first = step, reset, first
        self.sticky, self.repeat, self.noops = (
            wrap["sticky_actions"],
            wrap["action_repeat"],
            wrap["noop_starts"],
        )
        self.draw, self.executed = random.Random(), first

    def reset(self, seed):
        self.draw.seed(f"wrap {seed}")
        result = self.start(seed)
        if self.noops > 0:
            for _ in range(self.draw.randint(1, self.noops)):
                obs, _, terminated, truncated, info = self.step(self.first)
                result = obs, info
                if terminated or truncated:
                    result = self.start(self.draw.getrandbits(32))
        return result

    def start(self, seed):
        self.executed = self.first
        return self.env_reset(seed=seed)

    def step(self, action):
        total = 0
        for _ in range(self.repeat):
            if self.draw.random() >= self.sticky:
                self.executed = action
            obs, reward, terminated, truncated, info = self.env_step(self.executed)
            total = total + as_number(reward)
            if as_bool(terminated, "terminated") or as_bool(truncated, "truncated"):
                break
        return obs, total, terminated, truncated, info
