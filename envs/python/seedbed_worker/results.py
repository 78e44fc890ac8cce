# SPDX-License-Identifier: Apache-2.0
"""Rewards and ends of episodes that step() returns, as numbers and booleans."""

import math
import numbers

import numpy as np

from seedbed_worker.errors import WorkerError
from seedbed_worker.spaces import found

REALS = frozenset([float, int, bool, np.float64, np.float32, np.int64, np.int32])
MOST = float(np.finfo(np.float32).max)  # the host stores rewards in single precision
FLAGS = frozenset([bool, np.bool_])


def as_number(reward):
    """A reward as a number. Arrays with one number are numbers, too."""
    number = reward
    if type(reward) not in REALS and not isinstance(reward, numbers.Real):
        array = np.asarray(reward)
        number = array.item() if array.size == 1 and array.dtype.kind in "biuf" else math.nan
    if not -MOST <= number <= MOST:
        raise WorkerError("step", f"the reward is {found(reward)}; step must return one finite number")
    return number


def as_bool(value, name):
    """terminated or truncated as a boolean."""
    if type(value) in FLAGS:
        return value
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "biu" or array.item() not in (0, 1):
        raise WorkerError("step", f"{name} is {found(value)}; step must return True or False")
    return bool(array.item())


def as_numbers(rewards, count):
    """The rewards of a vector environment."""
    array = np.asarray(rewards)
    if array.size != count or array.dtype.kind not in "biuf":
        sentence = f"the rewards are {found(rewards)}; step must return an array of {count} numbers"
        raise WorkerError("step", sentence)
    if not (np.abs(array) <= MOST).all():
        sentence = f"the rewards are {found(rewards)}; each must be a finite number"
        raise WorkerError("step", sentence)
    return array.reshape(count)


def as_bools(values, name, count):
    """terminated or truncated of a vector environment."""
    array = np.asarray(values)
    whole = array.dtype.kind in "iu" and ((array == 0) | (array == 1)).all()
    if array.size != count or not (whole or array.dtype.kind == "b"):
        sentence = f"{name} is {found(values)}; step must return an array of {count} booleans"
        raise WorkerError("step", sentence)
    return array.reshape(count).astype(bool, copy=False)
