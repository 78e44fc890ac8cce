# SPDX-License-Identifier: Apache-2.0
"""Seedbed's built-in environments with Gymnasium's interfaces."""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any, Sequence

import gymnasium as gym
import numpy as np

from seedbed import _library as lib
from seedbed.spaces import DTYPES, words_of

PICTURE_SIDE = 256
MOST_SPARE = 4  # sets of arrays that a step can reuse
# Only exact reference counts show whether an array is in use.
REUSES = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
# Used by every step.
INT64, ndarray, getrefcount = np.dtype(np.int64), np.ndarray, sys.getrefcount
step_into = lib.library.batch_step_into


class Memory:
    """Owns a batch of libseedbed, and frees it when neither a Batch nor a view of its arrays remains."""

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        lib.library.batch_free(self.handle)


class Results:
    """The arrays that a step writes: those of libseedbed, or new ones that NumPy owns."""

    def __init__(self, names, leaves, mask, rewards, terminated, truncated):
        self.names, self.leaves, self.mask = names, leaves, mask
        self.is_plain = len(leaves) == 1 and mask is None
        self.ends = (rewards, terminated, truncated)
        self.arrays = (*leaves, *self.ends, *([] if mask is None else [mask]))

    def addressed(self):
        """These results, with the `address` of the structure that step_into() expects."""
        self.addresses = lib.pointers(self.leaves)
        rewards, terminated, truncated = map(lib.pointer, self.ends)
        self.output = lib.made(lib.BatchOutput, observations=self.addresses, mask=lib.pointer(self.mask),
                               rewards=rewards, terminated=terminated, truncated=truncated)
        self.address = ctypes.c_void_p(ctypes.addressof(self.output))
        return self

    def observations(self):
        return self.leaves[0] if len(self.leaves) == 1 else dict(zip(self.names, self.leaves))

    def info(self):
        return {} if self.mask is None else {"action_mask": self.mask}

    def alike(self, make):
        """Results with make(array) for each array."""
        mask = None if self.mask is None else make(self.mask)
        return Results(self.names, [make(leaf) for leaf in self.leaves], mask, *map(make, self.ends))


class Batch:
    """Environments in libseedbed and NumPy views of the arrays that it writes. Thread: one at a time."""

    def __init__(self, env_id, count, seed, threads, settings):
        handle = lib.ANY()
        text = json.dumps(settings).encode()
        lib.library.batch_create(env_id.encode(), text, count, seed, threads, ctypes.byref(handle))
        self.handle, self.memory, self.count = handle, Memory(handle), count
        # A list whose only element the caller takes; this is faster than a lock, and as atomic.
        self.turns = [True]
        self.spare, self.least_references = [], 0
        self.description = json.loads(lib.library.batch_description(handle))
        spaces = self.description["spaces"]
        self.obs_leaves, self.action_leaves = spaces["obs"], spaces["actions"]
        arrays = lib.made(lib.BatchArrays)
        lib.library.batch_get_arrays(handle, ctypes.byref(arrays))
        self.columns = arrays.columns
        choices = sum(leaf["n"] for leaf in self.action_leaves if leaf["kind"] == "discrete")
        leaves = [
            self.view(arrays.observations[i], DTYPES[leaf["dtype"]], *leaf["shape"])
            for i, leaf in enumerate(self.obs_leaves)
        ]
        self.own = Results(
            [leaf["name"] for leaf in self.obs_leaves],
            leaves,
            self.view(arrays.mask, np.uint8, choices) if spaces["has_mask"] else None,
            self.view(arrays.rewards, np.float32),
            self.view(arrays.terminated, np.bool_),
            self.view(arrays.truncated, np.bool_),
        ).addressed()
        shape = (self.columns, sum(len(leaf["low"]) or 1 for leaf in self.action_leaves))
        self.words = np.zeros(shape, np.float32)
        self.words_address = ctypes.c_void_p(self.words.ctypes.data)
        # Actions of type int64, which most are, are converted by libseedbed.
        self.choices = np.zeros(shape[:1] if shape[1] == 1 else shape, np.int64)
        self.choices_address = ctypes.c_void_p(self.choices.ctypes.data)
        is_discrete = all(leaf["kind"] == "discrete" for leaf in self.action_leaves)
        self.choices_shape = self.choices.shape if is_discrete else None

    def view(self, address, dtype, *row_shape):
        """An array of [columns, row_shape] at the address; its base keeps the memory."""
        shape = (self.columns, *row_shape)
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        buffer = (ctypes.c_char * size).from_address(address)
        buffer.memory = self.memory
        return np.frombuffer(buffer, dtype).reshape(shape)

    def enter(self):
        """Keeps other threads out, until the caller appends to `turns` what this returns."""
        try:
            return self.turns.pop()
        except IndexError:
            if self.handle is None:
                raise lib.Error("the environment is closed", lib.WRONG_ORDER) from None
            raise lib.Error("another thread is using the environment", lib.WRONG_THREAD) from None

    def reset(self, copy, chosen=None, seeds=None):
        chosen = None if chosen is None else np.ascontiguousarray(chosen, np.uint8)
        seeds = None if seeds is None else np.ascontiguousarray(seeds, np.uint64)
        turn = self.enter()
        try:
            lib.library.batch_reset(self.handle, lib.pointer(chosen), lib.pointer(seeds))
            results = self.own.alike(ndarray.copy) if copy else self.own
            return results.observations(), results.info()
        finally:
            self.turns.append(turn)

    def step(self, copy, actions):
        """copy: returns arrays that no later step changes. They are reused when nothing else refers to them,
        which is faster than copies."""
        turn = self.enter()
        try:
            results = self.own
            if copy:
                for results in self.spare:
                    if sum(map(getrefcount, results.arrays)) == self.least_references:
                        break
                else:
                    results = self.new_results()
            if type(actions) is ndarray and actions.dtype is INT64 and actions.shape == self.choices_shape:
                self.choices[...] = actions
                code = step_into(self.handle, None, self.choices_address, results.address)
            else:
                words = words_of(self.action_leaves, actions, self.columns)
                if words.shape != self.words.shape:
                    size, expected = words.shape[1], self.words.shape[1]
                    raise ValueError(f"actions of {size} values per row; expected {expected}")
                self.words[...] = words
                code = step_into(self.handle, self.words_address, None, results.address)
            if code:
                raise lib.library.failure(code)
            if copy and results is self.own:
                results = results.alike(ndarray.copy)
            rewards, terminated, truncated = results.ends
            if results.is_plain:
                return results.leaves[0], rewards, terminated, truncated, {}
            return results.observations(), rewards, terminated, truncated, results.info()
        finally:
            self.turns.append(turn)

    def new_results(self):
        """Arrays that nothing else refers to; the batch's own, to be copied, if all are in use."""
        if not REUSES or len(self.spare) == MOST_SPARE:
            return self.own
        self.spare.append(self.own.alike(np.empty_like).addressed())
        self.least_references = sum(map(getrefcount, self.spare[-1].arrays))
        return self.spare[-1]

    def draw(self, env, side=PICTURE_SIDE):
        picture = np.empty((side, side, 3), np.uint8)
        turn = self.enter()
        try:
            lib.library.batch_draw(self.handle, env, side, side, picture.ctypes.data)
        finally:
            self.turns.append(turn)
        return picture

    def close(self):
        """Arrays that a caller holds stay valid."""
        if self.handle is not None:
            self.enter()  # permanently
            self.own, self.spare = None, []
            self.handle = self.memory = None


def observation_space(leaves):
    """The space of one row: that of the only leaf, or a Dict with a space for each."""
    spaces = {leaf["name"]: leaf_space(leaf) for leaf in leaves}
    return next(iter(spaces.values())) if len(spaces) == 1 else gym.spaces.Dict(spaces)


def leaf_space(leaf):
    shape = tuple(leaf["shape"])
    if leaf["kind"] == "discrete":
        return gym.spaces.Box(0, leaf["cardinality"] - 1, shape, np.int32)
    low, high = leaf["low"], leaf["high"]
    if leaf["kind"] == "image":
        return gym.spaces.Box(0, 255, shape, np.uint8)
    unknown = low is None or high is None or low == high
    return gym.spaces.Box(-np.inf if unknown else low, np.inf if unknown else high, shape, np.float32)


def action_space(leaves):
    if all(leaf["kind"] == "discrete" for leaf in leaves):
        sizes = [leaf["n"] for leaf in leaves]
        return gym.spaces.Discrete(sizes[0]) if len(sizes) == 1 else gym.spaces.MultiDiscrete(sizes)
    if len(leaves) == 1:
        low, high = (
            [bound if bound is not None else default for bound in leaves[0][key]]
            for key, default in (("low", -np.inf), ("high", np.inf))
        )
        return gym.spaces.Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)
    return gym.spaces.Dict({leaf["name"]: action_space([leaf]) for leaf in leaves})


class VectorEnv(gym.vector.VectorEnv):
    """`num_envs` copies of a built-in environment, stepped together in C++.

    An environment of several agents has one row for each agent; the rows of a game follow each other.
    An episode that has ended begins again in the next step (AutoresetMode.NEXT_STEP). Frames are not stacked.
    copy=True reuses arrays to which nothing refers any more. copy=False returns views of the arrays that the
    next step overwrites. Both stay valid after close(). Thread: one at a time.
    """

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}; supported: None, 'rgb_array'")
        agents = Batch(env_id, 1, seed, 1, settings).columns
        if num_envs < 1 or num_envs % agents:
            raise ValueError(
                f"num_envs is {num_envs}; '{env_id}' needs a multiple of {agents}, one row per agent")
        self.batch, self.agents = Batch(env_id, num_envs // agents, seed, threads, settings), agents
        self.copy, self.render_mode, self.num_envs = copy, render_mode, num_envs
        self.metadata = {
            "render_modes": ["rgb_array"],
            "render_fps": 30,
            "autoreset_mode": gym.vector.AutoresetMode.NEXT_STEP,
            "reset_mask": True,
        }
        self.single_observation_space = observation_space(self.batch.obs_leaves)
        self.single_action_space = action_space(self.batch.action_leaves)
        self.observation_space = gym.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gym.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """seed: None continues the random streams; a number gives environment e the seed `seed + e`; or a
        list with a seed for each environment. options: {"reset_mask": a boolean per row}."""
        count, seeds, chosen = self.batch.count, None, None
        if seed is not None:
            super().reset(seed=seed if isinstance(seed, int) else None)
            seeds = np.arange(seed, seed + count) if np.ndim(seed) == 0 else np.asarray(seed)
            if len(seeds) != count:
                raise ValueError(f"there are {len(seeds)} seeds for {count} environments")
        if options and options.get("reset_mask") is not None:
            mask = np.asarray(options["reset_mask"], bool)
            if mask.shape != (self.num_envs,):
                raise ValueError(f"reset_mask has the shape {mask.shape}; expected ({self.num_envs},)")
            chosen = mask.reshape(count, self.agents).any(axis=1)
        return self.batch.reset(self.copy, chosen, seeds)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        return self.batch.step(self.copy, actions)

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture of each environment, uint8 [256, 256, 3]; None without render_mode="rgb_array"."""
        if self.render_mode is None:
            return None
        return tuple(self.batch.draw(row // self.agents) for row in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        self.batch.close()


class Env(gym.Env):
    """One copy of a built-in environment of one agent."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, env_id: str, *, render_mode: str | None = None, **settings: Any) -> None:
        self.vector = VectorEnv(env_id, 1, render_mode=render_mode, **settings)
        self.render_mode = render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space

    def first(self, rows: Any) -> Any:
        return {key: value[0] for key, value in rows.items()} if isinstance(rows, dict) else rows[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        observations, info = self.vector.reset(seed=seed)
        return self.first(observations), self.first(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        actions = {key: [value] for key, value in action.items()} if isinstance(action, dict) else [action]
        observations, rewards, terminated, truncated, info = self.vector.step(actions)
        ends = bool(terminated[0]), bool(truncated[0])
        return self.first(observations), float(rewards[0]), *ends, self.first(info)

    def render(self) -> np.ndarray | None:
        return self.vector.render()[0] if self.render_mode else None

    def close(self) -> None:
        self.vector.close()


def make_vec(env_id: str, num_envs: int = 1, **options: Any) -> VectorEnv:
    """VectorEnv(env_id, num_envs, ...); named like Gymnasium's function."""
    return VectorEnv(env_id, num_envs, **options)


def make(env_id: str, **options: Any) -> Env:
    """Env(env_id, ...)."""
    return Env(env_id, **options)
