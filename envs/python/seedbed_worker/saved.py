# SPDX-License-Identifier: Apache-2.0
"""Saves and loads the state of environments from packages for which tests have shown that a loaded
environment continues exactly like the saved one.

A state is JSON in base64: attributes with plain values, arrays, random generators, and objects of classes
from the same package. Nothing is executed when it is loaded, as saved states may come from other people.
"""

import base64
import json
import sys

import numpy as np

from seedbed_worker.errors import WorkerError

# Packages whose environments have been tested -> modules whose objects may be part of the state.
TESTED = {
    "gymnasium.envs.classic_control": (),
    "gymnasium.envs.toy_text": (),
    "gymnasium.envs.mujoco": (),
    "minigrid.envs": ("minigrid.core",),
}
NOT_TESTED = ("minigrid.envs.babyai",)  # its instructions contain references to the environment
WRAPPERS = {"TimeLimit", "OrderEnforcing", "PassiveEnvChecker"}
PLAIN = (bool, int, float, str, type(None))
SKIPPED = {"env", "spec", "metadata", "action_space", "observation_space", "model", "data", "mujoco_renderer"}


class NotPlain(Exception):
    """A value that is not part of a state, such as a window."""


def package_of(env):
    module = type(env.unwrapped).__module__ if hasattr(env, "unwrapped") else ""
    if module.startswith(NOT_TESTED):
        return None
    return next((package for package in TESTED if module.startswith(package)), None)


def layers(env):
    """The environment with its wrappers, outermost first."""
    while env is not None:
        yield env
        env = env.__dict__.get("env")


def can_save(env):
    *wrappers, _ = layers(env)
    return package_of(env) is not None and all(type(layer).__name__ in WRAPPERS for layer in wrappers)


class Encoder:
    def __init__(self, modules):
        self.modules, self.known, self.kept = modules, {}, []

    def encode(self, value):
        if type(value) in PLAIN:
            return {"float": repr(value)} if isinstance(value, float) else value
        if isinstance(value, np.generic):
            value = np.asarray(value)
            return {"scalar": value.dtype.str, "bytes": base64.b64encode(value.tobytes()).decode()}
        if isinstance(value, np.ndarray) and value.dtype != object:
            return {
                "array": value.dtype.str,
                "shape": list(value.shape),
                "bytes": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode(),
            }
        if type(value) in (list, tuple, set):
            return {type(value).__name__: [self.encode(item) for item in value]}
        if type(value) in (dict,):
            return {"dict": [[self.encode(key), self.encode(item)] for key, item in value.items()]}
        if isinstance(value, np.random.Generator):
            return {"random": self.encode(value.bit_generator.state)}
        if type(value).__module__.startswith(self.modules or ("nowhere",)) and hasattr(value, "__dict__"):
            return self.encode_object(value)
        raise NotPlain(type(value).__name__)

    def encode_object(self, value):
        if id(value) in self.known:
            return {"known": self.known[id(value)]}
        number = self.known[id(value)] = len(self.known)
        self.kept.append(value)  # keeps the object, so that its id is not reused
        members = {name: self.encode(item) for name, item in vars(value).items()}
        return {
            "object": type(value).__qualname__,
            "module": type(value).__module__,
            "number": number,
            "members": members,
        }


class Decoder:
    def __init__(self, modules):
        self.modules, self.known = modules, {}

    def decode(self, value, old=None):
        if not isinstance(value, dict):
            return value
        (kind, content), *_ = value.items()
        if kind == "float":
            return float(content)
        if kind == "scalar":
            return np.frombuffer(base64.b64decode(value["bytes"]), content)[0]
        if kind == "array":
            return np.frombuffer(base64.b64decode(value["bytes"]), content).reshape(value["shape"]).copy()
        if kind in ("list", "tuple", "set"):
            return {"list": list, "tuple": tuple, "set": set}[kind](self.decode(item) for item in content)
        if kind == "dict":
            return {self.decode(key): self.decode(item) for key, item in content}
        if kind == "random":
            old.bit_generator.state = self.decode(content)
            return old
        if kind == "known":
            return self.known[content]
        return self.decode_object(value)

    def decode_object(self, value):
        module = value["module"]
        if not self.modules or not module.startswith(self.modules):
            raise ValueError(f"objects of {module} are not part of a state")
        made = getattr(sys.modules[module], value["object"])
        if not isinstance(made, type):
            raise ValueError(f"{value['object']} is not a class")
        made = self.known[value["number"]] = made.__new__(made)
        made.__dict__.update({name: self.decode(item) for name, item in value["members"].items()})
        return made


def physics_of(env):
    """(state that MuJoCo integrates, arrays computed from it, which environments read before a step)."""
    import mujoco

    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(env.model, kind))
    mujoco.mj_getState(env.model, env.data, state, kind)
    arrays = {}
    for name in dir(env.data):
        if not name.startswith(("_", "efc_", "contact")):
            value = getattr(env.data, name)
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                arrays[name] = value
    return state, arrays


def save(env):
    encoder = Encoder(TESTED[package_of(env)])
    document = []
    for layer in layers(env):
        members = {}
        for name, value in vars(layer).items():
            if name not in SKIPPED:
                try:
                    members[name] = encoder.encode(value)
                except NotPlain:
                    pass
        document.append(members)
    if hasattr(env.unwrapped, "data"):
        state, arrays = physics_of(env.unwrapped)
        document.append(encoder.encode({"state": state, "arrays": arrays}))
    return base64.b64encode(json.dumps(document).encode()).decode()


def load(env, text):
    try:
        document = json.loads(base64.b64decode(text))
        decoder = Decoder(TESTED[package_of(env)])
        physics = [document.pop()] if hasattr(env.unwrapped, "data") else []
        # From the innermost layer on: env.wrap.time_limit removes a wrapper that older states contain.
        for layer, members in zip([*layers(env)][::-1], document[::-1]):
            old = vars(layer)
            decoded = {name: decoder.decode(value, old.get(name)) for name, value in members.items()}
            old.update(decoded)
        for state in physics:
            load_physics(env.unwrapped, decoder.decode(state))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise WorkerError("unsupported", f"this is not a state of the environment: {error!r}") from error


def load_physics(env, physics):
    import mujoco

    mujoco.mj_setState(env.model, env.data, physics["state"], mujoco.mjtState.mjSTATE_INTEGRATION)
    for name, value in physics["arrays"].items():
        target = getattr(env.data, name)
        if target.shape == value.shape:
            target[...] = value
