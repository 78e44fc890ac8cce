# SPDX-License-Identifier: Apache-2.0
"""Gymnasium spaces as the leaves of Seedbed (core/base/spaces.hpp).

Spaces are recognised by the names of their classes and their attributes, so Gymnasium itself is not needed.
An observation part has `leaves` (JSON) and bind(arrays) -> write(column, value). Some parts have
bind_rows(arrays) -> write_rows(rows, values) as well: rows is an array of columns or a slice, values are
those of all columns. It returns False if write() has to be called for each column. An action part has
`leaves`, decode(words) -> list with the action of each row, of the type that the space's sample() returns,
and allowed(mask) -> bytes with 0 or 1 for each choice.
"""

import itertools
import math
import re
import zlib

import numpy as np

from seedbed_worker.errors import WorkerError
from seedbed_worker.masks import binary, choices, is_flat, nested
from seedbed_worker.masks import part_name, refuse_keys, refuse_mask, some_choice

MAX_NAME = 64
MAX_CHOICES = 1 << 20  # of a discrete value; a network has a weight for each of them
MAX_CHANNELS = 16  # limit for images whose channels may be first
MAX_MISSIONS = 512
MAX_WORDS, WORD_HASHES = 16, 1000
MIN_IMAGE_SIDE = 8  # a smaller two-dimensional u8 box is not an image


def refuse(path, reason):
    raise WorkerError("space", f"{path or 'the space'}: {reason}")


def class_names(space):
    return {base.__name__ for base in type(space).__mro__}


def found(value):
    """Describes a value for a message."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {list(value.shape)}"
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def join(path, key):
    return f"{path}.{key}" if path else str(key)


def finite(bound):
    """The bound, or None if it is infinite, since JSON has no infinity. Bounds beyond float32 count as
    infinite."""
    bound = float(bound)
    return bound if math.isfinite(bound) and abs(bound) < 3.4e38 else None


def subspaces(space):
    """(key, space) of each member of a Dict or Tuple, in order."""
    members = space.spaces
    return list(members.items()) if hasattr(members, "items") else list(enumerate(members))


def name_leaves(leaves):
    """Makes the names unique and restricts them to the letters that Seedbed accepts."""
    used = set()
    for leaf in leaves:
        plain = re.sub(r"[^A-Za-z0-9_.\- ]", "_", leaf["name"])[:MAX_NAME] or "leaf"
        name, number = plain, 2
        while name in used:
            name = f"{plain[: MAX_NAME - 6]}-{number}"
            number += 1
        used.add(name)
        leaf["name"] = name
    return leaves


# Observations


def check_choices(n, path):
    if n > MAX_CHOICES:
        reason = f"a discrete value has at most {MAX_CHOICES:,} choices, not {int(n):,}"
        refuse(path, f"{reason}; split it into the digits of a MultiDiscrete space, or use a Box space")


def obs_leaf(path, kind, shape, low=0.0, high=0.0, cardinality=0):
    dtype = {"vector": "f32", "image": "u8", "discrete": "i32"}[kind]
    check_choices(cardinality, path or "the observation space")
    return {
        "name": path or "obs",
        "kind": kind,
        "dtype": dtype,
        "shape": [int(size) for size in shape],
        "low": low,
        "high": high,
        "cardinality": int(cardinality),
        "stack": 1,
        "labels": [],
    }


class ArrayObs:
    """An array that is copied into one leaf. `view` returns the leaf's rows in the layout of the space."""

    def __init__(self, path, shape, dtype, leaf, view):
        self.path, self.shape, self.dtype, self.leaves, self.view = path, shape, np.dtype(dtype), [leaf], view
        self.may_overflow = leaf["dtype"] == "u8" and self.dtype not in (np.uint8, np.bool_)

    def bind(self, arrays):
        rows = [self.view(row) for row in arrays[0]]
        shape, dtype, ndarray, convert = self.shape, self.dtype, np.ndarray, self.convert
        may_overflow = self.may_overflow

        def write(column, value):
            if type(value) is not ndarray or value.dtype is not dtype or value.shape != shape:
                value = convert(value)
            if may_overflow and not fits_u8(value):
                sentence = f"the observation has values from {value.min()} to {value.max()}"
                refuse(self.path, f"{sentence}; expected 0 to 255")
            rows[column][...] = value

        return write

    def bind_rows(self, arrays):
        row, (array,) = self.view(arrays[0][0]), arrays
        strides = (array.strides[0], *row.strides)
        target = np.lib.stride_tricks.as_strided(row, (len(array), *row.shape), strides)
        shape = (len(array), *self.shape)

        def write_rows(rows, values):
            if type(values) is not np.ndarray or values.dtype != self.dtype or values.shape != shape:
                return False
            if self.may_overflow and not fits_u8(values[rows]):
                return False
            target[rows] = values[rows]
            return True

        return write_rows

    def convert(self, value):
        if value is None:
            refuse(self.path, "the observation is None")
        array = np.asarray(value)
        if array.shape != self.shape:
            refuse(self.path, f"the observation is {found(array)}; expected the shape {list(self.shape)}")
        if array.dtype != self.dtype and not np.can_cast(array.dtype, self.dtype, "same_kind"):
            if isinstance(value, np.ndarray) or not np.can_cast(np.min_scalar_type(value), self.dtype):
                refuse(self.path, f"the observation is {found(array)}; expected the dtype {self.dtype}")
        return array


def fits_u8(array):
    return array.min() >= 0 and array.max() <= 255


def image_layout(shape):
    """([channels, height, width], view) of an image; channels may be first, last, or absent."""
    if len(shape) == 2:
        return [1, *shape], lambda row: row[0]
    frames = shape[0] if len(shape) == 4 else 1  # frames of a stack, which become channels
    first, second, last = shape[-3:]
    channels_last = last <= min(first, MAX_CHANNELS) or first > MAX_CHANNELS or first >= min(second, last)
    channels, height, width = (last, first, second) if channels_last else (first, second, last)

    def view(row):
        row = row.reshape(frames, channels, height, width)
        row = row.transpose(0, 2, 3, 1) if channels_last else row
        return row if len(shape) == 4 else row[0]

    return [frames * channels, height, width], view


def box_obs(space, path):
    shape, dtype = tuple(int(size) for size in space.shape), np.dtype(space.dtype)
    if 0 in shape:
        refuse(path, f"the space has no elements: {list(shape)}")
    low, high = np.min(space.low), np.max(space.high)
    flat = dtype == np.uint8 and len(shape) == 2 and min(shape) >= MIN_IMAGE_SIDE
    planes = dtype.kind in "iub" and 0 <= low and high <= 255 and len(shape) in (3, 4)
    if flat or planes:
        size, view = image_layout(shape)
        return ArrayObs(path, shape, dtype, obs_leaf(path, "image", size, float(low), float(high)), view)
    if dtype.kind not in "fiub":
        refuse(path, f"the dtype {dtype} is not supported")
    leaf = obs_leaf(path, "vector", [math.prod(shape)], finite(low), finite(high))
    return ArrayObs(path, shape, dtype, leaf, lambda row: row.reshape(shape))


class DiscreteObs:
    def __init__(self, space, path):
        self.path, self.n, self.start = path, int(space.n), int(getattr(space, "start", 0))
        self.leaves = [obs_leaf(path, "discrete", [1], 0, 0, self.n)]

    def bind(self, arrays):
        row, n, start = memoryview(arrays[0].reshape(-1)), self.n, self.start

        def write(column, value):
            try:
                index = value.__index__() - start
            except (AttributeError, TypeError):
                index = self.convert(value) - start
            if not 0 <= index < n:
                last = start + n - 1
                refuse(self.path, f"the observation is {found(value)}; expected {start} to {last}")
            row[column] = index

        return write

    def bind_rows(self, arrays):
        target, n, start = arrays[0].reshape(-1), self.n, self.start

        def write_rows(rows, values):
            whole = type(values) is np.ndarray and values.dtype.kind in "iu"
            if not whole or values.shape != target.shape:
                return False
            index = values[rows].astype(np.int64) - start
            if (index < 0).any() or (index >= n).any():
                return False
            target[rows] = index
            return True

        return write_rows

    def convert(self, value):
        array = np.asarray(value)
        if value is None or array.size != 1 or array.dtype.kind not in "iub":
            refuse(self.path, f"the observation is {found(value)}; its space is Discrete({self.n})")
        return int(array.reshape(-1)[0])


class MultiDiscreteObs:
    """One leaf for each group of consecutive elements with the same number of choices."""

    def __init__(self, path, shape, sizes, start, parse=None):
        self.path, self.shape, self.parse = path, tuple(shape), parse
        self.sizes, self.start = np.asarray(sizes).reshape(-1), np.asarray(start).reshape(-1)
        groups = [(n, len(list(group))) for n, group in itertools.groupby(self.sizes.tolist())]
        names = [path] if len(groups) == 1 else [join(path, number) for number in range(len(groups))]
        self.leaves = [obs_leaf(name, "discrete", [size], 0, 0, n) for name, (n, size) in zip(names, groups)]

    def bind(self, arrays):
        ends = list(itertools.accumulate(array.shape[1] for array in arrays))
        places = [(array, end - array.shape[1], end) for array, end in zip(arrays, ends)]

        def write(column, value):
            array = np.asarray(self.parse(value) if self.parse else value)
            if array.shape != self.shape or array.dtype.kind not in "iub":
                expected = f"whole numbers {list(self.shape)}"
                refuse(self.path, f"the observation is {found(value)}; expected {expected}")
            array = array.reshape(-1).astype(np.int64) - self.start
            if (array < 0).any() or (array >= self.sizes).any():
                refuse(self.path, f"the observation {found(value)} is outside its space")
            for target, begin, end in places:
                target[column] = array[begin:end]

        return write


def text_obs(space, path):
    """The positions of the letters in the character set, counted from 1, padded with 0."""
    letters = {letter: number for number, letter in enumerate(space.character_list, 1)}
    length = int(space.max_length)

    def parse(value):
        if not isinstance(value, str) or len(value) > length or not letters.keys() >= set(value):
            refuse(
                path,
                f"the observation is {found(value)}, expected a string of at most {length} letters "
                "of the character set",
            )
        return [letters[letter] for letter in value] + [0] * (length - len(value))

    return MultiDiscreteObs(path, [length], [len(letters) + 1] * length, [0] * length, parse)


def mission_obs(space, path):
    """MiniGrid's MissionSpace: the number of the mission, or hashed words if there are too many missions."""
    options = space.ordered_placeholders or []
    exact = type(space).__name__ == "MissionSpace"  # BabyAI's missions are not those of its spaces
    if exact and math.prod(len(choices) for choices in options) <= MAX_MISSIONS:
        texts = {space.mission_func(*choice): None for choice in itertools.product(*options)}
        numbers = {text: number for number, text in enumerate(texts)}

        def parse(value):
            if value not in numbers:
                refuse(path, f"the mission {value!r} is not in the space")
            return [numbers[value]]

        return MultiDiscreteObs(path, [1], [len(numbers)], [0], parse)

    return words_obs(path)


def words_obs(path):
    """The hashes of the first words of a text, counted from 1, padded with 0."""

    def hash_words(value):
        if not isinstance(value, str):
            refuse(path, f"the observation is {found(value)}, expected a string")
        words = [1 + zlib.crc32(word.encode()) % (WORD_HASHES - 1) for word in value.split()[:MAX_WORDS]]
        return words + [0] * (MAX_WORDS - len(words))

    return MultiDiscreteObs(path, [MAX_WORDS], [WORD_HASHES] * MAX_WORDS, [0] * MAX_WORDS, hash_words)


class GroupObs:
    """A Dict or Tuple."""

    def __init__(self, space, path):
        self.path = path
        self.parts = [(key, obs_part(member, join(path, key))) for key, member in subspaces(space)]
        self.leaves = [leaf for _, part in self.parts for leaf in part.leaves]

    def bind(self, arrays):
        writers, begin = [], 0
        for key, part in self.parts:
            end = begin + len(part.leaves)
            writers.append((key, part.bind(arrays[begin:end])))
            begin = end

        def write(column, value):
            try:
                for key, writer in writers:
                    writer(column, value[key])
            except (KeyError, IndexError, TypeError) as error:
                refuse(self.path, f"the observation {found(value)} lacks members of its space: {error!r}")

        return write

    def bind_rows(self, arrays):
        writers, begin = [], 0
        for key, part in self.parts:
            if not hasattr(part, "bind_rows"):
                return lambda rows, values: False
            end = begin + len(part.leaves)
            writers.append((key, part.bind_rows(arrays[begin:end])))
            begin = end

        def write_rows(rows, values):
            try:
                return all(writer(rows, values[key]) for key, writer in writers)
            except (KeyError, IndexError, TypeError):
                return False

        return write_rows


def obs_part(space, path=""):
    names = class_names(space)
    if "Box" in names:
        return box_obs(space, path)
    if "Discrete" in names:
        return DiscreteObs(space, path)
    if "MultiDiscrete" in names:
        return MultiDiscreteObs(path, space.nvec.shape, space.nvec, getattr(space, "start", 0 * space.nvec))
    if "MultiBinary" in names:
        leaf = obs_leaf(path, "vector", [math.prod(space.shape)], 0.0, 1.0)
        return ArrayObs(path, tuple(space.shape), np.int8, leaf, lambda row: row.reshape(space.shape))
    if "Text" in names:
        return text_obs(space, path)
    if "MissionSpace" in names:
        return mission_obs(space, path)
    if "Words" in names:
        return words_obs(path)
    if "Dict" in names or "Tuple" in names:
        return GroupObs(space, path)
    return refuse_space(space, path)


def refuse_space(space, path):
    name = type(space).__name__
    reasons = {
        "Graph": "graphs have no fixed size",
        "Sequence": "sequences have no fixed length",
        "OneOf": "the alternatives of OneOf have different shapes",
    }
    refuse(
        path,
        f"{name} spaces are not supported: {reasons.get(name, 'the class is unknown')}; "
        "wrap the environment so that it has Box, Discrete, Dict or Tuple spaces",
    )


# Actions


def discrete_leaf(path, n):
    check_choices(n, path or "the action space")
    return {"name": path or "action", "kind": "discrete", "n": int(n), "low": [], "high": [], "labels": []}


def rows_of(batch):
    """The rows as arrays, even if they have no dimensions."""
    return list(batch) if batch.ndim > 1 else [batch[row, ...] for row in range(len(batch))]


class DiscreteAction:
    def __init__(self, space, path, name):
        self.start, self.dtype = int(getattr(space, "start", 0)), getattr(space, "dtype", None)
        self.leaves, self.words, self.name = [discrete_leaf(path, space.n)], 1, name
        self.n = self.leaves[0]["n"]

    def decode(self, words):
        choices = words[:, 0].astype(np.int64)
        if self.start:
            choices += self.start
        return choices.tolist() if self.dtype is None else list(choices.astype(self.dtype, copy=False))

    def allowed(self, mask):
        return choices(mask, self.n, self.name)


class MultiDiscreteAction:
    def __init__(self, path, name, shape, sizes, start, dtype):
        self.sizes = np.asarray(sizes).reshape(-1).tolist()
        self.shape, self.dtype, self.name = tuple(shape), dtype, name
        self.start = np.asarray(start).reshape(-1)
        self.leaves = [discrete_leaf(join(path, number), n) for number, n in enumerate(self.sizes)]
        self.words = len(self.sizes)
        places = ("".join(f"[{number}]" for number in place) for place in np.ndindex(self.shape))
        ends = list(itertools.accumulate(self.sizes))
        self.elements = [(end - n, end, name + place) for n, end, place in zip(self.sizes, ends, places)]

    def decode(self, words):
        choices = (words.astype(np.int64) + self.start).astype(self.dtype)
        return rows_of(choices.reshape(len(words), *self.shape))

    def allowed(self, mask):
        if is_flat(mask):
            data = binary(mask, self.elements[-1][1], self.name)
            return b"".join([some_choice(data[begin:end]) for begin, end, _ in self.elements])
        masks = zip(nested(mask, self.shape, self.name), self.elements)
        return b"".join([choices(part, end - begin, name) for part, (begin, end, name) in masks])


class MultiBinaryAction(MultiDiscreteAction):
    def __init__(self, space, path, name):
        count = math.prod(space.shape)
        super().__init__(path, name, space.shape, [2] * count, [0] * count, np.int8)

    def allowed(self, mask):
        array = np.asarray(mask) if is_flat(mask) else mask
        if not isinstance(array, np.ndarray) or array.shape == (2 * self.words,):
            return super().allowed(mask)
        if array.shape != self.shape or array.dtype.kind not in "iu" or array.min() < 0 or array.max() > 2:
            expected = "0 (it must be 0), 1 (it must be 1) and 2 (free)"
            refuse_mask(self.name, mask, f"whole numbers {list(self.shape)}: {expected}, or None")
        return b"".join([(b"\1\0", b"\0\1", b"\1\1")[value] for value in array.reshape(-1).tolist()])


class TextAction(MultiDiscreteAction):
    """One choice per letter; choice 0 adds no letter. Texts that are too short are padded."""

    def __init__(self, space, path, name):
        self.letters, self.least = ["", *space.character_list], int(space.min_length)
        length = int(space.max_length)
        super().__init__(path, name, [length], [len(self.letters)] * length, [0] * length, np.int64)

    def decode(self, words):
        letters = self.letters
        texts = ("".join(letters[number] for number in action) for action in super().decode(words))
        return [text.ljust(self.least, letters[1]) for text in texts]

    def allowed(self, mask):
        length, letters = mask if isinstance(mask, tuple) and len(mask) == 2 else (mask, None)
        least, most = (self.least, self.words) if length is None else (length, length)
        if not isinstance(least, (int, np.integer)) or not self.least <= least <= self.words:
            expected = f"a tuple of a length from {self.least} to {self.words} and a mask of the letters"
            refuse_mask(self.name, mask, f"{expected}, each of them or both None")
        least, most, count = int(least), int(most), len(self.letters) - 1
        some = b"\1" * count if letters is None else binary(letters, count, self.name)
        places = range(self.words)
        rows = [bytes([place >= least]) + (some if place < most else bytes(count)) for place in places]
        return b"".join([some_choice(row) for row in rows])


class BoxAction:
    """Numbers, clipped to the bounds, as the agents of other libraries do."""

    def __init__(self, space, path, name):
        self.shape, self.dtype, self.name = tuple(space.shape), np.dtype(space.dtype), name
        if self.dtype.kind not in "fiu" or 0 in self.shape:
            refuse(path, f"actions of dtype {self.dtype} and shape {list(self.shape)} are not supported")
        bounds = [
            np.broadcast_to(np.asarray(bound, self.dtype), self.shape).reshape(-1)
            for bound in (space.low, space.high)
        ]
        # Contains all values of the dtype, except for those of integers of 64 bits.
        self.wide = np.result_type(np.float32, self.dtype)
        self.low, self.high = (bound.astype(self.wide) for bound in bounds)
        self.exact = bounds if self.dtype.kind in "iu" and self.dtype.itemsize == 8 else None
        if self.exact is not None:  # so that clipped numbers can be converted
            above = [int(wide) > int(high) for wide, high in zip(self.high, bounds[1])]
            self.high = np.where(above, np.nextafter(self.high, -np.inf), self.high)
        if self.dtype.kind == "f":
            most = np.finfo(self.dtype).max
            self.low, self.high = self.low.clip(-most, most), self.high.clip(-most, most)
        most = np.finfo(np.float32).max
        self.bounded = bool((self.low > -most).any() or (self.high < most).any())
        self.words = len(self.low)
        leaf = {"name": path or "action", "kind": "box", "n": 0, "labels": []}
        self.leaves = [{**leaf, **dict(zip(("low", "high"), ([*map(finite, bound)] for bound in bounds)))}]

    def decode(self, words):
        # Copied, since environments may keep it.
        values = words.astype(self.wide, copy=not self.bounded)
        if self.bounded:
            values = np.minimum(np.maximum(values, self.low), self.high)
        if self.dtype.kind in "iu":
            values = np.rint(values)
        values = values.astype(self.dtype, copy=False)
        if self.exact is not None:
            values = values.clip(*self.exact)
        return rows_of(values.reshape(len(words), *self.shape))

    def allowed(self, mask):
        if mask is not None:
            refuse_mask(self.name, mask, "None, because only choices can be masked, not the numbers of a Box")
        return b""


class GroupAction:
    """A Dict or Tuple."""

    def __init__(self, space, path, name):
        members = subspaces(space)
        self.keys = [key for key, _ in members] if hasattr(space.spaces, "items") else None
        self.name = name
        self.parts = [
            action_part(member, join(path, key), part_name(name, key)) for key, member in members
        ]
        self.leaves = [leaf for part in self.parts for leaf in part.leaves]
        self.words = sum(part.words for part in self.parts)

    def decode(self, words):
        columns, begin = [], 0
        for part in self.parts:
            columns.append(part.decode(words[:, begin : begin + part.words]))
            begin += part.words
        rows = zip(*columns)
        return list(rows) if self.keys is None else [dict(zip(self.keys, row)) for row in rows]

    def allowed(self, mask):
        masks = mask
        if mask is None:
            masks = [None] * len(self.parts)
        elif self.keys is None:
            if not isinstance(mask, (tuple, list)) or len(mask) != len(self.parts):
                refuse_mask(self.name, mask, f"a tuple of {len(self.parts)} masks, None where all is allowed")
        elif not isinstance(mask, dict) or mask.keys() != set(self.keys):
            refuse_keys(self.name, mask, self.keys)
        else:
            masks = [mask[key] for key in self.keys]
        return b"".join([part.allowed(value) for part, value in zip(self.parts, masks)])


def action_part(space, path="", name="action_mask"):
    names = class_names(space)
    if "Box" in names:
        return BoxAction(space, path, name)
    if "Discrete" in names:
        return DiscreteAction(space, path, name)
    if "MultiDiscrete" in names:
        start, dtype = getattr(space, "start", 0 * space.nvec), np.dtype(space.dtype)
        return MultiDiscreteAction(path, name, space.nvec.shape, space.nvec, start, dtype)
    if "MultiBinary" in names:
        return MultiBinaryAction(space, path, name)
    if "Text" in names:
        return TextAction(space, path, name)
    if "Dict" in names or "Tuple" in names:
        return GroupAction(space, path, name)
    return refuse_space(space, path)


class Spaces:
    """The spaces of one agent."""

    def __init__(self, observation_space, action_space, has_mask=False):
        self.observation = obs_part(observation_space)
        self.action = action_part(action_space)
        self.has_mask = has_mask
        if not self.observation.leaves or not self.action.leaves:
            refuse("", "an environment needs at least one observation and one action")
        self.has_choices = any(leaf["n"] for leaf in self.action.leaves)
        self.action.first = self.action.decode(np.zeros((1, self.action.words), np.float32))[0]

    def json(self):
        return {
            "obs": name_leaves(self.observation.leaves),
            "actions": name_leaves(self.action.leaves),
            "has_mask": self.has_mask and self.has_choices,
        }
