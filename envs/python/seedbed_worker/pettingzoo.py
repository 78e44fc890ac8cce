# SPDX-License-Identifier: Apache-2.0
"""pettingzoo:NAME, pettingzoo:family.NAME and pettingzoo:./file.py:function."""

import difflib
import importlib
import importlib.util
import pkgutil
import sys

from seedbed_worker import gym
from seedbed_worker.agents import Agents
from seedbed_worker.errors import WorkerError

FAMILIES = ["classic", "butterfly", "sisl", "atari", "mpe"]


def find(name):
    """The module of an environment: in a family of PettingZoo or in MPE2."""
    try:
        import pettingzoo
    except ImportError as error:
        sentence = f"this id needs PettingZoo, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", sentence + "; install the pack 'pettingzoo'") from error
    family, _, last = name.rpartition(".")
    places = [f"pettingzoo.{place}" for place in ([family] if family else FAMILIES)] + ["mpe2"]
    for place in places:
        try:
            found = importlib.util.find_spec(f"{place}.{last}")
        except (ImportError, AttributeError):
            continue
        if found is not None:
            return gym.load_module(f"{place}.{last}")
    sentence = f"PettingZoo {pettingzoo.__version__} has no environment '{name}'"
    similar = difflib.get_close_matches(last, names_in(places), 3)
    raise WorkerError("no_such_env", sentence + (f"; did you mean {', '.join(similar)}?" if similar else ""))


def names_in(places):
    names = []
    for place in places:
        try:
            names += [module.name for module in pkgutil.iter_modules(importlib.import_module(place).__path__)]
        except ImportError:
            continue
    return names


def recipe(name, kwargs):
    if ":" in name:
        return gym.recipe(name, kwargs)
    module = find(name)
    factory = getattr(module, "parallel_env", None) or module.env
    return gym.Recipe(name, factory, kwargs, ["pettingzoo"])


def source(name, kwargs, count, host):
    made = recipe(name, kwargs)
    return Agents(made, count, host, gym.call("constructor", made.make))
