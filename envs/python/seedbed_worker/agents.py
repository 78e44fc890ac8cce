# SPDX-License-Identifier: Apache-2.0
"""Environments with several agents and PettingZoo's interfaces, parallel or turn-based (AEC).

All agents of an environment need the same spaces, because one policy plays all of them. An agent may leave
the episode before the others, by termination or by truncation.
"""

import numpy as np

from seedbed_worker import masks
from seedbed_worker.errors import WorkerError
from seedbed_worker.masks import mentions_masks, refuse_late_mask
from seedbed_worker.plain import Dict, Discrete
from seedbed_worker.results import as_bool, as_number
from seedbed_worker.single import CUT, FIRST, INACTIVE, TERMINATED, TRUNCATED, Singles, call
from seedbed_worker.spaces import Spaces, action_part, class_names


def is_multi_agent(env):
    return hasattr(env, "possible_agents") or hasattr(env, "agent_selection")


def split_mask(space):
    """Returns the space without its member action_mask, and whether it had this member."""
    members = getattr(space, "spaces", None)
    if not hasattr(members, "items") or "action_mask" not in members:
        return space, False
    members = {key: member for key, member in members.items() if key != "action_mask"}
    return (members["observation"] if list(members) == ["observation"] else Dict(members)), True


class Parallel:
    """All agents act in each step. `left`: names of the agents that no longer participate in the episode.
    `cut`: names of those that were truncated in the last step while the episode continues."""

    def __init__(self, env, names):
        self.env, self.names, self.left, self.cut = env, names, set(), set()
        self.space, self.masked = split_mask(env.observation_space(names[0]))
        self.bare = self.masked and "Dict" not in class_names(self.space)
        self.action_space = env.action_space(names[0])
        self.action = action_part(self.action_space)

    @staticmethod
    def spaces(space, action_space, masked):
        return Spaces(space, action_space, masked)

    def reset(self, seed):
        self.observations, self.infos = self.env.reset(seed=seed)
        self.left, self.cut = set(self.names).difference(self.env.agents), set()

    def step(self, actions):
        """Returns rewards by name, and whether the episode has terminated or was truncated."""
        live = set(self.env.agents)
        actions = {name: action for name, action in zip(self.names, actions) if name in live}
        result = self.env.step(actions)
        self.observations, rewards, terminated, truncated, self.infos = result
        return rewards, *self.ends(terminated, truncated)

    def ends(self, terminated, truncated):
        """Whether the episode has terminated or was truncated. Agents that were not truncated in the
        last step of a truncated episode have left it."""
        terminated = {name: as_bool(value, f"terminated of {name}") for name, value in terminated.items()}
        truncated = {name: as_bool(value, f"truncated of {name}") for name, value in truncated.items()}
        ended = {name for name in self.names if terminated.get(name) or truncated.get(name)}
        over = ended.issuperset(self.env.agents)
        live = set(self.names) - self.left
        cut = {name for name in live if truncated.get(name) and not terminated.get(name)}
        self.cut, cut = (set(), cut) if over else (cut, set())
        self.left |= ended.union(set(self.names).difference(self.env.agents)) - cut
        return over and not cut, bool(cut)

    def view(self, name):
        """(observation, mask) of an agent; None, None if it no longer participates."""
        obs = self.observations.get(name)
        if obs is None:
            return None, None
        return self.split(obs, self.infos.get(name) or {})

    def split(self, obs, info):
        mask = info.get("action_mask")
        if self.masked and isinstance(obs, dict) and "action_mask" in obs:
            mask = obs["action_mask"]
            obs = obs["observation"] if self.bare else obs
        return obs, mask

    def allowed(self, mask):
        """The bytes of a mask that view() returned."""
        return self.action.allowed(mask)


class Turns(Parallel):
    """One agent acts in each step. The others have to choose the action `wait`, which is added to discrete
    actions; the leaf `turn` is 1 for the agent that acts."""

    def __init__(self, env, names):
        super().__init__(env, names)
        self.wait = None
        if "Discrete" in class_names(self.action_space):
            self.wait = int(self.action_space.n)
            self.action_space = Discrete(self.wait + 1)

    def reset(self, seed):
        self.env.reset(seed=seed)
        self.left, self.cut, self.last = set(self.names).difference(self.env.agents), set(), {}

    def step(self, actions):
        """Like Parallel.step(). `last`: final observations and infos of agents that finished in this step."""
        env = self.env
        mover = env.agent_selection
        action = actions[self.names.index(mover)]
        if self.wait is not None:
            if action == self.wait:
                raise WorkerError("step", f"the agent {mover} acts, but its action is to wait")
            (action,) = self.action.decode(np.array([[action]]))
        before = dict(env._cumulative_rewards)
        env.step(action)
        after = env._cumulative_rewards
        rewards = {name: after[name] - (before.get(name, 0) if name != mover else 0) for name in after}
        ended = {name for name in env.agents if env.terminations[name] or env.truncations[name]}
        self.last = {name: (env.observe(name), env.infos.get(name)) for name in ended - self.left}
        terminated, truncated = self.ends(env.terminations, env.truncations)
        while not (terminated or truncated) and env.agent_selection in ended:
            env.step(None)  # this step removes an agent that no longer participates
        return rewards, terminated, truncated

    def view(self, name):
        env = self.env
        if name in self.last:
            obs, info = self.last[name]
        elif name in env.agents:
            obs, info = env.observe(name), env.infos.get(name)
        else:
            return None, None
        obs, mask = self.split(obs, info or {})
        acts = name == env.agent_selection
        return {"observation": obs, "turn": int(acts)}, mask if self.wait is None else (mask, acts)

    def allowed(self, mask):
        if self.wait is None:
            return super().allowed(mask)
        mask, acts = mask
        return self.action.allowed(mask) + b"\0" if acts else bytes(self.wait) + b"\1"


class Agents(Singles):
    """K environments with several agents each."""

    can_wrap = False
    results = {
        "step": "step() does not follow PettingZoo's interface",
        "reset": "reset() does not follow PettingZoo's interface"
    }

    def __init__(self, recipe, count, host, first):
        self.recipe, self.count, self.host, self.packages = recipe, count, host, recipe.packages
        call("reset", first.reset, seed=0)  # some attributes exist only after a reset
        names = self.names = list(getattr(first, "possible_agents", None) or first.agents)
        self.adapter = Turns if hasattr(first, "agent_selection") else Parallel
        game = call("space", self.adapter, first, names)
        call("reset", game.reset, 0)
        kinds = [self.kind(first, name) for name in names]
        for name, kind in zip(names, kinds):
            if kind != kinds[0]:
                sentence = f"the agents {names[0]} and {name} have different spaces; all agents need the "
                raise WorkerError("space", sentence + "same ones, because one policy plays all of them")
        space = game.space
        if isinstance(game, Turns):
            space = Dict({"observation": space, "turn": Discrete(2)})
        self.spaces = Spaces(space, game.action_space)
        self.spaces.has_mask = self.has_mask(game, self.spaces)
        self.everything = self.spaces.action.allowed(None)
        self.seeded = True
        self.spec = {**recipe.spec(first), "spaces": self.spaces.json(), "agents": len(names)}
        self.envs = [first, *map(self.make, range(1, count))]

    def has_mask(self, game, spaces):
        """As in Singles: after the reset, or after the first step."""
        masks = [game.view(name)[1] for name in self.names]
        has_any = any(mask is not None for mask in masks)
        if not has_any and spaces.has_choices and mentions_masks(game.env):
            try:
                game.step([spaces.action.first] * len(masks))
                masks = [game.view(name)[1] for name in self.names]
            except BaseException:  # reported when the host steps
                pass
        return any(mask is not None for mask in masks)

    @staticmethod
    def kind(env, name):
        return Spaces(split_mask(env.observation_space(name))[0], env.action_space(name)).json()

    def adopt(self, number, env):
        self.envs[number] = env
        self.steps[number] = self.adapter(env, self.names)

    def exchange(self):
        agents = len(self.names)
        actions = self.spaces.action.decode(self.arrays.actions)
        for number, command in enumerate(bytes(self.arrays.what)):
            begin, kind = number * agents, "step"
            try:
                if command == 0:
                    self.mark(number, 0)
                    continue
                if command == 2 and self.envs[number] is None:
                    kind = "constructor"
                    self.adopt(number, self.make(number))
                game, kind = self.steps[number], "step"
                rewards, flag = {}, FIRST
                if command == 1:
                    if self.envs[number] is None:
                        raise WorkerError("protocol", "a failed environment must be reset")
                    rewards, terminated, truncated = game.step(actions[begin : begin + agents])
                    flag = TERMINATED | FIRST if terminated else TRUNCATED if truncated else 0
                if flag & FIRST:
                    kind = "reset"
                    game.reset(self.arrays.seeds[number])
                self.show(begin, game, rewards, flag)
            except BaseException as error:  # environments may raise anything, SystemExit included
                self.fail(number, error, kind)

    def show(self, begin, game, rewards, flag):
        """Writes the results of one environment."""
        for column, name in enumerate(self.names, begin):
            obs, mask = game.view(name)
            self.rewards[column] = as_number(rewards.get(name, 0))
            self.flags[column] = flag
            if obs is not None:
                self.write(column, obs)
            if name in game.left:
                self.flags[column] |= INACTIVE | CUT * (name in game.cut)
            if not self.masked:
                if mask is not None:
                    refuse_late_mask(game.action, mask)
            elif obs is None or name in game.left or flag == TRUNCATED:  # no action follows this observation
                self.mask_rows[column][:] = self.everything
            else:
                before = masks.forbidding
                self.mask_rows[column][:] = game.allowed(mask)
                # Other agents that wait for their turn may have no choice.
                if masks.forbidding != before and getattr(game, "wait", 0) is not None:
                    self.host.warn_of_mask()

    def mark(self, number, flag):
        agents = len(self.names)
        for column in range(number * agents, (number + 1) * agents):
            self.flags[column] = flag

    def picture(self, number):
        return self.env(number).render()
