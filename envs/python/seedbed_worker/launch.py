# SPDX-License-Identifier: Apache-2.0
"""Starts exported games as children of the worker, in its process group."""

import os
import subprocess

from seedbed_worker.errors import WorkerError

STOP_SECONDS = 2


def start(program, arguments):
    """The game shares the worker's output and stores its files in the working folder."""
    if not os.path.isfile(program):
        raise WorkerError("no_such_env", f"the file {program} does not exist")
    if not os.access(program, os.X_OK):
        raise WorkerError("no_such_env", f"{program} is not executable: chmod +x {program}")
    folder = os.getcwd()
    environment = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    try:
        return subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL, env=environment)
    except OSError as error:
        raise WorkerError("constructor", f"{program} cannot be started: {error.strerror}") from error


def stop(process):
    if process is None:
        return
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
