#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills actors, learners and launchers of fleets at random moments, interrupts their network, and checks from
outside that every decision is counted once and that the fleet recovers.

usage: kills_test.py PROGRAM [--kills N] [--long-kills N] [--seed N] [--only LIFE] [--result FILE]

A "life" is a run of Catch with two actors, which are connected through a relay (relay.py). Its first learner,
which launches the actors, is killed while it starts; then come kills and cuts of the network in random order;
at the end 'fleet stop' ends it. Lives alternate between the two forms of a fleet, until there were N kills.
--long-kills replaces --kills if SEEDBED_LONG is set; with fewer than 20 kills, lives and cuts are short.

A life has recovered when both groups have stored 60 new episodes (more than the queues of the learner can
contain; 0.6 s of environments without delay). Actors are replaced by 'fleet add' as soon as one is missing,
learners by 'resume'. After a cut that lasts 1 to 30 s, this may take 10 s (a minute without SEEDBED_LONG).

Every episode of Catch has 9 decisions and returns 1 or -1, so that decisions that are repeated or missing
within an episode change it. In addition, the following is checked:

* committed rows and steps that were seen before a kill of the learner are present after it
* a resumed run continues at its newest checkpoint; rows of earlier processes beyond that step, and no
  others, are superseded
* the steps of each process equal the decisions in its episodes, except for episodes that were not complete
  when their actor or process was lost; and those of the last process equal the rows that its actors sent,
  except for rows that were not learned from yet
* checkpoints, integrity_check, and that no process is left after 'fleet stop'

At the end, the checks must find mistakes planted into a copy of the database. The random seed is printed
first; --seed repeats the same kills and cuts, --only those of one life.
"""
import argparse
import collections
import json
import os
import pathlib
import platform
import random
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from relay import Link, free_port

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "fault/kill_harness")]
from measure import MEASURING, limit
from oracle import LABELS, Oracle, faults_of_rows
from others import kill, kill_all, processes_of

FORMS = ("actions", "windows")
GROUPS, ENVS, LENGTH, WINDOW = 2, 4, 9, 20  # WINDOW: algo.rollout_length
FLEET = ["fleet", "start", "catch", "--preset", "none", "--algo", "vtrace", "--engine", "native", "--actors",
         str(GROUPS), "--envs", str(ENVS), "--algo.rollout_length", str(WINDOW), "--env.wrap.step_ms", "1",
         "--steps", "1000000000", "--checkpoint.every_s", "1", "--eval.every_steps", "0", "--quiet"]
WAIT_S = 120  # for events that take seconds; only a hang reaches it
EPISODES_PER_S = 1000 * GROUPS / LENGTH  # at most: an environment steps for 1 ms, one after another
RECOVERED = 60  # episodes of each group
CALM_S, START_S, ADD_S = 1.5, 0.4, 0.15  # the longest times before a kill
QUEUED = 4 * WINDOW * ENVS * GROUPS  # rows that the learner may have received and not learned from
KINDS = ("actor", "learner", "actor and learner", "launcher")
LONG_LIFE = 4 * ["actor"] + 3 * ["learner"] + 2 * ["launcher"] + ["actor and learner", "silent", "reset"]


def faults(database, run, machines, losses):
    """The mistakes in the records of a run that has been stopped. `losses`: how often groups may have lost
    their actors, by segment."""
    def ask(query, *values):
        return database.execute(query, (run, *values)).fetchall()

    found = []
    (steps,), = ask("select steps from runs where id = ?")
    begins = dict(ask("select number, begin_step from segments where run_id = ?"))
    for count, length, value in ask("select count(*), length, episode_return from episodes where run_id = ? "
                                    "and (length != ? or abs(episode_return) != 1) group by 2, 3", LENGTH):
        found.append(f"{count} episodes of {length} decisions with the return {value}")
    for segment, begin in begins.items():
        checkpoints = {step for step, in ask(
            "select step from checkpoint_rows where run_id = ? and segment < ?", segment)}
        if segment > 1 and begin not in checkpoints | {0}:  # 0: killed before the first one
            found.append(f"segment {segment} began at step {begin}, which has no checkpoint")
        for table in ("episode_rows", "checkpoint_rows", "event_rows"):
            for live, beyond in (("= 0", ">"), (f"= {segment}", "<=")):
                wrong = ask(f"select count(*) from {table} where run_id = ? and segment < ? and "
                            f"superseded_by {live} and step {beyond} ?", segment, begin)
                if wrong[0][0]:
                    found.append(f"{wrong[0][0]} {table} {beyond} step {begin} of segment {segment} have "
                                 f"superseded_by {live}")
        end = min([steps] + [other for number, other in begins.items() if number > segment])
        decisions = ask("select coalesce(sum(length), 0) from episode_rows where run_id = ? and segment = ? and "
                   "superseded_by = 0", segment)[0][0]
        # Checkpoints contain rows that were not learned from yet, which the next process counts. Their
        # episodes may have begun before the checkpoint, and the last ones are not continued.
        restored = 0 if begin == 0 else 1
        partial = ENVS * (LENGTH - 1)  # decisions in incomplete episodes of a group
        most = (GROUPS * (1 + restored) + losses[segment]) * partial
        if not -restored * GROUPS * partial <= max(0, end - begin) - decisions <= most:
            found.append(f"segment {segment} counted {end - begin} steps, its episodes have {decisions} decisions")
        if segment == max(begins):
            rows = sum(group["rows"] for group in machines["groups"])
            if not -restored * QUEUED <= rows - (steps - begin) <= QUEUED * (1 + losses[segment]):
                found.append(f"segment {segment} counted {steps - begin} steps, its actors sent {rows} rows")
    return found


# Changes of the last run that faults() must find.
MISTAKES = {
    "an episode counts a decision twice":
        "update episode_rows set length = length + 1 where number = (select max(number) from episodes)",
    "an episode is stored twice":
        "insert into episode_rows select run_id, number + 1000000, segment, 0, step, time, episode_return, "
        "length, agent_slot from episode_rows where superseded_by = 0",
    "the episodes of a group are lost":
        "update episode_rows set superseded_by = 1000 where agent_slot >= 4",
    "a process began between two checkpoints":
        "update segments set begin_step = begin_step + 1 where number = (select max(number) from segments)",
    "rows before the checkpoint are superseded":
        "update episode_rows set superseded_by = (select max(number) from segments) "
        "where superseded_by = 0 and segment < (select max(number) from segments)",
    "steps are lost": "update runs set steps = steps - 1000",
    "steps are counted twice": "update runs set steps = steps + 1000",
}


def missed_mistakes(database, run, machines, losses, names=tuple(MISTAKES)):
    missed = []
    for name in names:
        with sqlite3.connect(":memory:") as copy:
            database.backup(copy)
            if copy.execute(MISTAKES[name]).rowcount == 0 or not faults(copy, run, machines, losses):
                missed.append(f"the checks do not notice that {name}")
    return missed


class Life:
    """One run with its fleet, in its own data folder."""

    def __init__(self, program, seed, number, is_long):
        self.program, self.name = program, f"life {number}"
        self.cut_s = (1, 30) if is_long else (4, 5)
        self.form = FORMS[number % 2]
        self.random = random.Random(f"{seed}/{number}")
        self.deck = ["actor", ("silent", "reset")[number % 2], "learner"]
        if is_long:
            self.deck = self.random.sample(LONG_LIFE, len(LONG_LIFE))
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-fleet-kills-"))
        self.data = self.folder / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": str(self.folder)}
        self.violations, self.recoveries = [], []
        self.kills, self.facts = dict.fromkeys(KINDS, 0), {}
        self.losses = collections.Counter()
        self.run = self.learner = None
        self.port = free_port()
        self.link = Link(self.port)

    def violated(self, what):
        print(f"VIOLATED: {self.name}, {self.form}: {what}", flush=True)
        self.violations.append(f"{self.name}, {self.form}: {what}")

    # --- processes
    def launch(self, *words):
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            return subprocess.Popen([self.program, *words], env=self.env, stdin=subprocess.DEVNULL,
                                    stdout=log, stderr=log, start_new_session=True)

    def seedbed(self, *words, codes=(0,)):
        done = subprocess.run([self.program, *words], env=self.env, capture_output=True, text=True,
                              timeout=WAIT_S)
        if done.returncode not in codes:
            raise AssertionError(f"{words} exited with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def actors(self):
        def is_actor(pid):
            try:
                words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                return False
            return b"fleet\0actor\0" in words
        return [pid for pid in processes_of(self.data) if is_actor(pid)]

    def add_actors(self):
        """Starts those that are missing."""
        missing = GROUPS - len(self.actors())
        if missing > 0:
            self.seedbed("fleet", "add", self.run, "--actors", str(missing), "--quiet",
                         "--address", f"127.0.0.1:{self.link.port}")

    def listed(self):
        """The runs; none, if the database does not exist or is empty."""
        shown = json.loads(self.seedbed("list", "--json", codes=(0, 1, 3)))
        return shown if isinstance(shown, list) else []

    # --- waiting
    def wait_for(self, what, check, seconds=WAIT_S):
        end = time.monotonic() + seconds
        while not (value := check()):
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not happen within {seconds} s")
            time.sleep(0.02)
        return value

    def watch(self, seconds):
        """Waits and returns the totals that were committed until then."""
        seen, end = (0,) * len(LABELS), time.monotonic() + seconds
        with Oracle(self.data) as oracle:
            while True:
                seen = tuple(map(max, seen, oracle.totals(self.run)))
                if time.monotonic() > end:
                    return seen
                time.sleep(0.02)

    def newest_episode(self):
        with Oracle(self.data) as oracle:
            return oracle.database.execute(
                "select coalesce(max(number), 0) from episode_rows where run_id = ?", (self.run,)).fetchone()[0]

    def recover(self, kind, at_most=WAIT_S, **facts):
        """Replaces what is missing and waits until both groups send rows again."""
        before, begin = self.newest_episode(), time.monotonic()
        with Oracle(self.data) as oracle:
            def flows():
                if self.learner.poll() is not None:
                    raise AssertionError(f"the learner exited with {self.learner.returncode}")
                self.add_actors()
                groups = oracle.database.execute(
                    "select count(*) from episode_rows where run_id = ? and number > ? "
                    "group by agent_slot / ?", (self.run, before, ENVS)).fetchall()
                return len(groups) == GROUPS and min(groups)[0] >= RECOVERED
            self.wait_for(f"recovery after: {kind}", flows)
        seconds = time.monotonic() - begin
        self.recoveries.append({"after": kind, "form": self.form, **facts, "seconds": round(seconds, 2)})
        if seconds > at_most:
            self.violated(f"recovery after {self.recoveries[-1]}")

    # --- kills
    def may_lose(self, actors):
        self.losses[len(self.segments())] += actors

    def kill_actor(self):
        self.may_lose(1)
        kill(self.random.choice(self.actors()))

    def kill_learner(self, seen):
        self.learner.kill()
        self.learner.wait()
        with Oracle(self.data) as oracle:
            now = oracle.totals(self.run)
            newest, = oracle.database.execute(
                "select max(step) from checkpoints where run_id = ? and not removed", (self.run,)).fetchone()
        for label, before, after in zip(LABELS, seen, now):
            if after < before and label != "checkpoint rows":
                self.violated(f"{before} {label} before the kill of the learner, {after} after it")
        self.resume(newest)

    def segments(self):
        with Oracle(self.data) as oracle:
            return oracle.database.execute("select begin_step from segments where run_id = ? order by number",
                                           (self.run,)).fetchall()

    def resume(self, newest):
        count = len(self.segments())
        self.learner = self.launch("resume", self.run, "--quiet")
        begins = self.wait_for("the resumed run", lambda: self.segments()[count:])
        # The row of a checkpoint is written after its folder.
        if begins[0][0] < (newest or 0):
            self.violated(f"resumed at step {begins[0][0]}, the newest checkpoint is that of step {newest}")

    def begin(self):
        """Kills the first learner while it creates the run and launches the actors."""
        start = [*FLEET, "--actor.fleet_form", self.form, "--listen", f"127.0.0.1:{self.port}", "--address",
                 f"127.0.0.1:{self.link.port}"]
        self.learner = self.launch(*start)
        time.sleep(self.random.uniform(0, START_S))
        self.learner.kill()
        self.learner.wait()
        self.kills["launcher"] += 1
        runs = self.listed()
        if runs:
            self.run = str(runs[0]["id"])
            self.resume(0)
        else:
            self.learner = self.launch(*start)
            self.run = str(self.wait_for("the run", self.listed)[0]["id"])
            self.wait_for("the first actors", lambda: len(self.actors()) == GROUPS)
        self.recover("launcher" if runs else "none", at_start=True)

    def disturb(self, kind):
        seen = self.watch(self.random.uniform(0, CALM_S))
        if kind in ("silent", "reset"):
            return self.interrupt(resets=kind == "reset")
        if kind != "learner":
            self.kill_actor()
        if kind == "launcher":
            self.kills["actor"] += 1
            self.wait_for("the end of the actor", lambda: len(self.actors()) < GROUPS)
            launcher = self.launch("fleet", "add", self.run, "--quiet")
            time.sleep(self.random.uniform(0, ADD_S))
            launcher.kill()
            launcher.wait()
        if "learner" in kind:
            self.kill_learner(seen)
        self.kills[kind] += 1
        return self.recover(kind)

    def interrupt(self, resets):
        seconds = self.random.uniform(*self.cut_s)
        victim = self.random.choice(("actor", "learner", None, None))
        self.may_lose(2 * GROUPS)  # a new connection may also be lost
        self.link.cut(resets)
        before, end = self.newest_episode(), time.monotonic() + seconds
        seen = self.watch(seconds * self.random.random())
        if victim == "actor":
            self.kill_actor()
        elif victim == "learner":
            self.kill_learner(seen)
        if victim:
            self.may_lose(2 * GROUPS)
            self.kills[victim] += 1
            self.add_actors()
        self.watch(max(0, end - time.monotonic()))
        stored = self.newest_episode() - before
        self.link.heal()
        if seconds >= 4 and stored > seconds * EPISODES_PER_S / 2:
            self.violated(f"{stored} episodes were stored while the network was cut for {seconds:.1f} s")
        self.recover("reset" if resets else "silent", limit(10), cut_s=round(seconds, 1), killed=victim)

    # --- the end
    def end(self):
        self.seedbed("fleet", "stop", self.run, "--quiet")
        if (code := self.learner.wait(WAIT_S)) != 130:
            self.violated(f"the stopped learner exited with {code}")
        self.wait_for("the end of all processes", lambda: not processes_of(self.data))
        machines = json.loads((self.data / f"fleet/run-{self.run}/machines.json").read_text())
        curves = {name: list(zip(curve["steps"], curve["values"])) for name, curve in
                  json.loads(self.seedbed("metrics", self.run, "--json")).items()}
        report = json.loads(self.seedbed("db", "check", "--checkpoints", "--json", codes=(0, 1)))
        with Oracle(self.data) as oracle:
            found = faults(oracle.database, self.run, machines, self.losses)
            found += faults_of_rows({"curves": curves, **oracle.rows(self.run)}) + report["problems"]
            found += [f"segment {number} restarted its episodes without an event"
                      for number in oracle.silent_restarts(self.run)]
            if not found:
                found = missed_mistakes(oracle.database, self.run, machines, self.losses)
            names = ("decisions", "episodes", "superseded_episodes", "resumes")
            self.facts = dict(zip(names, oracle.database.execute(
                "select steps, (select count(*) from episodes where run_id = id), "
                "(select count(*) from episode_rows where run_id = id and superseded_by > 0), "
                "(select count(*) - 1 from segments where run_id = id) from runs where id = ?",
                (self.run,)).fetchone()), checkpoints_read=report["checkpoints"])
        for fault in found:
            self.violated(fault)

    def live(self):
        print(f"{self.name}, {self.form}: {', '.join(self.deck)}", flush=True)
        try:
            self.begin()
            for kind in self.deck:
                self.disturb(kind)
            self.end()
        except (AssertionError, subprocess.TimeoutExpired) as error:
            self.violated(error)
        finally:
            self.link.close()
            kill_all(self.data)
        if self.violations:
            logs = [self.folder / "log", *self.data.glob("fleet/*/actors.log")]
            for log in logs:
                print(f"--- {log}\n" + log.read_text(errors="replace")[-3000:], flush=True)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def summary(seconds):
    ordered = sorted(seconds)
    return {"count": len(ordered), "median_s": round(statistics.median(ordered), 2),
            "95_percent_s": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
            "longest_s": ordered[-1]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--long-kills", type=int)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", type=int)
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    program = options.program.resolve()
    if not (program.parent / "seedbed_grpc.so").exists():
        print("[  SKIPPED ] the module for fleets was not built")
        return
    kills = options.long_kills if options.long_kills and MEASURING else options.kills
    print("seed", options.seed, flush=True)
    begin, load = time.monotonic(), pathlib.Path("/proc/loadavg").read_text().split()[0]
    lives = []
    while sum(sum(life.kills.values()) for life in lives) < kills and len(lives) < kills:
        number = len(lives) if options.only is None else options.only
        lives.append(Life(str(program), options.seed, number, is_long=kills >= 20))
        lives[-1].live()
        if options.only is not None or sum(len(life.violations) for life in lives) > 20:
            break
    cpu = re.search("model name.*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    recoveries = [each for life in lives for each in life.recoveries]
    result = {
        "command": "SEEDBED_LONG=1 " * MEASURING + "tests/fleet/kills_test.py PROGRAM " +
                   " ".join(sys.argv[2:]),
        "date": time.strftime("%Y-%m-%d"), "processor": cpu[1] if cpu else platform.machine(),
        "cores": os.cpu_count(), "load_before": load, "seed": options.seed,
        "violations": [each for life in lives for each in life.violations], "lives": len(lives),
        "kills": {kind: sum(life.kills[kind] for life in lives) for kind in KINDS},
        **sum((collections.Counter(life.facts) for life in lives), collections.Counter()),
        "recovery": {kind: summary([each["seconds"] for each in recoveries if each["after"] == kind])
                     for kind in sorted({each["after"] for each in recoveries})},
        "cuts": [each for each in recoveries if "cut_s" in each],
        "seconds": round(time.monotonic() - begin, 1)}
    print(json.dumps(result, indent=1))
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")
    sys.exit(1 if result["violations"] else 0)


if __name__ == "__main__":
    main()
