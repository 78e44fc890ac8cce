# SPDX-License-Identifier: Apache-2.0
"""lib:./my_env.so: environments in a shared library with the C interface of core/embed/seedbed_env.h.

The library writes rows directly into the shared memory. After a failure of its functions it is opened again.
"""

import base64
import ctypes
import json
import os

import numpy as np

from seedbed_worker.errors import WorkerError
from seedbed_worker.gym import sha256
from seedbed_worker.single import FAILED, FIRST, RESET, REST, STEP, TERMINATED, TRUNCATED
from seedbed_worker.spaces import discrete_leaf, name_leaves, obs_leaf

ABI = 1
ERROR_BYTES = 1000
MAX_LEAVES, MAX_SIDE = 64, 1 << 24
MAX_PICTURE_SIDE = 4096
VECTOR, IMAGE, CHOICES = 0, 1, 2
C_INT, C_DOUBLE, C_TEXT, C_ANY = ctypes.c_int, ctypes.c_double, ctypes.c_char_p, ctypes.c_void_p
RGB = ctypes.POINTER(ctypes.c_ubyte)
C_SIDE = ctypes.POINTER(C_INT)


class Observation(ctypes.Structure):
    _fields_ = [
        ("name", C_TEXT),
        ("kind", C_INT),
        ("shape", C_INT * 3),
        ("low", C_DOUBLE),
        ("high", C_DOUBLE),
        ("choices", C_INT),
        ("stack", C_INT),
    ]


class Action(ctypes.Structure):
    _fields_ = [("name", C_TEXT), ("choices", C_INT), ("words", C_INT), ("low", C_DOUBLE), ("high", C_DOUBLE)]


class Environment(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("name", C_TEXT),
        ("columns", C_INT),
        ("observations", ctypes.POINTER(Observation)),
        ("observation_count", C_INT),
        ("actions", ctypes.POINTER(Action)),
        ("action_count", C_INT),
        ("has_mask", C_INT),
        ("max_steps", C_INT),
        ("user", C_ANY),
        ("reset", ctypes.CFUNCTYPE(C_INT, C_ANY, C_INT, ctypes.c_uint64)),
        ("step", ctypes.CFUNCTYPE(C_INT, C_ANY, C_ANY, C_ANY, C_ANY, C_ANY, C_ANY)),
        ("observe", ctypes.CFUNCTYPE(C_INT, C_ANY, C_ANY, C_ANY)),
        ("state_bytes", ctypes.c_size_t),
        ("save_state", ctypes.CFUNCTYPE(C_INT, C_ANY, C_INT, C_ANY)),
        ("load_state", ctypes.CFUNCTYPE(C_INT, C_ANY, C_INT, C_ANY)),
        ("draw", ctypes.CFUNCTYPE(RGB, C_ANY, C_INT, C_SIDE, C_SIDE)),
    ]


def load(path):
    try:
        library = ctypes.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_NOW)
    except OSError as error:
        raise WorkerError("import", f"the library cannot be loaded: {error}") from error
    missing = [name for name in ("abi", "open", "close") if not hasattr(library, "seedbed_env_" + name)]
    if missing:
        sentence = f"the library has no seedbed_env_{missing[0]}; define it as in seedbed_env.h"
        raise WorkerError("import", sentence)
    abi = C_INT.in_dll(library, "seedbed_env_abi").value
    if abi != ABI:
        sentence = f"the library was compiled with version {abi} of seedbed_env.h, but this is version {ABI}"
        raise WorkerError("import", sentence + "; compile it again")
    library.seedbed_env_open.argtypes = [ctypes.POINTER(Environment), C_TEXT, C_ANY, ctypes.c_size_t]
    library.seedbed_env_close.argtypes = [ctypes.POINTER(Environment)]
    library.seedbed_env_close.restype = None
    return library


def refuse(sentence):
    raise WorkerError("space", sentence)


def name_of(described, kind, number):
    if not described.name:
        refuse(f"{kind} {number} has no name")
    return described.name.decode(errors="replace")


def observation_leaf(described, number):
    name = name_of(described, "observation", number)
    kinds = {VECTOR: "vector", IMAGE: "image", CHOICES: "discrete"}
    if described.kind not in kinds:
        refuse(f"observation '{name}' has the unknown kind {described.kind}")
    shape = list(described.shape)[: 3 if described.kind == IMAGE else 1]
    if not all(0 < side <= MAX_SIDE for side in shape):
        refuse(f"observation '{name}' has the shape {shape}")
    if described.kind == CHOICES and described.choices < 1:
        refuse(f"observation '{name}' has {described.choices} choices")
    low, high = described.low, described.high
    if low == high == 0:
        low, high = (0.0, 255.0) if described.kind == IMAGE else (None, None)
    if described.kind == CHOICES:
        low = high = 0.0
    leaf = obs_leaf(name, kinds[described.kind], shape, low, high, max(0, described.choices))
    return {**leaf, "stack": max(1, described.stack)}


def action_leaf(described, number):
    name = name_of(described, "action", number)
    if described.choices > 0:
        return discrete_leaf(name, described.choices)
    if described.words < 1:
        refuse(f"action '{name}' has neither choices nor words")
    if not described.low < described.high:
        refuse(f"the bounds of action '{name}' are {described.low:g} and {described.high:g}")
    each = {"low": [described.low] * described.words, "high": [described.high] * described.words}
    return {**discrete_leaf(name, 0), "kind": "box", **each}


def bounds(leaves):
    """The lowest and highest value of each word of an action."""
    low = [value for leaf in leaves for value in (leaf["low"] or [0])]
    high = [value for leaf in leaves for value in (leaf["high"] or [leaf["n"] - 1])]
    return np.array(low, np.float32), np.array(high, np.float32)


class Library:
    packages = ()

    def __init__(self, path, kwargs, count, host):
        self.path, self.arguments, self.count, self.host = path, json.dumps(kwargs).encode(), count, host
        self.library = load(path)
        self.env, self.is_open = Environment(), False
        self.open()
        env = self.env
        spaces = {
            "obs": name_leaves(
                [observation_leaf(env.observations[i], i) for i in range(env.observation_count)]
            ),
            "actions": name_leaves([action_leaf(env.actions[i], i) for i in range(env.action_count)]),
            "has_mask": env.has_mask != 0,
        }
        self.low, self.high = bounds(spaces["actions"])
        self.spec = {
            "title": (env.name or b"").decode(errors="replace").replace("_", " ").capitalize(),
            "sentence": "",
            "upstream": "",
            "spaces": spaces,
            "agents": 1,
            "horizon": max(0, env.max_steps),
            "frames_per_step": 1,
            "reward_low": None,
            "reward_high": None,
            "can_save": bool(env.state_bytes and env.save_state and env.load_state),
            "repeats": True,
            "parameters": [],
            "files": [{"path": path, "sha256": sha256(path)}],
        }

    def open(self):
        self.close()
        env = self.env = Environment(struct_size=ctypes.sizeof(Environment), columns=self.count)
        reason = ctypes.create_string_buffer(ERROR_BYTES)
        code = self.library.seedbed_env_open(ctypes.byref(env), self.arguments, reason, ERROR_BYTES)
        if code != 0:
            text = reason.value.decode(errors="replace") or f"seedbed_env_open() returned {code}"
            raise WorkerError("constructor", text)
        self.is_open = True
        if env.struct_size != ctypes.sizeof(Environment) or env.columns != self.count:
            refuse("seedbed_env_open() must not change struct_size and columns")
        if not (env.reset and env.step and env.observe):
            refuse("seedbed_env_open() must set reset, step and observe")
        counts = (env.observation_count, env.action_count)
        if not all(0 < count <= MAX_LEAVES for count in counts) or not (env.observations and env.actions):
            refuse(f"the environment has {counts[0]} observations and {counts[1]} actions; 1 to {MAX_LEAVES}")

    def close(self):
        if self.is_open:
            self.is_open = False
            self.library.seedbed_env_close(ctypes.byref(self.env))

    def attach(self, arrays):
        self.arrays = arrays
        self.active, self.terminated, self.truncated = (np.zeros(self.count, np.uint8) for _ in range(3))
        self.steps = np.zeros(self.count, np.int64)
        pointers = [leaf.ctypes.data for leaf in arrays.leaves]
        self.leaves = (C_ANY * len(pointers))(*pointers)
        self.mask = None if arrays.mask is None else arrays.mask.ctypes.data
        self.actions = np.zeros_like(arrays.actions)
        each = (self.actions, self.active, arrays.rewards, self.terminated, self.truncated)
        self.step_arguments = [array.ctypes.data for array in each]

    def exchange(self):
        what, flags = np.asarray(self.arrays.what), self.arrays.flags
        flags[:] = 0
        if not self.is_open:
            flags[what == STEP] = FAILED
            if not self.try_open(what):
                return
        stepped, begun = (what == STEP) & (flags != FAILED), what == RESET
        if stepped.any():
            self.active[:] = stepped
            np.clip(self.arrays.actions, self.low, self.high, out=self.actions)
            self.terminated[:] = self.truncated[:] = 0
            if self.env.step(self.env.user, *self.step_arguments) != 0:
                return self.fail("step", "step() failed", what)
            self.steps += stepped
            ended = stepped & (self.terminated != 0)
            cut = stepped & ((self.truncated != 0) | self.is_late()) & ~ended
            flags[ended], flags[cut] = TERMINATED | FIRST, TRUNCATED
            begun = begun | ended
        self.arrays.rewards[what == RESET] = 0
        flags[what == RESET] = FIRST
        for number in np.flatnonzero(begun):
            self.steps[number] = 0
            if self.env.reset(self.env.user, int(number), self.arrays.seeds[number]) != 0:
                return self.fail("reset", f"reset() of column {number} failed", what)
        if self.env.observe(self.env.user, self.leaves, self.mask) != 0:
            return self.fail("step", "observe() failed", what)

    def is_late(self):
        return self.steps >= self.env.max_steps if self.env.max_steps > 0 else False

    def try_open(self, what):
        """Opens the library again; then all its environments begin new episodes."""
        try:
            self.open()
            for number in range(self.count):
                self.steps[number] = 0
                if self.env.reset(self.env.user, number, self.arrays.seeds[number]) != 0:
                    raise WorkerError("reset", f"reset() of column {number} failed")
        except WorkerError as error:
            self.fail(error.kind, str(error), what)
        return self.is_open

    def fail(self, kind, text, what):
        """All environments of the library fail, and the next exchange opens it again."""
        self.arrays.flags[:] = FAILED
        self.host.report(int(np.argmax(what != REST)), WorkerError(kind, text), kind)
        self.close()

    def picture(self, number):
        if not self.env.draw:
            raise WorkerError("unsupported", "the library has no function draw()")
        height, width = C_INT(), C_INT()
        rgb = self.env.draw(self.env.user, number, ctypes.byref(height), ctypes.byref(width))
        sides = (height.value, width.value)
        if not rgb or not all(0 < side <= MAX_PICTURE_SIDE for side in sides):
            raise WorkerError("render", f"draw() returned a picture of {sides[0]} x {sides[1]}")
        return np.ctypeslib.as_array(rgb, (*sides, 3)).copy()

    def save(self, number):
        state = ctypes.create_string_buffer(self.env.state_bytes)
        if self.env.save_state(self.env.user, number, state) != 0:
            raise WorkerError("unsupported", f"save_state() of column {number} failed")
        return base64.b64encode(bytes(state) + int(self.steps[number]).to_bytes(8, "little")).decode()

    def load(self, number, state):
        data = base64.b64decode(state, validate=True)
        if len(data) != self.env.state_bytes + 8:
            raise WorkerError("unsupported", f"a state has {self.env.state_bytes} bytes")
        if self.env.load_state(self.env.user, number, data[:-8]) != 0:
            raise WorkerError("unsupported", f"load_state() of column {number} failed")
        self.steps[number] = int.from_bytes(data[-8:], "little")

    def state(self, number):
        raise WorkerError("unsupported", "an environment of a library has no named state")


def source(name, kwargs, count, host):
    return Library(name, kwargs, count, host)
