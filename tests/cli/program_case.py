# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests with background runs: a data folder and helpers to run commands. Not a test."""
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))  # the folder of measure.py
# None of these settings depends on measurements of the machine.
SMALL = [
    "cartpole", "--preset", "none", "--engine", "reference", "--run.inference", "inline",
    "--algo.rollout_length", "32", "--network.hidden", "16,16", "--eval.episodes", "2",
    "--eval.final_episodes", "2"
]
ENDLESS = [*SMALL, "--steps", "100000000", "--run.threads", "1"]


class Lines:
    """Lines of a stream, read by a thread so that waiting for one has a time limit."""

    def __init__(self, stream):
        self.lines = queue.Queue()
        threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        try:
            for line in stream:
                self.lines.put(line)
        except ValueError:  # the stream is closed at the end of the test
            pass

    def until(self, what, accepts, seconds=60):
        """Drops lines up to the first accepted one and returns it."""
        end, seen = time.monotonic() + seconds, []
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"timeout of {seconds} s waiting for {what} in {seen[-5:]}") from None
            seen.append(line)
            if accepts(line):
                return line


def seconds_of_waiting(pid):
    """Maps each thread of a process to its seconds of waiting for CPUs that other programs used."""
    waited = {}
    for thread in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            waited[thread.parent.name] = int(thread.read_text().split()[1]) / 1e9
        except (OSError, IndexError):  # the thread has stopped
            pass
    return waited


class ProgramCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed-supervise-", ignore_cleanup_errors=True)
        self.addCleanup(self.folder.cleanup)
        self.data = pathlib.Path(self.folder.name) / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": self.folder.name}
        self.children = []
        self.addCleanup(self.end_children)

    def end_children(self):
        for child in self.children:
            if child.poll() is None:
                child.kill()
            child.communicate()

    def seedbed(self, *arguments, code=0):
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=self.env, timeout=600)
        self.assertEqual(run.returncode, code, f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run

    def document(self, *arguments, code=0):
        return json.loads(self.seedbed(*arguments, "--json", code=code).stdout)

    def evaluation(self, *arguments):
        """The output of `eval` without the run, which may differ for the same policy."""
        document = self.document("eval", *arguments)
        del document["run"]
        return document

    def start(self, *arguments, env=None, **options):
        child = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, env={**self.env, **(env or {})}, **options)
        self.children.append(child)
        return child

    def wait_for(self, what, check, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = check()
            if value:
                return value
            time.sleep(0.02)
        self.fail(f"timeout of {seconds} s waiting for {what}; errors of its processes: {self.errors()}")

    def computes(self, child, seconds):
        """Waits until the process has used this much more CPU time."""

        def used():
            fields = pathlib.Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        begin = used()
        self.wait_for("CPU time", lambda: used() >= begin + seconds)

    def errors(self):
        """Stops all processes of the test; returns the error output of each."""
        texts = []
        for child in self.children:
            child.terminate()
            try:
                texts.append(child.communicate(timeout=20)[1])
            except (subprocess.TimeoutExpired, ValueError) as error:
                texts.append(repr(error))
        return texts

    def seconds_to_stop(self, child, number):
        """Sends a signal, waits for the process to exit, and returns the seconds that it took. Time in which
        threads of the process waited for processors that other programs used does not count."""
        before, after = seconds_of_waiting(child.pid), {}
        begin = time.monotonic()
        child.send_signal(number)
        while child.poll() is None and time.monotonic() - begin < 60:
            after |= seconds_of_waiting(child.pid)
            time.sleep(0.01)
        took = time.monotonic() - begin
        return took - sum(seconds - before.get(thread, 0) for thread, seconds in after.items())

    def status(self, run=1):
        return self.document("show", str(run))["status"]

    def steps(self, run=1):
        return self.document("show", str(run))["steps"]

    def train(self, *arguments):
        child = self.start("train", *(arguments or ENDLESS), "--quiet")
        run = int(child.stdout.readline())
        self.wait_for("the first steps", lambda: self.steps(run) > 0)
        return child, run

    def kinds(self, run=1):
        return [event["kind"] for event in self.document("show", str(run))["events"]]
