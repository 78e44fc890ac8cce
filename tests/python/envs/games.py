# SPDX-License-Identifier: Apache-2.0
"""Games of several agents with PettingZoo's interfaces. They need no package."""

import random

import numpy as np
from corridor import Box, Discrete


class Space:
    def __init__(self, **members):
        self.__dict__.update(members)


class Dict(Space):
    pass


class Race:
    """Parallel: agents walk; an agent at the end stops, and the episode ends with the last agent or
    is truncated after `limit` steps; bob is truncated after `early` steps, if it is not 0."""

    def __init__(self, length: int = 4, limit: int = 12, other_space: bool = False, early: int = 0):
        self.possible_agents = ["ann", "bob", "cleo"]
        self.length, self.limit, self.other_space, self.early = length, limit, other_space, early

    def observation_space(self, agent):
        return Box(0, 9, (3 if self.other_space and agent == "bob" else 2,))

    def action_space(self, agent):
        return Discrete(2)

    def observe(self):
        return {agent: np.array([self.places[agent], self.time], np.float32) for agent in self.agents}

    def reset(self, seed=None, options=None):
        draw = random.Random(seed)
        self.agents, self.time = list(self.possible_agents), 0
        self.places = {agent: draw.randrange(self.length - 1) for agent in self.agents}
        return self.observe(), {agent: {} for agent in self.agents}

    def step(self, actions):
        assert set(actions) == set(self.agents), actions
        self.time += 1
        for agent, action in actions.items():
            self.places[agent] += action
        done = {agent: self.places[agent] >= self.length for agent in self.agents}
        cut = {agent: self.time >= self.limit for agent in self.agents}
        if "bob" in cut and self.time == self.early:
            cut["bob"] = True
        rewards = {agent: float(done[agent]) for agent in self.agents}
        obs = self.observe()
        self.agents = [agent for agent in self.agents if not done[agent] and not cut[agent]]
        return obs, rewards, done, cut, {agent: {} for agent in done}


class Nim:
    """Turn-based: two players take one to three matches; the player who takes the last loses. The mask
    is part of the observation."""

    def __init__(self, matches: int = 7):
        self.matches, self.possible_agents = matches, ["first", "second"]

    def observation_space(self, agent):
        return Dict(spaces={"observation": Box(0, 99, (1,)), "action_mask": Box(0, 1, (3,), np.int8)})

    def action_space(self, agent):
        return Discrete(3, start=1)

    def reset(self, seed=None, options=None):
        self.left = self.matches + random.Random(seed).randrange(3)
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[0]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent):
        mask = np.array([number <= self.left for number in (1, 2, 3)], np.int8)
        return {"observation": np.array([self.left], np.float32), "action_mask": mask}

    def step(self, action):
        player = self.agent_selection
        other = self.agents[1 - self.agents.index(player)]
        assert 1 <= action <= 3 and action <= max(1, self.left), action
        self._cumulative_rewards[player] = 0
        self.left -= action
        if self.left == 0:
            self._cumulative_rewards = {player: -1, other: self._cumulative_rewards[other] + 1}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = other


class Ladder:
    """Turn-based: three players climb; each reaches the end at a different height (2, 3, 4);
    after `limit` moves of all, the episode is truncated; bob is truncated at height `early`, unless it is
    0."""

    def __init__(self, limit: int = 99, early: int = 0):
        self.limit, self.early, self.possible_agents = limit, early, ["ann", "bob", "cleo"]

    def observation_space(self, agent):
        return Box(0, 9, (1,))

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents, self.agent_selection, self.moves = list(self.possible_agents), "ann", 0
        self.height = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent):
        return np.array([self.height[agent]], np.float32)

    def step(self, action):
        player = self.agent_selection
        following = self.agents[(self.agents.index(player) + 1) % len(self.agents)]
        if self.terminations[player] or self.truncations[player]:
            assert action is None, action
            self.agents.remove(player)
            for values in (self.terminations, self.truncations, self._cumulative_rewards, self.infos):
                del values[player]
            self.agent_selection = self.next
            return
        self.moves += 1
        self.height[player] += action
        self._cumulative_rewards[player] = action
        self.agent_selection, self.next = following, following
        if self.height[player] == 2 + self.possible_agents.index(player):
            self.terminations[player] = True
            self.agent_selection = player  # the next step removes the player
        if player == "bob" and self.height[player] == self.early:
            self.truncations[player] = True
            self.agent_selection = player
        if self.moves == self.limit:
            self.truncations = dict.fromkeys(self.agents, True)
