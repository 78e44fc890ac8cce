# SPDX-License-Identifier: Apache-2.0
"""Control of runs: resume, stop, pause, attach, set, the queue, database commands, edits and full disks."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from program_case import ENDLESS, PROGRAM, SMALL, Lines, ProgramCase


class Supervision(ProgramCase):
    # --- resume
    def test_a_killed_and_resumed_run_equals_an_uninterrupted_one(self):
        whole = int(self.seedbed("train", *SMALL, "--steps", "200000").stdout)
        child, run = self.train(*SMALL, "--steps", "200000", "--checkpoint.every_s", "0.1", "--run.threads",
                                "1")
        self.wait_for("a checkpoint", lambda: len(self.document("show", str(run))["checkpoints"]) > 2)
        child.kill()
        child.wait()
        self.assertEqual(self.status(run), "interrupted", "recognised immediately")
        before = self.steps(run)
        done = self.seedbed("resume", str(run), "--threads", "2")
        self.assertEqual(done.stdout, f"{run}\n")
        self.assertIn("bit for bit", done.stderr)
        self.assertGreaterEqual(self.steps(run), before)
        self.assertEqual(
            self.document("show", str(run))["params_sha256"],
            self.document("show", str(whole))["params_sha256"])
        a, b = self.document("metrics", str(whole)), self.document("metrics", str(run))
        for name in a:
            if not name.startswith(("speed/", "time/")):
                self.assertEqual(a[name], b[name], name)
        self.assertIn("resumed", self.kinds(run))

    def test_resume_reports_impossible_requests(self):
        self.seedbed("train", *SMALL, "--steps", "2000")
        self.assertIn("--steps", self.seedbed("resume", "1", code=3).stderr)
        self.assertIn("algo.gamma",
                      self.seedbed("resume", "1", "--steps", "4000", "--algo.gamma", "0.5", code=3).stderr)
        self.assertIn("no run", self.seedbed("resume", "7", code=3).stderr)
        self.seedbed("resume", "1", "--steps", "4000", "--algo.learning_rate", "1e-4")
        shown = self.document("show", "1")
        self.assertGreaterEqual(shown["steps"], 4000)
        self.assertEqual((shown["config"]["run"]["steps"], shown["config"]["algo"]["learning_rate"]),
                         (4000, 1e-4))
        self.assertEqual(
            [e["data"]["algo.learning_rate"][1] for e in shown["events"] if e["kind"] == "settings"], [1e-4])

    def test_a_total_below_the_steps_so_far_is_rejected(self):
        child, run = self.train()
        child.send_signal(signal.SIGINT)
        child.wait()
        before = self.document("show", str(run))
        steps = before["steps"]
        reported = self.seedbed("resume", str(run), "--steps", str(steps - 1), code=3).stderr
        self.assertIn(f"already trained {steps:,} steps", reported)
        self.assertIn("--steps is the run's total", reported)
        self.assertIn("--minutes is the run's total",
                      self.seedbed("resume", str(run), "--minutes", "1e-9", code=3).stderr)
        self.assertEqual(self.document("show", str(run)), before, "a refused resume changes nothing")
        # A total equal to the steps so far finishes an interrupted run; a finished run cannot be resumed.
        self.seedbed("resume", str(run), "--steps", str(steps))
        after = self.document("show", str(run))
        self.assertEqual((after["status"], after["steps"]), ("finished", steps))
        self.seedbed("resume", str(run), "--steps", str(steps), code=3)
        # If an earlier checkpoint is resumed, training starts at its steps.
        self.seedbed("train", *SMALL, "--steps", "20000", "--checkpoint.milestone_steps", "500", "--quiet")
        checkpoints = self.document("show", str(run + 1))["checkpoints"]
        earlier = min(c["step"] for c in checkpoints if not c["removed"])
        self.assertLess(earlier, 10000)
        done = self.seedbed("resume", f"{run + 1}:{earlier}", "--steps", str(earlier + 500),
                            "--json").stdout.splitlines()[-1]
        self.assertLess(json.loads(done)["done"]["steps"], 20000)

    def test_the_training_terminal_reports_a_pause_and_its_end(self):
        child = self.start("train", *ENDLESS)
        run = int(child.stdout.readline())
        self.wait_for("the first steps", lambda: self.steps(run) > 0)
        self.seedbed("pause", str(run))
        self.wait_for("the pause", lambda: self.status(run) == "paused")
        self.seedbed("resume", str(run))
        self.wait_for("its end", lambda: self.status(run) == "running")
        self.seedbed("stop", str(run))
        output = child.communicate()[1]
        self.assertRegex(output, rf"paused on request after step [\d,]+; 'seedbed resume {run}' continues it")
        self.assertIn("training resumed on request\n", output)

    def test_one_of_several_simultaneous_resumes_wins(self):
        child, run = self.train()
        child.send_signal(signal.SIGINT)
        child.wait()
        for _ in range(3):
            rivals = [self.start("resume", str(run), "--quiet") for _ in range(6)]
            self.wait_for("losers", lambda: sum(r.poll() is not None for r in rivals) == 5)
            (owner,) = [r for r in rivals if r.poll() is None]
            for rival in rivals:
                if rival is not owner:
                    self.assertEqual(rival.returncode, 1)
                    self.assertIn("another process", rival.communicate()[1])
            self.wait_for("the owner", lambda: self.status(run) == "running")
            owner.send_signal(signal.SIGINT)
            owner.wait()

    # --- control
    def test_stop_pause_resume_set_checkpoint_priority_attach(self):
        child, run = self.train()
        socket = self.data / "control" / f"run-{run}.sock"
        self.assertEqual(socket.stat().st_mode & 0o777, 0o600)

        self.seedbed("pause", "1")
        self.wait_for("the pause", lambda: self.status() == "paused")
        paused_at = self.steps()
        time.sleep(0.3)
        self.assertEqual(self.steps(), paused_at)
        checkpoints = len(self.document("show", "1")["checkpoints"])
        self.seedbed("checkpoint", "1")
        self.wait_for(
            "a checkpoint during the pause",
            lambda: self.document("show", "1")["checkpoints"][-1]["step"] >= paused_at or len(
                self.document("show", "1")["checkpoints"]) > checkpoints)
        self.seedbed("resume", "1")
        self.wait_for("more steps", lambda: self.steps() > paused_at)
        self.assertEqual(self.status(), "running")

        reply = self.document("set", "1", "--algo.learning_rate", "1e-5")
        self.assertEqual(reply["changes"]["algo.learning_rate"][1], 1e-5)
        self.assertIn("algo.gamma", self.seedbed("set", "1", "--algo.gamma", "0.5", code=3).stderr)
        self.seedbed("set", "1", code=2)
        self.assertIn("algo.learning_rate=1e-4",
                      self.seedbed("set", "1", "algo.learning_rate", code=2).stderr)
        # KEY=VALUE is also accepted.
        reply = self.document("set", "1", "algo.entropy_cost=0.02", "eval.episodes=3")
        self.assertEqual({key: new
                          for key, (_, new) in reply["changes"].items()},
                         {"algo.entropy_cost": 0.02, "eval.episodes": 3})
        self.wait_for(
            "the new rate", lambda: self.document("metrics", "1", "optimiser/learning_rate")[
                "optimiser/learning_rate"]["values"][-1] < 2e-5)
        self.assertEqual(self.document("show", "1")["config"]["algo"]["learning_rate"], 1e-5)

        self.seedbed("priority", "1", "5")
        tasks = [
            int(pathlib.Path(f"/proc/{child.pid}/task/{t}/stat").read_text().rsplit(")", 1)[1].split()[16])
            for t in os.listdir(f"/proc/{child.pid}/task")
        ]
        self.assertEqual(set(tasks), {5})
        self.assertGreaterEqual(int(pathlib.Path(f"/proc/{child.pid}/oom_score_adj").read_text()), 500)

        watcher = self.start("attach", "1", "--json", "--every", "50")
        lines = [json.loads(watcher.stdout.readline()) for _ in range(3)]
        self.assertTrue(
            all(line["event"] == "status" and line["status"]["state"] == "running" for line in lines), lines)
        self.seedbed("stop", "1")
        self.assertEqual(child.wait(60), 130)
        rest = [json.loads(line) for line in watcher.communicate(timeout=60)[0].splitlines()]
        self.assertEqual(rest[-1], {"event": "ended", "state": "interrupted", "text": ""})
        shown = self.document("show", "1")
        self.assertEqual((shown["status"], shown["status_text"]), ("interrupted", "stopped on request"))
        self.assertFalse(socket.exists())
        self.assertIn("there is nothing to stop", self.seedbed("stop", "1", code=3).stderr)
        for kind in ("paused", "continued", "settings"):
            self.assertIn(kind, self.kinds())

    def test_a_run_continues_after_attach_detaches(self):
        child, _ = self.train()
        watcher = self.start("attach", "1")
        watcher.stderr.readline()
        watcher.send_signal(signal.SIGINT)
        self.assertEqual(watcher.wait(60), 0)
        steps = self.steps()
        self.wait_for("more steps", lambda: self.steps() > steps)
        self.assertIsNone(child.poll())

    def test_a_killed_process_is_recognised_and_its_socket_replaced(self):
        child, _ = self.train()
        child.kill()
        child.wait()
        self.assertEqual(self.status(), "interrupted")
        self.assertIn("there is nothing to stop", self.seedbed("stop", "1", code=3).stderr)
        again = self.start("resume", "1", "--quiet")
        self.wait_for("running",
                      lambda: self.status() == "running" and (self.data / "control" / "run-1.sock").exists())
        self.seedbed("stop", "1")
        self.assertEqual(again.wait(60), 130)

    def test_suspend_is_inhibited_only_while_training(self):
        stand_in = pathlib.Path(self.folder.name) / "bin"
        stand_in.mkdir()
        inhibit = stand_in / "systemd-inhibit"
        inhibit.write_text(
            f"#!/bin/sh\necho \"$@\" > {self.folder.name}/asked\ncat\n"
            f"echo done > {self.folder.name}/released\n"
        )
        inhibit.chmod(0o755)
        env = {"PATH": f"{stand_in}:{os.environ['PATH']}", "SEEDBED_LOGIND": "1"}
        child = self.start("train", *ENDLESS, "--quiet", env=env)
        child.stdout.readline()
        asked = pathlib.Path(self.folder.name) / "asked"
        self.wait_for("the inhibitor", lambda: asked.exists() and "--what=sleep" in asked.read_text())
        self.assertIn("training run 1", asked.read_text())
        child.kill()
        child.wait()
        self.wait_for("its end", lambda: (pathlib.Path(self.folder.name) / "released").exists())

    # --- the queue
    def queue(self):
        return self.document("queue", "list")

    def test_the_queue_trains_a_grid_and_continues_after_a_failure(self):
        short = [*SMALL, "--steps", "1500"]
        ids = self.document("queue", "add", *short, "--seeds", "1..2", "--grid",
                            "algo.learning_rate=1e-4,3e-4", "--name", "sweep")["ids"]
        self.assertEqual(len(ids), 4)
        shown = [self.document("show", str(i)) for i in ids]
        self.assertEqual({(s["seed"], s["config"]["algo"]["learning_rate"])
                          for s in shown}, {(1, 1e-4), (2, 1e-4), (1, 3e-4), (2, 3e-4)})
        self.assertEqual(shown[0]["name"], "sweep learning_rate=1e-4 seed=1")
        self.assertEqual({s["status"] for s in shown}, {"queued"})
        # Damages the configuration of one job.
        with sqlite3.connect(self.data / "seedbed.db") as database:
            database.execute("update runs set config = '{\"env\": {\"id\": \"no_such\"}}' where id = ?",
                             (ids[0], ))
        self.seedbed("queue", "move", str(ids[3]), "first")
        self.assertEqual([e["id"] for e in self.queue()["entries"]], [ids[3], *ids[:3]])
        self.seedbed("queue", "pause", str(ids[2]))
        self.seedbed("queue", "start", "--jobs", "2")
        self.wait_for("the others", lambda: len(self.queue()["entries"]) == 1)
        self.assertEqual([self.status(i) for i in ids], ["failed", "finished", "queued", "finished"])
        self.assertIn("no_such", self.document("show", str(ids[0]))["status_text"])
        self.wait_for("the end of the scheduler", lambda: not self.queue()["working"])
        self.seedbed("queue", "pause", str(ids[2]), "--undo")
        self.seedbed("queue", "remove", str(ids[2]))
        self.assertEqual(self.queue()["entries"], [])
        self.assertNotIn(ids[2], [r["id"] for r in self.document("list")])

    def test_a_new_scheduler_continues_killed_runs(self):
        (run,) = self.document("queue", "add", *ENDLESS, "--checkpoint.every_s", "0.1")["ids"]
        pid = self.document("queue", "start")["pid"]
        self.wait_for("its start", lambda: self.status(run) == "running" and self.steps(run) > 0)
        os.kill(pid, signal.SIGKILL)
        self.wait_for("the scheduler's end", lambda: not self.queue()["working"])
        steps = self.steps(run)
        self.wait_for("more steps", lambda: self.steps(run) > steps)
        # The next scheduler supervises the run and resumes it after a kill.
        self.document("queue", "start")
        worker = self.document("show", str(run))["segments"][-1]["pid"]
        os.kill(worker, signal.SIGKILL)
        self.wait_for(
            "the resume", lambda: self.document("show", str(run))["segments"][-1]["pid"] != worker and self.
            status(run) == "running")
        self.assertIn("resumed", self.kinds(run))
        self.seedbed("stop", str(run))
        self.wait_for("the end of the queue", lambda: self.queue()["entries"] == [])
        self.assertEqual(self.status(run), "interrupted")
        self.wait_for("the end of the scheduler", lambda: not self.queue()["working"])

    def test_queue_rejects_invalid_arguments(self):
        for arguments in (["--seeds", "5..1"], ["--seeds", "x"], ["--grid", "algo.learning_rate"],
                          ["--grid", "algo.gamma=2"], ["--grid", "algo.gama=0.9"], ["--seeds", "1..20000"], [
                              "--grid", "algo.gamma=" + ",".join(["0.9"] * 100), "--grid",
                              "algo.learning_rate=" + ",".join(["1e-4"] * 100), "--seeds", "1..10000"
                          ]):
            self.seedbed("queue", "add", *SMALL, "--steps", "100", *arguments, code=3)
        self.seedbed("queue", "add", code=2)
        self.assertFalse((self.data / "seedbed.db").exists() and self.document("list", "--all"),
                         "nothing was made")
        self.seedbed("queue", "add", *SMALL, "--steps", "100")
        self.seedbed("queue", "move", "1", "sideways", code=3)
        self.seedbed("queue", "remove", "2", code=3)

    # --- the database
    def test_export_import_vacuum_check(self):
        self.seedbed("train", *SMALL, "--steps", "3000", "--name", "first")
        self.seedbed("train", *SMALL, "--steps", "3000", "--seed", "2")
        self.assertEqual(self.seedbed("db", "path").stdout.strip(), str(self.data / "seedbed.db"))
        report = self.document("db", "check", "--checkpoints")
        self.assertTrue(report["ok"], report)
        self.assertEqual(report["runs"], 2)
        target = pathlib.Path(self.folder.name) / "out"
        self.seedbed("db", "export", str(target), "first")
        self.assertEqual([r["name"] for r in self.document("list", "--data", str(target))], ["first"])
        evaluation = self.evaluation("first", "--episodes", "3")
        self.assertEqual(self.evaluation("1", "--episodes", "3", "--data", str(target)), evaluation)
        self.seedbed("db", "export", str(target), code=3)

        other = pathlib.Path(self.folder.name) / "other"
        self.seedbed("train", *SMALL, "--steps", "500", "--name", "first", "--data", str(other))
        imported = self.document("db", "import", "--trust", str(target), "--data", str(other))["runs"]
        self.assertEqual([(r["id"], r["name"], r["known"]) for r in imported], [(2, "first (2)", False)])
        self.assertGreater(imported[0]["checkpoints"], 0)
        self.assertEqual(self.evaluation("2", "--episodes", "3", "--data", str(other)), evaluation)
        self.assertEqual(self.document("metrics", "2", "--data", str(other)),
                         self.document("metrics", "first"))
        self.assertTrue(self.document("db", "check", "--checkpoints", "--data", str(other))["ok"])
        self.assertTrue(self.document("db", "import", "--trust",
                                      str(target), "--data", str(other))["runs"][0]["known"])
        self.seedbed("resume", "2", "--steps", "4000", "--data", str(other))

        self.seedbed("rm", "2")
        self.assertEqual([r["id"] for r in self.document("list")], [1])
        self.seedbed("restore", "2")
        self.seedbed("rm", "2")
        report = self.document("db", "vacuum", "--empty-trash")
        self.assertEqual(report["removed_runs"], 1)
        self.assertEqual([r["id"] for r in self.document("list", "--all")], [1])
        self.assertFalse((self.data / "checkpoints" / "2").exists())

    def test_damage_is_found_and_reported(self):
        self.seedbed("train", *SMALL, "--steps", "3000", "--checkpoint.milestone_steps", "1000")
        self.assertRegex(self.seedbed("db", "check").stdout, r"^ok: 1 run, .*, [\d,]+ checkpoints\n$")
        folders = sorted((f for f in (self.data / "checkpoints" / "1").iterdir() if f.is_dir()),
                         key=lambda f: int(f.name))
        self.assertGreater(len(folders), 2)
        newest = [f"{int(folder.name):,}" for folder in folders[-2:]]
        # Every file of every checkpoint, not only those that eval needs.
        for folder, instead in ((folders[-1], f"uses the checkpoint at step {newest[0]} instead"),
                                (folders[0], f"uses the newer checkpoint at step {newest[1]}")):
            names = sorted(file.name for file in folder.iterdir())
            self.assertIn("session.bin", names)
            for name in names:
                file = folder / name
                whole = file.read_bytes()
                for damaged in (whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:], whole[:-1]):
                    file.write_bytes(damaged)
                    (problem,) = self.document("db", "check", code=1)["problems"]
                    self.assertIn(str(file), problem)
                    self.assertIn(instead, problem)
                file.write_bytes(whole)
        self.assertTrue(self.document("db", "check")["ok"])
        session = folders[-1] / "session.bin"
        session.write_bytes(bytes(8) + session.read_bytes()[8:])
        reported = self.seedbed("db", "check", code=1)
        self.assertIn("session.bin", reported.stdout)
        self.assertIn("checkpoint files were not read",
                      self.seedbed("db", "check", "--no-checkpoints").stdout)
        self.assertIn(f"step {newest[0]} is used instead".replace(",", ""),
                      self.seedbed("resume", "1", "--steps", "4000").stderr.replace(",", ""))
        with sqlite3.connect(self.data / "seedbed.db") as database:
            database.execute(
                "delete from metric_tail where (series_id, ordinal) in "
                "(select series_id, min(ordinal) from metric_tail group by series_id limit 1)")
        report = self.document("db", "check", code=1)
        self.assertIn("points", report["problems"][0])

    def test_hostile_imports_are_rejected_with_the_reason(self):
        self.seedbed("train", *SMALL, "--steps", "1500")
        target = pathlib.Path(self.folder.name) / "out"
        self.seedbed("db", "export", str(target), "--no-checkpoints")
        original = (target / "seedbed.db").read_bytes()
        bad = pathlib.Path(self.folder.name) / "bad.db"

        def refused(text, sql=None, data=None, code=3):
            bad.write_bytes(original if data is None else data)
            if sql:
                with sqlite3.connect(bad) as database:
                    database.executescript(sql)
            fresh = ["--data", str(self.folder.name) + "/fresh"]
            run = self.seedbed("db", "import", str(bad), *fresh, code=code)
            self.assertIn(text, run.stderr)
            self.assertEqual(self.document("list", *fresh), [])

        refused("trigger", "create trigger t after insert on runs begin select 1; end")
        refused("view", "drop view episodes; create view episodes as select * from runs")
        refused("table", "create table extra (x)")
        refused("newer", "pragma user_version = 99")
        refused("another program", "pragma application_id = 7")
        refused("JSON", "update runs set config = 'x'")
        refused("folder of a checkpoint", "update checkpoint_rows set folder = '../../etc'")
        refused("unique id", "update runs set uid = '../x'")
        refused("name", "update runs set name = '../x'")
        refused("not a database", data=b"no database at all" * 100)
        refused("cannot be imported", data=original[:len(original) // 2], code=1)
        self.seedbed("db", "import", str(bad) + "x", code=3)

    # --- edits
    def test_edits(self):
        child, _ = self.train()
        self.seedbed("edit", "1", "--name", "mine", "--note", "a note", "--tag", "x", "--tag", "y", "--star")
        self.seedbed("edit", "mine", "--untag", "x", "--archive")
        shown = self.document("show", "mine")
        self.assertEqual((shown["name"], shown["notes"], shown["tags"], shown["star"], shown["archived"]),
                         ("mine", "a note", ["y"], True, True))
        self.assertEqual(self.document("list"), [])
        self.assertEqual(len(self.document("list", "--archived")), 1)
        self.assertIn("is running", self.seedbed("rm", "mine", code=3).stderr)
        self.seedbed("edit", "mine", code=2)
        self.seedbed("edit", "mine", "--name", "12", code=3)
        child.send_signal(signal.SIGINT)
        child.wait()
        self.seedbed("rm", "mine")
        self.assertIn("restore", self.seedbed("resume", "mine", code=3).stderr)

    # --- a locked database
    def test_a_requested_checkpoint_does_not_block_training_while_the_database_is_locked(self):
        child = self.start("train", *ENDLESS, "--checkpoint.every_s", "0.2", "--json")
        out = Lines(child.stdout)
        run = json.loads(out.until("the start", lambda line: "id" in line))["id"]
        self.wait_for("the first steps", lambda: self.steps(run) > 0)
        shell = sqlite3.connect(self.data / "seedbed.db", isolation_level=None, check_same_thread=False)
        self.addCleanup(shell.close)
        shell.execute("BEGIN IMMEDIATE")
        time.sleep(1)  # in the meantime a checkpoint starts and waits for its rows
        self.start("checkpoint", str(run))
        asked = time.monotonic()
        release = threading.Timer(60, shell.rollback)  # so that the test does not hang
        release.start()
        self.addCleanup(release.join)
        seen = set()
        while len(seen) <= 2:
            steps = json.loads(out.until("progress", lambda line: True)).get("steps")
            if steps is not None and time.monotonic() - asked > 1:
                seen.add(steps)
        self.assertTrue(shell.in_transaction, "training continues while the database is locked")
        release.cancel()
        shell.rollback()
        child.send_signal(signal.SIGINT)
        child.wait(60)

    # --- a full disk
    def use_small_disk(self):
        """Mounts a file system of 48 MiB at the data folder. Without root it repeats the test in a namespace
        where mounting is allowed, and returns False."""
        if os.geteuid() != 0:
            again = ["unshare", "--user", "--map-root-user", "--mount"]
            if not shutil.which("unshare") or subprocess.run([*again, "true"]).returncode != 0:
                self.skipTest("a small file system needs root or user namespaces")
            name = self.id().removeprefix("__main__.")
            test = subprocess.run([*again, sys.executable, __file__, PROGRAM, name], capture_output=True,
                                  text=True, timeout=600)
            self.assertEqual(test.returncode, 0, test.stderr)
            if "skipped" in test.stderr:
                self.skipTest("mounting a small file system is not allowed here")
            return False
        self.data.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "none", self.data],
                          capture_output=True).returncode != 0:
            self.skipTest("mounting a small file system is not allowed here")
        self.addCleanup(lambda: subprocess.run(["umount", "-l", self.data], capture_output=True))
        return True

    def fill_disk(self):
        """Fills the disk and returns the file to remove."""
        ballast = self.data / "ballast"
        with open(ballast, "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 65536):
                    pass
            except OSError:
                pass
        return ballast

    def test_a_run_that_ends_on_a_full_disk_waits_for_space(self):
        if not self.use_small_disk():
            return
        child = self.start("train", *SMALL, "--steps", "1000000000", "--minutes", "0.1",
                           "--eval.final_episodes", "1", "--run.threads", "1", "--json")
        out, errors = Lines(child.stdout), Lines(child.stderr)
        run = json.loads(out.until("the start", lambda line: "id" in line))["id"]
        self.wait_for("the first steps", lambda: self.steps(run) > 0)
        ballast = self.fill_disk()
        errors.until("the end of training", lambda line: "waiting for disk space" in line)
        self.assertIsNone(child.poll())
        ballast.unlink()
        self.assertEqual(child.wait(60), 0)
        shown = self.document("show", str(run))
        self.assertEqual(shown["status"], "finished")
        self.assertEqual(shown["checkpoints"][-1]["step"], shown["steps"])

    def test_a_full_disk_pauses_saving_but_not_training(self):
        if not self.use_small_disk():
            return
        child = self.start("train", *ENDLESS, "--checkpoint.every_s", "0.1", "--json")
        out, errors = Lines(child.stdout), Lines(child.stderr)
        run = json.loads(out.until("the start", lambda line: "id" in line))["id"]
        self.wait_for("the first steps", lambda: self.steps(run) > 0)
        ballast = self.fill_disk()
        errors.until("the warning or the pause", lambda line: "disk" in line)
        errors.until("the pause", lambda line: "training continues" in line)
        steps = json.loads(out.until("progress", lambda line: "steps" in line))["steps"]
        out.until("more steps without saving", lambda line: json.loads(line).get("steps", 0) > steps)
        self.assertIsNone(child.poll())
        ballast.unlink()
        errors.until("healing", lambda line: "again" in line)
        now = self.steps(run)
        self.wait_for("saved steps", lambda: self.steps(run) > now)
        child.send_signal(signal.SIGINT)
        child.wait(60)
        self.assertTrue(self.document("db", "check", "--checkpoints")["ok"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
