# SPDX-License-Identifier: Apache-2.0
"""The file system of a worker: private folders that are removed with the worker, read-only access to all
other files, and a /proc that shows only the worker's processes."""

import os
import platform
import struct
import sys

from seedbed_worker.kernel import LIBC, Unavailable, checked

CLONE_NEWNS, CLONE_NEWIPC = 0x00020000, 0x08000000
NO_SETUID, NO_DEVICES, NO_PROGRAMS, BIND, RECURSIVE, RECEIVING = 2, 4, 8, 1 << 12, 1 << 14, 1 << 19
READ_ONLY, WHOLE_TREE = 1, 0x8000  # flags of mount_setattr
MOUNT_SETATTR = 442
SHARED_MEMORY = "/dev/shm"
SHARED_BYTES, SCRATCH_BYTES, MAX_FILES = 1 << 30, 2 << 30, 1 << 16
# Folders in /run that games can use: removable disks, drivers of NixOS, and devices.
KEPT_FOLDERS = ("/run/media", "/run/opengl-driver", "/run/current-system", "/run/udev")
SOUND = ("pulse/native", "pipewire-0")
# First Linux version in which each PID namespace has its own process limit.
OWN_PROCESS_LIMIT = (6, 14)


def mount(source, target, kind=None, flags=0, data=None):
    texts = [text if text is None else os.fsencode(text) for text in (source, target, kind)]
    data = data if data is None else data.encode()
    checked(LIBC.mount(*texts, flags, data), f"mounting {target}")


def set_read_only(folder, value, flags=0):
    attributes = struct.pack("QQQQ", *((READ_ONLY, 0) if value else (0, READ_ONLY)), 0, 0)
    result = LIBC.syscall(MOUNT_SETATTR, -1, os.fsencode(folder), flags, attributes, len(attributes))
    checked(result, f"protecting {folder}")


def make_private_folders(options):
    """The scratch folder and the shared memory are in memory: the kernel removes them with the last process.
    The scratch folder may use half of the memory limit, the shared memory a quarter."""
    hidden = [path for path in (sys.prefix, *sys.path) if path.startswith(SHARED_MEMORY)]
    if hidden:
        raise Unavailable(f"{hidden[0]} would be hidden")
    checked(LIBC.unshare(CLONE_NEWNS | CLONE_NEWIPC), "unshare")
    # The display server looks for a game's shared memory in the server's namespace, so games keep that
    # namespace.
    options.own_ipc = options.network != "game"
    mount(None, "/", None, RECURSIVE | RECEIVING)
    memory = options.memory or 2 * SCRATCH_BYTES
    if os.path.isdir(SHARED_MEMORY):
        mount_memory(SHARED_MEMORY, 0o1777, min(SHARED_BYTES, memory // 4))
        options.private.append(SHARED_MEMORY)
        os.makedirs(options.scratch, exist_ok=True)  # the folder may already exist
    mount_memory(options.scratch, 0o700, min(SCRATCH_BYTES, memory // 2))
    options.private.append(options.scratch)
    os.chdir(options.scratch)


def mount_memory(folder, mode, size):
    limits = f"mode={mode:o},size={size},nr_inodes={MAX_FILES}"
    mount("tmpfs", folder, "tmpfs", NO_SETUID | NO_DEVICES, limits)


def is_in(path, folder):
    return os.path.commonpath([os.path.abspath(path), folder]) == folder


def hide_sockets(options):
    """Hides /run and the user's runtime folder from games, except for the display, sound and devices."""
    if not options.private:
        raise Unavailable("the worker does not have its own mounts")
    runtime = os.path.realpath(os.environ.get("XDG_RUNTIME_DIR", "/run"))
    # __main__.py sets the runtime folder to /tmp if the user has none.
    folders = ["/run"] if is_in(runtime, "/run") or runtime == "/tmp" else ["/run", runtime]
    names = [os.environ.get("WAYLAND_DISPLAY", "wayland-0"), *SOUND]
    kept = [os.path.join(runtime, name) for name in names]
    kept += [*KEPT_FOLDERS, os.path.realpath(os.environ.get("XAUTHORITY", "/run/none"))]
    needed = (options.scratch, *options.write, sys.prefix, *sys.path)
    for folder in filter(os.path.isdir, folders):
        hidden = [path for path in needed if is_in(path, folder)]
        if hidden:
            raise Unavailable(f"{hidden[0]} would be hidden")
        inside = [path for path in kept if is_in(path, folder) and os.path.exists(path)]
        descriptors = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in inside]
        mount_memory(folder, 0o755, 1 << 20)
        for path, descriptor in zip(inside, descriptors):
            source = f"/proc/self/fd/{descriptor}"
            if os.path.isdir(source):
                os.makedirs(path)
            else:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            mount(source, path, None, BIND | RECURSIVE)
            os.close(descriptor)


def hide_processes(options):
    """Mounts a /proc that shows only the processes of the worker's namespace."""
    if not options.separate:
        raise Unavailable("the worker has no PID namespace")
    if not options.private:
        raise Unavailable("the worker does not have its own mounts")
    mount("proc", "/proc", "proc", NO_SETUID | NO_DEVICES | NO_PROGRAMS)
    options.sees_own_processes = True


def limit_processes_of_root(options, most):
    """Limits the number of processes of all users, if the PID namespace has its own limit."""
    version = tuple(map(int, platform.release().split(".")[:2]))
    if not options.sees_own_processes or version < OWN_PROCESS_LIMIT:
        raise Unavailable("the kernel does not limit the processes of root (Linux 6.14 can)")
    with open("/proc/sys/kernel/pid_max", "w", encoding="ascii") as file:
        file.write(str(most))


def make_read_only(options):
    """Makes everything read-only except the private folders and those of --write."""
    if not options.private:
        raise Unavailable("the worker does not have its own mounts")
    others = [folder for folder in options.write if folder not in options.private]
    for folder in others:
        mount(folder, folder, None, BIND | RECURSIVE)
    set_read_only("/", True, WHOLE_TREE)
    for folder in (*options.private, *others):
        set_read_only(folder, False)
    options.read_only_mounts = True
