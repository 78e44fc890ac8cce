# SPDX-License-Identifier: Apache-2.0
"""The classes of mlagents_envs.base_env, with the members and order of arguments of release 0.28."""

from typing import NamedTuple


class ActionTuple:
    def __init__(self, continuous=None, discrete=None):
        self.continuous, self.discrete = continuous, discrete


class ActionSpec(NamedTuple):
    continuous_size: int
    discrete_branches: tuple


class ObservationSpec(NamedTuple):
    shape: tuple
    dimension_property: tuple
    observation_type: object
    name: str


class BehaviorSpec(NamedTuple):
    observation_specs: list
    action_spec: ActionSpec


class DecisionSteps:
    def __init__(self, obs, reward, agent_id, action_mask, group_id, group_reward):
        self.obs, self.reward, self.agent_id, self.action_mask = obs, reward, agent_id, action_mask
        self.group_id, self.group_reward = group_id, group_reward


class TerminalSteps:
    def __init__(self, obs, reward, interrupted, agent_id, group_id, group_reward):
        self.obs, self.reward, self.interrupted, self.agent_id = obs, reward, interrupted, agent_id
        self.group_id, self.group_reward = group_id, group_reward


class BaseEnv:
    pass


class DimensionProperty:
    NONE = 1


class ObservationType:
    DEFAULT = 0
