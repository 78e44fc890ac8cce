# SPDX-License-Identifier: Apache-2.0
"""A substitute for DeepMind Lab in tests: Seedbed's mazes under its name. Counts the adapter's requests."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "envs" / "python"))
from seedbed_worker import maze

runfiles_path, set_runfiles_path = maze.runfiles_path, maze.set_runfiles_path


class Lab(maze.Lab):
    def __init__(self, level, observations, config=None, renderer="software", level_cache=None):
        if level == "contributed/dmlab30/broken":
            raise RuntimeError("Failed to connect RL API")
        # Short episodes.
        super().__init__(level, observations, {"episodeLengthSeconds": "2", **config}, renderer, level_cache)
