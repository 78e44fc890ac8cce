# SPDX-License-Identifier: Apache-2.0
"""procgen:GAME: the games of Procgen through EnvPool, by default its easy mode with all levels."""

from seedbed_worker.errors import WorkerError
from seedbed_worker.pool import Pool, describe
from seedbed_worker.registered import camel
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


def source(name, kwargs, count, host):
    config = dict(kwargs)
    mode = config.pop("mode", "easy")
    if mode not in MODES:
        raise WorkerError("constructor", f"mode is {', '.join(MODES)}, not '{mode}'")
    config.setdefault("num_threads", config.pop("threads", 0))

    def make():
        return Pool(f"{camel(name)}{mode.capitalize()}-v0", count, config, "procgen")

    def spec(engine):
        found = describe(engine, camel(name))
        return {
            **found,
            "parameters": [{"name": "mode", "type": "str", "default": "easy"}, *found["parameters"]],
        }

    def name_actions(spaces):
        spaces["actions"][0]["labels"] = ACTIONS

    return Vectors(make, spec, count, host, ["envpool"], name_actions)
