# SPDX-License-Identifier: Apache-2.0
"""Arguments of constructors: which ones exist, their defaults, and the settings of users converted to the
types that they expect.

The host sends a setting as JSON if the text of the command line is exactly the JSON of a boolean, a number
or a list, and otherwise as a string.
"""

import collections.abc
import difflib
import enum
import inspect
import json
import numbers
import os
import pathlib
import types
import typing

from seedbed_worker.errors import WorkerError

NONE, TRUE, FALSE = ("none", "null"), ("true", "yes", "on", "1"), ("false", "no", "off", "0")
UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


class TextList(list):
    """The type of an argument that is a list of texts."""


class TextTuple(tuple):
    """The type of an argument that is a tuple of texts."""


TEXTS = {list: TextList, tuple: TextTuple}
MOST_TEXT, MOST_CHOICES = 200, 200  # letters of a default, and choices, that users see
ACCEPT_ANYTHING = (str, pathlib.Path, *TEXTS.values())
EXPECTED = {  # type -> what a user writes
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    pathlib.Path: "a path",
    list: "a list such as [1, 2]",
    tuple: "a list such as [1, 2]",
    TextList: "a list such as a,b",
    TextTuple: "a list such as a,b",
    dict: 'an object such as {"a": 1}',
    type(None): "none",
}


def signature_of(factory):
    """The arguments by name; None if they are not known, as for some functions in C."""
    try:
        return inspect.signature(factory, eval_str=True).parameters
    except Exception:  # evaluating annotations may raise anything
        pass
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return None


def arguments_of(factory):
    return signature_of(factory) or {}


def takes_all(arguments):
    return any(argument.kind is argument.VAR_KEYWORD for argument in arguments.values())


def takes(factory, name):
    found = arguments_of(factory)
    return name in found or takes_all(found)


def named(arguments):
    """The arguments that can be passed by name."""
    return {
        name: argument
        for name, argument in arguments.items()
        if argument.kind in (argument.POSITIONAL_OR_KEYWORD, argument.KEYWORD_ONLY)
    }


def known_to(creator):
    """The arguments of a constructor and of the constructors to which it passes arbitrary arguments."""
    found = arguments_of(creator)
    known = dict(named(found))
    for base in getattr(creator, "__mro__", ())[1:]:
        if not takes_all(found):
            break
        if "__init__" in vars(base):
            found = arguments_of(base.__init__)
            known = {**named(found), **known}
    return known


def parameters(creator, overrides, given=()):
    """The arguments of a constructor for users: names, types, choices and defaults. given: names of those that
    are not settings."""
    found = []
    for name, argument in known_to(creator).items():
        if name in ("self", "render_mode", "num_envs", *given):
            continue
        default = overrides.get(name, argument.default)
        kinds = kinds_of(argument.annotation, default)
        entry = {"name": name, "type": " or ".join(names_of(kinds)) or "any"}
        choices = [choice for kind in kinds if isinstance(kind, dict) for choice in kind]
        if choices:
            entry["choices"] = [*choices, *["none"] * (type(None) in kinds)][:MOST_CHOICES]
        if default is inspect.Parameter.empty:
            entry["required"] = True
        found.append({**entry, "default": None if "required" in entry else plain_default(default)})
    return found


def names_of(kinds):
    names = ["choice" if isinstance(kind, dict) else kind.__name__ for kind in kinds]
    plain_names = {"NoneType": "None", "TextList": "list", "TextTuple": "tuple", "object": "any"}
    return list(dict.fromkeys(plain_names.get(name, name) for name in names))


def plain_default(default):
    """The default in JSON; the text of what JSON does not have."""
    if isinstance(default, enum.Enum):
        return default.name
    try:
        text = json.dumps(default, allow_nan=False)
        if len(text) <= MOST_TEXT:
            return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        pass
    try:
        text = str(default)
    except Exception:  # methods of environments may raise anything
        text = type(default).__name__
    if " at 0x" in text:  # an address, which differs between processes
        text = type(default).__name__
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 3] + "..."


def fitted(settings, creator, overrides, title, others=None):
    """The settings as values that the constructor expects. overrides: registered values, which replace
    defaults. others: more arguments, by name, which are not passed to the constructor. Refuses unknown
    arguments, and values that do not fit."""
    others, own = named(others or {}), signature_of(creator)
    if own is not None and not takes_all(own):
        refuse_unknown(settings, [*named(own)], [*others], title)
    known, result = {**others, **known_to(creator)}, {}
    unknown = inspect.Parameter("unknown", inspect.Parameter.KEYWORD_ONLY)
    for name, value in settings.items():
        argument = known.get(name, unknown)
        default = overrides.get(name, argument.default)
        result[name] = fit(name, value, argument.annotation, default, title)
    return result


def refuse_unknown(settings, known, others, title):
    for name in settings:
        if name in known or name in others:
            continue
        near = difflib.get_close_matches(name, [*known, *others], 1)
        guess = f"; did you mean '{near[0]}'? It" if near else "; it"
        sentence = f"{title} has no argument '{name}'{guess} has {', '.join(known) or 'none'}"
        raise WorkerError("constructor", sentence)


def fit(name, value, annotation, default, title):
    kinds = kinds_of(annotation, default)
    if not isinstance(value, str):
        for kind in kinds:
            if type(value) is kind:
                return value
    for kind in sorted(kinds, key=lambda kind: kind in ACCEPT_ANYTHING):  # these last
        try:
            return convert(kind, value)
        except (ValueError, OverflowError):
            continue
    if not kinds or any(isinstance(kind, type) and kind not in EXPECTED for kind in kinds):
        return guess(value)
    about = " or ".join(names_of(kinds))
    if default is not inspect.Parameter.empty:
        about += f", default {default.name if isinstance(default, enum.Enum) else repr(default)}"
    expected = ["one of " + ", ".join(kind) if isinstance(kind, dict) else EXPECTED[kind] for kind in kinds]
    sentence = f"{title}: '{text_of(value)}' does not fit the argument '{name}' ({about})"
    raise WorkerError("constructor", f"{sentence}; write {' or '.join(dict.fromkeys(expected))}")


def kinds_of(annotation, default):
    """The types that an annotation and a default allow. A dict contains the choices of an Enum or a Literal.
    Empty: any type."""
    kinds = []

    def add(hint):
        if isinstance(hint, str):  # other annotations of this constructor cannot be evaluated
            try:
                hint = eval(hint, {**vars(typing), "typing": typing})
            except Exception:
                return
        origin, parts = typing.get_origin(hint), typing.get_args(hint)
        if origin in UNIONS:
            for part in parts:
                add(part)
        elif origin is typing.Annotated:
            add(parts[0])
        elif origin is typing.Literal:
            kinds.append({text_of(part): part for part in parts})
        elif isinstance(origin or hint, type):
            kind = plain(origin or hint)
            has_texts = kind in (list, tuple) and parts and all(part in (str, ...) for part in parts)
            kinds.append(TEXTS[kind] if has_texts else kind)
        elif hint is typing.Any:
            kinds.append(object)

    if annotation is not inspect.Parameter.empty:
        add(annotation)
    literal = any(isinstance(kind, dict) for kind in kinds)
    if default is not inspect.Parameter.empty and not literal and (kinds or default is not None):
        kind = plain(type(default))
        has_texts = kind in (list, tuple) and default and all(isinstance(part, str) for part in default)
        kinds.append(TEXTS[kind] if has_texts else kind)
    return list({str(kind): kind for kind in kinds}.values())


def plain(kind):
    if issubclass(kind, enum.Enum):
        return dict(kind.__members__)
    groups = {
        bool: bool,
        str: str,
        numbers.Integral: int,
        numbers.Real: float,
        os.PathLike: pathlib.Path,
        tuple: tuple,
        dict: dict,
        list: list,
    }
    if kind in (collections.abc.Sequence, collections.abc.Iterable):
        return list
    if kind in (collections.abc.Mapping, collections.abc.MutableMapping):
        return dict
    if kind.__name__ in ("bool_", "bool"):
        return bool
    return next((group for base, group in groups.items() if issubclass(kind, base)), kind)


def convert(kind, value):
    """ValueError: it does not fit. `value` is JSON or the text of the user."""
    text = value.strip() if isinstance(value, str) else text_of(value)
    if isinstance(kind, dict):
        if text in kind:
            return kind[text]
    elif kind is type(None):
        if text.lower() in NONE:
            return None
    elif kind is bool:
        if text.lower() in (*TRUE, *FALSE):
            return text.lower() in TRUE
    elif kind is int:
        return whole(text)
    elif kind is float:
        return float(text)
    elif kind is str:
        return value if isinstance(value, str) else text
    elif kind is pathlib.Path:
        return pathlib.Path(text)
    elif kind in TEXTS.values():
        return kind.__base__(texts_of(text))
    elif kind in (list, tuple, dict):
        found = json.loads(f"[{text}]" if kind is not dict and not text.startswith("[") else text)
        if isinstance(found, dict if kind is dict else list):
            return kind(found)
    raise ValueError


def texts_of(text):
    """The elements of '["a", "b"]' or 'a,b'."""
    listed = text.startswith("[")
    try:
        found = json.loads(text if listed else f"[{text}]")
    except ValueError:
        if listed:
            raise
        found = [part.strip() for part in text.split(",")]
    return [part if isinstance(part, str) else text_of(part) for part in found]


def whole(text):
    try:
        return int(text)
    except ValueError:
        number = float(text)  # such as 1e6
        if not number.is_integer():
            raise
        return int(number)


def guess(value):
    """A string that the host did not recognise as JSON, such as 1e-3, [1, 2] or None."""
    if not isinstance(value, str):
        return value
    text = {"True": "true", "False": "false", "None": "null"}.get(value.strip(), value)
    try:
        found = json.loads(text)
    except ValueError:
        return value
    if isinstance(found, str):
        return value
    # The host sends such a text only if it was in quotes.
    is_exact = json.dumps(found, separators=(",", ":")) == value
    return value if is_exact and isinstance(found, (bool, int, float, list)) else found


def text_of(value):
    return value if isinstance(value, str) else json.dumps(value, default=str)
