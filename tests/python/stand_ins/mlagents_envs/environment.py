# SPDX-License-Identifier: Apache-2.0
"""A game with the interface of mlagents_envs' UnityEnvironment: agents that count.

Agents of the behaviour "Walker" see (place, ticks of the episode) and a picture whose brightness is their
place; their action is a step of -1 to 1 and two branches. Branch 0 stays (0), walks (1), or runs (2), which
is forbidden at even places; running adds 1 to the reward as a group reward. Walking adds the step to the
place. At place 3 the episode terminates with reward 10; after 6 ticks it is interrupted. Agent a requests a
decision every 1 + a % 2 ticks. As in Unity, each episode has a new agent id. Seed 7 creates another
behaviour.
"""

import numpy as np
from mlagents_envs import base_env

LIMIT, GOAL = 6, 3


class Agent:
    def __init__(self, number, agent_id):
        self.number, self.id, self.period = number, agent_id, 1 + number % 2
        self.place, self.ticks, self.reward, self.group_reward = 0.0, 0, 0.0, 0.0
        self.action = None  # chosen in the last decision


class UnityEnvironment(base_env.BaseEnv):
    agents = 3

    def __init__(self, file_name=None, base_port=None, seed=0, timeout_wait=60, side_channels=None):
        assert file_name is None and base_port and timeout_wait and side_channels
        self._poll_process()
        sensors = [
            base_env.ObservationSpec(
                (2,), (base_env.DimensionProperty.NONE,), base_env.ObservationType.DEFAULT, "place"
            ),
            base_env.ObservationSpec(
                (8, 8, 3), (base_env.DimensionProperty.NONE,) * 3, base_env.ObservationType.DEFAULT, "camera"
            ),
        ]
        self.specs = {"Walker?team=0": base_env.BehaviorSpec(sensors, base_env.ActionSpec(1, (3, 2)))}
        if seed == 7:
            self.specs["Other"] = base_env.BehaviorSpec(sensors[:1], base_env.ActionSpec(2, ()))
        self.next_id, self.resets, self.closed = 100, 0, False

    def _poll_process(self):
        pass

    @property
    def behavior_specs(self):
        return self.specs

    def new_agent(self, number):
        self.next_id += 1
        return Agent(number, self.next_id)

    def reset(self):
        self.population = [self.new_agent(number) for number in range(self.agents)]
        self.asking, self.ended = list(self.population), []
        self.resets += 1

    def set_actions(self, behavior_name, action):
        assert behavior_name == "Walker?team=0"
        assert action.continuous.shape == (len(self.asking), 1) and action.continuous.dtype == np.float32
        assert action.discrete.shape == (len(self.asking), 2) and action.discrete.dtype == np.int32
        for row, agent in enumerate(self.asking):
            agent.action = (float(action.continuous[row, 0]), *map(int, action.discrete[row]))
            assert not self.forbidden(agent)[agent.action[1]]

    @staticmethod
    def forbidden(agent):
        return [False, False, int(agent.place) % 2 == 0]

    def step(self):
        self.asking, self.ended = [], []
        for number, agent in enumerate(self.population):
            step, gait, _ = agent.action
            agent.place += step * (gait > 0)
            agent.group_reward += float(gait == 2)
            agent.reward += 0.5
            agent.ticks += 1
            if agent.place >= GOAL or agent.ticks >= LIMIT:
                agent.reward += 10.0 * (agent.place >= GOAL)
                self.ended.append(agent)
                agent = self.population[number] = self.new_agent(number)
                self.asking.append(agent)
            elif agent.ticks % agent.period == 0:
                self.asking.append(agent)

    def observations(self, agents):
        places = [[agent.place, agent.ticks] for agent in agents]
        cameras = [np.full((8, 8, 3), agent.place / 10, np.float32) for agent in agents]
        return [
            np.array(places, np.float32).reshape(len(agents), 2),
            np.array(cameras, np.float32).reshape(len(agents), 8, 8, 3),
        ]

    @staticmethod
    def rewards(agents):
        """Returns (rewards, ids, group ids, group rewards) and resets the rewards to 0."""
        rewards = np.array([agent.reward for agent in agents], np.float32)
        group_rewards = np.array([agent.group_reward for agent in agents], np.float32)
        for agent in agents:
            agent.reward = agent.group_reward = 0.0
        ids = np.array([agent.id for agent in agents], np.int32)
        return rewards, ids, np.zeros(len(agents), np.int32), group_rewards

    def get_steps(self, behavior_name):
        assert behavior_name == "Walker?team=0"
        if getattr(self, "answered", None) is not self.asking:
            masks = [
                np.array([self.forbidden(agent) for agent in self.asking], bool).reshape(-1, 3),
                np.zeros((len(self.asking), 2), bool),
            ]
            rewards, ids, groups, group_rewards = self.rewards(self.asking)
            decisions = base_env.DecisionSteps(
                self.observations(self.asking), rewards, ids, masks, groups, group_rewards
            )
            interrupted = np.array([agent.place < GOAL for agent in self.ended], bool)
            rewards, ids, groups, group_rewards = self.rewards(self.ended)
            terminals = base_env.TerminalSteps(
                self.observations(self.ended), rewards, interrupted, ids, groups, group_rewards
            )
            self.answered, self.steps = self.asking, (decisions, terminals)
        return self.steps

    def close(self):
        self.closed = True
