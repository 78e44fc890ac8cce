#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs with actors in separate processes: learner and actors are killed, stopped and started again.

usage: fleet_test.py PROGRAM
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

from command_case import PROGRAM, CommandCase

FLEET = [
    "fleet", "start", "cartpole_vtrace", "--actors", "2", "--envs", "4", "--quiet",
    "--eval.final_episodes", "2"
]


class FleetTest(CommandCase):

    def setUp(self):
        super().setUp()
        self.addCleanup(self.end_actors)

    def actors(self):
        """The ids of the processes that 'fleet start' has started, if they are still running."""
        files = (self.data / "fleet/run-1").glob("actors*.pid")
        ids = [int(word) for file in sorted(files) for word in file.read_text().split()]
        return [pid for pid in ids if self.is_running(pid)]

    @staticmethod
    def is_running(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def end_actors(self):
        for pid in self.actors():
            os.kill(pid, signal.SIGKILL)

    def connected(self):
        run = subprocess.run([PROGRAM, "fleet", "show", "1", "--json"], env=self.env, capture_output=True,
                             text=True)
        return run.stdout.count('"actor":"') - run.stdout.count('"actor":""')

    def rows(self):
        return sum(group["rows"] for group in self.document("fleet", "show", "1")["groups"])

    def test_a_run_trains_with_its_actors_and_ends_them(self):
        self.seedbed(*FLEET, "--steps", "3000")
        run = self.document("show", "1")
        self.assertEqual(run["status"], "finished")
        self.assertGreaterEqual(run["steps"], 3000)
        self.assertEqual(run["config"]["run"]["inference"], "central")
        self.assertGreaterEqual(self.rows(), 3000)
        self.wait_for("the end of the actors", lambda: not self.actors())
        self.assertEqual(self.document("list")[0]["status"], "finished")
        fleet = self.document("fleet", "list")[0]
        self.assertEqual((fleet["run"], fleet["running"], fleet["groups"]), (1, False, 2))

    def test_actors_that_choose_the_actions_are_replaced(self):
        learner = self.start(*FLEET, "--actor.fleet_form", "windows", "--steps", "100000000",
                             "--env.wrap.step_ms", "1", "--checkpoint.every_s", "1")
        self.wait_for("two actors", lambda: self.connected() == 2)
        self.wait_for_steps("1", 1000)
        os.kill(self.actors()[0], signal.SIGKILL)
        self.wait_for("the loss", lambda: self.connected() == 1)
        # A killed process may leave a run without this file.
        (self.data / "fleet" / "run-1" / "actor.json").unlink()
        self.seedbed("fleet", "add", "1", "--quiet")
        self.wait_for("the new actor", lambda: all(
            group["form"] == "windows" for group in self.document("fleet", "show", "1")["groups"]))
        for group in self.document("fleet", "show", "1")["groups"]:
            self.assertLessEqual(group["lag"], 20)
            self.assertGreater(group["rows"], 0)
        learner.kill()
        learner.wait()
        shown = self.document("show", "1")
        self.assertEqual(shown["config"]["run"]["inference"], "auto")
        before = shown["steps"]
        learner = self.start("resume", "1", "--quiet")
        self.wait_for("the actors", lambda: self.connected() == 2)
        self.wait_for_steps("1", before + 1000)
        self.wait_for("the list of machines", lambda: re.search(
            r"windows +\d", self.seedbed("fleet", "show", "1").stdout))
        self.seedbed("fleet", "stop", "1", "--quiet")
        self.assertEqual(learner.wait(120), 130)
        self.wait_for("the end of the actors", lambda: not self.actors())
        self.assertText(self.seedbed("fleet", "start", "cartpole", "--algo", "dqn", "--actor.fleet_form",
                                     "windows", code=3), "such as vtrace, ppo or a2c; algo.id=dqn")
        self.assertText(self.seedbed(*FLEET, "--actor.fleet_form", "windows", "--run.inference", "central",
                                     code=3), "run.inference=central has no use with actor.fleet_form=windows")

    def test_killed_actors_are_replaced_and_a_killed_learner_is_found_again(self):
        learner = self.start(*FLEET, "--steps", "100000000", "--checkpoint.every_s", "1")
        self.wait_for("two actors", lambda: self.connected() == 2)
        self.wait_for_steps("1", 1000)
        os.kill(self.actors()[0], signal.SIGKILL)
        self.wait_for("the loss", lambda: self.connected() == 1)
        lost = self.document("fleet", "show", "1")
        self.assertEqual(sorted((group["waiting"], group["losses"]) for group in lost["groups"]),
                         [(False, 0), (True, 1)])
        self.assertEqual([(each["state"], each["running"], each["actors"]) for each in lost["launches"]],
                         [("running", 1, 2)])
        self.assertNotIn("launches", self.document("fleet", "show", "1", "--no-jobs"))
        shown = self.seedbed("fleet", "show", "1").stdout
        self.assertIn("Launch on this machine is running, 1 of 2 actors\n1 group waits for an actor.", shown)
        self.assertTrue(shown.endswith("This starts more: seedbed fleet add 1 --actors 1\n"), shown)
        self.seedbed("fleet", "add", "1", "--address", "127.0.0.1", "--quiet")
        self.wait_for("the new actor", lambda: self.connected() == 2)
        self.wait_for("a checkpoint", lambda: len(self.document("show", "1")["checkpoints"]) > 1)
        learner.kill()
        learner.wait()
        before = self.document("show", "1")["steps"]
        learner = self.start("resume", "1", "--quiet")
        self.wait_for("the actors", lambda: self.connected() == 2)
        self.wait_for_steps("1", before + 1000)
        self.seedbed("fleet", "stop", "1", "--quiet")
        self.assertEqual(learner.wait(120), 130)
        self.wait_for("the end of the actors", lambda: not self.actors())
        self.assertEqual(self.document("show", "1")["status"], "interrupted")

    def test_a_pending_job_is_reported(self):
        folder = pathlib.Path(self.folder.name)
        for name, body in {"sbatch": "cat > /dev/null; echo 5", "squeue": "echo '5|PENDING|Resources'",
                           "scancel": "exit 0"}.items():
            (folder / name).write_text(f"#!/bin/sh\n{body}\n")
            (folder / name).chmod(0o700)
        self.env["PATH"] = f"{folder}:{self.env['PATH']}"
        learner = self.start(*FLEET, "--on", "slurm", "--listen", "127.0.0.1:0")
        machines = self.data / "fleet/run-1/machines.json"
        self.wait_for("the list of machines", lambda: machines.exists())
        self.wait_for("the job", lambda: [launch["state"] for launch in self.document(
            "fleet", "show", "1")["launches"]] == ["pending"])
        shown = self.seedbed("fleet", "show", "1").stdout
        self.assertIn("Slurm job 5 is pending: Resources\n2 groups wait for an actor, which the pending job",
                      shown)
        self.seedbed("fleet", "stop", "1", "--quiet")
        self.assertEqual(learner.wait(120), 130)
        self.assertEqual(self.document("fleet", "show", "1")["launches"], [])

    def test_an_actor_of_ray_that_fails_does_not_end_the_others(self):
        plan = self.document("fleet", "start", "cartpole_vtrace", "--on", "ray", "--dry-run")
        folder = pathlib.Path(self.folder.name)
        (folder / "actors.py").write_text(plan["files"]["actors.py"])
        # Runs tasks immediately.
        (folder / "ray.py").write_text("""
def init():
    pass

def remote(**options):
    return lambda function: type("Task", (), {"remote": staticmethod(function)})

def get(values):
    return values
""")
        program = folder / "program"
        program.write_text(f"#!/bin/sh\necho $4 >> {folder}/ran\nexit 3\n")
        program.chmod(0o700)
        run = subprocess.run([sys.executable, folder / "actors.py", program, "2"], check=False)
        self.assertEqual(run.returncode, 1)
        self.assertEqual((folder / "ran").read_text(), "actor.json\n" * 2)

    def test_mistakes_are_explained(self):
        run = subprocess.run([PROGRAM, "fleet", "actor", "--credentials", "-"], env=self.env, input="{}",
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 3)
        self.assertText(run, "this is not a file with credentials of an actor")
        self.assertIn("no credentials", self.seedbed(
            "fleet", "actor", "--credentials", str(PROGRAM.parent / "no credentials"), code=1).stderr)
        self.seedbed("train", "cartpole", "--steps", "100", "--quiet", "--eval.final_episodes", "1")
        self.assertText(self.seedbed("fleet", "show", "1", code=3), "run 1 has no fleet")
        for system, text in {"ssh": "--on ssh needs --hosts", "kubernetes": "needs --image"}.items():
            self.assertText(self.seedbed("fleet", "start", "cartpole", "--on", system, code=3), text)
        self.assertText(self.seedbed("fleet", "start", "cartpole", "--run.schedule", "sync", code=3),
                        "actor.fleet requires run.schedule=async")
        self.seedbed("fleet", "start", "cartpole", "--on", "nowhere", code=2)

    def test_dry_runs_print_the_job_and_start_nothing(self):
        options = ["--actors", "3", "--hosts", "a,b", "--image", "i", "--address", "10.0.0.5", "--dry-run"]
        for system, word in {"local": "nohup", "ssh": "ssh 'a'", "slurm": "srun", "ray": "ray job submit",
                             "kubernetes": '"kind": "Job"'}.items():
            run = self.seedbed("fleet", "start", "cartpole_vtrace", "--on", system, *options)
            self.assertIn(word, run.stdout)
        plan = self.document("fleet", "start", "cartpole_vtrace", "--on", "slurm", *options)
        self.assertEqual(plan["address"], "10.0.0.5:7450")
        for option in ("--partition=cpu", "--address http://1.2.3.4:8265 --verbose"):
            plan = self.document("fleet", "start", "cartpole_vtrace", "--on", "slurm", "--options", option,
                                 *options)
            self.assertIn(f"| sbatch --parsable {option} >> '", plan["start"][0])
        self.assertFalse(self.data.exists())


if __name__ == "__main__":
    if not (PROGRAM.parent / "seedbed_grpc.so").exists():
        print("[  SKIPPED ] the module for fleets was not built")
        sys.exit(0)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
