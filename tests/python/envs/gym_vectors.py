# SPDX-License-Identifier: Apache-2.0
"""Gymnasium's own vector environments of CartPole."""

import gymnasium
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv


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
