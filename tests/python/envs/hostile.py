# SPDX-License-Identifier: Apache-2.0
"""Environments that fail in the ways in which users' environments do."""

import ctypes
import os
import sys
import time

import numpy as np
from corridor import Corridor


class Hostile(Corridor):
    """Works until step number `at` after a reset; with seed 13, reset() misbehaves as well."""

    def __init__(self, at: int = 3, **arguments):
        super().__init__(length=1000, limit=1000, **arguments)
        self.at = at

    def step(self, action):
        self.count += 1
        result = super().step(action)
        return self.spoil(result) if self.count == self.at else result

    def reset(self, seed=None, options=None):
        result, self.count = super().reset(seed=seed), 0
        return self.spoil_reset(result) if seed == 13 else result

    def spoil(self, result):
        return result

    def spoil_reset(self, result):
        return result


class NoConstructor(Corridor):
    def __init__(self):
        raise RuntimeError("the licence server is away")


class FailsLater(Corridor):
    """The second constructor call of a process fails."""

    made = 0

    def __init__(self):
        FailsLater.made += 1
        if FailsLater.made == 2:
            raise RuntimeError("only one at a time")
        super().__init__()

    def step(self, action):
        raise ValueError("no step")


class Raises(Hostile):
    def spoil(self, result):
        raise ValueError("bad\nstep")

    def spoil_reset(self, result):
        raise KeyError("bad reset")

    def render(self):
        raise OSError("no display")


class Exits(Hostile):
    def spoil(self, result):
        sys.exit(3)


class ExitsHard(Hostile):
    def spoil(self, result):
        os._exit(7)


class Crashes(Hostile):
    def spoil(self, result):
        ctypes.string_at(0)


class Forks(Hostile):
    def spoil(self, result):
        os.fork()  # both processes continue, as after a call to a library that forks
        return result


class Sleeps(Hostile):
    def spoil(self, result):
        time.sleep(1e6)


class Prints(Hostile):
    def spoil(self, result):
        for _ in range(64):
            sys.stdout.write("x" * 65536)
            sys.stderr.write("y" * 65536)
        os.write(1, b'{"ok": false}\n')
        return result


class ClosesDescriptors(Hostile):
    def spoil(self, result):
        os.closerange(0, 3)
        return result


class NaN(Hostile):
    def spoil(self, result):
        return (np.full(2, np.nan, np.float32), *result[1:])


class NoneObservation(Hostile):
    def spoil(self, result):
        return (None, *result[1:])


class Shape(Hostile):
    def spoil(self, result):
        return (np.zeros(3, np.float32), *result[1:])


class DType(Hostile):
    def spoil(self, result):
        return (np.array(["a", "b"]), *result[1:])


class Reward(Hostile):
    def spoil(self, result):
        return (result[0], None, *result[2:])


class FourValues(Hostile):
    def spoil(self, result):
        return result[:4]


class OnlyObservation(Hostile):
    def spoil_reset(self, result):
        return [*result[0], 0]


class Unprintable(Hostile):
    def spoil(self, result):
        class Broken(Exception):
            def __str__(self):
                raise RuntimeError

        raise Broken


class Deep(Hostile):
    def spoil(self, result):
        return self.spoil(result)


class Endless(Corridor):
    """Never terminates."""

    def step(self, action):
        return self.observe(), 0.0, False, False, {}


class Bare:
    """Has no spaces."""

    def reset(self, seed=None):
        return 0, {}

    def step(self, action):
        return 0, 0, False, False, {}


class WithoutSeed(Corridor):
    def reset(self):
        return super().reset(seed=5)
