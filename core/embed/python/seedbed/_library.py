# SPDX-License-Identifier: Apache-2.0
"""libseedbed by ctypes: its functions, its structures, and errors as exceptions."""

from __future__ import annotations

import ctypes
import os
import pathlib

INT, LONG, UINT64, DOUBLE = ctypes.c_int, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
TEXT, ANY, SIZE = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t
OK, WRONG_THREAD, WRONG_ORDER, ENDED = 0, 10, 16, 18
VECTOR, IMAGE, CHOICES = 0, 1, 2


class Error(RuntimeError):
    """A call of libseedbed failed; `code` is one of seedbed.h."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class Observation(ctypes.Structure):
    _fields_ = [
        ("name", TEXT),
        ("kind", INT),
        ("shape", INT * 3),
        ("low", DOUBLE),
        ("high", DOUBLE),
        ("choices", INT),
        ("stack", INT),
    ]


class Action(ctypes.Structure):
    _fields_ = [("name", TEXT), ("choices", INT), ("words", INT), ("low", DOUBLE), ("high", DOUBLE)]


class Environment(ctypes.Structure):
    _fields_ = [
        ("struct_size", SIZE),
        ("name", TEXT),
        ("columns", INT),
        ("observations", ctypes.POINTER(Observation)),
        ("observation_count", INT),
        ("actions", ctypes.POINTER(Action)),
        ("action_count", INT),
        ("has_mask", INT),
        ("max_steps", INT),
        ("user", ANY),
        ("reset", ANY),
        ("step", ANY),
        ("observe", ANY),
        ("state_bytes", SIZE),
        ("save_state", ANY),
        ("load_state", ANY),
        ("draw", ANY),
    ]


class Setting(ctypes.Structure):
    _fields_ = [("key", TEXT), ("value", TEXT)]


class Options(ctypes.Structure):
    _fields_ = [
        ("struct_size", SIZE),
        ("environment", ctypes.POINTER(Environment)),
        ("built_in", TEXT),
        ("config", TEXT),
        ("settings", ctypes.POINTER(Setting)),
        ("setting_count", INT),
        ("data_folder", TEXT),
        ("name", TEXT),
        ("init_from", TEXT),
        ("resume", LONG),
        ("memory_bytes", UINT64),
        ("threads", INT),
    ]


class Outcome(ctypes.Structure):
    _fields_ = [
        ("struct_size", SIZE),
        ("observations", ctypes.POINTER(ANY)),
        ("mask", ANY),
        ("rewards", ANY),
        ("terminated", ANY),
        ("truncated", ANY),
        ("keeps_last", INT),
    ]


class Progress(ctypes.Structure):
    _fields_ = [
        ("struct_size", SIZE),
        ("run", LONG),
        ("steps", LONG),
        ("updates", LONG),
        ("episodes", LONG),
        ("mean_return", DOUBLE),
        ("is_learning", INT),
        ("goal_reached", INT),
    ]


class BatchArrays(ctypes.Structure):
    _fields_ = [
        ("struct_size", SIZE),
        ("columns", INT),
        ("observations", ctypes.POINTER(ANY)),
        ("mask", ANY),
        ("rewards", ANY),
        ("terminated", ANY),
        ("truncated", ANY),
    ]


class BatchOutput(ctypes.Structure):
    _fields_ = [
        ("struct_size", SIZE),
        ("observations", ctypes.POINTER(ANY)),
        ("mask", ANY),
        ("rewards", ANY),
        ("terminated", ANY),
        ("truncated", ANY),
    ]


def made(structure, **members):
    return structure(struct_size=ctypes.sizeof(structure), **members)


FUNCTIONS = {
    "error": (TEXT, []),
    "create": (INT, [ctypes.POINTER(Options), ctypes.POINTER(ANY)]),
    "destroy": (INT, [ANY]),
    "pump": (INT, [ANY, DOUBLE]),
    "begin": (INT, [ANY, ANY, ANY]),
    "act": (INT, [ANY, ANY, ANY]),
    "report": (INT, [ANY, ctypes.POINTER(Outcome)]),
    "set": (INT, [ANY, TEXT, TEXT]),
    "get_progress": (INT, [ANY, ctypes.POINTER(Progress)]),
    "metrics": (TEXT, [ANY]),
    "save": (INT, [ANY, TEXT]),
    "export": (INT, [ANY, TEXT, TEXT]),
    "policy_load": (ANY, [TEXT, ctypes.c_char_p, SIZE]),
    "policy_free": (None, [ANY]),
    "policy_leaves": (INT, [ANY]),
    "policy_leaf_name": (TEXT, [ANY, INT]),
    "policy_leaf_elements": (SIZE, [ANY, INT]),
    "policy_leaf_type": (INT, [ANY, INT]),
    "policy_action_words": (INT, [ANY]),
    "policy_mask_bytes": (INT, [ANY]),
    "policy_environment": (TEXT, [ANY]),
    "actor_new": (ANY, [ANY, INT]),
    "actor_free": (None, [ANY]),
    "actor_reset": (INT, [ANY, INT]),
    "actor_sample": (INT, [ANY, ctypes.c_ulonglong]),
    "actor_act": (INT, [ANY, ANY, ANY, ANY, ANY]),
    "actor_error": (TEXT, [ANY]),
    "batch_create": (INT, [TEXT, TEXT, INT, UINT64, INT, ctypes.POINTER(ANY)]),
    "batch_free": (None, [ANY]),
    "batch_description": (TEXT, [ANY]),
    "batch_get_arrays": (INT, [ANY, ctypes.POINTER(BatchArrays)]),
    "batch_reset": (INT, [ANY, ANY, ANY]),
    "batch_step_into": (INT, [ANY, ANY, ANY, ANY]),
    "batch_draw": (INT, [ANY, INT, INT, INT, ANY]),
}


class Library:
    """The functions as methods without their prefix; Error replaces error codes."""

    def __init__(self):
        chosen = os.environ.get("SEEDBED_LIBRARY")
        path = chosen or pathlib.Path(__file__).parent / "lib" / "libseedbed.so"
        try:
            loaded = ctypes.CDLL(str(path))
            functions = {name: getattr(loaded, "seedbed_" + name) for name in FUNCTIONS}
        except (OSError, AttributeError) as error:
            remedy = ("Unset SEEDBED_LIBRARY, or let it name libseedbed.so of this version" if chosen else
                      "It needs x86-64 Linux with glibc 2.36 or newer; otherwise install seedbed again")
            raise ImportError(f"libseedbed cannot be loaded: {error}. {remedy}") from error
        for name, (result, arguments) in FUNCTIONS.items():
            function = functions[name]
            function.restype, function.argtypes = result, arguments
            is_checked = result is INT and not name.startswith(("policy_", "actor_", "batch_step"))
            setattr(self, name, self.checked(function) if is_checked else function)

    def failure(self, code):
        """The exception for a code that is not OK."""
        return Error(self.error().decode(errors="replace"), code)

    def checked(self, function):
        def call(*arguments):
            code = function(*arguments)
            if code != OK:
                raise self.failure(code)

        return call


library = Library()


def pointer(array):
    """The address of a contiguous array, or None."""
    return None if array is None else array.ctypes.data


def pointers(arrays):
    return (ANY * len(arrays))(*[array.ctypes.data for array in arrays])
