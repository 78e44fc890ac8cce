# SPDX-License-Identifier: Apache-2.0
"""Seedbed: fast vector environments and a trainer for reinforcement learning.

    import seedbed

    env = seedbed.make_vec("minatar_breakout", 1024)     # a gymnasium.vector.VectorEnv
    run = seedbed.train("cartpole")                      # a preset
    action = run.policy().act([0.0, 0.1, 0.0, 0.0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seedbed._library import Error
from seedbed.policy import Policy
from seedbed.training import LiveCurve, Run, preset, presets, train

if TYPE_CHECKING:
    from seedbed.vector import Env, VectorEnv, make, make_vec

__version__ = "0.2.0"
__all__ = [
    "Env",
    "Error",
    "LiveCurve",
    "Policy",
    "Run",
    "VectorEnv",
    "make",
    "make_vec",
    "preset",
    "presets",
    "train",
]


def __getattr__(name: str) -> Any:
    """Imports Gymnasium only for the names that need it."""
    if name not in ("Env", "VectorEnv", "make", "make_vec"):
        raise AttributeError(f"module 'seedbed' has no attribute '{name}'")
    try:
        import seedbed.vector
    except ModuleNotFoundError as error:
        if error.name != "gymnasium":
            raise
        raise ImportError(f"seedbed.{name} needs Gymnasium: pip install gymnasium") from error

    return getattr(seedbed.vector, name)
