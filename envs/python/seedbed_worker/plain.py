# SPDX-License-Identifier: Apache-2.0
"""Spaces of Seedbed's own environments. They have the attributes of Gymnasium's, which is not needed."""

import numpy as np


class Box:
    def __init__(self, low, high, shape, dtype=np.float32):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.low, self.high = (np.broadcast_to(np.asarray(bound, self.dtype), shape) for bound in (low, high))


class Discrete:
    def __init__(self, n):
        self.n, self.start = n, 0


class Words:
    """A text of any length, observed as the hashes of its first words."""


class Dict:
    def __init__(self, spaces):
        self.spaces = spaces


class Tuple:
    def __init__(self, spaces):
        self.spaces = spaces
