# SPDX-License-Identifier: Apache-2.0
"""A worker for tests that restricts itself as seedbed_worker does, and refuses to open an environment: the
error lists its permissions. Takes the options of seedbed_worker."""
import argparse
import json
import os
import pathlib
import resource
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "envs" / "python"))
from seedbed_worker import restrict

parser = argparse.ArgumentParser()
parser.add_argument("--scratch")
parser.add_argument("--network")
parser.add_argument("--memory", type=int)
parser.add_argument("--write", action="append", default=[])
options = parser.parse_args()
options.lifeline = 3
leads_session = os.getsid(0) == os.getpid()
report = restrict.apply(options)
found = {
    "leads_session": leads_session,
    "data_mib": resource.getrlimit(resource.RLIMIT_DATA)[0] >> 20,
    "secret": os.environ.get("SSH_AUTH_SOCK", "none"),
    "display": os.environ.get("DISPLAY", "none"),
    "language": os.environ.get("LC_ALL", "none"),
    "network": options.network,
    "limits": sys.argv.count("--memory"),
    "missing": report["missing"],
}
control = socket.socket(fileno=3)
control.recv(65536)
control.sendall(json.dumps({"ok": False, "error": json.dumps(found)}).encode() + b"\n")
control.recv(65536)
