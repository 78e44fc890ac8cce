# SPDX-License-Identifier: Apache-2.0
"""Seedbed's spaces from those of Gymnasium, and values of both. Does not import Gymnasium."""

import numpy as np

from seedbed import _library as lib

DTYPES = {"u8": np.uint8, "i32": np.int32, "f32": np.float32}
MIN_IMAGE_SIDE = 8


def words_of(leaves, actions, count):
    """Actions of the space action_space(leaves) as float32 [count, words]."""
    if isinstance(actions, dict):
        parts = [words_of([leaf], actions[leaf["name"]], count) for leaf in leaves]
        return np.concatenate(parts, axis=1)
    words = np.asarray(actions, np.float32).reshape(count, -1)
    return np.ascontiguousarray(words)


def actions_of(leaves, words):
    """float32 [count, words] as actions of the space action_space(leaves)."""
    if all(leaf["kind"] == "discrete" for leaf in leaves):
        choices = words.astype(np.int64)
        return choices[:, 0] if len(leaves) == 1 else choices
    if len(leaves) == 1:
        return words
    actions, begin = {}, 0
    for leaf in leaves:
        end = begin + (1 if leaf["kind"] == "discrete" else len(leaf["low"]))
        actions[leaf["name"]] = actions_of([leaf], words[:, begin:end])
        begin = end
    return actions


# From Gymnasium


def flat(space, path=""):
    """(key path, space) of each simple space in a Dict or Tuple."""
    members = getattr(space, "spaces", None)
    if members is None:
        return [(path, space)]
    items = members.items() if hasattr(members, "items") else enumerate(members)
    return [part for key, sub in items for part in flat(sub, f"{path}.{key}" if path else str(key))]


def value_at(value, path):
    for key in path.split(".") if path else []:
        value = value[int(key) if isinstance(value, (tuple, list)) else key]
    return value


def name_of(path, default):
    return "".join(c if c.isalnum() else "_" for c in path.lower()).encode() or default


class ObservationPart:
    """One array of an observation: its description, and its conversion to contiguous rows."""

    def __init__(self, path, space, count):
        self.path, self.space, self.count = path, space, count
        kind = type(space).__name__
        shape = (int(np.prod(space.shape or (1,))), 0, 0)
        self.description = lib.Observation(name=name_of(path, b"obs"), kind=lib.VECTOR, shape=shape)
        self.dtype, self.start, self.is_image = np.float32, 0, False
        if kind in ("Discrete", "MultiDiscrete", "MultiBinary"):
            self.dtype, self.start = np.int32, getattr(space, "start", 0)
            most = space.n if kind == "Discrete" else 2 if kind == "MultiBinary" else np.max(space.nvec)
            self.description.kind, self.description.choices = lib.CHOICES, int(most)
        elif kind != "Box":
            raise TypeError(f"observation '{path}': spaces of the type {kind} are not supported")
        elif space.dtype == np.uint8 and len(space.shape) == 3:
            # Channels are first if there are few of them; otherwise they are last.
            self.is_image, self.dtype = True, np.uint8
            self.is_last = space.shape[2] < MIN_IMAGE_SIDE <= space.shape[0]
            height, width, channels = space.shape if self.is_last else (*space.shape[1:], space.shape[0])
            self.description.kind = lib.IMAGE
            self.description.shape = (channels, height, width)
            self.description.high = 255

    def rows(self, observations):
        rows = np.asarray(value_at(observations, self.path))
        if rows.shape[:1] != (self.count,):
            raise ValueError(
                f"observation '{self.path}' has the shape {rows.shape}; expected {self.count} rows")
        if self.is_image and self.is_last:
            rows = np.moveaxis(rows, -1, 1)
        return np.ascontiguousarray(rows - self.start if np.any(self.start) else rows, self.dtype)


class ActionPart:
    """One action, and its conversion from words."""

    def __init__(self, path, space):
        self.path, self.space = path, space
        kind = type(space).__name__
        name = name_of(path, b"action")
        if kind == "Discrete":
            sizes, bounds = [int(space.n)], None
        elif kind in ("MultiDiscrete", "MultiBinary"):
            sizes = [int(n) for n in np.ravel(getattr(space, "nvec", np.full(space.shape, 2)))]
            bounds = None
        elif kind == "Box":
            if not (np.isfinite(space.low).all() and np.isfinite(space.high).all()):
                raise TypeError(f"action '{path}' has infinite bounds; they must be finite")
            sizes, bounds = None, list(zip(np.ravel(space.low), np.ravel(space.high)))
        else:
            raise TypeError(f"action '{path}': spaces of the type {kind} are not supported")
        several = len(sizes or bounds) > 1
        self.descriptions = [
            lib.Action(
                name=name + (b"_%d" % i if several else b""),
                choices=sizes[i] if sizes else 0,
                words=0 if sizes else 1,
                low=0 if sizes else bounds[i][0],
                high=0 if sizes else bounds[i][1],
            )
            for i in range(len(sizes or bounds))
        ]

    def values(self, words):
        """The actions of all rows, from float32 [count, words of this part]."""
        start = getattr(self.space, "start", 0)
        if type(self.space).__name__ == "Discrete":
            return words[:, 0].astype(self.space.dtype) + start
        return (words.astype(self.space.dtype) + start).reshape(len(words), *self.space.shape)


def joined(space, values, path=""):
    """Puts the values of the parts, by path, into the structure of the space."""
    members = getattr(space, "spaces", None)
    if members is None:
        return values[path]
    if hasattr(members, "items"):
        return {
            key: joined(sub, values, f"{path}.{key}" if path else str(key))
            for key, sub in members.items()
        }
    return tuple(
        joined(sub, values, f"{path}.{number}" if path else str(number)) for number, sub in enumerate(members)
    )
