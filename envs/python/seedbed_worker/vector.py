# SPDX-License-Identifier: Apache-2.0
"""Vector environments, which step all their environments in one call: Gymnasium's VectorEnv, ale-py and
EnvPool.

They cannot pause single environments: if an environment gets the command `rest` while others step, the result
of one of its steps is discarded. If they cannot reset single environments either, all fail when an episode
has to begin before the previous one has ended. If such environments reset in the step that truncates an
episode (same-step), the next episode begins after one more step, whose reward is added to that of the
following step.
"""

import numpy as np

from seedbed_worker import masks
from seedbed_worker.errors import WorkerError, describe
from seedbed_worker.masks import mentions_masks, refuse_late_mask
from seedbed_worker.results import as_bools, as_numbers
from seedbed_worker.single import CONTINUES, FAILED, FIRST, TERMINATED, TRUNCATED, call, close
from seedbed_worker.spaces import DiscreteAction, Spaces, found

REST, STEP, RESET = 0, 1, 2


def row_of(batch, number):
    """One environment's part of a batched observation."""
    if isinstance(batch, dict):
        return {key: row_of(value, number) for key, value in batch.items()}
    if isinstance(batch, tuple) and not isinstance(batch[0], str):  # strings are in a tuple, not in an array
        return tuple(row_of(value, number) for value in batch)
    return batch[number]


def batch_of(actions):
    """The actions of all environments as one batched action. Inverse of row_of()."""
    if isinstance(actions[0], dict):
        return {key: batch_of([action[key] for action in actions]) for key in actions[0]}
    if isinstance(actions[0], tuple):
        return tuple(batch_of(part) for part in zip(*actions))
    return tuple(actions) if isinstance(actions[0], str) else np.stack(actions)


def mask_of(masks, number):
    """One environment's part of the info action_mask. In a dict, Gymnasium marks with `_key` which
    environments have the key."""
    if not isinstance(masks, dict):
        return masks[number]
    marks = {f"_{key}" for key in masks}.intersection(masks)
    keys = [key for key in masks if key not in marks and (f"_{key}" not in marks or masks[f"_{key}"][number])]
    return {key: mask_of(masks[key], number) for key in keys}


def takes_mask(env):
    """Whether reset() takes the option reset_mask: a boolean array, true for the environments to reset."""
    metadata = env.metadata or {}
    if "reset_mask" in metadata:
        return bool(metadata["reset_mask"])
    owner = next((base for base in type(env).__mro__ if "reset" in vars(base)), type(env))
    if owner.__module__ == "gymnasium.vector.vector_env" and hasattr(env, "env"):  # the environment is a
                                                                                   # wrapper
        return takes_mask(env.env)
    # Gymnasium introduced the option together with autoreset modes.
    own = owner.__module__.startswith("gymnasium.vector.") and owner.__name__ != "VectorEnv"
    return own and "autoreset_mode" in metadata


def final_of(info):
    return info.get("final_obs", info.get("final_observation"))  # the name in Gymnasium 0.29


def has_final(info, over):
    """Whether one of the environments whose episode is over has a final observation."""
    final = final_of(info) if over.any() else None
    if isinstance(final, np.ndarray) and final.dtype == object:
        return any(final[number] is not None for number in np.flatnonzero(over))
    return final is not None


class NextStep:
    """A Gymnasium VectorEnv. At the end of an episode, either the next step resets the environment
    (next-step), or the last step itself does (same-step).

    step(actions, active) returns observations, rewards, terminated, truncated, and `over`: whether the
    environment needs a reset. If the engine counts_lives, a termination without a reset is a lost life: the
    game and its return continue. Environments that are not active may be stepped or not; for those that
    are stepped, the observation is not the final one. mask(number): the allowed choices of each discrete
    action of an environment that was stepped or reset in the last call; None: all.
    """

    can_reset_some = False  # whether reset_some() works
    same_step = False
    masks = None  # masks of all environments

    def __init__(self, env, count):
        self.env, self.count = env, count
        self.can_reset_some = self.can_reset_some or takes_mask(env)
        self.observation_space = getattr(env, "single_observation_space", None)
        self.action_space = getattr(env, "single_action_space", None)
        if self.observation_space is None or self.action_space is None:
            raise WorkerError(
                "space", "a vector environment needs single_observation_space and " "single_action_space"
            )
        mode = (env.metadata or {}).get("autoreset_mode") or "NextStep"
        mode = str(getattr(mode, "value", mode))
        plain = mode.rpartition(".")[2].replace("_", "").lower()
        if plain not in ("nextstep", "samestep"):
            raise WorkerError("unsupported", f"the autoreset mode {mode} is not supported")
        self.same_step = plain == "samestep"

    def has_masks(self, actions):
        """Resets the environments, because masks are known only after a reset or, in some environments, after
        a step. None if this step failed."""
        self.read_masks(self.env.reset(seed=[0] * self.count)[1])
        if self.masks is None and actions is not None and mentions_masks(self.env):
            try:
                self.read_masks(self.env.step(actions)[4])
            except WorkerError:
                raise
            except BaseException:  # reported when the host steps
                return None
        return self.masks is not None

    def read_masks(self, info):
        self.masks = masks = info.get("action_mask") if isinstance(info, dict) else None
        if masks is not None:
            self.check_masks(masks)
            there = info.get("_action_mask", [True] * self.count)
            self.masks = [mask_of(masks, number) if there[number] else None for number in range(self.count)]

    def check_masks(self, masks):
        if isinstance(masks, dict):
            for part in masks.values():
                self.check_masks(part)
        elif not isinstance(masks, np.ndarray) or masks.shape[:1] != (self.count,):
            sentence = f"the info 'action_mask' of the vector environment is {found(masks)}"
            raise WorkerError("space", f"{sentence}; expected an array [{self.count}, choices]")

    def mask(self, number):
        return None if self.masks is None else self.masks[number]

    def reset(self, seeds):
        obs, info = self.env.reset(seed=seeds.tolist())
        self.read_masks(info)
        return obs

    def reset_some(self, numbers, seeds):
        mask, every = np.zeros(self.count, bool), [None] * self.count
        mask[numbers] = True
        for number, seed in zip(numbers, seeds.tolist()):
            every[number] = seed
        obs, info = self.env.reset(seed=every, options={"reset_mask": mask})
        self.read_masks(info)
        return obs

    def step(self, actions, active):
        obs, rewards, terminated, truncated, info = self.env.step(actions)
        rewards, terminated = as_numbers(rewards, self.count), as_bools(terminated, "terminated", self.count)
        truncated = as_bools(truncated, "truncated", self.count) & ~terminated
        over = terminated | truncated
        self.read_masks(info)
        if self.same_step:
            cut = truncated & active
            obs = self.with_final(obs, cut, info) if cut.any() else obs
            over = over if self.can_reset_some else cut
        elif has_final(info, over):
            sentence = (
                "the vector environment returns final_obs, but its autoreset mode is next-step; if it resets "
                "in the step that ends an episode, set metadata['autoreset_mode'] = 'SameStep'"
            )
            raise WorkerError("unsupported", sentence)
        return obs, rewards, terminated, truncated, over

    def with_final(self, obs, cut, info):
        final = final_of(info)
        if final is None:
            raise WorkerError("step", "the vector environment has no final_obs for a truncated episode")
        if not isinstance(obs, np.ndarray):
            return [row_of(final if cut[number] else obs, number) for number in range(self.count)]
        obs = obs.copy()
        for number in np.flatnonzero(cut):
            obs[number] = final[number]
        return obs

    def picture(self, number):
        pictures = self.env.render()
        if pictures is None:
            raise WorkerError("render", "the vector environment has no pictures")
        return np.asarray(pictures[number])

    def close(self):
        close(self.env)


class Vectors:
    """K environments of one engine. make_engine() creates the engine, and another one after a failure;
    describe(engine) returns the specification except spaces and agents; change_spaces(json) may change the
    spaces; has_masks(engine) returns whether it has masks."""

    def __init__(self, make_engine, describe, count, host, packages, change_spaces=None, has_masks=None):
        self.make_engine, self.count, self.host, self.packages = make_engine, count, host, packages
        self.engine = call("constructor", make_engine)
        self.counts_lives = getattr(self.engine, "counts_lives", False)
        self.spaces = spaces = Spaces(self.engine.observation_space, self.engine.action_space)
        # Some engines accept a list with the action of each environment.
        self.batch_actions = getattr(self.engine, "batch_actions", None) or self.batching()
        masked = False
        if has_masks is not None:
            first = self.batch_actions([spaces.action.first] * count) if spaces.has_choices else None
            masked = call("reset", has_masks, self.engine, first)
        spaces.has_mask = bool(masked)
        json = spaces.json()
        if change_spaces:
            change_spaces(json)
        self.spec = {**describe(self.engine), "spaces": json, "agents": 1}
        if masked is None:
            close(self.engine)
            self.engine = None  # the next reset makes another

    def batching(self):
        return np.array if isinstance(self.spaces.action, DiscreteAction) else batch_of

    def attach(self, arrays):
        self.arrays = arrays
        part = self.spaces.observation
        self.write = part.bind(arrays.leaves)
        self.write_array = part.bind_rows(arrays.leaves) if hasattr(part, "bind_rows") else None
        self.mask_rows = None if arrays.mask is None else [memoryview(row) for row in arrays.mask]
        self.over = np.zeros(self.count, bool)  # whether the next step resets the environment
        self.earned = np.zeros(self.count, np.float32)  # rewards of steps that the host has not seen

    def exchange(self):
        what, kind = np.array(self.arrays.what), "step"
        try:
            if self.engine is None:
                kind = "reset"
                self.start(what)
            elif (what == STEP).any():
                self.step(what)
            elif (what == RESET).any():
                kind = "reset"
                self.reset(what, (what == RESET).all())
            else:
                self.arrays.flags[...] = 0
        except BaseException as error:  # environments may raise anything, SystemExit included
            self.fail(what, error, kind)

    def start(self, what):
        """Makes another engine after a failure. It has no state yet, so all environments are reset."""
        if (what == RESET).any():
            self.engine = call("constructor", self.make_engine)
            self.reset(np.where(what == RESET, RESET, REST), True)
        else:
            self.arrays.flags[...] = 0
        self.arrays.flags[what == STEP] = FAILED

    def fail(self, what, error, kind):
        """All environments fail with their engine."""
        self.arrays.flags[...] = np.where(what == REST, 0, FAILED)
        engine, self.engine = self.engine, None
        first, *others = np.flatnonzero(what).tolist()
        self.host.report(first, error, kind)
        found = describe(error, kind)
        for number in others:
            sentence = f"its vector environment failed: {found['error']}"
            self.host.report(number, WorkerError(found["kind"], sentence), kind)
        if engine is not None:
            close(engine)

    def reset(self, what, every):
        """Resets without stepping. every: also reset the environments whose command is `rest`."""
        numbers = np.flatnonzero(what == RESET)
        seeds = np.array(self.arrays.seeds)
        if every or not self.engine.can_reset_some:
            obs = self.engine.reset(seeds)
        else:
            obs = self.engine.reset_some(numbers, seeds[numbers])
        self.over[numbers] = False
        self.earned[numbers] = 0
        self.arrays.rewards[...] = 0
        self.arrays.flags[...] = np.where(what == RESET, FIRST, 0)
        self.write_rows(numbers, obs)

    def step(self, what):
        engine, reset = self.engine, what == RESET
        if not engine.can_reset_some and (reset & ~self.over).any():
            sentence = (
                "this vector environment cannot reset a single environment within an episode; "
                "do not set 'env.wrap.time_limit', or support the option reset_mask of reset() and "
                "set metadata['reset_mask'] = True"
            )
            raise WorkerError("unsupported", sentence)
        actions = self.batch_actions(self.spaces.action.decode(self.arrays.actions))
        obs, rewards, terminated, truncated, over = engine.step(actions, what == STEP)
        unseen = reset & ~terminated & ~truncated  # steps at the beginning of an episode
        terminated, truncated = terminated & ~reset, truncated & ~terminated & ~reset
        life = terminated & ~over & self.counts_lives
        first = reset | (terminated & ~over)
        self.arrays.rewards[...] = np.where(reset, 0, rewards + self.earned)
        if not engine.can_reset_some and getattr(engine, "same_step", False):
            self.earned = np.where(unseen, rewards, 0)
        self.write_rows(np.flatnonzero(what), obs, truncated | (terminated & over))
        if engine.can_reset_some:
            numbers = np.flatnonzero(reset | (terminated & over))
            if len(numbers) > 0:
                self.write_rows(numbers, engine.reset_some(numbers, np.array(self.arrays.seeds)[numbers]))
                first[numbers] = True
                over[numbers] = False
        self.over = over
        flags = terminated * TERMINATED + truncated * TRUNCATED + first * FIRST + life * CONTINUES
        self.arrays.flags[...] = np.where(what == REST, 0, flags)

    def write_rows(self, numbers, obs, final=None):
        """final: whether each environment shows the end of an episode, after which no action follows."""
        rows = slice(None) if len(numbers) == self.count else numbers
        if self.write_array is None or not self.write_array(rows, obs):
            for number in numbers:
                self.write(number, row_of(obs, number))
        action = self.spaces.action
        if self.mask_rows is None:
            for mask in getattr(self.engine, "masks", None) or ():
                if mask is not None:
                    refuse_late_mask(action, mask)
            return
        for number in numbers:
            before = masks.forbidding
            self.mask_rows[number][:] = action.allowed(self.engine.mask(number))
            if masks.forbidding != before and (final is None or not final[number]):
                self.host.warn_of_mask()

    def picture(self, number):
        return self.engine.picture(number)

    def close(self):
        if self.engine is not None:
            close(self.engine)

    def save(self, *_):
        raise WorkerError("unsupported", "the state of a vector environment cannot be saved")

    load = save

    def state(self, number):
        return {}
