# SPDX-License-Identifier: Apache-2.0
"""The worker's side of the protocol: control socket, shared memory and the exchange loop."""

import faulthandler
import gc
import json
import mmap
import os
import select
import signal
import socket
import sys
import threading
import time

import numpy as np

from seedbed_worker import ids
from seedbed_worker.errors import WorkerError, describe
from seedbed_worker.spaces import found

CONTROL, REQUESTED, ANSWERED = 3, 4, 5  # descriptors
PROTOCOL = 1
CLOSE_SECONDS = 2
MAX_LINE = 1 << 20
DTYPES = {"u8": np.uint8, "i32": np.int32, "f32": np.float32}


class Arrays:
    """The arrays of the shared memory: NumPy views, and byte views for access to single elements."""

    def __init__(self, mapping, layout, spec, count):
        spaces = spec["spaces"]
        self.count, self.agents = count, spec["agents"]
        self.columns = columns = count * self.agents
        words = sum(1 if leaf["kind"] == "discrete" else len(leaf["low"]) for leaf in spaces["actions"])
        choices = sum(leaf["n"] for leaf in spaces["actions"] if leaf["kind"] == "discrete")

        def array(offset, dtype, *shape):
            size = int(np.prod(shape))
            return np.frombuffer(mapping, dtype, size, offset).reshape(shape)

        self.requested = memoryview(array(layout["requested"], np.uint64, 1))
        self.answered = memoryview(array(layout["answered"], np.uint64, 1))
        self.what = memoryview(array(layout["what"], np.uint8, count))
        self.seeds = memoryview(array(layout["seeds"], np.uint32, count))
        self.actions = array(layout["actions"], np.float32, columns, words)
        self.leaves = [
            array(offset, DTYPES[leaf["dtype"]], columns, *leaf["shape"])
            for offset, leaf in zip(layout["leaves"], spaces["obs"], strict=True)
        ]
        self.mask = array(layout["mask"], np.uint8, columns, choices) if spaces["has_mask"] else None
        self.rewards = array(layout["rewards"], np.float32, columns)
        self.flags = array(layout["flags"], np.uint8, columns)


class Host:
    def __init__(self, restrictions, server):
        self.restrictions = restrictions
        self.server = server  # the server that games connect to, or None
        self.control = socket.socket(fileno=CONTROL)
        self.control.setblocking(True)
        self.received = b""
        self.descriptors = []  # descriptors received with the control messages
        self.source = None
        self.arrays = None
        self.spec = None
        self.count = 0
        self.wrap = None  # the wrappers that the host requests
        self.time_limit = None  # decisions after which the host ends episodes, 0: never; None: not set
        self.first = 0  # number of the first environment among those of all processes
        self.has_warned_of_mask = False
        self.cores = 1  # cores of the machine per process

    def send(self, message, descriptor=None):
        if descriptor is not None:
            message["descriptors"] = 1
        line = json.dumps(message, allow_nan=False).encode() + b"\n"
        if len(line) > MAX_LINE:
            text = f"the reply has {len(line)} bytes; at most {MAX_LINE}"
            line = json.dumps({"ok": False, "kind": "protocol", "error": text}).encode() + b"\n"
        if descriptor is None:
            self.control.sendall(line)
        else:
            socket.send_fds(self.control, [line], [descriptor])
            os.close(descriptor)

    def note(self, text):
        self.send({"event": "note", "text": text[:1000]})

    def warn_of_mask(self):
        """Warns once that a mask forbade everything."""
        if not self.has_warned_of_mask:
            self.has_warned_of_mask = True
            sentence = "an action mask allows no choice, so the first one counts as allowed"
            self.note(f"{sentence}; allow at least one choice in each part, or end the episode")

    def report(self, env, error, kind):
        """Sends an error event about one environment."""
        self.send({"event": "error", "env": env, **describe(error, kind)})

    def run(self):
        events = select.epoll()
        events.register(CONTROL, select.EPOLLIN)
        events.register(REQUESTED, select.EPOLLIN)
        wait, read, answer = events.poll, os.read, os.write
        while True:
            for descriptor, _ in wait():
                if descriptor == CONTROL:
                    if not self.read():
                        return
                elif not read(REQUESTED, 64):
                    return
                elif self.arrays is not None:
                    request = self.arrays.requested[0]
                    if request != self.arrays.answered[0]:
                        self.source.exchange()
                        self.arrays.answered[0] = request
                        answer(ANSWERED, b"\1")

    def read(self):
        """Answers the control messages that have arrived. False: the host has closed the socket."""
        data, descriptors, _, _ = socket.recv_fds(self.control, 1 << 16, 4)
        self.descriptors += descriptors
        if not data:
            return False
        self.received += data
        while b"\n" in self.received:
            line, _, self.received = self.received.partition(b"\n")
            reply = self.reply(line)
            self.send(reply, reply.pop("descriptor", None))
        if len(self.received) > MAX_LINE:
            raise SystemExit("a control message exceeds 1 MiB")
        return True

    def reply(self, line):
        try:
            request = json.loads(line)
            operation = OPERATIONS.get(request.get("op"))
            if operation is None:
                raise WorkerError("protocol", f"unknown operation {request.get('op')!r}")
            return {"ok": True, **(operation(self, request) or {})}
        except BaseException as error:  # environments may raise anything, SystemExit included
            return {"ok": False, **describe(error, "protocol")}

    def open(self, request):
        if request["protocol"] != PROTOCOL:
            raise WorkerError("protocol", f"this worker has protocol {PROTOCOL}, not {request['protocol']}")
        self.count, self.wrap = request["count"], request.get("wrap")
        self.time_limit = request.get("time_limit")
        self.has_warned_of_mask = False
        self.first = request.get("first", 0)
        self.cores = max(1, len(os.sched_getaffinity(0)) // request.get("processes", 1))
        self.source = ids.source(request["id"], request["kwargs"], self.count, self)
        self.spec = self.source.spec
        gc.collect()
        gc.freeze()  # later collections skip the objects that exist now
        reply = {"spec": self.spec, "versions": ids.versions(self.source.packages)}
        if self.restrictions is not None:
            reply["restrictions"] = self.restrictions
        return reply

    def map(self, request):
        if self.source is None or not self.descriptors:
            raise WorkerError("protocol", "map needs an open environment and a descriptor")
        descriptor = self.descriptors.pop()
        layout = request["layout"]
        mapping = mmap.mmap(descriptor, layout["bytes"])
        os.close(descriptor)
        # A child process of an environment must not write here, even if it returns to the exchange loop.
        mapping.madvise(mmap.MADV_DONTFORK)
        self.arrays = Arrays(mapping, layout, self.spec, self.count)
        self.source.attach(self.arrays)

    def picture(self, request):
        reason = getattr(getattr(self.source, "recipe", None), "no_pictures", "")
        if reason:
            raise WorkerError("render", reason)
        try:
            picture = self.call("render", self.source.picture, self.env(request))
        except WorkerError as error:
            # Set in __main__.py if EGL is missing.
            if "mujoco" in sys.modules and os.environ.get("MUJOCO_GL") == "disable":
                sentence = "pictures of MuJoCo need EGL (Debian: apt install libegl1 libgl1-mesa-dri)"
                raise WorkerError("render", sentence) from error
            raise
        if isinstance(picture, list) and picture:
            picture = picture[-1]  # of the mode rgb_array_list
        if (
            not isinstance(picture, np.ndarray)
            or picture.ndim != 3
            or picture.shape[2] != 3
            or picture.dtype != np.uint8
            or picture.size == 0
        ):
            remedy = "return an array of np.uint8 with the shape [height, width, 3]"
            raise WorkerError("render", f"render returned {found(picture)}; {remedy}")
        descriptor = os.memfd_create("picture", os.MFD_CLOEXEC)
        with open(descriptor, "wb", closefd=False) as file:
            file.write(np.ascontiguousarray(picture))
        return {"height": picture.shape[0], "width": picture.shape[1], "descriptor": descriptor}

    def save(self, request):
        return {"state": self.call("unsupported", self.source.save, self.env(request))}

    def load(self, request):
        self.call("unsupported", self.source.load, self.env(request), request["state"])

    def state(self, request):
        return {"state": self.call("unsupported", self.source.state, self.env(request))}

    def env(self, request):
        if self.source is None or not 0 <= request["env"] < self.count:
            raise WorkerError("protocol", f"there is no environment {request['env']}")
        return request["env"]

    @staticmethod
    def call(kind, function, *arguments):
        try:
            return function(*arguments)
        except WorkerError:
            raise
        except BaseException as error:
            raise WorkerError(kind, describe(error, kind)["error"]) from error


OPERATIONS = {
    "open": Host.open,
    "map": Host.map,
    "picture": Host.picture,
    "save": Host.save,
    "load": Host.load,
    "state": Host.state,
}


def exit_with_host():
    """Exits when the host has closed the control socket, even while an environment hangs. Then the processes
    that environments have started are killed as well, if the worker leads its process group."""
    poll = select.poll()
    poll.register(CONTROL, 0)  # reports POLLHUP only
    poll.poll()
    time.sleep(CLOSE_SECONDS)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def serve(restrictions=None, server=None):
    for descriptor in (CONTROL, REQUESTED, ANSWERED):
        os.set_inheritable(descriptor, False)
    # Processes that an environment forks do not keep the descriptors of the protocol open.
    os.register_at_fork(after_in_child=lambda: [os.close(fd) for fd in (CONTROL, REQUESTED, ANSWERED)])
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the host handles interrupts from the terminal
    threading.Thread(target=exit_with_host, daemon=True).start()
    host = Host(restrictions, server)
    host.run()
    if host.source is not None:
        host.source.close()
    sys.stdout.flush()
    os._exit(0)  # threads of environments must not delay the exit
