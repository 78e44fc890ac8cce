# SPDX-License-Identifier: Apache-2.0
"""Starts a worker: python3 -u envs/python/seedbed_worker [OPTION]..."""

import argparse
import ctypes
import json
import os
import sys


def is_installed(library):
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def main():
    parser = argparse.ArgumentParser(prog="seedbed_worker", description="Hosts environments for Seedbed.")
    parser.add_argument(
        "--path",
        action="append",
        default=[],
        metavar="FOLDER",
        help="folder to import modules from (repeatable)",
    )
    parser.add_argument(
        "--scratch",
        metavar="FOLDER",
        help="restrict the worker: it can write to this folder only (see restrict.py)",
    )
    parser.add_argument(
        "--write",
        action="append",
        default=[],
        metavar="FOLDER",
        help="with --scratch: another folder that it can write to (repeatable)",
    )
    parser.add_argument(
        "--memory",
        type=int,
        metavar="BYTES",
        help="with --scratch: memory limit of the worker and its children",
    )
    parser.add_argument(
        "--network",
        default="none",
        metavar="none|loopback|game|listen:ADDRESS:PORT|relay:ADDRESS:PORT",
        help="with --scratch: the network access of the worker (default: none)",
    )
    parser.add_argument(
        "--report", action="store_true", help="with --scratch: print which restrictions are active, and exit"
    )
    options = parser.parse_args()
    # The folder of this file, first in sys.path, would hide packages with the names of the worker's modules.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != here]
    sys.path.insert(0, os.path.dirname(here))
    sys.path[1:1] = map(os.path.abspath, options.path)
    # Environments draw into memory: no windows, no sound, no welcome messages.
    for name, value in {
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "MUJOCO_GL": "egl" if is_installed("libEGL.so.1") else "disable",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "XDG_RUNTIME_DIR": "/tmp",
    }.items():
        os.environ.setdefault(name, value)
    restrictions = server = None
    if options.scratch is not None:
        from seedbed_worker import restrict

        options.scratch = os.path.abspath(options.scratch)
        options.write = [os.path.abspath(folder) for folder in options.write]
        os.chdir(options.scratch)  # packages write logs to the working folder
        options.lifeline = 3  # descriptor of the control socket
        restrictions = restrict.apply(options)
        server = options.server
    if options.report:
        print(json.dumps(restrictions))
        return
    try:
        from seedbed_worker import host
    except ImportError as error:
        remedy = "install the pack 'gymnasium', or NumPy for"
        sys.exit(f"{error}: {remedy} {sys.executable}")
    host.serve(restrictions, server)


main()
