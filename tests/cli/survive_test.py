# SPDX-License-Identifier: Apache-2.0
"""Robustness of runs: failing final saves, ignored signals, hostile requests and files."""
import fcntl
import json
import pathlib
import shutil
import signal
import socket
import sqlite3
import struct
import sys
import threading
import time
import unittest

from program_case import ENDLESS, SMALL, ProgramCase


class Survival(ProgramCase):
    def test_stop_reports_saved_only_if_saving_succeeded(self):
        child, _ = self.train()
        # From now on checkpoints fail.
        folder = self.data / "checkpoints"
        folder.rename(self.data / "checkpoints-away")
        folder.write_text("")
        reported = self.seedbed("stop", "1", code=1)
        self.assertIn("was not saved", reported.stderr)
        self.assertNotIn("its state is saved", reported.stderr)
        self.assertNotEqual(child.wait(60), 0)
        folder.unlink()
        (self.data / "checkpoints-away").rename(folder)
        again = self.start("resume", "1", "--quiet")
        self.wait_for("running", lambda: self.status() == "running")
        self.assertIn("its state is saved", self.seedbed("stop", "1").stderr)
        again.wait(60)

    def test_resume_waits_for_a_short_owner_and_reports_another_one(self):
        self.seedbed("train", *SMALL, "--steps", "2000")
        lock = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0)
        with open(self.data / "locks" / "run-1.lock", "r+b") as owner:
            fcntl.fcntl(owner, fcntl.F_OFD_SETLK, lock)
            resumed = self.start("resume", "1", "--steps", "3000", "--quiet")
            time.sleep(0.2)
            self.assertIsNone(resumed.poll(), "it waits")
        _, errors = resumed.communicate(timeout=60)
        self.assertEqual(resumed.returncode, 0, errors)
        with open(self.data / "locks" / "run-1.lock", "r+b") as owner:
            fcntl.fcntl(owner, fcntl.F_OFD_SETLK, lock)
            refused = self.seedbed("resume", "1", "--steps", "4000", code=1)
        self.assertIn("run 1 is being trained by another process", refused.stderr)

    def test_resume_connects_once_to_a_paused_process(self):
        self.seedbed("train", *SMALL, "--steps", "2000")
        control = self.data / "control"
        control.mkdir(exist_ok=True)
        received = []

        def serve(server):
            client, _ = server.accept()
            with client, client.makefile("rw") as lines:
                hello = {"hello": "seedbed-control", "version": 1, "kind": "run", "run": 1}
                print(json.dumps(hello), file=lines, flush=True)
                for line in lines:
                    request = json.loads(line)
                    received.append(request["do"])
                    reply = {"re": request["id"], "ok": True, "status": {"state": "paused"}}
                    print(json.dumps(reply), file=lines, flush=True)

        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(control / "run-1.sock"))
            server.listen()
            process = threading.Thread(target=serve, args=(server,), daemon=True)
            process.start()
            with open(self.data / "locks" / "run-1.lock", "r+b") as owner:
                fcntl.fcntl(owner, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))
                self.assertTrue(self.document("resume", "1")["resumed"])
            process.join(10)
        self.assertEqual(received, ["status", "resume"])

    def test_list_and_show_name_the_step_from_which_a_killed_run_resumes(self):
        child, _ = self.train(*ENDLESS, "--checkpoint.every_s", "3600", "--eval.every_steps", "100000000")
        self.wait_for("steps", lambda: self.steps() > 2000)
        child.kill()
        child.wait(60)
        listed, shown = self.document("list")[0], self.document("show", "1")
        self.assertEqual(shown["status"], "interrupted")
        self.assertEqual((shown["resume_step"], listed["resume_step"]), (0, 0))
        self.assertIn(f"{shown['steps']:,} (resumes at 0)", self.seedbed("list").stdout)
        self.assertIn("; a resume starts at step 0", self.seedbed("show", "1").stdout)
        # A checkpoint that the database does not contain, because it was locked when the run ended.
        shutil.copytree(self.data / "checkpoints/1/0", self.data / "checkpoints/1/1000")
        self.assertEqual(self.document("list")[0]["resume_step"], 1000)
        self.assertEqual(self.document("show", "1")["resume_step"], 1000)
        self.seedbed("train", *SMALL, "--steps", "2000")
        self.assertIsNone(self.document("show", "2")["resume_step"])

    def test_stop_reports_a_run_killed_while_stopping(self):
        child, _ = self.train()
        # Writing the final rows waits for the locked database, which gives time to kill the process.
        with sqlite3.connect(self.data / "seedbed.db", isolation_level=None) as shell:
            shell.execute("begin immediate")
            stop = self.start("stop", "1")
            self.wait_for("its last update", self.rests)
            child.kill()
            _, reported = stop.communicate(timeout=60)
            shell.execute("rollback")
        self.assertEqual(stop.returncode, 1, reported)
        self.assertIn("was not saved", reported)

    def test_a_resume_below_the_steps_before_a_kill_shows_its_own_steps(self):
        child, _ = self.train(*ENDLESS, "--checkpoint.every_s", "1000", "--checkpoint.time_share", "0")
        newest = lambda shown: shown["checkpoints"][-1]["step"]
        self.wait_for("steps after a checkpoint",
                      lambda: self.steps() > newest(self.document("show", "1")) + 2000)
        child.kill()
        child.wait()
        before = self.document("show", "1")
        self.seedbed("resume", "1", "--steps", str(newest(before) + 1), "--quiet")
        after = self.document("show", "1")
        self.assertEqual(after["steps"], newest(after))
        for count in ("steps", "frames", "updates"):
            self.assertLess(after[count], before[count], count)
        self.assertEqual(self.document("list")[0]["steps"], after["steps"])
        refused = self.seedbed("queue", "add", "--run", "1", code=3)
        self.assertIn(f"after {after['steps']:,} steps", refused.stderr)

    def test_signals_ignored_by_nohup_stay_ignored(self):
        child = self.start("train", *ENDLESS, "--quiet",
                           preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        child.stdout.readline()
        self.wait_for("the first steps", lambda: self.steps() > 0)
        child.send_signal(signal.SIGHUP)
        steps = self.steps()
        self.wait_for("more steps", lambda: self.steps() > steps)
        self.assertIsNone(child.poll())
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(60), 130)

    # Training continues while rows cannot be written, so unchanged steps mean that it has stopped. The wait
    # is short, since the process stops within two seconds.
    def rests(self):
        before = self.ask("status")["status"]["steps"]
        time.sleep(0.2)
        return self.ask("status")["status"]["steps"] == before

    def ask(self, verb, **members):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            client.connect(str(self.data / "control" / "run-1.sock"))
            with client.makefile("rw") as lines:
                lines.readline()
                lines.write(json.dumps({"id": 1, "do": verb, **members}) + "\n")
                lines.flush()
                return json.loads(lines.readline())

    def test_a_priority_is_compared_before_it_is_narrowed(self):
        self.train()
        for nice in (4294967300, -4294967290, 2**63, 2**64 - 1, 20, -1, 3.5, "3"):
            self.assertFalse(self.ask("priority", nice=nice)["ok"], nice)
        self.assertEqual(self.ask("priority", nice=3)["nice"], 3)
        self.seedbed("stop", "1")

    def test_json_nested_a_million_levels_deep_is_rejected(self):
        self.seedbed("train", *SMALL, "--steps", "1000")
        target = pathlib.Path(self.folder.name) / "out"
        self.seedbed("db", "export", str(target), "--no-checkpoints")
        deep = "[" * 10**6 + "]" * 10**6
        for column, value in (("runs set config", '{"a":' + deep + "}"), ("event_rows set data",
                                                                          '{"a":' + deep + "}"),
                              ("evaluation_rows set episodes", deep), ("runs set devices", deep)):
            bad = pathlib.Path(self.folder.name) / "bad.db"
            bad.write_bytes((target / "seedbed.db").read_bytes())
            with sqlite3.connect(bad) as database:
                database.execute(f"update {column} = ?", (value,))
            run = self.seedbed("db", "import", str(bad), "--data", str(self.folder.name) + "/fresh", code=3)
            self.assertIn("JSON", run.stderr)

    def test_missing_checkpoints_are_reported_and_those_without_a_row_are_checked(self):
        self.seedbed("train", *SMALL, "--steps", "3000", "--checkpoint.every_s", "0.1",
                     "--checkpoint.time_share", "1")
        report = self.document("db", "check", "--checkpoints")
        self.assertTrue(report["ok"], report)
        folder = self.data / "checkpoints"
        self.assertEqual(report["checkpoints"], len([f for f in (folder / "1").iterdir() if f.is_dir()]))
        # A damaged checkpoint without a row, as left by a killed process.
        newest = max((f for f in (folder / "1").iterdir() if f.is_dir()), key=lambda f: int(f.name))
        with sqlite3.connect(self.data / "seedbed.db") as database:
            database.execute("delete from checkpoint_rows where step = ?", (int(newest.name), ))
        self.assertEqual(self.document("db", "check", "--checkpoints")["checkpoints"], report["checkpoints"])
        params = newest / "params.safetensors"
        whole = params.read_bytes()
        params.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        self.assertIn("params.safetensors",
                      self.document("db", "check", "--checkpoints", code=1)["problems"][0])
        params.write_bytes(whole)
        # Without any checkpoints.
        folder.rename(self.data / "away")
        report = self.document("db", "check", "--checkpoints", code=1)
        self.assertIn("missing", report["problems"][0])
        self.assertEqual(report["checkpoints"], 0)

    def test_an_old_milestone_is_evaluated_played_exported_and_resumed(self):
        self.seedbed("train", "catch", "--preset", "none", "--algo", "vtrace", "--schedule", "async",
                     "--engine", "reference", "--network.hidden", "16,16", "--actor.num_envs", "8", "--steps",
                     "30000", "--checkpoint.every_s", "0.1", "--checkpoint.milestone_steps", "2000",
                     "--eval.final_episodes", "2", "--eval.every_steps", "1000000000")
        folders = sorted(
            (f for f in (self.data / "checkpoints" / "1").iterdir() if (f / "manifest.json").exists()),
            key=lambda f: json.loads((f / "manifest.json").read_text())["step"])
        small = [f for f in folders if not (f / "windows.bin").exists()]
        self.assertTrue((folders[-1] / "windows.bin").exists())
        self.assertTrue(small, "more milestones than generations")
        name = "1:" + str(json.loads((small[0] / "manifest.json").read_text())["step"])
        self.assertEqual(self.document("eval", name, "--episodes", "3")["n"], 3)
        self.seedbed("play", name, "--headless", "--episodes", "2")
        self.seedbed("export", name, "--to", "safetensors", "--out",
                     str(pathlib.Path(self.folder.name) / "policy"))
        self.assertTrue(self.document("db", "check", "--checkpoints")["ok"])
        self.seedbed("resume", name, "--steps", "31000")
        kinds = [event["kind"] for event in self.document("show", "1")["events"]]
        self.assertEqual(kinds.count("windows_left_out"), 1)
        self.assertTrue(self.document("db", "check", "--checkpoints")["ok"])

    def test_a_second_import_brings_missing_checkpoints(self):
        self.seedbed("train", *SMALL, "--steps", "3000")
        target, other = pathlib.Path(self.folder.name) / "out", pathlib.Path(self.folder.name) / "other"
        self.seedbed("db", "export", str(target))
        # The new run's folder contains a checkpoint of another run.
        foreign = other / "checkpoints" / "1" / "999999"
        foreign.mkdir(parents=True)
        first = self.seedbed("db", "import", "--trust", str(target), "--no-checkpoints", "--data", str(other))
        self.assertIn("not in the database", first.stderr)
        self.assertFalse(foreign.exists())
        self.seedbed("eval", "1", "--episodes", "1", "--data", str(other), code=3)
        again = self.document("db", "import", "--trust", str(target), "--data", str(other))["runs"][0]
        self.assertTrue(again["known"])
        self.assertGreater(again["checkpoints"], 0)
        self.assertTrue(self.document("db", "check", "--checkpoints", "--data", str(other))["ok"])
        self.assertEqual(
            self.document("db", "import", "--trust",
                          str(target), "--data", str(other))["runs"][0]["checkpoints"], 0)
        self.seedbed("resume", "1", "--steps", "4000", "--data", str(other))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
