# SPDX-License-Identifier: Apache-2.0
"""Environment ids: which module makes the environments of a scheme, and the versions of packages."""

import importlib
import importlib.metadata
import platform
import sys

from seedbed_worker.arguments import guess
from seedbed_worker.errors import WorkerError

# Scheme of an id -> module with a function source(name, kwargs, count, host).
SCHEMES = {
    "gym": "gym",
    "atari": "atari",
    "dm_control": "suite",
    "dmlab": "dmlab",
    "envpool": "pool",
    "football": "football",
    "godot": "godot",
    "lib": "library",
    "maze": "dmlab",
    "minigrid": "registered",
    "mujoco": "registered",
    "nethack": "registered",
    "pettingzoo": "pettingzoo",
    "popgym": "registered",
    "procgen": "procgen",
    "unity": "unity",
    "vizdoom": "vizdoom",
}
MODULES_OF_SEVERAL = ("dmlab", "registered")  # modules whose source() also takes the scheme
TYPED = ("gym", "pettingzoo", "registered")  # modules that convert arguments to the types of a constructor
# Imported module -> packages that may have installed it.
PACKAGES = {
    "ale_py": ["ale-py"],
    "Box2D": ["box2d", "box2d-py"],
    "deepmind_lab": ["deepmind-lab"],
    "dm_control": ["dm-control"],
    "envpool": ["envpool"],
    "gymnasium": ["gymnasium"],
    "minigrid": ["minigrid"],
    "mlagents_envs": ["mlagents-envs"],
    "mujoco": ["mujoco"],
    "nle": ["nle"],
    "numpy": ["numpy"],
    "pettingzoo": ["pettingzoo"],
    "popgym": ["popgym"],
    "procgen": ["procgen", "procgen-mirror", "procgen2"],
    "pygame": ["pygame-ce", "pygame"],
    "vizdoom": ["vizdoom"],
}


def source(env_id, kwargs, count, host):
    """Makes `count` environments. kwargs: arguments of the constructor."""
    scheme, colon, name = env_id.partition(":")
    if not colon or scheme not in SCHEMES:
        known = ", ".join(f"{scheme}:..." for scheme in SCHEMES)
        raise WorkerError("no_such_env", f"'{env_id}' is not an id of a Python environment; known: {known}")
    module = importlib.import_module(f"seedbed_worker.{SCHEMES[scheme]}")
    name = (scheme, name) if SCHEMES[scheme] in MODULES_OF_SEVERAL else (name,)
    if SCHEMES[scheme] not in TYPED:
        kwargs = {argument: guess(value) for argument, value in kwargs.items()}
    made = module.source(*name, kwargs, count, host)
    if host.wrap and not getattr(made, "can_wrap", False):
        made.close()
        sentence = f"sticky_actions, action_repeat and noop_starts are not available for '{env_id}'"
        raise WorkerError("unsupported", sentence + "; use its own settings")
    return made


def versions(packages):
    """Versions of Python, of `packages`, and of imported packages with environments."""
    found = {"python": platform.python_version()}
    imported = [name for module, names in PACKAGES.items() if module in sys.modules for name in names]
    for package in [*packages, *imported]:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found
