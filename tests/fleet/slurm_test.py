#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains CartPole with actors that a real Slurm starts on this machine: munge, slurmctld and slurmd run in a
temporary folder. Checks that the actors connect, that a cancelled job is replaced by 'fleet add', that a
killed learner resumes and its actors find it, and that 'fleet stop' ends the job. Needs root and Debian's
slurmctld, slurmd and munge; exits with 77 and the reason if they are missing.

usage: slurm_test.py PROGRAM [--steps N] [--goal RETURN] [--result FILE]
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

SKIPPED = 77
WAIT_S = 180  # for each event; a busy machine is slow


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


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


def check(program, slurm, folder, steps, goal):
    data = folder / "data"
    environment = dict(os.environ, SEEDBED_DATA=str(data))

    def seedbed(*words):
        done = subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        return done.stdout

    def connected():
        try:
            machines = json.loads(seedbed("fleet", "show", "1", "--json"))
        except AssertionError:
            return 0
        return sum(bool(group["actor"]) for group in machines["groups"])

    def launch_states():
        shown = json.loads(seedbed("fleet", "show", "1", "--json"))
        return [launch["state"] for launch in shown["launches"]]

    def learner(*words):
        return subprocess.Popen([program, *words, "--quiet"], env=environment)

    facts = {"slurm": slurm.ask("sbatch", "--version").strip()}
    begin = time.monotonic()
    process = learner("fleet", "start", "cartpole_vtrace", "--on", "slurm", "--actors", "2", "--envs", "8",
                      "--listen", "127.0.0.1:17450", "--address", "127.0.0.1", "--steps", str(steps))
    wait_for("a running job", lambda: "RUNNING" in slurm.jobs())
    wait_for("two connected actors", lambda: connected() == 2)
    assert launch_states() == ["running"]
    facts["connected_s"] = round(time.monotonic() - begin, 1)

    # A job that is cancelled, as by preemption, is replaced.
    slurm.ask("scancel", slurm.jobs()[0])
    wait_for("the loss of the actors", lambda: connected() == 0)
    wait_for("the state of the job", lambda: launch_states() == ["ended"])
    seedbed("fleet", "add", "1", "--on", "slurm", "--actors", "2")
    wait_for("two new actors", lambda: connected() == 2)

    # The learner is killed; its actors find the resumed one.
    time.sleep(2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    begin = time.monotonic()
    process = learner("resume", "1")
    wait_for("reconnected actors", lambda: connected() == 2)
    facts["reconnected_s"] = round(time.monotonic() - begin, 1)

    assert process.wait(1200) == 0
    wait_for("the end of the job", lambda: not slurm.jobs())
    run = json.loads(seedbed("show", "1", "--json"))
    facts["steps"] = run["run"]["steps"] if "run" in run else run["steps"]
    evaluation = run["evaluations"][-1]
    facts["return"] = evaluation["mean"]
    assert facts["return"] >= goal, facts

    # fleet stop ends learner and job.
    process = learner("fleet", "start", "cartpole_vtrace", "--on", "slurm", "--actors", "2", "--envs", "8",
                      "--listen", "127.0.0.1:17451", "--address", "127.0.0.1", "--steps", "100000000")
    wait_for("a second job", lambda: "RUNNING" in slurm.jobs())
    seedbed("fleet", "stop", "2")
    process.wait(WAIT_S)
    wait_for("the end of the second job", lambda: not slurm.jobs())
    return facts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("--steps", type=int, default=500_000)
    parser.add_argument("--goal", type=float, default=475)
    parser.add_argument("--result", type=Path)
    arguments = parser.parse_args()
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
            facts = check(program, slurm, Path(name), arguments.steps, arguments.goal)
        except BaseException:
            for log in sorted(Path(name).glob("*.log")) + sorted(Path(name).glob("*.out")):
                print(f"--- {log.name}\n" + log.read_text(errors="replace")[-2000:])
            for log in Path(name).glob("data/fleet/*/*.log"):
                print(f"--- {log.name}\n" + log.read_text(errors="replace")[-2000:])
            raise
        finally:
            slurm.stop()
    facts["command"] = " ".join(["tests/fleet/slurm_test.py", "PROGRAM", *sys.argv[2:]])
    print(json.dumps(facts, indent=2))
    if arguments.result:
        arguments.result.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
