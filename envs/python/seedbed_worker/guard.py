# SPDX-License-Identifier: Apache-2.0
"""The processes in front of a worker. The guard is the child of the host; it kills the worker when the host
ends, whatever the worker's interpreter does, and exits as the worker did. With a namespace of processes its
child is the first process there, which reaps the others, and the worker is the second: the kernel kills all
when the first one ends. Without it, the guard kills the process group."""

import os
import select
import signal
import socket
import struct

from seedbed_worker.kernel import prctl

CLOSE_SECONDS = 2  # for a worker whose host has closed the control socket
SET_DEATH_SIGNAL, SET_DUMPABLE, SET_SUBREAPER = 1, 4, 36
NOT_STARTED = 70


class Guard:
    """Start with a single thread. lifeline: a descriptor that reports POLLHUP when the host ends, or None."""

    def __init__(self, lifeline):
        self.status, theirs = socket.socketpair()
        child = os.fork()
        if child:
            theirs.close()
            run(lambda: self.watch(child, lifeline))
        self.status.close()
        self.status = theirs
        prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
        if select.select([self.status], [], [], 0)[0]:
            os._exit(NOT_STARTED)  # the guard has ended in the meantime

    def become_first(self):
        """Returns in a child."""
        child = os.fork()
        if child:
            run(lambda: self.reap(child))

    def close(self):
        """In the worker."""
        self.status.close()

    def watch(self, child, lifeline):
        hide(child, {self.status.fileno(), lifeline})
        prctl(SET_SUBREAPER, 1)
        exited = os.pidfd_open(child)
        poll = select.poll()
        poll.register(exited, select.POLLIN)
        if lifeline is not None:
            poll.register(lifeline, 0)  # reports POLLHUP only
        if exited not in dict(poll.poll()):
            if not select.select([exited], [], [], CLOSE_SECONDS)[0]:
                os.kill(child, signal.SIGKILL)
                if os.getpgrp() == os.getpid():
                    os.killpg(0, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        told = self.status.recv(4)
        return struct.unpack("i", told)[0] if told else status

    def reap(self, worker):
        hide(worker, {self.status.fileno()})
        while True:
            child, status = os.wait()
            if child == worker:
                self.status.send(struct.pack("i", status))
                return 0


def hide(child, descriptors):
    """Prepares a process in front of `child`: foreign code can neither inspect it nor reach the host by it."""
    prctl(SET_DUMPABLE, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, lambda number, frame: os.kill(child, number))  # prints a traceback
    last = max(number for number in descriptors if number is not None)
    for number in set(range(3, last)) - descriptors:
        try:
            os.close(number)
        except OSError:
            pass
    os.closerange(last + 1, 1 << 12)


def run(body):
    """Ends this process as the wait status says that body() returns."""
    status = NOT_STARTED << 8
    try:
        status = body()
    finally:
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
