# SPDX-License-Identifier: Apache-2.0
"""Restricts this process and its children before packages of environments are imported: memory, open files
and processes, the network, writing outside a scratch folder, dangerous system calls, and signals to other
processes.

Each restriction works independently of the others; apply() reports which are active and why the others are
not. Needs only the standard library. Landlock: https://docs.kernel.org/userspace-api/landlock.html.
"""

import ctypes
import fcntl
import glob
import os
import resource
import socket
import struct

from seedbed_worker import calls, listening, mounts
from seedbed_worker.guard import Guard
from seedbed_worker.kernel import LIBC, Unavailable, checked, prctl

CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MAX_OPEN_FILES, MAX_PROCESSES, MAX_FILE_BYTES = 4096, 1024, 16 << 30


# --- limits


def limit(kind, value):
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def limit_memory(options):
    """Limits the private pages of each process, written or not."""
    if options.memory is None:
        raise Unavailable("no limit was requested")
    limit(resource.RLIMIT_DATA, options.memory)


def limit_total_memory(options):
    """The guard adds up the memory of all processes and the private folders."""
    if options.memory is None:
        raise Unavailable("no limit was requested")
    if not options.sees_own_processes:
        raise Unavailable("the worker does not have its own /proc")
    options.total_memory = options.memory


def limit_files(options):
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)


def limit_processes(options):
    """Limits the number of processes of a user. Needs a user namespace; otherwise all processes of the user
    count."""
    if os.getuid() == 0 and options.in_namespace:
        mounts.limit_processes_of_root(options, MAX_PROCESSES)
        return
    if not options.in_namespace:
        raise Unavailable("without a user namespace all processes of the user would be counted")
    limit(resource.RLIMIT_NPROC, MAX_PROCESSES)


# --- namespaces


def enter_user_namespace(options):
    """The process keeps its user, and loses its capabilities outside the namespace."""
    uid, gid = os.getuid(), os.getgid()
    checked(LIBC.unshare(CLONE_NEWUSER), "unshare")
    options.in_namespace = True
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        try:
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
        except OSError as error:
            raise Unavailable(f"/proc/self/{name}: {error.strerror}") from None


def leave_network(options):
    """A network namespace has no devices except its own loopback."""
    checked(LIBC.unshare(CLONE_NEWNET), "unshare")
    if options.network != "none":
        raise_loopback()


def raise_loopback():
    get_flags, set_flags, up = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        try:
            request = fcntl.ioctl(device, get_flags, struct.pack("16sH14s", b"lo", 0, b""))
            flags = struct.unpack("16sH14s", request)[1] | up
            fcntl.ioctl(device, set_flags, struct.pack("16sH14s", b"lo", flags, b""))
        except OSError as error:
            raise Unavailable(f"starting the loopback device: {error.strerror}") from None


def separate_children(options):
    """The kernel kills the processes of a PID namespace when the first of them exits."""
    checked(LIBC.unshare(CLONE_NEWPID), "unshare")


def refuse_privileges(_):
    """Drops all capabilities, including those of programs that are executed later."""
    drop_bound, set_bits, no_root_locked = 24, 28, 0x3
    prctl(set_bits, no_root_locked)
    for number in range(64):
        prctl(drop_bound, number)
    header, words = struct.pack("Ii", 0x20080522, 0), ctypes.create_string_buffer(24)
    LIBC.capset(header, bytes(24))
    checked(prctl(38, 1), "prctl")
    checked(LIBC.capget(header, words), "capget")
    if any(words.raw):
        raise Unavailable("the process still has capabilities")


# --- Landlock

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
CHANGE_V1 = WRITE_FILE | sum(1 << bit for bit in range(4, 13))  # write to, remove and create any kind of file
REFER = 1 << 13
BIND_TCP, CONNECT_TCP = 1, 2
SCOPE_ABSTRACT_SOCKETS, SCOPE_SIGNALS = 1, 2
PATH_BENEATH, NET_PORT = 1, 2


class Ruleset:
    def __init__(self, change, network, scoped):
        attributes = struct.pack("QQQ", change, network, scoped)
        self.change = change
        self.descriptor = checked(LIBC.syscall(LANDLOCK_CREATE, attributes, len(attributes), 0), "Landlock")

    def allow_path(self, path, access):
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        rule = struct.pack("=Qi", access & self.change, descriptor)
        LIBC.syscall(LANDLOCK_ADD, self.descriptor, PATH_BENEATH, rule, 0)
        os.close(descriptor)

    def allow_port(self, access, port):
        rule = struct.pack("QQ", access, port)
        checked(LIBC.syscall(LANDLOCK_ADD, self.descriptor, NET_PORT, rule, 0), "Landlock")

    def enforce(self):
        result = LIBC.syscall(LANDLOCK_RESTRICT, self.descriptor, 0)
        os.close(self.descriptor)
        checked(result, "Landlock")


def landlock_version():
    """Version of the kernel's Landlock interface; scopes need 6, network ports 4."""
    version = LIBC.syscall(LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        raise Unavailable(f"the kernel has no Landlock: {os.strerror(ctypes.get_errno())}")
    return version


def protect_files(options):
    """Makes only the scratch folder, the folders of --write and a few devices writable."""
    version = landlock_version()
    change = CHANGE_V1 | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    rules = Ruleset(change, 0, 0)
    for folder in (options.scratch, *options.write, *options.private):
        rules.allow_path(folder, change)
    devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/dri", *glob.glob("/dev/nvidia*")]
    for device in devices:
        rules.allow_path(device, WRITE_FILE | TRUNCATE)
    rules.enforce()
    if version < 3:
        raise Unavailable("the kernel's Landlock cannot refuse to truncate files (Linux 6.2 can)")


def protect_processes(options):
    """Signals and abstract sockets reach only processes with the same restrictions."""
    if landlock_version() < 6:
        raise Unavailable("the kernel's Landlock cannot restrict signals (Linux 6.12 can)")
    Ruleset(0, 0, SCOPE_SIGNALS | SCOPE_ABSTRACT_SOCKETS).enforce()


def limit_ports(options):
    """One port at any address; the kernel has no rules for addresses."""
    if landlock_version() < 4:
        raise Unavailable("the kernel's Landlock cannot restrict the network (Linux 6.7 can)")
    rules = Ruleset(0, BIND_TCP | CONNECT_TCP, 0)
    rules.allow_port(BIND_TCP, options.server.port)
    rules.enforce()


# --- all restrictions


def apply(options):
    """options: scratch (a folder), write (more folders), memory (bytes, or None), network ("none",
    "loopback", "game" for the loopback device and the display, "listen:ADDRESS:PORT", or "relay:ADDRESS:PORT"
    if the connections are for a library that creates its own sockets), lifeline (see Guard). Sets
    options.server: the listening.Server of the address, or None. Returns in a child of this process
    {"active": [name], "missing": {name: reason}}, in which each restriction is either active or missing."""
    options.in_namespace, options.own_ipc, options.read_only_mounts = False, False, False
    options.sees_own_processes, options.total_memory, options.private = False, None, []
    active, missing = [], {}
    os.environ.update(TMPDIR=options.scratch, XDG_CACHE_HOME=options.scratch)

    def attempt(name, measure):
        try:
            measure(options)
            active.append(name)
            missing.pop(name, None)
        except (Unavailable, OSError, ValueError) as error:
            if name not in active:
                missing[name] = str(error)
        return name in active

    def replace(name, is_replaced):
        """Reports the restriction `name` as active if another one has the same effect."""
        if is_replaced and missing.pop(name, None):
            active.append(name)

    kind, _, address = options.network.partition(":")
    host, _, port = address.rpartition(":")
    options.server = listening.Server(host.strip("[]"), int(port)).prepare() if address else None
    attempt("files", limit_files)
    attempt("user", enter_user_namespace)
    isolated = attempt("network", leave_network)
    options.separate = attempt("children", separate_children)
    guard = Guard(options.lifeline)
    attempt("private folders", mounts.make_private_folders)
    if options.network == "game":
        attempt("sockets", mounts.hide_sockets)
    attempt("other processes", mounts.hide_processes)
    attempt("processes", limit_processes)
    attempt("read-only", mounts.make_read_only)
    attempt("total memory", limit_total_memory)
    if options.separate:
        guard.become_first(options.total_memory, options.private)
    guard.close()
    attempt("memory", limit_memory)
    attempt("privileges", refuse_privileges)
    options.sockets = choose_sockets(kind, isolated)
    if kind == "relay" and not isolated:
        attempt("network", limit_ports)
        options.server = options.server.release()
    attempt("read-only", protect_files)
    attempt("signals", protect_processes)
    replace("signals", options.separate)
    options.own_group = not options.separate
    options.signals_from = os.getpid() if "signals" in missing else None
    filtered = attempt("calls", calls.refuse)
    replace("network", filtered and options.sockets == "none")
    replace("children", filtered)
    if "sockets" not in active:
        missing.setdefault("sockets", "sockets with a path are not refused")
    replace("sockets", filtered and options.sockets != "all")
    if not filtered and not options.read_only_mounts and "read-only" in active:
        active.remove("read-only")
        missing["read-only"] = "modes, owners and times of files can be changed"
    return {"active": list(dict.fromkeys(active)), "missing": missing}


def choose_sockets(kind, isolated):
    """The sockets that calls.py allows. A game without a network namespace can connect to other programs."""
    if kind == "game" and isolated:
        return "all"
    if isolated:
        return "internet"
    return "tcp" if kind in ("game", "relay") else "none"
