# SPDX-License-Identifier: Apache-2.0
"""envpool:ID: environments of EnvPool, which seeds them when it creates them: the seeds of the first reset
apply, and later episodes continue the same random streams."""

import sys

import numpy as np

from seedbed_worker.errors import WorkerError
from seedbed_worker.single import call, close
from seedbed_worker.vector import Vectors

HIDDEN = {
    "num_envs",
    "batch_size",
    "num_threads",
    "max_num_players",
    "thread_affinity_offset",
    "base_path",
    "seed",
    "env_seed",
    "gym_reset_return_info",
    "env_name",
    "max_episode_steps",
}


def scatter(full, part, numbers):
    """Copies the rows of `part` into the rows `numbers` of `full`."""
    if isinstance(full, dict):
        for key, value in full.items():
            scatter(value, part[key], numbers)
    elif isinstance(full, tuple):
        for value, rows in zip(full, part):
            scatter(value, rows, numbers)
    else:
        full[numbers] = part


def load(pack):
    try:
        import envpool
    except ImportError as error:
        sentence = f"this id needs EnvPool, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", f"{sentence}; install the pack '{pack}'") from error
    return envpool


class Pool:
    """An engine of vector.py that steps and resets any of its environments."""

    can_reset_some = True

    def __init__(self, env_id, count, config, pack="envpool"):
        envpool = load(pack)
        if env_id not in envpool.list_all_envs():
            raise WorkerError("no_such_env", f"EnvPool {envpool.__version__} has no environment '{env_id}'")
        self.count, self.env = count, None
        self.make = lambda seeds: envpool.make_gymnasium(
            env_id, num_envs=len(seeds), env_seed=seeds, **config
        )
        probe = self.make([0])
        self.observation_space, self.action_space = probe.observation_space, probe.action_space
        self.config = dict(probe.config)
        close(probe)

    def reset(self, seeds):
        if self.env is None:
            self.env = self.make((seeds & 0x7FFFFFFF).tolist())
        self.obs, self.info = self.env.reset()
        return self.obs

    def reset_some(self, numbers, seeds):
        obs, info = self.env.reset(numbers.astype(np.int32))
        scatter(self.obs, obs, info["env_id"])
        return self.obs

    def step(self, actions, active):
        numbers = np.flatnonzero(active).astype(np.int32)
        obs, rewards, terminated, truncated, self.info = self.env.step(
            self.convert(actions[numbers]), numbers
        )
        order = self.info["env_id"]
        scatter(self.obs, obs, order)
        results = [np.zeros(self.count, dtype) for dtype in (np.float32, bool, bool)]
        for full, part in zip(results, (rewards, terminated, truncated)):
            full[order] = part
        return self.obs, *results, results[1] | results[2]

    def convert(self, actions):
        return actions.astype(np.int32 if actions.dtype.kind == "i" else self.action_space.dtype)

    def picture(self, number):
        """The observation if it is a picture, since EnvPool draws no others."""
        frame = self.obs[number] if isinstance(self.obs, np.ndarray) else np.empty(0)
        if frame.ndim == 3 and frame.dtype == np.uint8 and frame.shape[0] == 3:
            frame = frame.transpose(1, 2, 0)
        if frame.ndim != 3 or frame.dtype != np.uint8 or frame.shape[2] != 3:
            raise WorkerError("render", "EnvPool draws no pictures of this environment")
        times = max(1, 320 // frame.shape[0])
        return frame.repeat(times, 0).repeat(times, 1)

    def close(self):
        if self.env is not None:
            close(self.env)


def describe(engine, title):
    return {
        "title": title,
        "sentence": "",
        "upstream": f"EnvPool {sys.modules['envpool'].__version__}",
        "horizon": int(engine.config.get("max_episode_steps", 0)),
        "frames_per_step": int(engine.config.get("frame_skip", 1)),
        "reward_low": None,
        "reward_high": None,
        "can_save": False,
        "repeats": False,
        "parameters": [
            {"name": name, "type": type(value).__name__, "default": value}
            for name, value in engine.config.items()
            if name not in HIDDEN and type(value) in (bool, int, float, str)
        ],
    }


def source(name, kwargs, count, host):
    config = dict(kwargs)
    config.setdefault("num_threads", config.pop("threads", 0))

    def make():
        return Pool(name, count, config)

    return Vectors(make, lambda engine: describe(engine, name), count, host, ["envpool"])
