# SPDX-License-Identifier: Apache-2.0
"""The host's side of the worker protocol, for tests and measurements. Not a test."""

import json
import math
import mmap
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WORKER = SOURCE / "envs" / "python" / "seedbed_worker"
ENVS = pathlib.Path(__file__).resolve().parent / "envs"
DTYPES = {"u8": np.uint8, "i32": np.int32, "f32": np.float32}
REST, STEP, RESET = 0, 1, 2
TERMINATED, TRUNCATED, FIRST, INACTIVE, FAILED, CONTINUES, CUT = 1, 2, 4, 8, 16, 32, 64


class Refused(Exception):
    """A reply with ok: false."""

    def __init__(self, reply):
        super().__init__(f"{reply.get('kind')}: {reply['error']}\n{reply.get('traceback', '')}")
        self.kind, self.error, self.traceback = reply.get("kind"), reply["error"], reply.get("traceback", "")


class Worker:
    """A worker process. Its output goes to a file, so it never blocks."""

    def __init__(self, *options, python=(sys.executable, "-u"), timeout=60):
        self.timeout = timeout
        self.output = tempfile.TemporaryFile()
        self.control, theirs = socket.socketpair()
        requests, self.request = os.pipe()
        self.answer, answers = os.pipe()
        inherited = [theirs.fileno(), requests, answers]
        # The descriptors are moved to higher numbers first, so that none of 3, 4, 5 is overwritten too early.
        high = [os.dup(fd) for fd in inherited]
        move = "; ".join(f"os.dup2({fd}, {fd + 100})" for fd in high)
        place = "; ".join(f"os.dup2({fd + 100}, {number})" for fd, number in zip(high, (3, 4, 5)))
        shut = "; ".join(f"os.close({fd + 100})" for fd in high)
        start = (
            f"import os, sys; {move}; {place}; {shut}; os.closerange(6, 90); "
            "os.execv(sys.argv[1], sys.argv[1:])"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", start, *python, str(WORKER), *options],
            pass_fds=high,
            stdin=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),  # packages write logs to the current folder
            stdout=self.output,
            stderr=self.output,
        )
        for fd in high:
            os.close(fd)
        theirs.close()
        os.close(requests)
        os.close(answers)
        self.received, self.events = b"", []
        self.control.settimeout(timeout)

    def close(self):
        self.control.close()
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            os.close(self.request)
            os.close(self.answer)
            self.output.close()

    def text(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def line(self):
        while b"\n" not in self.received:
            data, self.descriptors, _, _ = socket.recv_fds(self.control, 1 << 16, 4)
            if not data:
                raise EOFError(f"the worker has exited: {self.process.wait()}\n{self.text()}")
            self.received += data
        line, _, self.received = self.received.partition(b"\n")
        return json.loads(line)

    def ask(self, op, descriptor=None, **members):
        message = json.dumps({"op": op, **members}).encode() + b"\n"
        if descriptor is None:
            self.control.sendall(message)
        else:
            socket.send_fds(self.control, [message], [descriptor])
        while True:
            reply = self.line()
            if "event" not in reply:
                break
            self.events.append(reply)
        if not reply["ok"]:
            raise Refused(reply)
        return reply

    def open(self, env_id, count=1, **kwargs):
        reply = self.ask("open", protocol=1, id=env_id, kwargs=kwargs, count=count)
        self.spec, self.versions, self.count = reply["spec"], reply["versions"], count
        self.restrictions = reply.get("restrictions")
        self.map()
        return self.spec

    def map(self):
        spaces, self.columns = self.spec["spaces"], self.count * self.spec["agents"]
        columns = self.columns
        words = sum(1 if leaf["kind"] == "discrete" else len(leaf["low"]) for leaf in spaces["actions"])
        choices = sum(leaf["n"] for leaf in spaces["actions"] if leaf["kind"] == "discrete")
        arrays = [
            ("requested", np.uint64, [1]),
            ("answered", np.uint64, [1]),
            ("what", np.uint8, [self.count]),
            ("seeds", np.uint32, [self.count]),
            ("actions", np.float32, [columns, words]),
        ]
        arrays += [
            (number, DTYPES[leaf["dtype"]], [columns, *leaf["shape"]])
            for number, leaf in enumerate(spaces["obs"])
        ]
        if spaces["has_mask"]:
            arrays.append(("mask", np.uint8, [columns, choices]))
        arrays += [("rewards", np.float32, [columns]), ("flags", np.uint8, [columns])]
        offset, layout, places = 0, {"leaves": []}, []
        for name, dtype, shape in arrays:
            places.append((name, dtype, shape, offset))
            if isinstance(name, int):
                layout["leaves"].append(offset)
            else:
                layout[name] = offset
            offset += (math.prod(shape) * np.dtype(dtype).itemsize + 63) // 64 * 64
        layout["bytes"] = offset
        descriptor = os.memfd_create("worker", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(descriptor, offset)
        self.memory = mmap.mmap(descriptor, offset)
        self.leaves, self.mask = [], None
        for name, dtype, shape, begin in places:
            array = np.frombuffer(self.memory, dtype, math.prod(shape), begin).reshape(shape)
            if isinstance(name, int):
                self.leaves.append(array)
            else:
                setattr(self, "asked" if name == "requested" else name, array)
        self.ask("map", descriptor, layout=layout)
        os.close(descriptor)

    def picture(self, env):
        reply = self.ask("picture", env=env)
        assert reply["descriptors"] == len(self.descriptors) == 1
        with open(self.descriptors.pop(), "rb") as file:
            file.seek(0)
            return np.frombuffer(file.read(), np.uint8).reshape(reply["height"], reply["width"], 3)

    def post(self, what=STEP, actions=None, seeds=None):
        self.what[...] = what
        if actions is not None:
            self.actions[...] = np.asarray(actions, np.float32).reshape(self.actions.shape)
        if seeds is not None:
            self.seeds[...] = seeds
        self.asked[0] = self.answered[0] + np.uint64(1)
        os.write(self.request, b"\1")

    def wait(self, timeout=None):
        """Waits for the answer; False after the timeout, or when the worker exits."""
        ready, _, _ = select.select([self.answer], [], [], timeout or self.timeout)
        if not ready:
            return False
        os.read(self.answer, 64)
        assert self.asked[0] == self.answered[0]
        return True

    def exchange(self, what=STEP, actions=None, seeds=None):
        self.post(what, actions, seeds)
        poll = select.poll()
        poll.register(self.answer, select.POLLIN)
        poll.register(self.control, select.POLLHUP)
        ready = dict(poll.poll(self.timeout * 1000))
        if not ready.get(self.answer, 0) & select.POLLIN:
            if ready:
                raise EOFError(f"the worker has exited: {self.process.wait()}\n{self.text()}")
            self.process.send_signal(signal.SIGUSR1)
            raise TimeoutError("no answer")
        os.read(self.answer, 64)

    def errors(self):
        """The error events that have arrived since the last call."""
        self.control.setblocking(False)
        try:
            while True:
                data = self.control.recv(1 << 16)
                if not data:
                    break
                self.received += data
        except BlockingIOError:
            pass
        finally:
            self.control.settimeout(self.timeout)
        while b"\n" in self.received:
            self.events.append(self.line())
        errors = [event for event in self.events if event["event"] == "error"]
        self.events = [event for event in self.events if event["event"] != "error"]
        return errors
