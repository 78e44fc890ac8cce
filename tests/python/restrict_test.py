# SPDX-License-Identifier: Apache-2.0
"""The restrictions of a worker: each refuses its operations, or its absence is reported with a reason."""

import os
import pathlib
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from restricted import Case, expected_measures

NOBODY = 65534
WATCHED_S = 2.5  # the memory is measured every second


class Restrictions(Case):
    def test_only_the_scratch_folder_can_be_written(self):
        more = f"{self.folder}/more"
        os.mkdir(more)
        pathlib.Path(self.folder, "file").write_text("kept")
        values = self.probe(
            f"open('{self.scratch}/a', 'w').write('x')",
            f"open('{more}/a', 'w').write('x')",
            "open('/dev/null', 'w').write('x')",
            f"open('{self.folder}/new', 'w')",
            f"os.mkdir('{self.folder}/new')",
            f"open('{self.folder}/file', 'r+')",
            f"os.unlink('{self.folder}/file')",
            f"os.truncate('{self.folder}/file', 0)",
            f"os.rename('{self.scratch}/a', '{self.folder}/b')",
            f"open('{self.folder}/file').read()",
            f"subprocess.run(['touch', '{self.folder}/new'], stderr=-3).returncode",
            "os.environ['TMPDIR']",
            needs=["read-only"],
            write=[more],
        )
        self.assertEqual(values[:3] + values[9:], [1, 1, 1, "kept", 1, self.scratch])
        self.assertLessEqual(set(values[3:9]), {"PermissionError", "OSError"})
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "more", "python", "scratch"])

    def test_no_network(self):
        values = self.probe(
            "socket.create_connection(('192.0.2.1', 80), 5)",
            "loopback()",
            "len(socket.socketpair())",
            needs=["network"],
        )
        self.assertEqual(values, ["OSError", "OSError", 2])

    def test_unix_sockets_are_refused(self):
        """Network namespaces do not isolate sockets with a path: the session bus, the control of a run."""
        path = f"{self.folder}/socket"
        with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
            server.bind(path)
            server.listen()
            log.bind(f"{path}.log")
            for network in ("none", "loopback", "listen:127.0.0.1:0"):
                values = self.probe(
                    f"socket.socket(socket.AF_UNIX).connect('{path}')",
                    f"socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b'x', '{path}.log')",
                    f"socket.socketpair()[0].connect('{path}')",
                    "len(socket.socketpair())",
                    needs=["calls"],
                    network=network,
                )
                self.assertEqual(values, ["PermissionError", "PermissionError", "OSError", 2], network)

    def test_a_loopback_of_its_own(self):
        values = self.probe(
            "socket.create_connection(('192.0.2.1', 80), 5)",
            "loopback()",
            needs=["network"],
            network="loopback",
        )
        self.assertEqual(values, ["OSError", True])

    def test_games_connect_at_one_address_and_nothing_else_is_reachable(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        with socket.create_server(("127.0.0.1", 0)) as other:
            for without in ([], ["enter_user_namespace", "leave_network"]):
                results = []
                game = threading.Thread(target=self.play, args=(port, results))
                game.start()
                values = self.probe(
                    f"globals().setdefault('kept', socket.create_server(('0.0.0.0', {port})))",
                    "options.server.open(20).accept()[0].recv(9).decode()",
                    "options.server.close()",
                    "options.server.open(20).fileno() > 0",
                    f"socket.create_connection({other.getsockname()!r}, 5)",
                    needs=["calls"] if without else ["network", "calls"],
                    network=f"listen:127.0.0.1:{port}",
                    without=without,
                )
                game.join()
                self.assertEqual(results, [ConnectionRefusedError])
                own = "PermissionError" if without else True  # the process is in its own network
                refused = "PermissionError" if without else "ConnectionRefusedError"
                self.assertEqual(values, [own, "hello", True, True, refused])
                self.assertIn("network", self.report["active"])

    @staticmethod
    def play(port, results):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                game = socket.create_connection(("127.0.0.1", port))
            except OSError:
                time.sleep(0.01)
                continue
            with game:
                try:
                    socket.create_connection(("127.0.0.2", port), 5).close()
                except OSError as error:
                    results.append(type(error))
                game.sendall(b"hello")
            return

    def test_connections_are_relayed_into_a_network_of_its_own(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        game = threading.Thread(target=self.play, args=(port, []))
        game.start()
        values = self.probe(
            f"restrict.listening.relay(options.server, {port}, 20)",
            f"socket.create_server(('0.0.0.0', {port})).accept()[0].recv(9).decode()",
            needs=["network"],
            network=f"relay:127.0.0.1:{port}",
        )
        game.join()
        self.assertEqual(values, [True, "hello"])

    def test_without_a_network_of_its_own_a_relay_has_one_port(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            other = server.getsockname()[1]
            with socket.create_server(("127.0.0.1", 0)) as probe:
                port = probe.getsockname()[1]
            values = self.probe(
                f"socket.create_server(('127.0.0.1', {port})).listen()",
                f"socket.create_server(('127.0.0.1', {port + 1}))",
                f"socket.create_connection(('127.0.0.1', {other}), 5)",
                "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
                "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
                "len(socket.socketpair())",
                needs=["network", "calls"],
                network=f"relay:127.0.0.1:{port}",
                without=["leave_network"],
            )
        self.assertEqual(values, [True, *["PermissionError"] * 4, 2])

    def test_other_kinds_of_tcp_have_the_same_rules(self):
        mptcp, fast_open = 262, 0x20000000
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            values = self.probe(
                f"socket.socket(socket.AF_INET, socket.SOCK_STREAM, {mptcp}).connect(('127.0.0.1', {port}))",
                f"socket.socket().sendto(b'x', {fast_open}, ('127.0.0.1', {port}))",
                f"socket.socket().sendmsg([b'x'], (), {fast_open}, ('127.0.0.1', {port}))",
                needs=["calls"],
                network="relay:127.0.0.1:0",
                without=["leave_network"],
            )
        self.assertEqual(values, ["PermissionError"] * 3)

    def test_other_processes_get_no_signals(self):
        values = self.probe(
            "os.kill(os.getppid(), 0)",
            "os.kill(os.getpid(), 0)",
            "[(child.kill(), child.wait()) for child in [subprocess.Popen(['sleep', '9'])]]",
            needs=["signals"],
        )
        self.assertEqual(values, ["PermissionError", True, [[None, -9]]])

    def test_other_processes_cannot_be_limited(self):
        limits, cores = resource.getrlimit(resource.RLIMIT_NOFILE), os.sched_getaffinity(0)
        parent = os.getpid()
        values = self.probe(
            f"resource.prlimit({parent}, resource.RLIMIT_NOFILE, (333, 333))",
            f"resource.prlimit({parent}, resource.RLIMIT_NOFILE)",
            f"os.sched_setaffinity({parent}, {{0}})",
            f"os.sched_setscheduler({parent}, os.SCHED_BATCH, os.sched_param(0))",
            f"os.setpriority(os.PRIO_PROCESS, {parent}, 19)",
            "os.setpriority(os.PRIO_USER, 0, 19)",
            "len(resource.getrlimit(resource.RLIMIT_NOFILE))",
            "os.sched_setaffinity(0, os.sched_getaffinity(0))",
            "os.nice(1)",
            needs=["calls"],
        )
        self.assertEqual(values[:-1], [*["PermissionError"] * 6, 2, True])
        self.assertIsInstance(values[-1], int)
        self.assertEqual(limits, resource.getrlimit(resource.RLIMIT_NOFILE))
        self.assertEqual(cores, os.sched_getaffinity(0))

    def test_nothing_can_be_typed_into_the_terminal(self):
        with open("/proc/sys/dev/tty/legacy_tiocsti", encoding="ascii") as file:
            if file.read().strip() == "0":
                self.skipTest("the kernel refuses it to all processes")
        master, slave = os.openpty()
        try:
            values = self.probe(
                "fcntl.ioctl(0, termios.TIOCSTI, b'x')",
                "fcntl.ioctl(0, (1 << 32) | termios.TIOCSTI, b'x')",
                "len(fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))) == 8",
                needs=["calls"],
                terminal=slave,
            )
        finally:
            os.close(master)
            os.close(slave)
        self.assertEqual(values[0], "PermissionError")
        self.assertIn(values[1], ["PermissionError", "OverflowError"])
        self.assertEqual(values[2], True)

    def test_dangerous_calls_are_refused(self):
        numbers = {
            "x86_64": [101, 310, 311, 321, 298, 323, 250, 425, 272, 165, 308, 246],
            "aarch64": [117, 270, 271, 280, 241, 282, 219, 425, 97, 40, 268, 104],
        }[os.uname().machine]
        values = self.probe(
            *[f"system({number})" for number in numbers],
            "threading.Thread(target=int).start()",
            "subprocess.run(['true']).returncode",
            "os.waitpid(os.fork() or os._exit(0), 0)[1]",
            "subprocess.run(['unshare', '-U', 'true'], stderr=-3).returncode",
            needs=["calls"],
        )
        self.assertEqual(values, ["Operation not permitted"] * len(numbers) + [True, 0, 0, 1])

    def test_limits(self):
        values = self.probe(
            "resource.getrlimit(resource.RLIMIT_CORE)[1]",
            "len(bytearray(1 << 31))",
            "max(os.dup(0) for _ in range(5000))",
            memory=1 << 30,
            needs=["memory", "files"],
        )
        self.assertEqual(values, [0, "MemoryError", "OSError"])

    def test_the_memory_of_all_processes_is_limited(self):
        """Each single process uses less than the limit."""
        code = "x = bytearray(300 << 20); import time; time.sleep(60)"
        start = f"[subprocess.Popen([sys.executable, '-c', '{code}']) for _ in range(5)]"
        self.probe(needs=["memory", "other processes"], memory=1 << 30)
        command = self.command([start, "__import__('time').sleep(60)"], memory=1 << 30)
        begin = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, -signal.SIGKILL, run.stderr)
        self.assertIn("the limit is 1024 MiB", run.stderr)
        self.assertLess(time.monotonic() - begin, 50)

    def test_shared_memory_is_private(self):
        before = set(os.listdir("/dev/shm"))
        values = self.probe(
            "open('/dev/shm/left', 'w').write('x')",
            "__import__('multiprocessing').Lock().acquire()",
            f"os.listdir('/dev/shm') != {sorted(before)!r}",
            needs=["private folders"],
        )
        self.assertEqual(values, [1, True, True])
        self.assertEqual(set(os.listdir("/dev/shm")), before)
        self.assertEqual(os.listdir(self.scratch), [])

    def test_other_processes_are_invisible(self):
        values = self.probe(
            f"open('/proc/{os.getpid()}/mem', 'rb')",
            "len([name for name in os.listdir('/proc') if name.isdecimal()])",
            "open('/proc/1/mem', 'r+b')",
            needs=["other processes", "private folders"],
        )
        self.assertEqual(values, ["FileNotFoundError", 2, "OSError"])

    def test_without_namespaces_the_filter_helps(self):
        """As on Linux 6.8 where users may not have namespaces."""
        # The filter recognises earlier processes by their lower ids.
        newest = subprocess.Popen(["true"])
        newest.wait()
        if newest.pid < os.getpid():
            self.skipTest("process ids have wrapped around")
        without = ["enter_user_namespace", "leave_network", "separate_children", "protect_processes"]
        with socket.create_server(("127.0.0.1", 0)) as server:
            for network in ("none", "loopback"):
                values = self.probe(
                    f"socket.create_connection({server.getsockname()!r}, 5)",
                    f"os.kill({os.getpid()}, 0)",
                    f"os.kill({-os.getpgrp()}, 0)",
                    "os.kill(-1, 0)",
                    f"os.pidfd_open({os.getpid()}) and signal.pidfd_send_signal(0, 0)",
                    "os.kill(os.getpid(), 0)",
                    "[(child.kill(), child.wait()) for child in [subprocess.Popen(['sleep', '9'])]]",
                    "os.setpgid(0, 0)",
                    "subprocess.run(['true'], start_new_session=True)",
                    needs=["calls"],
                    network=network,
                    without=without,
                )
                denied = "PermissionError"
                self.assertEqual(values, [*[denied] * 5, True, [[None, -9]], denied, denied])
                self.assertLessEqual({"network", "children"}, set(self.report["active"]))
                self.assertLessEqual({"user", "signals"}, set(self.report["missing"]))

    def test_without_landlock_files_are_protected_by_mounts(self):
        values = self.probe(
            f"open('{self.folder}/new', 'w')",
            f"os.chmod('{self.folder}', 0o755)",
            f"open('{self.scratch}/a', 'w').write('x')",
            "open('/dev/null', 'w').write('x')",
            needs=["read-only"],
            without=["protect_files"],
        )
        self.assertEqual(values, ["OSError", "OSError", 1, 1])

    def test_attributes_of_files_are_protected_without_mounts(self):
        """As on Ubuntu 24.04, where users may not have namespaces: Landlock does not cover these calls."""
        file = pathlib.Path(self.folder, "file")
        file.write_text("kept")
        file.chmod(0o600)
        before = file.stat()
        get_flags, set_flags = 0x80086601, 0x40086602
        flags = f"fcntl.ioctl(os.open('{file}', os.O_RDONLY)"
        for function in ("make_private_folders", "enter_user_namespace"):
            without = [function, "make_read_only"]
            values = self.probe(
                f"os.chmod('{file}', 0o777)",
                f"os.fchmod(os.open('{file}', os.O_RDONLY), 0o777)",
                f"os.chown('{file}', {os.getuid()}, {os.getgid()})",
                f"os.chown('{file}', {os.getuid()}, {os.getgid()}, follow_symlinks=False)",
                f"os.utime('{file}', (1, 1))",
                f"os.setxattr('{file}', 'user.seedbed', b'x')",
                f"{flags}, {set_flags}, {flags}, {get_flags}, bytes(8)))",
                *[f"system({number})" for number in (452, 463, 466, 469)],
                needs=["calls", "read-only"],
                without=without,
            )
            refused = "Operation not permitted"
            self.assertEqual(values, [*["PermissionError"] * 7, *[refused] * 4], without)
            after = file.stat()
            self.assertEqual((before.st_mode, before.st_mtime), (after.st_mode, after.st_mtime))

    def test_without_the_filter_files_are_not_read_only(self):
        self.probe("1", without=["make_read_only", "refuse_calls"])
        self.assertIn("modes", self.report["missing"]["read-only"])

    def test_no_privileges_remain(self):
        """Root also loses its privileges if there is no user namespace."""
        for without in ([], ["enter_user_namespace"]):
            values = self.probe(
                "[line.split()[1] for line in open('/proc/self/status') "
                "if line[:6] in ('CapPrm', 'CapEff', 'CapBnd', 'NoNewP')]",
                f"os.chown('{self.scratch}', 1, 1)",
                needs=["privileges"],
                without=without,
            )
            bound = values[0].pop(2)
            self.assertEqual(values[0], ["0" * 16, "0" * 16, "1"], without)
            if "user" in self.report["active"] or os.getuid() == 0:
                self.assertEqual(bound, "0" * 16, without)
            self.assertIn(values[1], ["PermissionError", "OSError"], without)

    def test_capabilities_that_remain_are_reported(self):
        if os.getuid() != 0:
            self.skipTest("only root has capabilities")
        self.probe("1", without=["enter_user_namespace", "capset"])
        self.assertIn("capabilities", self.report["missing"]["privileges"])

    def test_ipc_is_refused_without_a_namespace(self):
        """Memory, semaphores and queues of the user's other programs have no paths."""
        calls = {"x86_64": (29, 30, 31, 64, 68, 240, 241), "aarch64": (194, 196, 195, 190, 186, 180, 181)}
        calls = [f"system({number})" for number in calls[os.uname().machine]]
        values = self.probe(*calls, needs=["calls"], without=["make_private_folders"])
        self.assertEqual(values, ["Operation not permitted"] * len(calls))
        self.assertEqual(self.probe(*calls, network="game"), ["Operation not permitted"] * len(calls))
        self.probe(needs=["private folders"])
        self.assertNotIn("Operation not permitted", self.probe(*calls[:1]))

    def test_each_measure_is_active_or_missing_with_a_reason(self):
        names = {name for network in ("none", "game") for name in expected_measures(None, network)}
        alternatives = {
            "enter_user_namespace": {"user", "processes"},
            "leave_network": set(),
            "separate_children": {"other processes", "total memory"},
            "make_private_folders": {"private folders", "other processes", "total memory"},
            "hide_processes": {"other processes", "total memory"},
            "make_read_only": set(),
            "limit_total_memory": {"total memory"},
            "limit_memory": {"memory"},
            "limit_files": {"files"},
            "limit_processes": {"processes"},
            "refuse_privileges": {"privileges"},
        }
        for function, gone in alternatives.items():
            self.probe(without=[function])
            active, missing = set(self.report["active"]), self.report["missing"]
            if os.getuid() == 0 and "other processes" in gone:
                gone = gone | {"processes"}
            self.assertEqual(names - active, gone & names, f"{function}: {missing}")
            self.assertLessEqual(names, active | set(missing), function)

    def test_games_reach_the_sockets_of_the_display_only(self):
        runtime, others = f"{self.folder}/runtime", ["/run"] if os.access("/run", os.W_OK) else []
        os.makedirs(f"{runtime}/pulse")
        names = [f"{runtime}/bus", *[f"{folder}/seedbed-test-{os.getpid()}" for folder in others]]
        opened = []
        for path in (f"{runtime}/wayland-7", f"{runtime}/pulse/native", *names):
            server = socket.socket(socket.AF_UNIX)
            self.addCleanup(os.unlink, path)
            self.addCleanup(server.close)
            server.bind(path)
            server.listen()
            opened.append(f"connect('{path}')")
        pathlib.Path(runtime, "Xauthority").write_text("cookie")
        environment = {
            "XDG_RUNTIME_DIR": runtime,
            "WAYLAND_DISPLAY": "wayland-7",
            "XAUTHORITY": f"{runtime}/Xauthority",
        }
        tested = [*opened, f"open('{runtime}/Xauthority').read()", f"sorted(os.listdir('{runtime}'))"]
        values = self.probe(*tested, needs=["sockets"], network="game", environment=environment)
        hidden = ["FileNotFoundError"] * len(names)
        self.assertEqual(values, [True, True, *hidden, "cookie", ["Xauthority", "pulse", "wayland-7"]])
        self.probe(network="game", without=["hide_sockets"])
        self.assertIn("sockets", self.report["missing"])

    def test_needed_folders_are_not_hidden_from_games(self):
        """without: the set of active measures differs from the expected one."""
        self.probe(
            network="game", environment={"XDG_RUNTIME_DIR": self.folder}, without=["protect_processes"]
        )
        self.assertIn("would be hidden", self.report["missing"]["sockets"])

    def test_shared_pages_count_once(self):
        """An array of 300 MiB and its six forked children stay below a limit of 1 GiB."""
        values = self.probe(
            "globals().update(array=bytearray(b'x') * (300 << 20))",
            "fork(6)",
            f"__import__('time').sleep({WATCHED_S})",
            memory=1 << 30,
            needs=["total memory"],
        )
        self.assertEqual(values, [True, 6, True])

    def test_temporary_files_count_as_memory(self):
        """Files of 300 MiB and an array of 500 MiB exceed 700 MiB, and mapped files count once."""
        def write(size):
            return f"open('{self.scratch}/a', 'wb').write(bytes({size} << 20))"

        def hold(size):
            return f"globals().update(array=bytearray(b'x') * ({size} << 20))"

        sleep, endless = (f"__import__('time').sleep({seconds})" for seconds in (WATCHED_S, 600))
        full = f"open('{self.scratch}/b', 'wb').write(bytes(100 << 20))"
        self.probe(needs=["total memory", "private folders"])
        command = self.command([write(300), hold(500), endless], memory=700 << 20)
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, -signal.SIGKILL, run.stderr)
        self.assertIn("the limit is 700 MiB", run.stderr)
        keep = f"globals().update(mapped=mmap.mmap(os.open('{self.scratch}/a', os.O_RDWR), 190 << 20))"
        read = "sum(mapped[::4096])"
        values = self.probe(write(190), hold(100), keep, read, sleep, full, memory=400 << 20)
        self.assertEqual(values, [190 << 20, True, True, 0, True, "OSError"])

    def test_users_without_privileges_have_all_measures(self):
        if os.getuid() != 0:
            self.skipTest("the test itself runs without privileges, like all others")
        values = self.probe(
            "os.getuid()",
            f"open('{self.scratch}/a', 'w').write('x')",
            "len([os.posix_spawn('/bin/sleep', ['sleep', '1'], {}) for _ in range(1200)])",
            needs=["user", "processes", "network", "read-only"],
            user=NOBODY,
        )
        self.assertEqual(values, [NOBODY, 1, "BlockingIOError"])


FALLBACKS = ([], ["separate_children"], ["enter_user_namespace", "separate_children"])
# A worker whose interpreter is blocked, with a child in its group and one that tries to leave it.
BLOCKED = """
import subprocess
subprocess.Popen(["sleep", sys.argv[4]])
try:
    subprocess.Popen(["sleep", sys.argv[4]], start_new_session=True)
except PermissionError:
    pass
print("started", flush=True)
sum(range(10**13))
"""


def processes(mark):
    """Processes that have this argument."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


class EndOfAWorker(Case):
    def start(self, without):
        command = self.command([], lifeline=self.theirs.fileno(), without=without)
        command[3] += BLOCKED
        process = subprocess.Popen(
            [*command, self.mark],
            stdout=subprocess.PIPE,
            start_new_session=True,
            pass_fds=[self.theirs.fileno()],
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stdout.readline()
        self.assertEqual(process.stdout.readline(), b"started\n")
        self.assertGreaterEqual(len(processes(self.mark)), 3)
        return process

    def setUp(self):
        super().setUp()
        self.ours, self.theirs = socket.socketpair()
        self.addCleanup(self.ours.close)
        self.addCleanup(self.theirs.close)
        self.mark = f"98765.{os.getpid()}"

    def assert_gone(self):
        end = time.monotonic() + 60
        while processes(self.mark) and time.monotonic() < end:
            time.sleep(0.02)
        left = processes(self.mark)
        for process in left:
            os.kill(process, signal.SIGKILL)
        self.assertEqual(left, [])

    def test_its_children_end_when_the_host_kills_its_group(self):
        for without in FALLBACKS:
            with self.subTest(without=without):
                os.killpg(self.start(without).pid, signal.SIGKILL)
                self.assert_gone()

    def test_its_children_end_when_the_host_ends(self):
        for without in FALLBACKS:
            with self.subTest(without=without):
                self.setUp()
                self.start(without)
                self.theirs.close()
                self.ours.close()
                self.assert_gone()

    def test_its_children_end_when_it_ends(self):
        for expression, code in (("os._exit(7)", 7), ("os.kill(os.getpid(), 11)", -11)):
            command = self.command([f"subprocess.Popen(['sleep', '{self.mark}']) and {expression}"])
            run = subprocess.run(command, capture_output=True, timeout=60)
            self.assertEqual(run.returncode, code, run.stderr)
            self.assert_gone()


class RestrictedWorker(unittest.TestCase):
    def test_a_restricted_worker_reports_its_restrictions_and_works(self):
        try:
            from fake_host import ENVS, FIRST, RESET, STEP, Worker
        except ImportError as error:
            self.skipTest(str(error))
        with tempfile.TemporaryDirectory() as scratch:
            worker = Worker("--scratch", scratch, "--memory", str(4 << 30), "--network", "loopback")
            self.addCleanup(worker.close)
            worker.open(f"gym:{ENVS}/corridor.py:Corridor")
            self.assertIn("memory", worker.restrictions["active"])
            worker.exchange(RESET)
            worker.exchange(STEP, [1])
            self.assertEqual(worker.picture(0).shape, (4, 8, 3))


if __name__ == "__main__":
    unittest.main()
