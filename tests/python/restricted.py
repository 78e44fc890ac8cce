# SPDX-License-Identifier: Apache-2.0
"""Runs expressions in a restricted process; finds the restrictions that the kernel allows. Not a test."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PYTHON = pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"
# Runs in its own process: restricts it, then tries each expression and prints its value or its error.
PROBE = """
import argparse, ctypes, fcntl, json, mmap, os, resource, signal, socket, subprocess, sys, termios, threading
sys.path.insert(0, sys.argv[1])
from seedbed_worker import restrict
options = argparse.Namespace(**json.loads(sys.argv[2]))
call = ctypes.CDLL(None, use_errno=True).syscall
def system(number):
    call(number, 0, 0, 0, 0, 0)
    return os.strerror(ctypes.get_errno())
def loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), 5).close()
    return True
def connect(path):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
    return True
def fork(count):
    for _ in range(count):
        if os.fork() == 0:
            __import__("time").sleep(60)
    return count
def attempt(expression):
    try:
        value = eval(expression)
        return value if isinstance(value, (int, str, list)) else True
    except BaseException as error:
        return type(error).__name__
if os.isatty(0):
    fcntl.ioctl(0, termios.TIOCSCTTY)
def refuse(options):
    raise restrict.Unavailable("not here")
places = {"refuse_calls": (restrict.calls, "refuse"), "capset": (restrict.LIBC, "capset")}
for name in options.without:
    place, attribute = places.get(name, (restrict if hasattr(restrict, name) else restrict.mounts, name))
    setattr(place, attribute, refuse if name != "capset" else lambda *words: 0)
report = restrict.apply(options)
print(json.dumps([report, [attempt(expression) for expression in json.loads(sys.argv[3])]]), flush=True)
"""


# Needs neither the worker nor its kernel.py.
LANDLOCK = "import ctypes; print(ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1))"


@functools.cache
def expected_measures(user, network="none"):
    """The restrictions that this kernel allows, as system programs report."""
    # Without supplementary groups, as in probe().
    rights = {"capture_output": True, "user": user, "group": user, "extra_groups": [] if user else None}

    def can_unshare(*flags):
        return subprocess.run(["unshare", *flags, "true"], **rights).returncode == 0

    if shutil.which("unshare") is None:
        raise unittest.SkipTest("unshare (util-linux) is missing")
    landlock = int(subprocess.run([sys.executable, "-c", LANDLOCK], **rights).stdout)
    version = tuple(map(int, os.uname().release.split(".")[:2]))
    own_user = ["--user", "--map-current-user"]
    is_user = can_unshare(*own_user)
    own_user = own_user if is_user else []
    mounts, separate = can_unshare(*own_user, "--mount"), can_unshare(*own_user, "--pid", "--fork")
    hidden = mounts and can_unshare(*own_user, "--pid", "--fork", "--mount-proc")
    limited = is_user and (os.getuid() != 0 or user is not None or (hidden and version >= (6, 14)))
    # Where namespaces are missing, the filter refuses the calls, except for signals.
    measures = {
        "files": True,
        "memory": True,
        "privileges": True,
        "calls": True,
        "children": True,
        "network": ":" not in network or landlock >= 4,
        "user": is_user,
        "processes": limited,
        "private folders": mounts,
        "sockets": mounts or network != "game",
        "other processes": hidden,
        "total memory": hidden,
        "read-only": mounts or landlock >= 3,
        "signals": separate or landlock >= 6,
    }
    return {name for name, expected in measures.items() if expected}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.chmod(self.folder, 0o777)
        self.scratch = f"{self.folder}/scratch"
        os.mkdir(self.scratch)
        os.chmod(self.scratch, 0o777)
        shutil.copytree(PYTHON, f"{self.folder}/python")  # copied to a folder that other users can read

    def command(self, expressions, **options):
        """without: functions of restrict.py that fail, as on other kernels."""
        defaults = {"write": [], "memory": 8 << 30, "network": "none", "lifeline": None, "without": []}
        options = {"scratch": self.scratch, **defaults, **options}
        code = (PROBE, f"{self.folder}/python", json.dumps(options), json.dumps(expressions))
        return [sys.executable, "-I", "-c", *code]

    def probe(self, *expressions, needs=(), user=None, terminal=None, environment=(), **options):
        """The values of the expressions in a restricted process; skips the test if the kernel does not allow
        a restriction in `needs`. The report must name all restrictions that the kernel allows, unless
        `options` contains `without`."""
        command = self.command(expressions, **options)
        try:
            run = subprocess.run(
                command,
                stdin=terminal,
                capture_output=True,
                text=True,
                timeout=60,
                start_new_session=terminal is not None,
                env={**os.environ, **dict(environment)},
                user=user,
                group=user,
                extra_groups=[] if user else None,
            )
        except PermissionError as error:
            self.skipTest(f"another user cannot run {error.filename}")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.report, values = json.loads(run.stdout)
        active, missing = set(self.report["active"]), self.report["missing"]
        self.assertFalse(active & set(missing))
        self.assertTrue(all(missing.values()), missing)
        expected = expected_measures(user, options.get("network", "none"))
        if not options.get("without"):
            self.assertEqual(active, expected, missing)
        for name in needs:
            if name in missing and name not in expected:
                self.skipTest(f"{name}: {missing[name]}")
            self.assertIn(name, active, missing)
        return values
