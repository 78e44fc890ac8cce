# SPDX-License-Identifier: Apache-2.0
"""Trained policies."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from typing import Any, Mapping

import numpy as np
import numpy.typing as npt

from seedbed import _library as lib
from seedbed.spaces import actions_of

TYPES = {0: np.uint8, 1: np.int32, 2: np.float32}


class Policy:
    """A trained policy, on one thread. It remembers one episode per row if its network is recurrent."""

    def __init__(self, handle: int, action_leaves: list[dict[str, Any]]) -> None:
        self.handle, self.action_leaves, self.rows = handle, action_leaves, 0
        self.actor: int | None = None
        library = lib.library
        leaves = range(library.policy_leaves(handle))
        self.names: list[str] = [library.policy_leaf_name(handle, leaf).decode() for leaf in leaves]
        self.elements = [library.policy_leaf_elements(handle, leaf) for leaf in leaves]
        self.dtypes = [TYPES[library.policy_leaf_type(handle, leaf)] for leaf in leaves]
        self.words = library.policy_action_words(handle)
        self.mask_bytes = library.policy_mask_bytes(handle)
        self.environment: str = library.policy_environment(handle).decode()
        self.seed: int | None = None

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Policy:
        """Loads an exported folder or a checkpoint."""
        error = ctypes.create_string_buffer(1000)
        handle = lib.library.policy_load(str(folder).encode(), error, len(error))
        if not handle:
            raise lib.Error(error.value.decode(errors="replace"), 1)
        document = json.loads((pathlib.Path(folder) / "policy.json").read_text())
        return cls(handle, find_actions(document))

    def act(
        self,
        observations: npt.ArrayLike | Mapping[str, npt.ArrayLike],
        mask: npt.ArrayLike | None = None,
        rewards: npt.ArrayLike | None = None,
    ) -> Any:
        """The actions for rows of observations (an array, or a dictionary by name), with the most probable
        choices unless sample() was called. An observation without a row dimension gives one action. mask:
        [rows, choices], 1 allowed; rewards: those of the previous step, for networks that use them."""
        values = observations if isinstance(observations, Mapping) else {self.names[0]: observations}
        missing = [name for name in self.names if name not in values]
        if missing:
            raise ValueError(f"the observation '{missing[0]}' is missing; the policy needs {self.names}")
        arrays = [np.ascontiguousarray(values[n], dtype) for n, dtype in zip(self.names, self.dtypes)]
        is_single = arrays[0].size == self.elements[0] and arrays[0].shape[:1] != (1,)
        rows = 1 if is_single else len(arrays[0])
        for name, array, elements in zip(self.names, arrays, self.elements):
            if array.size != rows * elements:
                raise ValueError(
                    f"observation '{name}' has {array.size} elements; expected {rows} x {elements}")
        mask = self.checked(mask, np.uint8, rows * self.mask_bytes, "mask")
        rewards = self.checked(rewards, np.float32, rows, "rewards")
        if rows != self.rows:
            self.reset(rows)
        words = np.empty((rows, self.words), np.float32)
        code = lib.library.actor_act(
            self.actor, lib.pointers(arrays), lib.pointer(mask), lib.pointer(rewards), words.ctypes.data
        )
        if code != lib.OK:
            raise lib.Error(lib.library.actor_error(self.actor).decode(errors="replace"), code)
        actions = actions_of(self.action_leaves, words)
        if not is_single:
            return actions
        return {key: value[0] for key, value in actions.items()} if isinstance(actions, dict) else actions[0]

    @staticmethod
    def checked(
        values: npt.ArrayLike | None, dtype: npt.DTypeLike, size: int, name: str
    ) -> np.ndarray | None:
        if values is None:
            return None
        array = np.ascontiguousarray(values, dtype)
        if array.size != size:
            raise ValueError(f"{name} has {array.size} elements; expected {size}")
        return array

    def reset(self, rows: int | None = None, row: int = -1) -> None:
        """Begins new episodes of all rows, or of one; `rows` changes their number."""
        if rows is not None and rows != self.rows:
            lib.library.actor_free(self.actor)
            self.actor = lib.library.actor_new(self.handle, rows)
            if not self.actor:
                raise MemoryError(f"an actor of {rows} rows")
            self.rows = rows
            if self.seed is not None:
                lib.library.actor_sample(self.actor, self.seed)
        elif self.actor:
            lib.library.actor_reset(self.actor, row)

    def sample(self, seed: int) -> Policy:
        """Draws actions from the policy's distribution from now on."""
        self.seed = seed
        if self.actor:
            lib.library.actor_sample(self.actor, seed)
        return self

    def __del__(self):
        if getattr(self, "handle", None):
            lib.library.actor_free(self.actor)
            lib.library.policy_free(self.handle)


def find_actions(document):
    """The action leaves anywhere in policy.json, whose layout depends on the network."""
    if isinstance(document, dict):
        spaces = document.get("spaces")
        if isinstance(spaces, dict) and "actions" in spaces:
            return spaces["actions"]
        document = list(document.values())
    for part in document if isinstance(document, list) else []:
        found = find_actions(part)
        if found is not None:
            return found
    return None
