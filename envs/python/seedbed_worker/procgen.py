# SPDX-License-Identifier: Apache-2.0
"""procgen:GAME: the games of Procgen, by default their easy mode with all levels.

The library begins the next episode itself, with a level that it draws from the seed of the first reset, so
the observation at the end of an episode is never shown.
"""

import sys

import numpy as np

from seedbed_worker.errors import WorkerError
from seedbed_worker.plain import Box, Discrete
from seedbed_worker.vector import Vectors

MODES = ["easy", "hard", "extreme", "memory", "exploration"]
ACTIONS = [
    "left down",
    "left",
    "left up",
    "down",
    "nothing",
    "up",
    "right down",
    "right",
    "right up",
    "d",
    "a",
    "w",
    "s",
    "q",
    "e",
]
OPTIONS = {
    "mode": "easy",
    "num_levels": 0,
    "start_level": 0,
    "use_sequential_levels": False,
    "use_backgrounds": True,
    "center_agent": True,
    "paint_vel_info": False,
    "use_generated_assets": False,
    "use_monochrome_assets": False,
    "restrict_themes": False,
    "threads": 0,
}


class Engine:
    """An engine of vector.py; all games advance together."""

    can_reset_some = False

    def __init__(self, make, count):
        make(1, 0).close()  # the library loads its pictures once, which takes seconds
        self.make, self.env, self.count = make, None, count
        self.observation_space, self.action_space = Box(0, 255, (64, 64, 3), np.uint8), Discrete(len(ACTIONS))

    def observe(self):
        rewards, obs, first = self.env.observe()
        self.obs = obs["rgb"]
        return rewards, first

    def reset(self, seeds):
        self.close()
        self.env = self.make(self.count, int(seeds[0]) & 0x7FFFFFFF)
        self.observe()
        return self.obs

    def step(self, actions, active):
        self.env.act(actions.astype(np.int32))
        rewards, first = self.observe()
        none = np.zeros(self.count, bool)
        return self.obs, rewards, np.array(first, bool), none, none.copy()

    def picture(self, number):
        return self.obs[number].repeat(5, 0).repeat(5, 1)

    def close(self):
        if self.env is not None:
            self.env.close()
            self.env = None


def source(name, kwargs, count, host):
    try:
        from procgen import ProcgenGym3Env
        from procgen.env import ENV_NAMES
    except ImportError as error:
        sentence = f"this id needs Procgen, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", sentence + "; install the pack 'procgen'") from error
    if name not in ENV_NAMES:
        raise WorkerError("no_such_env", f"Procgen has no game '{name}'; it has {', '.join(ENV_NAMES)}")
    unknown = kwargs.keys() - OPTIONS.keys()
    if unknown:
        raise WorkerError("constructor", f"unknown argument {min(unknown)}; known: {', '.join(OPTIONS)}")
    values = {**OPTIONS, **kwargs}
    mode, threads = values.pop("mode"), values.pop("threads")
    if mode not in MODES:
        raise WorkerError("constructor", f"mode must be one of {', '.join(MODES)}, not '{mode}'")

    def make(number, seed):
        try:
            return ProcgenGym3Env(
                num=number,
                env_name=name,
                distribution_mode=mode,
                num_threads=threads,
                rand_seed=seed,
                **values,
            )
        except OSError as error:  # a shared library is missing
            sentence = f"{error}; 'seedbed pack check procgen' names the packages to install"
            raise WorkerError("import", sentence) from error

    def spec(engine):
        return {
            "title": name.capitalize(),
            "sentence": "",
            "upstream": "procgen 0.10.7",
            "horizon": 0,
            "frames_per_step": 1,
            "reward_low": None,
            "reward_high": None,
            "can_save": False,
            "repeats": True,
            "parameters": [
                {"name": key, "type": type(value).__name__, "default": value}
                for key, value in OPTIONS.items()
            ],
        }

    def name_actions(spaces):
        spaces["actions"][0]["labels"] = ACTIONS

    return Vectors(lambda: Engine(make, count), spec, count, host, ["procgen-mirror"], name_actions)
