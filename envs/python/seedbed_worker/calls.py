# SPDX-License-Identifier: Apache-2.0
"""The filter of system calls (seccomp) of a worker. It refuses calls that environments do not need, and those
that reach processes, sockets or the terminal outside of the worker."""

import ctypes
import platform
import socket
import struct

from seedbed_worker.kernel import Unavailable, checked, prctl

ALL_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags of clone(2)
# name -> numbers on x86-64 and AArch64; None: the machine has no such call.
REFUSED_CALLS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "ioprio_set": (251, 30),
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
    "iopl": (172, None),
    "ioperm": (173, None),
    "syslog": (103, 116),
}
# Refused without read-only mounts, because Landlock does not cover them.
ATTRIBUTE_CALLS = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
SET_ATTRIBUTES = (0x40086602, 0x40046602, 0x401C5820)  # FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR
# Refused without a namespace for System V IPC and POSIX message queues.
IPC_CALLS = {
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
}
# The first argument is a process id; only 0, the caller, is allowed.
OWN_PROCESS_CALLS = {
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
# The first argument is the id of a process or a thread.
SIGNAL_CALLS = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}
PIDFD_SEND_SIGNAL = (424, 424)
GROUP_CALLS = {"setsid": (112, 157), "setpgid": (109, 154)}
CLONE, CLONE3 = (56, 220), (435, 435)
SETPRIORITY = (141, 140)
IOCTL, FCNTL = (16, 29), (72, 25)
TYPING = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX: input of the terminal
RECEIVERS = (0x8901, 0x8902)  # FIOSETOWN and SIOCSPGRP: the process that receives SIGIO
F_SETOWN, F_SETOWN_EX = 8, 15
SOCKET, SOCKETPAIR = (41, 198), (53, 199)
SEND_CALLS = {"sendto": ((44, 206), 3), "sendmsg": ((46, 211), 2), "sendmmsg": ((307, 269), 3)}  # number,
                                                                                                 # index of
                                                                                                 # the flags
MSG_FASTOPEN = 0x20000000  # connects without a check by Landlock
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # index of the numbers above, AUDIT_ARCH
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
EPERM, ENOSYS, EACCES = 1, 38, 13
ALLOW, ERROR = 0x7FFF0000, 0x00050000
ALLOWED, REFUSED = (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ERROR | EPERM)
NO_ACCESS = (RETURN, 0, 0, ERROR | EACCES)
INTERNET = (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)


def argument(number):
    """Loads the lower half of an argument that the kernel reads as int."""
    return (LOAD, 0, 0, 16 + 8 * number)


def none_of(number, values):
    """Refuses these values of an argument."""
    checks = [check for value in values for check in ((JUMP_EQUAL, 0, 1, value), REFUSED)]
    return [argument(number), *checks, ALLOWED]


def one_of(number, values, refusal):
    """Refuses all other values of an argument."""
    checks = [check for value in values for check in ((JUMP_EQUAL, 0, 1, value), ALLOWED)]
    return [argument(number), *checks, refusal]


OWN_PRIORITY = [argument(0), (JUMP_EQUAL, 1, 0, 0), REFUSED, *one_of(1, [0], REFUSED)]  # PRIO_PROCESS, 0
# A datagram socket of a socket pair could connect to any other Unix socket.
CONNECTED_PAIR = [argument(1), (AND, 0, 0, 0xF)]
CONNECTED_PAIR += one_of(1, [socket.SOCK_STREAM, socket.SOCK_SEQPACKET], NO_ACCESS)[1:]
# Other protocols (MPTCP) would bypass Landlock's rules for TCP.
TCP_SOCKET = [
    argument(0),
    (JUMP_EQUAL, 1, 0, socket.AF_INET),
    (JUMP_EQUAL, 0, 3, socket.AF_INET6),
    argument(1),
    (AND, 0, 0, 0xF),
    (JUMP_EQUAL, 1, 0, socket.SOCK_STREAM),
    NO_ACCESS,
    *one_of(2, [0, socket.IPPROTO_TCP], NO_ACCESS),
]


def later_processes(first):
    """Allows signals to the caller's own group (0), and to processes and threads started after this one."""
    return [
        argument(0),
        (JUMP_EQUAL, 2, 0, 0),
        (JUMP_AT_LEAST, 2, 0, 1 << 31),
        (JUMP_AT_LEAST, 0, 1, first),
        ALLOWED,
        REFUSED,
    ]


def filter_program(machine, options):
    """The filter's instructions. options.sockets: "all", "internet" (not those with paths), "tcp", "none";
    socket pairs are always allowed. own_group: whether all processes stay in the process group.
    signals_from: the first process that signals may be sent to, or None. read_only_mounts: whether read-only
    mounts make calls that set file attributes harmless. own_ipc: whether a namespace makes IPC harmless."""
    column, architecture = MACHINES[machine]
    sockets, signals_from = options.sockets, options.signals_from
    program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, architecture),
        REFUSED,
        (LOAD, 0, 0, NUMBER),
    ]
    if machine == "x86_64":
        program += [(JUMP_AT_LEAST, 0, 1, 0x40000000), REFUSED]  # the x32 calls

    def rule(numbers, *instructions):
        if numbers[column] is not None:
            program.extend([(JUMP_EQUAL, 0, len(instructions), numbers[column]), *instructions])

    refused = list(REFUSED_CALLS.values())
    refused += [] if options.read_only_mounts else ATTRIBUTE_CALLS.values()
    refused += [] if options.own_ipc else IPC_CALLS.values()
    refused += GROUP_CALLS.values() if options.own_group else []
    for numbers in refused:
        rule(numbers, REFUSED)
    rule(CLONE3, (RETURN, 0, 0, ERROR | ENOSYS))  # the C library falls back to clone, whose flags are visible
    rule(CLONE, argument(0), (JUMP_ANY_BIT, 0, 1, ALL_NAMESPACES), REFUSED, ALLOWED)
    for numbers in OWN_PROCESS_CALLS.values():
        rule(numbers, *one_of(0, [0], REFUSED))
    rule(SETPRIORITY, *OWN_PRIORITY)
    requests = [*TYPING, *RECEIVERS, *(() if options.read_only_mounts else SET_ATTRIBUTES)]
    rule(IOCTL, *none_of(1, requests))
    rule(FCNTL, *none_of(1, [F_SETOWN, F_SETOWN_EX]))
    if signals_from is not None:
        for numbers in SIGNAL_CALLS.values():
            rule(numbers, *later_processes(signals_from))
        rule(PIDFD_SEND_SIGNAL, REFUSED)
    if sockets != "all":
        rule(SOCKETPAIR, *CONNECTED_PAIR)
    if sockets == "none":
        rule(SOCKET, NO_ACCESS)
    if sockets == "internet":
        rule(SOCKET, *one_of(0, INTERNET, NO_ACCESS))
    if sockets == "tcp":
        rule(SOCKET, *TCP_SOCKET)
        for numbers, flags in SEND_CALLS.values():
            rule(numbers, argument(flags), (JUMP_ANY_BIT, 0, 1, MSG_FASTOPEN), REFUSED, ALLOWED)
    return [*program, ALLOWED]


def refuse(options):
    machine = platform.machine()
    if machine not in MACHINES:
        raise Unavailable(f"no filter for {machine}")
    program = filter_program(machine, options)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *instruction) for instruction in program))
    header = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    buffer = ctypes.create_string_buffer(header, len(header))
    set_seccomp, filter_mode = 22, 2
    checked(prctl(set_seccomp, filter_mode, ctypes.addressof(buffer)), "seccomp")
