# SPDX-License-Identifier: Apache-2.0
"""Calls to the kernel, for the restrictions of a worker. Needs only the standard library."""

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)


class Unavailable(Exception):
    """A restriction is not active; the text gives the reason."""


def checked(result, what):
    if result < 0:
        raise Unavailable(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def prctl(option, *arguments):
    values = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return LIBC.prctl(option, *values)
