#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a learner and two actors in three network namespaces, which veth pairs connect, takes the link of an
actor down, and checks that the fleet recovers and that every decision is counted once. Needs Linux with
namespaces, unshare, nsenter and ip; prints the reason if they are not available, or without SEEDBED_LONG.

usage: SEEDBED_LONG=1 namespaces_test.py PROGRAM [--result FILE]

There is one run for each form of a fleet. The second one has a round trip of 50 ms and 1 % of lost packets:
by netem if the kernel has it, otherwise by a relay in the learner's namespace (relay.py).

* the link of the first actor is down for a time in which TCP sends again, and for a time after which both
  sides give the connection up; the other group continues and never loses its actor
* 10 s after the link is up, both groups have stored new episodes (kills_test.py describes them)
* a new actor reports why it does not reach the learner: dropped packets, no route, nothing at the port; it
  connects when the obstacle is removed
* the records of the run are checked as in kills_test.py
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import kills_test
from kills_test import ENVS, EPISODES_PER_S, FLEET, GROUPS, RECOVERED, WAIT_S, faults, missed_mistakes
from measure import MEASURING, limit
from oracle import Oracle
from others import kill_all, processes_of
from relay import Link

PORT = 7450
CUTS_S = (5, 25)  # the pings of both sides notice the second one
ROUND_TRIP_S, LOSS = 0.05, 0.01
INSIDE = "SEEDBED_TEST_NAMESPACE"
# Those of kills_test.py that need no resumed run.
MISTAKES = [name for name in kills_test.MISTAKES if "process" not in name and "checkpoint" not in name]


def ip(*words, inside=()):
    subprocess.run([*inside, "ip", *words], check=True, capture_output=True, text=True)


class Machine:
    """The namespace of an actor. The learner has the address `learner` in its network. Its own end of the link
    is called "own", the learner's "linkN"."""

    def __init__(self, number):
        self.link, self.learner, self.own = f"link{number}", f"10.97.{number}.1", f"10.97.{number}.2"
        self.losses = 0
        # It keeps the namespace, and ends with this test.
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; exec cat"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.holder.stdout.read(1)
        self.inside = ["nsenter", "--net", "--target", str(self.holder.pid)]
        ip("link", "add", self.link, "type", "veth", "peer", "name", "own", "netns", str(self.holder.pid))
        ip("address", "add", f"{self.learner}/24", "dev", self.link)
        ip("address", "add", f"{self.own}/24", "dev", "own", inside=self.inside)
        ip("link", "set", self.link, "up")
        ip("link", "set", "lo", "up", inside=self.inside)
        self.up(True)

    def up(self, is_up):
        ip("link", "set", "own", "up" if is_up else "down", inside=self.inside)

    def delay(self):
        """Both directions. Returns whether the kernel can."""
        words = f"root netem delay {1000 * ROUND_TRIP_S / 2:g}ms loss {100 * LOSS:g}%".split()
        try:
            for inside, device in (((), self.link), (self.inside, "own")):
                subprocess.run([*inside, "tc", "qdisc", "add", "dev", device, *words], check=True,
                               capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return False
        return True

    def end(self):
        self.holder.kill()
        self.holder.wait()  # its end of the link, and with it the other one, is removed


class Run:
    def __init__(self, program, form, is_slow):
        self.program, self.form = program, form
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-fleet-namespaces-"))
        self.data = self.folder / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": str(self.folder)}
        self.machines = [Machine(number) for number in range(1, GROUPS + 1)]
        self.relay, self.delayed_by = None, "none"
        if is_slow:
            self.delayed_by = "netem"
            if not all(machine.delay() for machine in self.machines):
                self.delayed_by = "relay"
                self.relay = Link(PORT, ROUND_TRIP_S, LOSS, host="0.0.0.0")
        self.port = self.relay.port if self.relay else PORT
        self.recoveries = []
        self.learner, self.actors = None, [None] * GROUPS

    def start(self, log, *words, inside=()):
        with open(self.folder / log, "a", encoding="utf-8") as output:
            return subprocess.Popen([*inside, self.program, *words], env=self.env, stdin=subprocess.DEVNULL,
                                    stdout=output, stderr=output)

    def log(self, number):
        return (self.folder / f"actor{number}.log").read_text(encoding="utf-8")

    def start_actor(self, number, port=None):
        machine = self.machines[number]
        self.actors[number] = self.start(
            f"actor{number}.log", "fleet", "actor", "--credentials", str(self.data / "fleet/run-1/actor.json"),
            "--learner", f"{machine.learner}:{port or self.port}", inside=machine.inside)

    def stop_actor(self, number):
        self.machines[number].losses += 1
        self.actors[number].kill()
        self.actors[number].wait()

    def wait_for(self, what, check):
        end = time.monotonic() + WAIT_S
        while not (value := check()):
            assert time.monotonic() < end, f"{what} did not happen within {WAIT_S} s"
            assert self.learner.poll() is None, f"the learner exited with {self.learner.returncode}"
            time.sleep(0.02)
        return value

    def group_of(self, number):
        """The group of an actor, or None. The actor's name ends with its process number."""
        file = self.data / "fleet/run-1/machines.json"
        groups = json.loads(file.read_text())["groups"] if file.exists() else []
        return next((group for group in groups
                     if group["actor"].endswith(f":{self.actors[number].pid}")), None)

    def episodes(self):
        """The number of stored episodes of each group."""
        with Oracle(self.data) as oracle:
            counts = dict(oracle.database.execute(
                "select agent_slot / ?, count(*) from episode_rows group by 1", (ENVS,)).fetchall())
        return [counts.get(group, 0) for group in range(GROUPS)]

    def recover(self, after, at_most=WAIT_S):
        before, begin = self.episodes(), time.monotonic()
        self.wait_for(f"recovery after: {after}", lambda: all(
            now - earlier >= RECOVERED for now, earlier in zip(self.episodes(), before)))
        seconds = time.monotonic() - begin
        self.recoveries.append({"form": self.form, "after": after, "seconds": round(seconds, 2)})
        assert seconds <= at_most, self.recoveries[-1]

    def join(self):
        self.learner = self.start("learner.log", *FLEET, "--actor.fleet_form", self.form, "--program",
                                  "/bin/true", "--listen", f"0.0.0.0:{PORT}")
        self.wait_for("the credentials", (self.data / "fleet/run-1/actor.json").exists)
        for number in range(GROUPS):
            self.start_actor(number)
        self.recover("join")
        self.wait_for("the names of the actors", lambda: all(map(self.group_of, range(GROUPS))))

    def cut(self, seconds):
        """Takes the link of the first actor down."""
        cut, other = (self.group_of(number)["group"] for number in range(GROUPS))
        machine = self.machines[0]
        machine.losses += 2  # a new connection may also be lost
        machine.up(False)
        before = self.episodes()
        time.sleep(seconds)
        stored = [now - earlier for now, earlier in zip(self.episodes(), before)]
        assert stored[cut] <= seconds * EPISODES_PER_S / GROUPS / 2, f"without a link: {stored[cut]} episodes"
        assert stored[other] >= RECOVERED, f"the other group stored {stored[other]} episodes"
        machine.up(True)
        self.recover(f"link down for {seconds} s", limit(10))

    def obstruct(self, reason, add, remove, port=None):
        """A new actor gives the reason; it connects when the obstacle is removed."""
        self.stop_actor(0)
        add()
        before = len(self.log(0))
        self.start_actor(0, port)
        self.wait_for(f"the message '{reason}'", lambda: reason in self.log(0)[before:])
        remove()
        if port:
            self.stop_actor(0)
            self.start_actor(0)
        self.recover(reason)

    def obstruct_all(self):
        machine = self.machines[0]
        address = f"{machine.learner}:{self.port}"
        drop = ["blackhole", f"{machine.own}/32"]  # the learner's answers
        self.obstruct(f"nothing answers at {address}: a firewall drops the packets",
                      lambda: ip("route", "add", *drop), lambda: ip("route", "delete", *drop))
        lost = ["unreachable", f"{machine.learner}/32"]
        self.obstruct(f"this machine has no route to {address}",
                      lambda: ip("route", "add", *lost, inside=machine.inside),
                      lambda: ip("route", "delete", *lost, inside=machine.inside))
        self.obstruct(f"no learner listens at {machine.learner}:9", lambda: None, lambda: None, port=9)

    def check(self):
        """Ends the run and checks its records."""
        self.wait_for("the names of the actors", lambda: all(map(self.group_of, range(GROUPS))))
        lost, kept = (self.group_of(number)["losses"] for number in range(GROUPS))
        assert lost > 0 and kept == 0, f"the groups lost {lost} and {kept} actors"
        subprocess.run([self.program, "fleet", "stop", "1", "--quiet"], env=self.env, check=True,
                       timeout=WAIT_S)
        assert self.learner.wait(WAIT_S) == 130
        for actor in self.actors:
            actor.kill()
            actor.wait()
        assert not processes_of(self.data), "processes remain"
        machines = json.loads((self.data / "fleet/run-1/machines.json").read_text())
        losses = collections.Counter({1: sum(machine.losses for machine in self.machines)})
        with Oracle(self.data) as oracle:
            found = faults(oracle.database, 1, machines, losses)
            found = found or missed_mistakes(oracle.database, 1, machines, losses, MISTAKES)
            decisions, = oracle.database.execute("select steps from runs").fetchone()
        assert not found, found
        return decisions

    def perform(self):
        try:
            self.join()
            for seconds in CUTS_S:
                self.cut(seconds)
            self.obstruct_all()
            decisions = self.check()
        except BaseException:
            for log in sorted(self.folder.glob("*.log")):
                print(f"--- {log.name}\n" + log.read_text(errors="replace")[-3000:], flush=True)
            raise
        finally:
            if self.relay:
                self.relay.close()
            kill_all(self.data)
            for machine in self.machines:
                machine.end()
        shutil.rmtree(self.folder, ignore_errors=True)
        return {"form": self.form, "delayed_by": self.delayed_by, "decisions": decisions}


def enter(arguments):
    """Runs this test in a new network namespace, of a new user namespace unless it is root."""
    for program in ("unshare", "nsenter", "ip"):
        if shutil.which(program) is None:
            return f"{program} was not found (Debian: util-linux, iproute2)"
    words = ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "--net"]
    trial = subprocess.run([*words, "ip", "link", "add", "own", "type", "veth", "peer", "name", "other"],
                           capture_output=True, text=True, check=False)
    if trial.returncode != 0:
        return f"no network namespaces: {trial.stderr.strip()}"
    os.environ[INSIDE] = "1"
    os.execvp(words[0], [*words, sys.executable, *arguments])
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    program = options.program.resolve()
    reason = None
    if not MEASURING:
        reason = "it takes minutes and limits the time of recoveries; set SEEDBED_LONG=1"
    elif not (program.parent / "seedbed_grpc.so").exists():
        reason = "the module for fleets was not built"
    elif INSIDE not in os.environ:
        reason = enter(sys.argv)
    if reason:
        print(f"[  SKIPPED ] {reason}")
        return
    ip("link", "set", "lo", "up")
    begin, load = time.monotonic(), pathlib.Path("/proc/loadavg").read_text().split()[0]
    facts, recoveries = [], []
    for form in kills_test.FORMS:
        run = Run(str(program), form, is_slow=form == "windows")
        facts.append(run.perform())
        recoveries += run.recoveries
    result = {"command": " ".join(["SEEDBED_LONG=1 tests/fleet/namespaces_test.py PROGRAM", *sys.argv[2:]]),
              "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "load_before": load,
              "runs": facts, "recoveries": recoveries,
              "seconds": round(time.monotonic() - begin, 1)}
    print(json.dumps(result, indent=1))
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
