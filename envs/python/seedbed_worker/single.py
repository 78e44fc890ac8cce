# SPDX-License-Identifier: Apache-2.0
"""K single environments with Gymnasium's interface, stepped one after the other."""

import inspect
import math

import numpy as np

from seedbed_worker import masks, saved
from seedbed_worker.errors import WorkerError, describe, frames_of_environment
from seedbed_worker.masks import mentions_masks, refuse_late_mask
from seedbed_worker.results import MOST, as_bool, as_number
from seedbed_worker.spaces import Spaces
from seedbed_worker.wrap import Wrapped

REST, STEP, RESET = 0, 1, 2  # commands
TERMINATED, TRUNCATED, FIRST, INACTIVE, FAILED, CONTINUES, CUT = 1, 2, 4, 8, 16, 32, 64  # flags


def attribute(env, name):
    """An attribute of an environment or of one that it wraps."""
    while env is not None:
        value = getattr(env, name, None)
        if value is not None:
            return value
        env = env.__dict__.get("env")
    return None


def innermost(env):
    while getattr(env, "env", None) is not None:
        env = env.env
    return env


def without_time_limit(env):
    """(environment inside a TimeLimit, its limit, the wrapper); or (env, infinity, None). The steps can then
    be counted here, which is faster."""
    layer = env
    while type(layer).__module__ == "gymnasium.wrappers.common":
        if type(layer).__name__ == "TimeLimit":
            return layer.env, layer._max_episode_steps, layer
        if type(layer).__name__ != "OrderEnforcing":  # the host ensures the order of calls
            break
        layer = layer.env
    return env, math.inf, None


def accepts_seed(reset):
    try:
        parameters = inspect.signature(reset).parameters
    except (TypeError, ValueError):
        return True
    return "seed" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def call(kind, function, *arguments, **named):
    """Calls a function of the environment; an exception becomes a WorkerError of this kind."""
    try:
        return function(*arguments, **named)
    except WorkerError:
        raise
    except BaseException as error:
        raise WorkerError(kind, describe(error, kind)["error"]) from error


def close(env):
    try:
        env.close()
    except BaseException:  # the environment is discarded anyway
        pass


class Singles:
    """`recipe` makes the environments; `first`, if given, is one that it has already made."""

    can_wrap = True  # whether the host's wrappers can be applied
    results = {  # what an environment must return
        "step": "step must return (observation, reward, terminated, truncated, info)",
        "reset": "reset must return (observation, info)",
    }

    def __init__(self, recipe, count, host, first=None):
        self.recipe, self.count, self.host = recipe, count, host
        self.packages = recipe.packages
        env = first or self.make(0)
        self.seeded = accepts_seed(env.reset)
        result = call("reset", env.reset, **({"seed": 0} if self.seeded else {}))
        if not isinstance(result, tuple) or len(result) != 2:
            raise WorkerError("reset", f"{self.results['reset']}, not {type(result).__name__}")
        obs, info = result
        self.spaces = Spaces(self.space(env, "observation_space"), self.space(env, "action_space"))
        self.check(obs)
        self.mask_method = attribute(env, "action_masks") is not None
        self.spaces.has_mask = self.has_mask(env, info)
        self.wrap = host.wrap
        if self.wrap and self.spaces.has_mask:
            sentence = "sticky_actions, action_repeat and noop_starts choose actions that a mask may forbid"
            raise WorkerError("unsupported", sentence + "; apply them in the environment")
        self.spec = {**recipe.spec(env), "spaces": self.spaces.json(), "agents": 1}
        self.spec["can_save"] = saved.can_save(env) and not self.wrap
        self.spec["repeats"] = self.spec["repeats"] and self.seeded
        self.envs = [env, *map(self.make, range(1, count))]

    def has_mask(self, env, info):
        """Whether there are masks, which some environments return in step() only."""
        action = self.spaces.action
        if self.mask_method:
            action.allowed(call("reset", attribute(env, "action_masks")))
        elif isinstance(info, dict) and "action_mask" in info:
            action.allowed(info["action_mask"])
        else:
            return self.spaces.has_choices and mentions_masks(env) and self.first_step_has_mask(env)
        return True

    def first_step_has_mask(self, env):
        try:
            return "action_mask" in env.step(self.spaces.action.first)[4]
        except BaseException:  # reported when the host steps
            return False

    def make(self, number):
        return call("constructor", self.recipe.make, number)

    def space(self, env, name):
        space = getattr(env, name, None)
        if space is None:
            raise WorkerError("space", f"the environment has no {name}")
        return space

    def check(self, obs):
        """Writes an observation into scratch arrays, so that `open` fails if it is invalid."""
        dtypes = {"u8": np.uint8, "i32": np.int32, "f32": np.float32}
        part = self.spaces.observation
        part.bind([np.zeros((1, *leaf["shape"]), dtypes[leaf["dtype"]]) for leaf in part.leaves])(0, obs)

    def attach(self, arrays):
        self.arrays = arrays
        self.write = self.spaces.observation.bind(arrays.leaves)
        self.rewards, self.flags = memoryview(arrays.rewards), memoryview(arrays.flags)
        self.masked = arrays.mask is not None
        self.mask_rows = [memoryview(row) for row in arrays.mask] if self.masked else []
        self.steps, self.resets, self.masks, self.limiters = ([None] * self.count for _ in range(4))
        self.limits, self.left = ([math.inf] * self.count for _ in range(2))  # steps of an episode
        for number, env in enumerate(self.envs):
            self.adopt(number, env)

    def adopt(self, number, env):
        self.envs[number] = env
        reset = env.reset if self.seeded else lambda seed: env.reset()
        if self.wrap:
            wrapped = Wrapped(env.step, reset, self.spaces.action.first, self.wrap)
            step, reset = wrapped.step, wrapped.reset
        else:
            inner, limit, self.limiters[number] = without_time_limit(env)
            step, self.limits[number], self.left[number] = inner.step, limit, limit
        self.steps[number], self.resets[number] = step, reset
        self.masks[number] = attribute(env, "action_masks") if self.mask_method else None

    def exchange(self):
        # Local names are faster; this loop is the worker's overhead per step.
        steps, resets, write, rewards, flags = self.steps, self.resets, self.write, self.rewards, self.flags
        seeds, masked = self.arrays.seeds, self.masked
        left, limits = self.left, self.limits
        actions = self.spaces.action.decode(self.arrays.actions)
        for number, command in enumerate(bytes(self.arrays.what)):
            kind = "step"
            try:
                if command == 1:
                    obs, reward, terminated, truncated, info = steps[number](actions[number])
                    if (
                        type(reward) is not float
                        or not -MOST <= reward <= MOST
                        or terminated is not False
                        or truncated is not False
                    ):
                        reward, terminated = as_number(reward), as_bool(terminated, "terminated")
                        truncated = as_bool(truncated, "truncated")
                    rewards[number] = reward
                    left[number] -= 1
                    if terminated:
                        kind = "reset"
                        obs, info = resets[number](seed=seeds[number])
                        left[number] = limits[number]
                        flags[number] = 5  # terminated, first
                    else:
                        flags[number] = 2 if truncated or left[number] <= 0 else 0
                elif command == 2:
                    kind = "reset"
                    if self.envs[number] is None:
                        self.adopt(number, self.make(number))
                    obs, info = resets[number](seed=seeds[number])
                    left[number] = limits[number]
                    rewards[number] = 0
                    flags[number] = 4  # first
                else:
                    flags[number] = 0
                    continue
                write(number, obs)
                if masked:
                    self.write_mask(number, info)
                elif info and "action_mask" in info:
                    refuse_late_mask(self.spaces.action, info["action_mask"])
            except BaseException as error:  # environments may raise anything, SystemExit included
                self.fail(number, error, kind)

    def write_mask(self, number, info):
        mask = self.masks[number]() if self.mask_method else info.get("action_mask")
        before = masks.forbidding
        self.mask_rows[number][:] = self.spaces.action.allowed(mask)
        if masks.forbidding != before and not self.flags[number] & TRUNCATED:
            self.host.warn_of_mask()

    def fail(self, number, error, kind):
        """Reports an error and discards the environment; the next reset makes another."""
        self.mark(number, FAILED)
        env, self.envs[number] = self.envs[number], None
        if env is None and kind == "step":
            return  # reported in an earlier exchange
        if not isinstance(error, WorkerError) and frames_of_environment(error) is None:
            error = WorkerError(kind, f"{self.results[kind]}; {type(error).__name__}: {error}")
        self.host.report(number, error, kind)
        if env is not None:
            close(env)
        self.steps[number] = self.resets[number] = failed

    def mark(self, number, flag):
        self.flags[number] = flag

    def picture(self, number):
        try:
            return self.env(number).render()
        except (AttributeError, NotImplementedError) as error:
            if isinstance(error, AttributeError) and attribute(self.env(number), "render"):
                raise
            raise WorkerError("render", "its class has no method render()") from None

    def save(self, number):
        self.require_saving()
        env, limiter = self.env(number), self.limiters[number]
        if limiter is not None:
            limiter._elapsed_steps = self.limits[number] - self.left[number]
        return saved.save(env)

    def load(self, number, state):
        self.require_saving()
        if self.envs[number] is None:
            self.adopt(number, self.make(number))
        saved.load(self.envs[number], state)
        if self.limiters[number] is not None:
            self.left[number] = self.limits[number] - self.limiters[number]._elapsed_steps

    def require_saving(self):
        if not self.spec["can_save"]:
            raise WorkerError("unsupported", "the state of this environment cannot be saved")

    def state(self, number):
        return {}

    def close(self):
        for env in self.envs:
            close(env)

    def env(self, number):
        if self.envs[number] is None:
            raise WorkerError("render", "the environment has failed and has not been restarted yet")
        return self.envs[number]


def failed(*_, **__):
    raise WorkerError("protocol", "a failed environment must be reset")
