# SPDX-License-Identifier: Apache-2.0
"""Restricts this process and its children before packages of environments are imported: memory, open files
and processes, the network, writing outside a scratch folder, dangerous system calls, signals to others.

Each measure works on its own; apply() reports which are active and why the others are not. Needs only the
standard library. Landlock: https://docs.kernel.org/userspace-api/landlock.html.
"""

import ctypes
import fcntl
import glob
import os
import platform
import resource
import socket
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
ALL_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags of clone(2)
MAX_OPEN_FILES, MAX_PROCESSES, MAX_FILE_BYTES = 4096, 1024, 16 << 30


class Unavailable(Exception):
    """Why a measure is not active."""


def checked(result, what):
    if result < 0:
        raise Unavailable(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def prctl(option, *arguments):
    values = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return LIBC.prctl(option, *values)


# --- limits


def limit(kind, value):
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def limit_memory(options):
    limit(resource.RLIMIT_AS, options.memory)


def limit_files(options):
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)


def limit_processes(options):
    """Useful only in a user namespace: elsewhere all processes of the user are counted."""
    if not options.in_namespace:
        raise Unavailable("without a user namespace all processes of the user would be counted")
    if os.getuid() == 0:
        raise Unavailable("the kernel does not limit the processes of root")
    limit(resource.RLIMIT_NPROC, MAX_PROCESSES)


# --- namespaces


def enter_user_namespace(options):
    """The process remains the same user, and loses its capabilities outside."""
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
    """A network namespace has no devices but its own loopback."""
    checked(LIBC.unshare(CLONE_NEWNET), "unshare")
    if options.network == "loopback":
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


def drop_capabilities():
    """Drops what a new user namespace grants, also for programs that are executed later."""
    drop_bound, set_bits, no_root_locked = 24, 28, 0x3
    prctl(set_bits, no_root_locked)
    for number in range(64):
        prctl(drop_bound, number)
    header = struct.pack("Ii", 0x20080522, 0)
    LIBC.capset(header, bytes(24))


def refuse_privileges(options):
    if options.in_namespace:
        drop_capabilities()
    checked(prctl(38, 1), "prctl")


# --- Landlock

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
CHANGE_V1 = WRITE_FILE | sum(1 << bit for bit in range(4, 13))  # write, remove and make everything
REFER = 1 << 13
BIND_TCP, CONNECT_TCP = 1, 2
SCOPE_ABSTRACT_SOCKETS, SCOPE_SIGNALS = 1, 2
PATH_BENEATH, NET_PORT = 1, 2
LISTEN = "listen:"  # begins the name of an address at which the worker waits for connections


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
    """Of the kernel's interface; scopes need 6, network ports 4."""
    version = LIBC.syscall(LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        raise Unavailable(f"the kernel has no Landlock: {os.strerror(ctypes.get_errno())}")
    return version


def protect_files(options):
    """Only the scratch folder, the folders of --write and a few devices can be written."""
    version = landlock_version()
    change = CHANGE_V1 | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    rules = Ruleset(change, 0, 0)
    for folder in (options.scratch, *options.write):
        rules.allow_path(folder, change)
    devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/dri", *glob.glob("/dev/nvidia*")]
    for device in devices:
        rules.allow_path(device, WRITE_FILE | TRUNCATE)
    rules.enforce()
    os.environ.update(TMPDIR=options.scratch, XDG_CACHE_HOME=options.scratch)


def protect_processes(options):
    """Signals and abstract sockets reach only processes with the same restrictions."""
    if landlock_version() < 6:
        raise Unavailable("the kernel's Landlock cannot restrict signals (Linux 6.12 can)")
    Ruleset(0, 0, SCOPE_SIGNALS | SCOPE_ABSTRACT_SOCKETS).enforce()


def limit_ports(options):
    if landlock_version() < 4:
        raise Unavailable("the kernel's Landlock cannot restrict the network (Linux 6.7 can)")
    rules = Ruleset(0, BIND_TCP | CONNECT_TCP, 0)
    listens = options.network.startswith(LISTEN)
    rules.allow_port(BIND_TCP if listens else CONNECT_TCP, int(options.network.rpartition(":")[2]))
    rules.enforce()


# --- system calls

# name -> numbers on x86-64 and AArch64; None: the machine has no such call.
REFUSED_CALLS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "pidfd_getfd": (438, 438),
    "iopl": (172, None),
    "ioperm": (173, None),
    "syslog": (103, 116),
}
CLONE, CLONE3, SOCKET = (56, 220), (435, 435), (41, 198)
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24  # offsets in struct seccomp_data
ALLOW, ERROR = 0x7FFF0000, 0x00050000
EPERM, ENOSYS, EACCES = 1, 38, 13


def filter_program(machine, sockets):
    """The filter's instructions. sockets: "all", "unix" (no others), "tcp" (Unix and TCP)."""
    column, architecture = MACHINES[machine]
    program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, ERROR | EPERM),
        (LOAD, 0, 0, NUMBER),
    ]
    if machine == "x86_64":
        program += [(JUMP_AT_LEAST, 0, 1, 0x40000000), (RETURN, 0, 0, ERROR | EPERM)]  # the x32 calls
    for numbers in REFUSED_CALLS.values():
        if numbers[column] is not None:
            program += [(JUMP_EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, ERROR | EPERM)]
    # The C library falls back to clone, whose flags can be checked.
    program += [(JUMP_EQUAL, 0, 1, CLONE3[column]), (RETURN, 0, 0, ERROR | ENOSYS)]
    program += [
        (JUMP_EQUAL, 0, 4, CLONE[column]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_ANY_BIT, 0, 1, ALL_NAMESPACES),
        (RETURN, 0, 0, ERROR | EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    if sockets != "all":
        check = [(LOAD, 0, 0, FIRST_ARGUMENT), (JUMP_EQUAL, 0, 1, socket.AF_UNIX), (RETURN, 0, 0, ALLOW)]
        if sockets == "tcp":
            check += [
                (JUMP_EQUAL, 1, 0, socket.AF_INET),
                (JUMP_EQUAL, 0, 4, socket.AF_INET6),
                (LOAD, 0, 0, SECOND_ARGUMENT),
                (AND, 0, 0, 0xF),
                (JUMP_EQUAL, 0, 1, socket.SOCK_STREAM),
                (RETURN, 0, 0, ALLOW),
            ]
        check += [(RETURN, 0, 0, ERROR | EACCES)]
        program += [(JUMP_EQUAL, 0, len(check), SOCKET[column]), *check]
    return [*program, (RETURN, 0, 0, ALLOW)]


def refuse_calls(options):
    machine = platform.machine()
    if machine not in MACHINES:
        raise Unavailable(f"no filter for {machine}")
    program = filter_program(machine, options.sockets)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *instruction) for instruction in program))
    header = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    buffer = ctypes.create_string_buffer(header, len(header))
    set_seccomp, filter_mode = 22, 2
    checked(prctl(set_seccomp, filter_mode, ctypes.addressof(buffer)), "seccomp")


# --- all of them


def apply(options):
    """options: scratch (a folder), write (more folders), memory (bytes, or None), network ("none",
    "loopback", "ADDRESS:PORT" or "listen:ADDRESS:PORT").
    Returns {"active": [name], "missing": {name: reason}}."""
    options.in_namespace, options.sockets = False, "all"
    report = {"active": [], "missing": {}}

    def attempt(name, measure):
        try:
            measure(options)
            report["active"].append(name)
        except (Unavailable, OSError, ValueError) as error:
            report["missing"][name] = str(error)
        return name in report["active"]

    address = options.network not in ("none", "loopback")
    if options.memory is not None:
        attempt("memory", limit_memory)
    attempt("files", limit_files)
    attempt("user", enter_user_namespace)
    if not address and not attempt("network", leave_network) and options.network == "none":
        options.sockets = "unix"  # the second best: no sockets of the network
    attempt("processes", limit_processes)
    attempt("privileges", refuse_privileges)
    if address:
        attempt("network", limit_ports)
        options.sockets = "tcp"
    attempt("read-only", protect_files)
    attempt("signals", protect_processes)
    if attempt("calls", refuse_calls) and options.sockets == "unix":
        report["active"].append("network")
        report["missing"].pop("network")
    return report
