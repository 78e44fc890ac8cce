# SPDX-License-Identifier: Apache-2.0
"""Action masks as bytes: 1 for each allowed choice, 0 for the others.

They have the formats of Gymnasium's Space.sample(mask), with any boolean or number type. For MultiDiscrete
and MultiBinary, they may be flat, as those of sb3-contrib's action_masks(). None allows everything.
"""

import json
import math

import numpy as np

from seedbed_worker.errors import WorkerError


forbidding = 0  # number of masks so far that forbade everything


def mentions_masks(env):
    """Whether methods of an environment, of its wrappers, or of the first one in a vector contain the text
    action_mask. Only then is a step worth playing to look for masks: steps may hang or exit."""
    waiting = [env]
    while waiting:
        env = waiting.pop()
        for cls in type(env).__mro__:
            known = cls.__module__.startswith(("gymnasium.core", "gymnasium.vector", "gymnasium.wrappers"))
            if not known and any(has_text(method) for method in vars(cls).values()):
                return True
        inner = vars(env) if hasattr(env, "__dict__") else {}
        waiting += [inner["env"]] if inner.get("env") is not None else []
        waiting += inner["envs"][:1] if isinstance(inner.get("envs"), list) else []
    return False


def has_text(method):
    method = getattr(method, "fget", None) or getattr(method, "__func__", method)  # property, static method
    waiting = [getattr(method, "__code__", None)]
    while waiting:
        found = waiting.pop()
        if found == "action_mask":
            return True
        waiting += found if isinstance(found, (tuple, frozenset)) else getattr(found, "co_consts", ())
    return False


def refuse_mask(name, mask, expected):
    """name: the part that the mask is for."""
    raise WorkerError("space", f"{name}: the mask is {shown(mask)}; return {expected}")


def refuse_keys(name, mask, keys):
    if not isinstance(mask, dict):
        refuse_mask(name, mask, f"a dict with a mask, or None, for each of {keys}")
    unknown = [key for key in mask if key not in keys]
    if unknown:
        reason = f"the mask has the unknown key {unknown[0]!r}; its keys must be {keys}"
        raise WorkerError("space", f"{name}: {reason}")
    missing = part_name(name, next(key for key in keys if key not in mask))
    remedy = "add it, with None if everything is allowed"
    raise WorkerError("space", f"{missing}: the mask lacks this key; {remedy}")


def part_name(name, key):
    return f"{name}[{json.dumps(key, default=str)}]"


def shown(mask):
    if not isinstance(mask, np.ndarray):
        text = repr(mask)
        return f"{type(mask).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
    return f"{mask.dtype} {mask.tolist() if mask.size <= 12 else 'of shape ' + str(list(mask.shape))}"


def is_sequence(mask):
    return isinstance(mask, (tuple, list)) or (isinstance(mask, np.ndarray) and mask.ndim > 0)


def is_flat(mask):
    return is_sequence(mask) and len(mask) > 0 and np.isscalar(mask[0])


def binary(mask, count, name):
    """The bytes of an array of 0 and 1."""
    array = mask
    if type(mask) is not np.ndarray or mask.dtype.kind == "f":
        array = plain_array(mask)
    if array.shape == (count,) and array.dtype.kind in "biu":
        data = array.tobytes()
        low = data[:: array.itemsize]
        if data.count(0) + low.count(1) == len(data):
            return low
    text = "1 for each allowed choice and 0 for the others, or None if all are allowed"
    refuse_mask(name, mask, f"an array of {count} values, {text}")


def plain_array(mask):
    try:
        array = np.asarray(mask)
    except ValueError:  # parts of different lengths
        return np.empty(())
    whole = array.dtype.kind == "f" and np.isin(array, (0, 1)).all()
    return array.astype(np.int8) if whole else array


def some_choice(data):
    """As in Gymnasium, a mask that forbids everything allows the first choice."""
    global forbidding
    if 1 in data:
        return data
    forbidding += 1
    return b"\1" + data[1:]


def choices(mask, count, name):
    """The mask of one choice."""
    return b"\1" * count if mask is None else some_choice(binary(mask, count, name))


def nested(mask, shape, name):
    """The masks of the elements of an array of choices, from nested tuples."""
    if mask is None:
        return [None] * math.prod(shape)
    if not is_sequence(mask) or len(mask) != shape[0]:
        refuse_mask(name, mask, f"a tuple of {shape[0]} masks, one for each element, or None")
    if len(shape) == 1:
        return list(mask)
    parts = [nested(part, shape[1:], f"{name}[{number}]") for number, part in enumerate(mask)]
    return [element for part in parts for element in part]


def refuse_late_mask(action, mask):
    """Masks must be known from the beginning, because the network has an input for them."""
    action.allowed(mask)
    reason = "the environment returned its first mask after several steps"
    remedy = "return one in the info of reset(), too (None: everything is allowed)"
    raise WorkerError("space", f"action_mask: {reason}; {remedy}")
