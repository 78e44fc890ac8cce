# SPDX-License-Identifier: Apache-2.0
"""Kills all kinds of processes that do not train: the scheduler, players, edits, imports, exports and vacuum.

Each class kills one kind of process at a random moment and checks from outside what it had acknowledged.
"""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time

from oracle import Oracle

QUEUED = ["cartpole", "--preset", "none", "--engine", "native", "--run.inference", "inline",
          "--algo.rollout_length", "32", "--actor.num_envs", "8", "--network.hidden", "16,16", "--steps",
          "60000", "--checkpoint.every_s", "0.1", "--eval.episodes", "2", "--eval.final_episodes", "2"]


def processes_of(data):
    """Ids of all processes that use this data folder, other than this one."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if f"SEEDBED_DATA={data}\0".encode() in environment and state != "Z":
            found.append(int(entry.name))
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_all(data, within=60):
    """Kills everything that uses the data folder; returns what is left after `within` seconds."""
    deadline = time.monotonic() + within
    while (left := processes_of(data)) and time.monotonic() < deadline:
        for pid in left:
            kill(pid)
        time.sleep(0.05)
    return left


class Kills:
    """Base: `harness` runs commands, counts and reports violations."""

    ALONE = False  # whether it needs no run that the harness has trained

    def __init__(self, harness):
        self.harness, self.random = harness, harness.random

    def seedbed(self, *arguments, **options):
        return self.harness.seedbed(*arguments, **options)

    def document(self, *arguments, **options):
        return json.loads(self.seedbed(*arguments, "--json", **options))

    def violated(self, what):
        self.harness.violated(f"{self.NAME}: {what}")

    def counted(self, killed=True):
        self.harness.counts["kills"] += killed
        self.harness.counts[f"kills_of_{self.NAME}"] += killed

    def start(self, *arguments, program=None, output=subprocess.DEVNULL):
        return subprocess.Popen([program or self.harness.program, *arguments], env=self.harness.env,
                                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL,
                                start_new_session=True)

    def kill_after(self, process, longest):
        """Kills the process after up to `longest` seconds; returns whether it was still running."""
        time.sleep(self.random.uniform(0, longest))
        kill(process.pid)
        process.wait()
        killed = process.returncode == -signal.SIGKILL
        self.counted(killed)
        return killed

    def publish(self, *options):
        """Makes all commits visible: a process that is killed between writing one to the log and publishing
        it in the log's index leaves it to the next checkpoint."""
        self.seedbed("db", "vacuum", "--quiet", *options)

    def finish(self):
        """Called after the last round."""

    def integrity(self):
        with Oracle(self.harness.data) as oracle:
            state = oracle.integrity()
        if state != "ok":
            self.violated(f"integrity_check: {state}")


class Scheduler(Kills):
    """The queue's scheduler, alone or with its jobs. Every queued run finishes once, with the results of an
    uninterrupted run."""

    NAME = "scheduler"

    def __init__(self, harness):
        super().__init__(harness)
        self.reference = None

    def round(self):
        if self.reference is None:
            elsewhere = ("--data", str(self.harness.folder / "elsewhere"))
            run = self.seedbed("train", *QUEUED, "--quiet", *elsewhere).strip()
            self.reference = self.document("show", run, *elsewhere)["params_sha256"]
        runs = [run for _ in range(2) for run in self.document("queue", "add", *QUEUED)["ids"]]
        for _ in range(self.random.randrange(3, 7)):
            process = self.start("queue", "start", "--foreground", "--jobs", "2")
            self.kill_after(process, 0.4)
            if self.random.random() < 0.5 and kill_all(self.harness.data):
                self.violated("processes survive SIGKILL")
            queued = self.document("queue", "list")
            if not queued["entries"]:
                break
        self.seedbed("queue", "start", "--foreground", "--jobs", "2")
        for run in runs:
            shown = self.document("show", str(run))
            # The queue gives up after several kills without a new checkpoint.
            if shown["status"] == "failed" and shown["status_text"].startswith("its process"):
                self.seedbed("resume", str(run), "--quiet")
                shown = self.document("show", str(run))
            if shown["status"] != "finished":
                self.violated(f"run {run} is {shown['status']} after the queue has finished")
            elif shown["params_sha256"] != self.reference:
                self.violated(f"run {run} differs from an uninterrupted run")
        self.integrity()
        deadline = time.monotonic() + 60
        while (left := processes_of(self.harness.data)) and time.monotonic() < deadline:
            time.sleep(0.05)
        if left:
            self.violated(f"processes {left} remain after the queue has finished")
            kill_all(self.harness.data)
        # Runs that were killed after their last row are not started again: vacuum cleans up after them.
        self.seedbed("db", "vacuum", "--quiet")
        self.harness.check_clean(self.NAME, "*")


class Player(Kills):
    """Players that record episodes. A recording is complete or absent, and the run is unchanged."""

    NAME = "player"

    def round(self):
        run = self.harness.finished_run()
        file = self.harness.folder / "games.replay"
        self.publish()
        before = self.document("show", run)
        for _ in range(4):
            process = self.start("play", run, "--headless", "--episodes", "2000", "--seed",
                                 str(self.random.randrange(1000)), "--record", str(file))
            self.kill_after(process, 0.25)
            if file.exists():
                self.seedbed("replay", str(file), "--verify")
                file.unlink()
        self.seedbed("play", run, "--headless", "--episodes", "2", "--record", str(file))
        self.seedbed("replay", str(file), "--verify")
        left = [path.name for path in self.harness.folder.iterdir() if ".tmp" in path.name]
        if left:
            self.violated(f"left next to a recording: {left}")
        file.unlink()
        # A viewer's player owns a socket; the next one removes those of killed players.
        self.kill_after(self.start("play", run), 0.3)
        process = self.start("play", run)
        sockets = self.harness.data / "control"
        own, deadline = sockets / f"play-{process.pid}.sock", time.monotonic() + 60
        while not own.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        process.terminate()
        process.wait()
        if left := [path.name for path in sockets.glob("play-*.sock")]:
            self.violated(f"left after a start and a clean stop of a player: {left}")
        after = self.document("show", run)
        if changed := [(key, before[key], after.get(key)) for key in before if after.get(key) != before[key]]:
            self.violated(f"a killed player changed the run: {changed}")


class Edits(Kills):
    """Edits of a run as the window makes them (editor.cpp). The newest acknowledged edit, or the one after
    it, is stored completely."""

    NAME = "edits"

    def __init__(self, harness):
        super().__init__(harness)
        self.program = pathlib.Path(harness.program).parent / "seedbed_editor"
        self.number = 0

    def round(self):
        run = self.harness.finished_run()
        for _ in range(5):
            process = self.start(str(self.harness.data), run, str(self.number + 1), program=self.program,
                                 output=subprocess.PIPE)
            time.sleep(self.random.uniform(0, 0.12))
            kill(process.pid)
            lines = process.communicate()[0].decode().split("\n")[:-1]
            self.counted(process.returncode == -signal.SIGKILL)
            if process.returncode != -signal.SIGKILL:
                self.violated(f"the editor exited with {process.returncode}")
            acknowledged = int(lines[-1]) if lines else self.number
            self.harness.counts["acknowledged_edits"] += len(lines)
            with sqlite3.connect(f"file:{self.harness.data}/seedbed.db?mode=ro", uri=True) as rows:
                notes, star = rows.execute("select notes, star from runs where id = ?", (run,)).fetchone()
                tags = [tag for (tag,) in rows.execute("select tag from run_tags where run_id = ?", (run,))]
            now = int(notes or 0)
            if now not in (acknowledged, acknowledged + 1):
                self.violated(f"edit {acknowledged} was acknowledged, the notes are those of {now}")
            if now > 0 and (star != now % 2 or [tag for tag in tags if tag.startswith("t")] != [f"t{now}"]):
                self.violated(f"half of edit {now}: star {star}, tags {tags}")
            self.number = now
        self.integrity()


class Imports(Kills):
    """Imports of a data folder. An imported run is complete or invisible; the next import completes it."""

    NAME = "imports"

    def round(self):
        with Oracle(self.harness.source) as oracle:
            (source,) = oracle.runs()
            wanted = oracle.totals(source)
        known = self.visible()
        for _ in range(3):
            process = self.start("db", "import", "--trust", str(self.harness.source), "--quiet")
            self.kill_after(process, 0.15)
            self.check(self.visible() - known, wanted)
        self.seedbed("db", "import", "--trust", str(self.harness.source), "--quiet")
        new = self.visible() - known
        if len(new) > 1:
            self.violated(f"{len(new)} runs from imports of one run")
        self.check(new, wanted)
        for run in new:
            report = self.document("db", "check", "--checkpoints", codes=(0, 1))
            if not report["ok"]:
                self.violated(f"db check: {report['problems']}")
            self.seedbed("rm", str(run), "--quiet")
            self.start_and_kill_vacuum()
            self.seedbed("db", "vacuum", "--empty-trash", "--quiet")
        self.integrity()

    def start_and_kill_vacuum(self):
        process = self.start("db", "vacuum", "--empty-trash", "--quiet")
        time.sleep(self.random.uniform(0, 0.15))
        kill(process.pid)
        process.wait()
        self.harness.counts["kills"] += process.returncode == -signal.SIGKILL
        self.harness.counts["kills_of_vacuum"] += process.returncode == -signal.SIGKILL

    def visible(self):
        return {run["id"] for run in self.document("list", "--all")}

    def check(self, runs, wanted):
        for run in runs:
            with Oracle(self.harness.data) as oracle:
                totals = oracle.totals(run)
            if totals != wanted:
                self.violated(f"the imported run {run} has {totals} rows instead of {wanted}")


class Exports(Kills):
    """Exports of the data folder: the copy appears complete or not at all, without leftovers."""

    NAME = "exports"

    def round(self):
        copy = self.harness.folder / "copy"
        for _ in range(2):
            process = self.start("db", "export", str(copy), "--quiet")
            self.kill_after(process, 0.25)
            if copy.exists():
                break
        if not copy.exists():
            self.seedbed("db", "export", str(copy), "--quiet")
        report = self.document("db", "check", "--checkpoints", "--data", str(copy), codes=(0, 1))
        if not report["ok"]:
            self.violated(f"the copy is damaged: {report['problems']}")
        shutil.rmtree(copy)
        left = [path.name for path in self.harness.folder.iterdir() if ".tmp" in path.name]
        if left:
            self.violated(f"left next to a copy: {left}")



KINDS = (Scheduler, Player, Edits, Imports, Exports)
COUNTS = ("kills_of_scheduler", "kills_of_player", "kills_of_edits", "kills_of_imports", "kills_of_exports",
          "kills_of_vacuum", "acknowledged_edits")
