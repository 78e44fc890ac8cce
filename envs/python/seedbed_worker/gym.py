# SPDX-License-Identifier: Apache-2.0
"""gym:ID, gym:module:ID and gym:./file.py:Class: registered Gymnasium environments, and classes or functions
that return an object with Gymnasium's interface (it need not be derived from Gymnasium's classes)."""

import copy
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import math
import os
import re
import sys

from seedbed_worker.agents import Agents, is_multi_agent
from seedbed_worker.errors import WorkerError, describe
from seedbed_worker.single import Singles, attribute, call, innermost
from seedbed_worker.vector import NextStep, Vectors

# Beginning of a registered id -> module that registers it. Gymnasium itself loads no plugins.
REGISTERED_BY = {
    "ALE/": "ale_py",
    "MiniGrid-": "minigrid",
    "BabyAI-": "minigrid",
    "popgym-": "popgym",
    "Vizdoom": "vizdoom.gymnasium_wrapper",
    "MinAtar/": "minatar.gym",
    "NetHack": "nle",
}

MAX_FILES = 100  # number of files that are hashed


class Recipe:
    """Creates and describes the environments of one id. creator: the constructor to which `factory` passes
    its arguments, except for `others`, which it uses itself. file: the path in the id."""

    def __init__(self, title, factory, kwargs, packages, spec=None, creator=None, file=None, others=()):
        self.title, self.factory, self.packages, self.registered = title, factory, packages, spec
        self.file = file
        self.kwargs, self.creator = dict(kwargs), creator or factory
        self.guessed = {}  # arguments that the constructor may not accept
        if "render_mode" not in self.kwargs and takes(self.creator, "render_mode"):
            self.guessed = {"render_mode": "rgb_array"}
        refuse_unknown(self.creator, [name for name in self.kwargs if name not in others], title)

    def make(self, number=0):
        """number: index of the environment in the worker."""
        try:
            return self.factory(**self.kwargs, **self.guessed)
        except Exception as error:
            named = "render_mode" in arguments_of(self.creator)
            refused = isinstance(error, TypeError) or "render_mode" in str(error)
            if named or not self.guessed or not refused:
                raise
        env = self.factory(**self.kwargs)
        self.guessed = {}
        return env

    def spec(self, env):
        registered = self.registered or getattr(env, "spec", None)
        bare = getattr(env, "unwrapped", None) or innermost(env)
        limits = [self.kwargs.get("max_episode_steps"), getattr(registered, "max_episode_steps", None)]
        return {
            "title": self.title,
            "sentence": first_sentence(bare),
            "upstream": " ".join(filter(None, [self.packages and self.packages[0], self.title])),
            "horizon": horizon(env, bare, *limits),
            "frames_per_step": 1,
            "reward_low": None,
            "reward_high": None,
            "can_save": False,
            "repeats": not getattr(registered, "nondeterministic", False),
            "parameters": parameters(type(bare), getattr(registered, "kwargs", {})),
            "files": files_with(self.file) if self.file else [],
        }


def files_with(path):
    """The paths and hashes of a file and of those that were imported from its folder."""
    folder = os.path.dirname(path) + os.sep
    imported = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    siblings = {file for file in imported if file.startswith(folder) and file.endswith(".py")} - {path}
    siblings = sorted(file for file in siblings if "site-packages" not in file)[:MAX_FILES]
    return [{"path": file, "sha256": sha256(file)} for file in [path, *siblings] if os.path.isfile(file)]


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def arguments_of(factory):
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return {}


def takes(factory, name):
    found = arguments_of(factory)
    return name in found or any(p.kind is p.VAR_KEYWORD for p in found.values())


def refuse_unknown(creator, names, title):
    """Refuses arguments that the constructor does not have."""
    try:
        found = inspect.signature(creator).parameters.values()
    except (TypeError, ValueError):
        return
    if any(p.kind is p.VAR_KEYWORD for p in found):
        return
    known = [p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    for name in names:
        if name in known:
            continue
        near = difflib.get_close_matches(name, known, 1)
        guess = f"; did you mean '{near[0]}'? It" if near else "; it"
        sentence = f"{title} has no argument '{name}'{guess} has {', '.join(known) or 'none'}"
        raise WorkerError("constructor", sentence)


def horizon(env, bare, chosen, registered):
    """The limit that the user has chosen, or that of a TimeLimit wrapper, of a registered environment, of
    MiniGrid, or of PettingZoo's games that all agents play at once; or 0. In other classes, attributes with
    these names may count something else."""
    limits = [chosen, attribute(env, "_max_episode_steps"), registered]
    if any(base.__module__.startswith("minigrid.") for base in type(bare).__mro__):
        limits.append(getattr(bare, "max_steps", None))
    if type(bare).__module__.startswith(("pettingzoo.", "mpe2.")) and not hasattr(env, "agent_selection"):
        limits.append(getattr(bare, "max_cycles", None))
    return next((max(0, limit) for limit in limits if isinstance(limit, int)), 0)


def first_sentence(env):
    text = " ".join((type(env).__doc__ or "").replace("#", " ").split())
    text = re.sub(r"^Description ", "", text)
    sentence = re.split(r"(?<=[a-z0-9)`\"][.!?]) (?=[A-Z])", text, maxsplit=1)[0]
    return sentence if len(sentence) <= 300 else sentence[:297] + "..."


def parameters(cls, overrides):
    """The arguments of a constructor that have a default of a simple type."""
    found = []
    for name, parameter in arguments_of(cls).items():
        default = overrides.get(name, parameter.default)
        if type(default) is float and not math.isfinite(default):
            continue  # JSON has no infinity
        if name not in ("render_mode", "num_envs") and type(default) in (bool, int, float, str):
            found.append({"name": name, "type": type(default).__name__, "default": default})
    return found


def load_file(path):
    """Imports a Python file; modules in its folder can be imported from it."""
    if not os.path.isfile(path):
        raise WorkerError("no_such_env", f"the file {path} does not exist")
    folder, name = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    if name in sys.modules or importable(name):
        name = f"seedbed_file_{name}"  # so that a file random.py does not replace Python's module
    sys.path.append(folder)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    imported(spec.loader.exec_module, module)
    return module


def importable(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def load_module(name):
    return imported(importlib.import_module, name)


def imported(function, argument):
    """Calls a function that imports modules; the message of an ImportError names this Python and explains how
    to choose another."""
    try:
        return call("import", function, argument)
    except WorkerError as error:
        if not isinstance(error.__cause__, ImportError):
            raise
        remedy = f"; the Python in use is {sys.executable}; set SEEDBED_PYTHON to choose another"
        raise WorkerError("import", str(error) + remedy) from error.__cause__


def classes_in(module):
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and hasattr(value, "step")
        and hasattr(value, "reset")
        and value.__module__ == module.__name__
    ]


def gymnasium():
    try:
        import gymnasium as module
    except ImportError as error:
        sentence = f"this id needs Gymnasium, which {sys.executable} cannot import: {error}"
        remedy = "; install the pack 'gymnasium', or set SEEDBED_PYTHON to another Python"
        raise WorkerError("import", sentence + remedy) from error
    return module


def registered(name):
    """The specification of a registered id, or None. First imports the module that registers it."""
    module = gymnasium()
    for beginning, provider in REGISTERED_BY.items():
        if name.startswith(beginning):
            call("import", importlib.import_module, provider)  # a module of a pack
    try:
        return module.spec(name)
    except module.error.Error:
        return None


def registered_recipe(name, spec, kwargs, file=None):
    module = gymnasium()
    spec = copy.deepcopy(spec)
    spec.order_enforce = False  # both wrappers are unnecessary: the host ensures the order of calls,
    spec.disable_env_checker = True  # and observations are checked when they are copied

    def factory(**arguments):
        return module.make(spec, **arguments)

    creator = spec.entry_point
    if isinstance(creator, str):
        creator = imported(module.envs.registration.load_env_creator, creator)
    package = creator.__module__.partition(".")[0].replace("_", "-")
    return Recipe(name, factory, kwargs, [package], spec, creator, file, arguments_of(module.make))


def recipe(name, kwargs):
    place, colon, last = name.rpartition(":")
    if not colon:
        spec = registered(last)
        if spec is None:
            raise WorkerError("no_such_env", no_such_id(last))
        return registered_recipe(last, spec, kwargs)
    file = os.path.abspath(place) if place.endswith(".py") else None
    module = load_file(file) if file else load_module(place)
    factory = getattr(module, last, None)
    if callable(factory):
        return Recipe(last, factory, kwargs, [] if file else [place.partition(".")[0]], file=file)
    if "gymnasium" in sys.modules:
        spec = registered(last)
        if spec is not None:
            return registered_recipe(last, spec, kwargs, file)
    classes = classes_in(module)
    hint = f"; it has {', '.join(classes)}" if classes else ""
    raise WorkerError("no_such_env", f"{place} neither defines nor registers '{last}'{hint}")


def no_such_id(name):
    try:
        gymnasium().spec(name)
    except Exception as error:
        return describe(error, "no_such_env")["error"].partition(": ")[2]
    return f"Gymnasium has no environment '{name}'"


def vector_source(made, count, host):
    """A Gymnasium VectorEnv, which makes all environments itself."""
    made.kwargs["num_envs"] = count

    def engine():
        return NextStep(made.make(), count)

    def spec(made_engine):
        return made.spec(made_engine.env)

    return Vectors(engine, spec, count, host, made.packages, has_masks=NextStep.has_masks)


def source(name, kwargs, count, host):
    made = recipe(name, kwargs)
    if "num_envs" in arguments_of(made.creator):
        return vector_source(made, count, host)
    env = call("constructor", made.make)
    return (Agents if is_multi_agent(env) else Singles)(made, count, host, env)
