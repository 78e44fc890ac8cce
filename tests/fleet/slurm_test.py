#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains CartPole and MinAtar Breakout to the goals of their presets with actors that a real Slurm starts on
this machine: munge, slurmctld and slurmd run in a temporary folder. Checks that the actors connect, that a
cancelled job is replaced by 'fleet add', that a killed learner resumes and its actors find it, and that
'fleet stop' ends the job. Needs root and Debian's slurmctld, slurmd and munge; prints the reason if they are
missing, or without SEEDBED_LONG.

usage: SEEDBED_LONG=1 slurm_test.py PROGRAM [--steps N] [--result FILE]

  --steps  of each run, instead of those of its preset; its goal is not checked
"""

import argparse
import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tasks

sys.path.append(str(Path(__file__).resolve().parents[1]))
from measure import MEASURING

WAIT_S = 180  # for each event; a busy machine is slow


def skip(reason):
    print(f"[  SKIPPED ] {reason}")
    sys.exit(0)


def wait_for(what, condition):
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        time.sleep(0.5)
    raise AssertionError(f"{what} did not happen within {WAIT_S} s")


class Slurm:
    """One node: this machine."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.socket = folder / "munge.socket"
        (folder / "slurm.conf").write_text(
            f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={getpass.getuser()}
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket={self.socket}
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 SocketsPerBoard=8 CoresPerSocket=1 State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
SlurmdParameters=config_overrides
"""
        )
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")

    def start(self):
        self.run("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                 f"--socket={self.socket}", f"--pid-file={self.folder}/munge.pid",
                 f"--log-file={self.folder}/munge.log",
                 f"--seed-file={self.folder}/munge.seed")
        wait_for("munge", self.socket.exists)
        self.run("slurmctld", "-D", "-i")
        self.run("slurmd", "-D")
        wait_for("an idle node", lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%T"))

    def run(self, *command):
        log = open(self.folder / f"{command[0]}.out", "w", encoding="utf-8")
        path = shutil.which(command[0]) or f"/usr/sbin/{command[0]}"
        self.processes.append(subprocess.Popen([path, *command[1:]], stdout=log, stderr=log))

    def ask(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout

    def jobs(self):
        return self.ask("squeue", "--noheader", "--format=%i %T").split()

    def stop(self):
        self.ask("scancel", "--user", getpass.getuser())
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def check(program, slurm, folder, steps):
    data = folder / "data"
    environment = dict(os.environ, SEEDBED_DATA=str(data))

    def seedbed(*words):
        done = subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        return done.stdout

    def shown(run):
        try:
            return json.loads(seedbed("fleet", "show", run, "--json"))
        except AssertionError:
            return {"groups": [], "launches": []}

    def connected(run):
        return sum(bool(group["actor"]) for group in shown(run)["groups"])

    def launch_states():
        return [launch["state"] for launch in shown("1")["launches"]]

    def learner(*words):
        return subprocess.Popen([program, *words, "--quiet"], env=environment)

    def start(port, *options):
        return learner("fleet", "start", *options, "--on", "slurm", "--listen", f"127.0.0.1:{port}",
                       "--address", "127.0.0.1")

    facts = {"slurm": slurm.ask("sbatch", "--version").strip()}
    for number, task in enumerate(tasks.TASKS, 1):
        run, begin = str(number), time.monotonic()
        process = start(17449 + number, *tasks.start_options(task, steps))
        wait_for("a running job", lambda: "RUNNING" in slurm.jobs())
        wait_for("two connected actors", lambda: connected(run) == 2)
        facts[task] = {"connected_s": round(time.monotonic() - begin, 1)}
        if number == 1:
            process = disturb(slurm, process, seedbed, connected, launch_states, learner, facts[task])
        assert process.wait(1800) == 0
        wait_for("the end of the job", lambda: not slurm.jobs())
        facts[task].update(tasks.outcome(task, json.loads(seedbed("show", run, "--json")), steps),
                           seconds=round(time.monotonic() - begin))
        print(json.dumps(facts[task]), flush=True)

    # fleet stop ends learner and job.
    process = start(17460, *tasks.start_options(tasks.TASKS[0], 100_000_000))
    wait_for("another job", lambda: "RUNNING" in slurm.jobs())
    seedbed("fleet", "stop", str(len(tasks.TASKS) + 1))
    process.wait(WAIT_S)
    wait_for("the end of that job", lambda: not slurm.jobs())
    return facts


def disturb(slurm, process, seedbed, connected, launch_states, learner, facts):
    """Cancels the job of run 1, kills its learner, and returns the resumed learner."""
    assert launch_states() == ["running"]

    # A job that is cancelled, as by preemption, is replaced.
    slurm.ask("scancel", slurm.jobs()[0])
    wait_for("the loss of the actors", lambda: connected("1") == 0)
    wait_for("the state of the job", lambda: launch_states() == ["ended"])
    seedbed("fleet", "add", "1", "--on", "slurm", "--actors", "2")
    wait_for("two new actors", lambda: connected("1") == 2)

    # The learner is killed; its actors find the resumed one.
    time.sleep(2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    begin = time.monotonic()
    process = learner("resume", "1")
    wait_for("reconnected actors", lambda: connected("1") == 2)
    facts["reconnected_s"] = round(time.monotonic() - begin, 1)
    return process


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--result", type=Path)
    arguments = parser.parse_args()
    if not MEASURING:
        skip("it takes several minutes; set SEEDBED_LONG=1")
    os.environ["PATH"] += ":/usr/sbin"
    for name in ("sbatch", "slurmctld", "slurmd", "munged"):
        if shutil.which(name) is None:
            skip(f"{name} is not installed (Debian: slurmctld slurmd slurm-client munge)")
    if os.geteuid() != 0:
        skip("slurmd needs root")
    with tempfile.TemporaryDirectory(prefix="seedbed-slurm-", ignore_cleanup_errors=True) as name:
        slurm = Slurm(Path(name))
        try:
            slurm.start()
            program = str(arguments.program.resolve())
            facts = check(program, slurm, Path(name), arguments.steps)
        except BaseException:
            for log in sorted(Path(name).glob("*.log")) + sorted(Path(name).glob("*.out")):
                print(f"--- {log.name}\n" + log.read_text(errors="replace")[-2000:])
            for log in Path(name).glob("data/fleet/*/*.log"):
                print(f"--- {log.name}\n" + log.read_text(errors="replace")[-2000:])
            raise
        finally:
            slurm.stop()
    facts["command"] = " ".join(["SEEDBED_LONG=1 tests/fleet/slurm_test.py", "PROGRAM", *sys.argv[2:]])
    print(json.dumps(facts, indent=2))
    if arguments.result:
        arguments.result.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
