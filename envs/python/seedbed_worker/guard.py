# SPDX-License-Identifier: Apache-2.0
"""The processes between the host and a worker. The guard is the child of the host; it kills the worker when
the host exits, even if the worker's interpreter is blocked, and exits with the worker's status. With a PID
namespace, the guard's child is the first process in it and reaps the others; the worker is the second. The
kernel kills all of them when the first one exits. Without a namespace, the guard kills the process group."""

import os
import select
import signal
import socket
import struct

from seedbed_worker.kernel import prctl

CLOSE_SECONDS = 2  # time for a worker to exit after its host has closed the control socket
SET_DEATH_SIGNAL, SET_DUMPABLE, SET_SUBREAPER = 1, 4, 36
POLL_SECONDS = 1
NOT_STARTED = 70


class Guard:
    """Forks, so create it in a process with a single thread. lifeline: a descriptor that reports POLLHUP when
    the host exits, or None."""

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
            os._exit(NOT_STARTED)  # the guard has exited in the meantime

    def become_first(self, memory, folders=()):
        """Returns in a child. memory: limit in bytes for all processes together and the files in `folders`,
        which are in memory; None: no limit. A limit needs a /proc that shows the processes."""
        child = os.fork()
        if child:
            run(lambda: self.reap(child, memory, folders))

    def close(self):
        """Called in the worker."""
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

    def reap(self, worker, memory, folders):
        hide(worker, {self.status.fileno()})
        exited = [os.pidfd_open(worker)]
        while not select.select(exited, [], [], POLL_SECONDS)[0]:
            used = 0 if memory is None else used_memory(folders, memory)
            if memory is not None and used > memory:
                sentence = "the environment, its processes and its temporary files use"
                text = f"{sentence} {used >> 20} MiB of memory; the limit is {memory >> 20} MiB"
                os.write(2, f"{text} (--env.worker.memory_mb)\n".encode())
                self.status.send(struct.pack("i", signal.SIGKILL))
                return 0
            while reaped(worker):
                pass
        self.status.send(struct.pack("i", os.waitpid(worker, 0)[1]))
        return 0


def reaped(worker):
    """Reaps a process other than the worker. False: none has exited."""
    ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None or ended.si_pid == worker:
        return False
    os.waitpid(ended.si_pid, 0)
    return True


def used_memory(folders, limit):
    """Bytes used by all processes and by files in `folders`, without other mapped files. Below the limit,
    pages shared by several processes may be counted for each of them, since the exact sum takes longer."""
    stored = sum(used_by_files(folder) for folder in folders)
    processes = list(filter(str.isdecimal, os.listdir("/proc")))
    resident = {process: kilobytes_of(process, "status", RESIDENT) << 10 for process in processes}
    used = stored + sum(filter(None, resident.values()))
    if used <= limit:
        return used
    devices = [os.stat(folder).st_dev for folder in folders]
    return stored + sum(shares_of(process, devices, resident[process]) for process in processes)


def used_by_files(folder):
    status = os.statvfs(folder)
    return (status.f_blocks - status.f_bfree) * status.f_frsize


RESIDENT, SHARES = ("RssAnon:", "RssShmem:"), ("Pss_Anon:", "Pss_Shmem:")  # SHARES: divided among processes


def kilobytes_of(process, name, members):
    """Returns 0 if the process has exited or cannot be read."""
    try:
        with open(f"/proc/{process}/{name}", encoding="utf-8", errors="replace") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith(members))
    except OSError:
        return 0


def shares_of(process, devices, resident):
    """Bytes used, without mapped files on these devices. resident: returned if the shares are unknown."""
    kilobytes = kilobytes_of(process, "smaps_rollup", SHARES)
    if kilobytes == 0:
        return resident
    names = [f"{os.major(each):02x}:{os.minor(each):02x}" for each in devices]
    mapped, counts = 0, False
    try:
        with open(f"/proc/{process}/smaps", encoding="utf-8", errors="replace") as file:
            for words in map(str.split, file):
                if not words[0].endswith(":"):
                    counts = words[3] in names
                elif counts and words[0] == "Pss:":
                    mapped += int(words[1])
    except OSError:
        pass
    return max(kilobytes - mapped, 0) << 10


def hide(child, descriptors):
    """Prepares the parent of `child`: environments can neither inspect it nor use its descriptors."""
    prctl(SET_DUMPABLE, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, lambda number, frame: os.kill(child, number))  # the worker prints a
                                                                                 # traceback on this signal
    last = max(number for number in descriptors if number is not None)
    for number in set(range(3, last)) - descriptors:
        try:
            os.close(number)
        except OSError:
            pass
    os.closerange(last + 1, 1 << 12)


def run(body):
    """Ends this process with the wait status that body() returns."""
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
