# SPDX-License-Identifier: Apache-2.0
"""CartPole with time limits between other wrappers of Gymnasium."""

import gymnasium
from gymnasium.wrappers import OrderEnforcing, TimeLimit, TransformReward


def two_limits():
    return TimeLimit(OrderEnforcing(TimeLimit(gymnasium.make("CartPole-v1"), 9)), 14)


def inner_limit():
    return TransformReward(TimeLimit(gymnasium.make("CartPole-v1"), 9), lambda reward: 2 * reward)


def outer_limit():
    return OrderEnforcing(TimeLimit(TransformReward(gymnasium.make("CartPole-v1"), lambda _: 3), 9))
