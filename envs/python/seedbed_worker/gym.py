# SPDX-License-Identifier: Apache-2.0
"""gym:ID, gym:module:ID and gym:./file.py:Class: registered Gymnasium environments, and classes or functions
that return an object with Gymnasium's interface (it need not be derived from Gymnasium's classes)."""

import copy
import functools
import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys

from seedbed_worker.agents import Agents, is_multi_agent
from seedbed_worker.arguments import arguments_of, fitted, parameters, takes, takes_all
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
NO_LIMIT = 2**31 - 2  # steps of an episode; the host accepts no larger limits


class Recipe:
    """Creates and describes the environments of one id. creator: the constructor to which `factory` passes
    its arguments, except for `others`, which it uses itself. file: the path in the id."""

    given = ()  # names of arguments that come from the id

    def __init__(self, title, factory, kwargs, packages, spec=None, creator=None, file=None, others=None):
        self.title, self.factory, self.packages, self.registered = title, factory, packages, spec
        self.file, self.creator = file, creator or factory
        self.others, self.overrides = others or {}, getattr(spec, "kwargs", {})
        self.kwargs = fitted(kwargs, self.creator, self.overrides, title, self.others)
        self.limit = None  # steps of an episode that replace the limits of TimeLimit wrappers
        self.is_vector = "num_envs" in arguments_of(self.creator)
        self.guessed, self.has_made = {}, False  # arguments that the constructor may not accept
        self.no_pictures = ""  # the reason
        self.notice = ""  # for the user
        self.choose_render_mode()

    def choose_render_mode(self):
        if "render_mode" in self.kwargs or not takes(self.creator, "render_mode"):
            return
        metadata = getattr(function_of(self.creator), "metadata", None)
        # Gymnasium's base class has an empty list.
        modes = isinstance(metadata, dict) and metadata.get("render_modes") or ["rgb_array"]
        drawn = [mode for mode in ("rgb_array", "rgb_array_list") if mode in modes]
        if drawn:
            self.guessed = {"render_mode": drawn[0]}
        else:
            names = ", ".join(map(str, modes))
            sentence = f"{self.title} has no pictures: its metadata['render_modes'] are {names}"
            self.no_pictures = f"{sentence}; pictures need 'rgb_array'"

    def use_limit_of(self, host):
        """With env.wrap.time_limit the host counts the steps."""
        if host.time_limit is None:
            return
        repeat = host.wrap["action_repeat"] if host.wrap else 1
        self.limit = min(host.time_limit * repeat, NO_LIMIT) or NO_LIMIT
        name = "max_episode_steps"
        passed_on = self.is_vector and getattr(self.registered, name, None)
        if name in self.kwargs:
            return  # set by the user
        if name not in self.others and (passed_on or name in arguments_of(self.creator)):
            self.kwargs[name] = self.limit

    def make(self, number=0):
        """number: index of the environment in the worker."""
        env = None
        try:
            env = self.factory(**self.kwargs, **self.guessed)
        except Exception as error:
            if self.has_made or not self.guessed:
                raise
            self.refuse_guess(error)
        if env is None:
            env = self.factory(**self.kwargs)
        self.has_made = True
        return env if self.limit is None else without_time_limits(env, self.limit)

    def refuse_guess(self, error):
        """Continues without the guessed arguments."""
        mode, self.guessed = self.guessed["render_mode"], {}
        if "render_mode" in arguments_of(self.creator):
            found = describe(error, "constructor")["error"]
            self.no_pictures = f"{self.title} has no pictures: its constructor failed with "
            self.notice = self.no_pictures = f"{self.no_pictures}render_mode='{mode}' ({found})"

    def spec(self, env):
        registered = self.registered or getattr(env, "spec", None)
        bare = getattr(env, "unwrapped", None) or innermost(env)
        limits = [self.kwargs.get("max_episode_steps"), getattr(registered, "max_episode_steps", None)]
        return {
            "title": self.title,
            "sentence": first_sentence(bare),
            "upstream": " ".join(filter(None, [self.packages and self.packages[0], self.title])),
            "horizon": horizon(env, bare, *limits) if self.limit is None else self.limit % NO_LIMIT,
            "frames_per_step": 1,
            "reward_low": None,
            "reward_high": None,
            "can_save": False,
            "repeats": not getattr(registered, "nondeterministic", False),
            "parameters": parameters(
                type(bare) if takes_all(arguments_of(self.creator)) else self.creator,
                getattr(registered, "kwargs", {}),
                self.given,
            ),
            "files": files_with(self.file) if self.file else [],
        }


def function_of(creator):
    while isinstance(creator, functools.partial):
        creator = creator.func
    return creator


def without_time_limits(env, limit):
    """The environment without its TimeLimit wrappers. In other processes, they get a limit of at least that
    of the host."""
    bare = getattr(env, "unwrapped", env)
    if hasattr(bare, "single_action_space"):
        if type(bare).__name__ == "AsyncVectorEnv":
            bare.set_attr("_max_episode_steps", limit)
        elif isinstance(getattr(bare, "envs", None), list):
            bare.envs = [without_time_limits(each, limit) for each in bare.envs]
    while type(env).__name__ == "TimeLimit":
        env = env.env
    layer = env
    while layer is not None:
        inner = vars(layer).get("env") if hasattr(layer, "__dict__") else None
        while type(inner).__name__ == "TimeLimit":
            inner = layer.env = inner.env
        layer = inner
    return env


def package_of(path):
    """(folder that contains the outermost package of a file, names of the packages and of the module)."""
    root, last = os.path.split(path[: -len(".py")])
    names = [] if last == "__init__" else [last]
    while os.path.isfile(os.path.join(root, "__init__.py")):
        root, name = os.path.split(root)
        names.insert(0, name)
    return root, names or [last]


def files_with(path):
    """The paths and hashes of a file and of those that were imported from its folder or package."""
    root, names = package_of(path)
    folder = os.path.join(root, names[0], "") if len(names) > 1 else os.path.dirname(path) + os.sep
    imported = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    siblings = {file for file in imported if file.startswith(folder) and file.endswith(".py")} - {path}
    siblings = sorted(file for file in siblings if "site-packages" not in file)[:MAX_FILES]
    return [{"path": file, "sha256": sha256(file)} for file in [path, *siblings] if os.path.isfile(file)]


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


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


def load_file(path):
    """Imports a Python file. Its folder becomes the working folder; modules in it can be imported, and
    relative imports work if the file is in a package."""
    if not os.path.isfile(path):
        raise WorkerError("no_such_env", f"the file {path} does not exist")
    folder, (root, names) = os.path.dirname(path), package_of(path)
    os.chdir(folder)  # a worker hosts the environments of one id
    name, start = names[0], path
    if os.path.isfile(os.path.join(root, name, "__init__.py")):
        start = os.path.join(root, name, "__init__.py")
    if name in sys.modules or is_elsewhere(name, start):
        name = f"seedbed_file_{name}"  # so that a file random.py does not replace Python's module
    sys.path += [place for place in dict.fromkeys([root, folder]) if place not in sys.path]
    spec = importlib.util.spec_from_file_location(name, start)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        imported(spec.loader.exec_module, module)
        return load_module(".".join([name, *names[1:]]))
    except WorkerError as error:
        if "no known parent package" not in str(error):
            raise
        remedy = f"; a relative import needs an empty file __init__.py in {folder}"
        raise WorkerError("import", str(error).partition(";")[0] + remedy) from error.__cause__


def is_elsewhere(name, file):
    """Whether another file provides the module."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and not (spec.origin and os.path.realpath(spec.origin) == os.path.realpath(file))


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
        if isinstance(error.__cause__, ModuleNotFoundError):
            remedy += ", or start Seedbed in the folder that contains the module"
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
    """The specification of a registered id, or None. First imports the module that registers it. As with
    gymnasium.make(), an id without a version is the latest one."""
    module = gymnasium()
    for beginning, provider in REGISTERED_BY.items():
        if name.startswith(beginning):
            call("import", importlib.import_module, provider)  # a module of a pack
    registration = module.envs.registration
    try:
        space, title, version = registration.parse_env_id(name)
        latest = registration.find_highest_version(space, title) if version is None else None
        return module.spec(name if latest is None else registration.get_env_id(space, title, latest))
    except module.error.Error:
        return None


def registered_recipe(spec, kwargs, file=None):
    module = gymnasium()
    spec = copy.copy(spec)
    spec.kwargs = dict(spec.kwargs)
    spec.order_enforce = False  # both wrappers are unnecessary: the host ensures the order of calls,
    spec.disable_env_checker = True  # and observations are checked when they are copied
    is_vector = spec.entry_point is None
    if is_vector:
        spec.kwargs.pop("num_envs", None)  # the host chooses it

    def factory(**arguments):
        if is_vector:
            return module.make_vec(spec, vectorization_mode="vector_entry_point", **arguments)
        return module.make(spec, **arguments)

    creator = spec.vector_entry_point if is_vector else spec.entry_point
    if isinstance(creator, str):
        creator = imported(module.envs.registration.load_env_creator, creator)
    place = function_of(creator)
    place = getattr(place, "__module__", None) or type(place).__module__
    packages = [] if file else [place.partition(".")[0].replace("_", "-")]
    others = {} if is_vector else arguments_of(module.make)
    made = Recipe(spec.id, factory, kwargs, packages, spec, creator, file, others)
    made.is_vector = made.is_vector or is_vector
    return made


def recipe(name, kwargs):
    place, colon, last = name.rpartition(":")
    if not colon:
        spec = registered(last)
        if spec is None:
            raise WorkerError("no_such_env", no_such_id(last))
        return registered_recipe(spec, kwargs)
    file = os.path.abspath(place) if place.endswith(".py") else None
    module = load_file(file) if file else load_module(place)
    factory = getattr(module, last, None)
    if callable(factory):
        return Recipe(last, factory, kwargs, [] if file else [place.partition(".")[0]], file=file)
    if "gymnasium" in sys.modules:
        spec = registered(last)
        if spec is not None:
            return registered_recipe(spec, kwargs, file)
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
    made.use_limit_of(host)
    if made.is_vector:
        return vector_source(made, count, host)
    env = call("constructor", made.make)
    if made.notice:
        host.note(made.notice)
    return (Agents if is_multi_agent(env) else Singles)(made, count, host, env)
