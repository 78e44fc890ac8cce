# SPDX-License-Identifier: Apache-2.0
"""Errors as the protocol reports them: a kind, one sentence and a traceback."""

import os
import traceback

MAX_TEXT = 16 * 1024  # characters of a traceback
HERE = os.path.dirname(os.path.abspath(__file__))
PLUMBING = {
    os.path.join(HERE, name + ".py") for name in ("single", "agents", "vector", "spaces", "gym", "wrap")
}


class WorkerError(Exception):
    """A failure with its kind (see the protocol) and a sentence with cause and remedy."""

    def __init__(self, kind, sentence):
        super().__init__(sentence)
        self.kind = kind


def frames_of_environment(error):
    """The traceback of `error` from the first frame of the environment; None if it has none."""
    trace = error.__traceback__
    while trace is not None and os.path.abspath(trace.tb_frame.f_code.co_filename) in PLUMBING:
        trace = trace.tb_next
    return trace


def describe(error, kind):
    """The members kind, error and traceback of a message about the exception `error`."""
    if isinstance(error, WorkerError):
        kind, sentence = error.kind, str(error)
        cause = error.__cause__
    else:
        sentence = ": ".join(filter(None, [type(error).__name__, first_line(error)]))
        cause = error
    text = ""
    if cause is not None:
        trace = frames_of_environment(cause) or cause.__traceback__
        text = "".join(traceback.format_exception(type(cause), cause, trace))
        if len(text) > MAX_TEXT:
            text = text[: MAX_TEXT // 2] + "\n...\n" + text[-MAX_TEXT // 2 :]
    return {"kind": kind, "error": sentence[:1000], "traceback": text}


def first_line(error):
    try:
        lines = str(error).strip().splitlines()
    except Exception:  # the __str__ of an exception may fail
        return ""
    return lines[0] if lines else ""
