# SPDX-License-Identifier: Apache-2.0
"""Errors as the protocol reports them: a kind, one sentence and a traceback."""

import errno
import os
import re
import traceback

MAX_TEXT = 16 * 1024  # characters of a traceback
HERE = os.path.dirname(os.path.abspath(__file__))
PLUMBING = {
    os.path.join(HERE, name + ".py")
    for name in ("single", "agents", "vector", "spaces", "masks", "results", "gym", "wrap")
}
NEEDS_UNIX_SOCKETS = re.compile(r"multiprocessing/(forkserver|managers)\.py$")


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
        sentence = ": ".join(filter(None, [type(error).__name__, first_line(error)])) + remedy(error)
        cause = error
    text = ""
    if cause is not None:
        trace = frames_of_environment(cause) or cause.__traceback__
        text = "".join(traceback.format_exception(type(cause), cause, trace))
        if len(text) > MAX_TEXT:
            text = text[: MAX_TEXT // 2] + "\n...\n" + text[-MAX_TEXT // 2 :]
    return {"kind": kind, "error": sentence[:1000], "traceback": text}


def remedy(error):
    """What the user can do about an error that the restrictions or the working folder of a worker cause."""
    trace, files = error.__traceback__, []
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    if isinstance(error, (PermissionError, EOFError)) and any(map(NEEDS_UNIX_SOCKETS.search, files)):
        return (
            "; environments cannot create the Unix sockets that multiprocessing needs for 'forkserver' and "
            "Manager(): use the start method 'fork' or 'spawn' (AsyncVectorEnv: context='fork'), "
            "pipes and queues"
        )
    if not isinstance(error, OSError):
        return ""
    if error.errno == errno.EROFS:
        return "; environments can write files only to the folder tempfile.gettempdir()"
    if isinstance(error, FileNotFoundError) and not os.path.isabs(str(error.filename or "/")):
        return f"; the working folder is {os.getcwd()}"
    if error.errno == errno.ENETUNREACH or files and files[-1].endswith("/socket.py"):
        return (
            "; environments cannot reach a network: prepare files before training, or use "
            "--env.worker.network loopback for programs that the environment starts"
        )
    return ""


def first_line(error):
    try:
        lines = str(error).strip().splitlines()
    except Exception:  # the __str__ of an exception may fail
        return ""
    return lines[0] if lines else ""
