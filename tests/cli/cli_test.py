# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: every command, exit codes, mistakes, interrupts, damaged folders."""
import fcntl
import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
QUICK = ["--steps", "2000", "--eval.episodes", "5", "--eval.final_episodes", "5"]


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="seedbed-cli-")
        self.addCleanup(self.folder.cleanup)
        self.data = pathlib.Path(self.folder.name) / "data"
        self.env = {**os.environ, "SEEDBED_DATA": str(self.data), "HOME": self.folder.name, "XDG_CONFIG_HOME": self.folder.name + "/config"}
        self.env.pop("SEEDBED_RESOURCES", None)

    def seedbed(self, *arguments, code=0, env=None):
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env={**self.env, **(env or {})}, timeout=600)
        self.assertEqual(run.returncode, code, f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run

    def document(self, *arguments, code=0):
        out = self.seedbed(*arguments, "--json", code=code).stdout
        self.assertEqual(out.count("\n"), 1, "one document on one line")
        return json.loads(out)

    def assertSays(self, run, *texts):
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.stderr.strip().count("\n"), 0, "one sentence: " + run.stderr)
        for text in texts:
            self.assertIn(text, run.stderr)

    # --- the main path -----------------------------------------------------------------------------------------------
    def test_train_list_show_metrics_eval(self):
        run = self.seedbed("train", "cartpole", "--name", "first", *QUICK)
        self.assertEqual(run.stdout, "1\n")
        self.assertIn("finished run 1", run.stderr)

        (listed,) = self.document("list")
        self.assertEqual(list(listed), ["id", "name", "env", "algo", "seed", "status", "steps", "frames", "created", "started", "updated", "best_return",
                                        "last_return", "tags"])
        self.assertEqual((listed["id"], listed["name"], listed["env"], listed["algo"], listed["status"]), (1, "first", "cartpole", "ppo", "finished"))
        self.assertGreaterEqual(listed["steps"], 2000)
        shown = self.document("show", "first")
        for key in ("config", "devices", "engine", "auto", "params_sha256", "checkpoints", "evaluations", "events"):
            self.assertIn(key, shown)
        self.assertRegex(shown["params_sha256"], "^[0-9a-f]{64}$")
        self.assertTrue(shown["checkpoints"])
        metrics = self.document("metrics", "1")
        self.assertEqual(len(metrics["loss/value"]["steps"]), len(metrics["loss/value"]["values"]))
        self.assertIn("episode/return", metrics)
        evaluation = self.document("eval", "1", "--episodes", "7")
        self.assertEqual(evaluation["n"], 7)
        self.assertEqual(len(evaluation["episodes"]), 7)
        self.assertLessEqual(evaluation["ci95"][0], evaluation["mean"])
        self.assertEqual(evaluation, self.document("eval", "1", "--episodes", "7"), "the same seed, the same episodes")
        self.assertNotEqual(self.document("eval", "1", "--episodes", "7", "--sample"), evaluation)
        folder = self.data / shown["checkpoints"][-1]["folder"]
        self.assertEqual(self.document("eval", str(folder), "--episodes", "7"), evaluation)

    def test_same_seed_gives_the_same_parameters_for_any_number_of_threads(self):
        hashes = set()
        for threads in ("1", "2", "4"):
            lines = self.seedbed("train", "cartpole", "--threads", threads, "--json", *QUICK).stdout.splitlines()
            self.assertEqual(list(json.loads(lines[0])), ["id"])
            hashes.add(json.loads(lines[-1])["done"]["params_sha256"])
        self.assertEqual(len(hashes), 1)

    def test_a_goal_that_is_not_reached_is_exit_6(self):
        self.seedbed("train", "cartpole", *QUICK, "--algo.learning_rate", "0", "--fail-below", "499", code=6)
        self.seedbed("train", "cartpole", *QUICK, "--fail-below", "1")

    def test_init_from(self):
        self.seedbed("train", "cartpole", *QUICK)
        self.seedbed("train", "cartpole", *QUICK, "--init-from", "1")
        self.assertIn("init_from", [event["kind"] for event in self.document("show", "2")["events"]])
        self.assertSays(self.seedbed("train", "pendulum", "--steps", "100", "--init-from", "1", code=3), "another network")

    def test_dry_run_starts_nothing(self):
        plan = self.document("train", "cartpole", "--dry-run")
        self.assertGreater(plan["memory_bytes"]["total"], 0)
        self.assertEqual(plan["config"]["env"]["id"], "cartpole")
        self.assertFalse(self.data.exists())

    # --- looking around ----------------------------------------------------------------------------------------------
    def test_catalogue_config_presets_doctor(self):
        environments = {env["id"]: env for env in self.document("env", "list")}
        self.assertIn("cartpole", environments)
        self.assertIn("CartPole-v1", environments["cartpole"]["aliases"])
        self.assertEqual(self.document("env", "show", "CartPole-v1")["id"], "cartpole")
        self.assertIn("ppo", [algo["id"] for algo in self.document("algos")])
        presets = self.document("presets")
        for preset in presets:
            self.document("train", preset["env"], "--preset", preset["name"], "--dry-run")
        self.assertIn("--algo.gamma", self.seedbed("config", "cartpole").stdout)
        self.assertEqual(self.seedbed("config").stdout, (SOURCE / "CONFIG.md").read_text(), "run: seedbed config > CONFIG.md")
        doctor = self.document("doctor")
        for engine in doctor["engines"]:
            if engine["available"]:
                self.assertTrue(engine["parity"]["ok"], engine)
        for choice in doctor["auto_engine"].values():
            self.assertIn(choice["engine"], [engine["id"] for engine in doctor["engines"] if engine["available"]])
            self.assertTrue(choice["why"])
        self.assertIn("auto ", self.seedbed("doctor").stdout)
        self.seedbed("env", "show", "cartpole")
        self.seedbed("algos")
        for row in self.seedbed("env", "list").stdout.splitlines()[1:]:
            number = re.match(r"\S+ +(?:\S+ +)?\S+ +(-?[0-9.]+(?:e-?[0-9]+)?|-) ", row).group(1)
            self.assertLessEqual(len(number.lstrip("-").replace(".", "").lstrip("0")), 6, row)

    def test_env_check_names_the_first_difference(self):
        trace = SOURCE / "tests/oracle/traces/CartPole-v1.jsonl.gz"
        self.assertIn("transitions equal", self.seedbed("env", "check", "CartPole-v1", str(trace)).stdout)
        self.assertSays(self.seedbed("env", "check", "MountainCar-v0", str(trace), code=7), "line 1")
        self.seedbed("env", "check", "cartpole", "/nowhere.jsonl.gz", code=1)

    def test_gallery_writes_a_picture_of_each_environment_and_gifs_on_request(self):
        out = pathlib.Path(self.folder.name) / "new" / "pictures"
        files = self.document("env", "gallery", "--out", str(out))
        self.assertEqual(sorted(pathlib.Path(f["file"]).stem for f in files), sorted(e["id"] for e in self.document("env", "list")))
        for file in files:
            content = pathlib.Path(file["file"]).read_bytes()
            self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(len(content), file["bytes"])
            self.assertLess(len(content), 15000, "pictures of the README are small: " + file["file"])
        again = self.document("env", "gallery", "--out", str(out / "two"), "--env", "CartPole-v1", "--gif", "--frames", "5")
        self.assertEqual([pathlib.Path(f["file"]).name for f in again], ["cartpole.png", "cartpole.gif"])
        self.assertEqual((out / "two" / "cartpole.gif").read_bytes()[:6], b"GIF89a")
        self.assertEqual((out / "two" / "cartpole.png").read_bytes(), (out / "cartpole.png").read_bytes(), "the seed decides")
        self.assertSays(self.seedbed("env", "gallery", "--out", str(out), "--env", "cartpool", code=3), "cartpool", "cartpole")

    def test_benchmarks_print_one_line(self):
        bench = self.document("bench", "train", "--task", "cartpole-ppo4-8x128", "--seconds", "0.3")
        for key in ("task", "steps", "seconds", "sps", "cpu_s", "score", "solve_s", "cpu_s_per_million_steps", "thread_s"):
            self.assertIn(key, bench)
        self.assertGreater(bench["sps"], 0)
        ended = self.document("bench", "train", "--task", "cartpole-ppo4-8x128", "--seconds", "0.1", "--until-steps", "20000")
        self.assertGreaterEqual(ended["trained_steps"], 20000)
        self.assertGreater(ended["score"], 9)  # of the last 100 episodes; the random policy gets 22
        self.assertGreater(self.document("bench", "env", "catch", "--seconds", "0.2")["sps"], 0)
        for arguments in (["train", "--task", "cartpole-ppo4-8x128", "--seconds", "0.3"], ["infer", "--seconds", "0.1"],
                          ["learner", "--batch", "128", "--seconds", "0.1"]):
            # More than the machine can do means that work or ceiling is counted wrongly. Other programs may lower the
            # ceiling that is measured, but not ten times in a row.
            for _ in range(10):
                bench = self.document("bench", *arguments)
                self.assertGreater(bench["sps"], 0)
                self.assertGreater(bench["gflops"], 0)
                if bench["fma_fraction"] < 2:
                    break
            self.assertLess(bench["fma_fraction"], 2, bench)
        self.assertIn("fma_fraction", self.seedbed("bench", "infer", "--seconds", "0.1").stdout)
        self.assertSays(self.seedbed("bench", "train", "--task", "cartpole-slove", code=3), "cartpole-solve")
        self.assertSays(self.seedbed("bench", "infer", "--net", "natur", code=3), "nature")

    def test_solving_counts_from_process_start(self):
        begin = time.monotonic()
        bench = self.document("bench", "train", "--task", "cartpole-solve", "--seed", "2")
        self.assertLess(bench["solve_s"], time.monotonic() - begin)
        self.assertGreater(bench["solve_s"], bench["first_update_s"])
        # 100 further episodes than those that ended the run; a policy that only just passed scores close below.
        self.assertGreater(bench["score"], 400)

    def test_help_starts_with_examples(self):
        self.assertIn("Exit codes", self.seedbed("--help").stdout)
        overview = self.seedbed().stdout
        commands = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +\S", overview[overview.index("Commands"):], re.M)
        self.assertIn("train", commands)
        for command in commands:
            self.assertTrue(self.seedbed(*command.split(), "--help").stdout.startswith("Examples"), command)
        # Choices come from the same description as the check of a value.
        help_of_train = self.seedbed("train", "--help").stdout
        for choice in ("auto", "native", "torch", "reference", "check:NAME", "sync", "async", "inline", "central", "ppo", "vtrace"):
            self.assertRegex(help_of_train, rf"\b{choice}\b")
        self.assertRegex(self.seedbed("eval", "--help").stdout, r"--engine.*\bnative\b")
        self.assertNotIn("headless", self.seedbed("replay", "--help").stdout)
        self.assertIn("with --headless 0", self.seedbed("play", "--help").stdout)

    # --- mistakes ----------------------------------------------------------------------------------------------------
    def test_mistyped_names_get_the_nearest_one(self):
        self.assertSays(self.seedbed("trian", code=2), "did you mean 'train'?")
        self.assertSays(self.seedbed("env", "lst", code=2), "did you mean 'env list'?")
        self.assertSays(self.seedbed("train", "cartpol", code=3), "did you mean 'cartpole'?")
        self.assertSays(self.seedbed("train", "cartpole", "--preset", "acrobt", code=3), "did you mean 'acrobot'?")
        self.assertSays(self.seedbed("train", "cartpole", "--algo", "pp0", code=3), "did you mean 'ppo'?")
        self.assertSays(self.seedbed("train", "cartpole", "--algo.gama", "0.9", code=3), "gama", "gamma")
        self.assertSays(self.seedbed("train", "cartpole", "--engine", "torhc", code=3), "torch")
        self.assertSays(self.seedbed("train", "cartpole", "--stepz", "3", code=2), "no option '--stepz'", "did you mean '--steps'?")
        self.assertSays(self.seedbed("train", "cartpole", "--seeds", "3", code=2), "no option '--seeds'", "did you mean '--seed'?")
        self.assertSays(self.seedbed("list", "--jsn", code=2), "did you mean '--json'?")
        self.assertSays(self.seedbed("show", "1", "2", code=2), "no further word '2'")
        self.seedbed("train", code=2)
        self.assertSays(self.seedbed("list", "--algo.gamma", "1", code=2), "takes no setting")
        self.assertFalse(self.data.exists(), "nothing was started")

    def test_values_out_of_range_name_the_range(self):
        self.assertSays(self.seedbed("train", "cartpole", "--algo.gamma", "1.5", code=3), "algo.gamma", "1.5", "0 to 1")
        self.assertSays(self.seedbed("train", "cartpole", "--actor.num_envs", "many", code=3), "actor.num_envs", "many")
        for schedule in (["--schedule", "asink"], ["--inference", "centre"], ["--run.forced_lag", "-1"], ["--infer.deadline_ms", "-2"],
                         ["--actor.groups", "9", "--actor.num_envs", "8"], ["--actor.threads", "2"]):
            self.seedbed("train", "cartpole", *schedule, code=3)

    def test_configuration_files(self):
        file = pathlib.Path(self.folder.name) / "settings.json"
        file.write_text('{"algo": {"gamma": 0.5}}')
        plan = self.document("train", "cartpole", "--config", str(file), "--dry-run")
        self.assertEqual(plan["config"]["algo"]["gamma"], 0.5)
        plan = self.document("train", "cartpole", "--config", str(file), "--algo.gamma", "0.25", "--dry-run")
        self.assertEqual(plan["config"]["algo"]["gamma"], 0.25)
        file.write_text('{"algo":\n  {"gamma": 0.5,,}}')
        self.assertSays(self.seedbed("train", "cartpole", "--config", str(file), code=3), "settings.json", "2")
        file.write_text('{"algoo": {}}')
        self.assertSays(self.seedbed("train", "cartpole", "--config", str(file), code=3), "algoo", "algo")
        self.seedbed("train", "cartpole", "--config", "/nowhere.json", code=3)

    def test_devices_and_memory(self):
        self.assertSays(self.seedbed("train", "cartpole", "--device", "cuda:9", code=4), "cuda:9", "cpu")
        self.assertSays(self.seedbed("train", "cartpole", "--actor.num_envs", "1000000", "--algo.rollout_length", "2000", code=5), "memory")
        self.assertSays(self.seedbed("train", "cartpole", "--actor.num_envs", "1000000", "--algo.rollout_length", "2000", "--dry-run", code=5), "memory")
        self.seedbed("train", "cartpole", "--algo.minibatches", "4096", "--learner.chunk_rows", "1048576", "--dry-run")
        self.assertFalse(self.data.exists(), "nothing was started")

    def test_runs_that_are_not_there(self):
        self.assertSays(self.seedbed("show", "1", code=1), "no runs")
        self.seedbed("train", "cartpole", "--name", "walker", *QUICK)
        self.assertSays(self.seedbed("show", "walkre", code=3), "walker")
        self.assertSays(self.seedbed("eval", "7", code=3), "7")
        self.assertSays(self.seedbed("metrics", "1", "loss/polcy", code=3), "loss/policy")
        self.assertSays(self.seedbed("eval", "1:999", code=3), "999")

    # --- folders -----------------------------------------------------------------------------------------------------
    def test_a_folder_that_cannot_be_written(self):
        self.assertSays(self.seedbed("train", "cartpole", "--data", "/proc/seedbed", code=1), "/proc/seedbed")

    def test_a_newer_or_foreign_database_is_left_alone(self):
        self.seedbed("train", "cartpole", *QUICK)
        database = self.data / "seedbed.db"
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA user_version = 9999")
        before = database.read_bytes()
        for command in (["train", "cartpole", *QUICK], ["list"]):
            self.assertSays(self.seedbed(*command, code=1), "newer")
        self.assertEqual(database.read_bytes(), before)
        for name in ("seedbed.db-wal", "seedbed.db-shm"):
            (self.data / name).unlink(missing_ok=True)
        database.write_bytes(b"not a database at all" * 100)
        self.assertSays(self.seedbed("train", "cartpole", *QUICK, code=1), "seedbed.db")
        self.assertEqual(database.read_bytes(), b"not a database at all" * 100)

    def test_a_damaged_checkpoint_is_noticed_and_the_one_before_is_taken(self):
        self.seedbed("train", "cartpole", *QUICK)
        shown = self.document("show", "1")
        newest = self.data / [c for c in shown["checkpoints"] if not c["removed"]][-1]["folder"]
        damaged = next(newest.glob("*.safetensors"))
        content = bytearray(damaged.read_bytes())
        content[-5] ^= 1
        damaged.write_bytes(content)
        self.seedbed("eval", str(newest), "--episodes", "3", code=1)
        run = self.seedbed("eval", "1", "--episodes", "3")
        self.assertIn(damaged.name, run.stderr)

    # --- signals and terminals ---------------------------------------------------------------------------------------
    def start(self, *arguments, **options):
        process = subprocess.Popen([PROGRAM, *arguments], env=self.env, text=True, **options)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, what, check, seconds=120):
        end = time.monotonic() + seconds
        while not check():
            self.assertLess(time.monotonic(), end, f"{what} did not come within {seconds} s")
            time.sleep(0.02)

    def wait_for_steps(self, run, steps):
        self.wait_for("steps", lambda: self.document("show", run)["steps"] >= steps)

    def test_interrupts_stop_cleanly(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("train", "cartpole", "--steps", "1e12", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            run = process.stdout.readline().strip()
            self.wait_for_steps(run, 1)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), 130)
            self.assertIn("stopped run", process.stderr.read())
            process.stdout.close(), process.stderr.close()
            shown = self.document("show", run)
            self.assertEqual(shown["status"], "interrupted")
            self.assertEqual(shown["steps"], shown["checkpoints"][-1]["step"], "what was done is saved")
            self.seedbed("eval", run, "--episodes", "2")

    def test_an_interrupt_during_the_final_evaluation_counts(self):
        process = self.start("train", "cartpole", "--steps", "2000", "--eval.final_episodes", "100000", "--fail-below", "1", stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        run = process.stdout.readline().strip()
        self.wait_for_steps(run, 2000)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        process.stdout.close()
        self.assertEqual(self.document("show", run)["status"], "interrupted")

    def test_a_second_interrupt_stops_at_once(self):
        process = self.start("train", "cartpole", "--steps", "1e12", "--actor.num_envs", "512", "--algo.rollout_length", "2048",
                             "--algo.epochs", "500", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.readline()

        def cpu_seconds():
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        begin = cpu_seconds()
        # Then it is in the midst of the first update, which takes minutes.
        self.wait_for("the first update", lambda: cpu_seconds() > begin + 0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "the update is still going on")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        process.stdout.close()

    def test_minutes_limit_training(self):
        self.seedbed("train", "cartpole", "--steps", "0", "--minutes", "0.02", "--eval.final_episodes", "0")
        self.assertGreater(self.document("show", "1")["steps"], 0)

    def test_compare_groups_seeds_and_gives_a_verdict(self):
        for rate in ("0.001", "0.00001"):
            for seed in ("1", "2", "3"):
                self.seedbed("train", "cartpole", "--seed", seed, "--algo.learning_rate", rate, *QUICK)
        compared = self.document("compare", "1", "2", "3", "4", "5", "6")
        self.assertEqual([group["runs"] for group in compared["groups"]], [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(list(compared["config_differences"]), ["algo.learning_rate"])
        scores = {run["id"]: run["score"] for run in compared["runs"]}
        for run in scores:
            self.assertEqual(scores[run], self.document("show", str(run))["evaluations"][-1]["mean"])
        first, second = compared["groups"]
        self.assertIsNone(first["difference"])
        self.assertAlmostEqual(first["mean"], sum(first["scores"]) / 3)
        self.assertAlmostEqual(second["difference"]["value"], second["mean"] - first["mean"])
        self.assertEqual((compared["scores_at"], compared["common_steps"]), ("last_step", []), "all are equally far")
        said = self.seedbed("compare", "1", "2", "3").stdout
        self.assertIn("A band over 3 runs is too narrow: it holds the true centre about 75 times in 100", said)
        self.assertNotIn("--at", said)
        self.assertIn("learning_rate=1e-05: ", self.seedbed("compare", "1", "2", "3", "4", "5", "6").stdout)
        self.assertIn("too few seeds", self.seedbed("compare", "1", "4").stdout)
        self.seedbed("train", "pendulum", "--steps", "2000", "--eval.episodes", "2", "--eval.final_episodes", "2")
        labels = [group["label"] for group in self.document("compare", "1", "4", "7")["groups"]]
        self.assertEqual(labels, ["cartpole, algo.learning_rate=0.001", "cartpole, algo.learning_rate=1e-05", "pendulum"])
        self.assertSays(self.seedbed("compare", "1", "--baseline", "2", code=2), "baseline")
        self.assertSays(self.seedbed("compare", "1", "99", code=3), "99")

    def test_runs_that_are_not_equally_far_are_compared_at_the_step_that_all_have_reached(self):
        for seed, steps in (("1", "2000"), ("2", "6000")):
            self.seedbed("train", "cartpole", "--seed", seed, "--steps", steps, "--eval.every_steps", "1000",
                         "--eval.episodes", "5", "--eval.final_episodes", "5")
        evaluations = [{e["step"]: e["mean"] for e in self.document("show", run)["evaluations"]} for run in ("1", "2")]
        last = max(evaluations[0])
        compared = self.document("compare", "1", "2")
        self.assertEqual((compared["scores_at"], compared["common_steps"]), ("common_step", [last]))
        for run, known in zip(compared["runs"], evaluations):
            self.assertLessEqual(run["step"], 1.05 * last)
            self.assertEqual(run["score"], known[run["step"]])
        self.assertIn("Scores are those of step", self.seedbed("compare", "1", "2").stdout)
        newest = self.document("compare", "1", "2", "--at", "last")
        self.assertEqual([run["step"] for run in newest["runs"]], [max(known) for known in evaluations])
        self.assertIn("without '--at last'", self.seedbed("compare", "1", "2", "--at", "last").stdout)

    def test_games_are_recorded_and_repeat_to_the_same_hash(self):
        self.seedbed("train", "cartpole", *QUICK)
        file = pathlib.Path(self.folder.name) / "games.replay"
        played = self.document("play", "1", "--headless", "--episodes", "5", "--envs", "2", "--sample", "--record", str(file))
        self.assertEqual(played["n"], 5)
        again = self.document("replay", str(file), "--verify")
        self.assertEqual((again["episodes"], again["sha256"]), (5, played["sha256"]))
        self.assertEqual(again["decisions"], sum(episode["length"] for episode in played["episodes"]))
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2])
        self.assertSays(self.seedbed("replay", str(file), "--verify", code=3), "games.replay", "cannot be played")
        self.seedbed("replay", str(file) + ".none", "--verify", code=1)
        self.seedbed("play", "9", "--headless", "--episodes", "1", code=3)
        self.seedbed("play", "1:7", "--headless", "--episodes", "1", code=3)
        self.seedbed("play", "1", "--record", "x", code=2)

    def test_doctor_examines_a_run(self):
        self.seedbed("train", "cartpole", "--algo.learning_rate", "0.5", "--steps", "8000", "--eval.final_episodes", "2")
        (finding, *_) = self.document("doctor", "1")["findings"]
        self.assertTrue(finding["evidence"] and finding["cause"] and finding["remedy"])
        self.seedbed(*shlex.split(finding["command"])[1:], "--dry-run")
        said = self.seedbed("doctor", "1").stdout
        self.assertIn("likely cause", said)
        # The change comes first, after it only what the run changed of its preset.
        (change, value), *_ = finding["settings"].items()
        words = shlex.split(finding["command"])
        self.assertEqual(words[:4], ["seedbed", "train", "cartpole", "--" + change])
        self.assertIn(f"change: {change} ", said)
        expected = {"--" + key for key in (*finding["settings"], "algo.learning_rate", "run.steps", "eval.final_episodes")}
        self.assertEqual({word for word in words if word.startswith("--")}, expected)
        made = self.document(*words[1:], "--dry-run")["config"]
        own = self.document("show", "1")["config"]
        section, name = change.rsplit(".", 1)
        self.assertEqual(made[section][name], value)
        for config in (made, own):
            config[section].pop(name)
            for key in ("seed", "threads"):
                config["run"].pop(key)
        self.assertEqual(made, own, "everything else is as it was")
        self.assertSays(self.seedbed("doctor", "99", code=3), "99")

    def test_shells_complete_commands_settings_environments_and_runs(self):
        def candidates(*words):
            return self.seedbed("complete", "--", *words).stdout.split()

        def lines(*words):
            return self.seedbed("complete", "--", *words).stdout.splitlines()

        self.assertIn("train", candidates(""))
        self.assertNotIn("complete", candidates(""))
        self.assertEqual(sorted(candidates("env", "")), ["check", "gallery", "list", "show"])
        self.assertEqual(candidates("train", "acro"), ["acrobot"])
        self.assertEqual(candidates("train", "cartpole", "--algo.clip_"), ["--algo.clip_schedule"])
        self.assertIn("--episodes", candidates("eval", "--e"))
        self.assertEqual(candidates("eval", ""), [])
        self.seedbed("train", "cartpole", "--name", "mine", *QUICK)
        self.assertEqual(candidates("eval", ""), ["1", "mine"])
        self.assertEqual(candidates("train", "cartpole", "--preset", "cartp")[0][:8], "cartpole")
        for shell in ("bash", "zsh", "fish"):
            script = self.seedbed("completion", shell).stdout
            self.assertRegex(script, r"seedbed complete -- .* 2>/dev/null")
            if shutil.which(shell):
                self.assertEqual(subprocess.run([shell, "-n"], input=script, capture_output=True, text=True).stderr, "")
        self.seedbed("edit", "1", "--name", "my run", "--tag", "paper")
        self.assertEqual(lines("show", "my"), ["my run"])
        steps = [str(c["step"]) for c in self.document("show", "1")["checkpoints"] if not c["removed"]]
        self.assertEqual(candidates("eval", "1:"), ["1:" + step for step in steps[:-1]] + ["1:best", "1:" + steps[-1]])
        self.assertEqual(candidates("resume", "1:b"), ["1:best"])
        self.assertEqual(candidates("show", "1:"), [])
        self.assertEqual(candidates("export", "1", "--to", ""), ["c", "onnx", "safetensors"])
        self.assertEqual(candidates("play", "1", "--replay", "w"), ["worst"])
        self.assertEqual(candidates("train", "cartpole", "--schedule", "a"), ["async"])
        self.assertIn("native", candidates("eval", "1", "--engine", ""))
        self.assertEqual(candidates("train", "cartpole", "--algo.lr_schedule", "l"), ["linear"])
        self.assertEqual(candidates("set", "1", "--run.keep_awake", ""), ["true", "false"])
        self.assertEqual(candidates("metrics", "1", "loss/"), ["loss/policy", "loss/value"])
        self.assertEqual(candidates("list", "--tag", ""), ["paper"])
        exported = str(pathlib.Path(self.folder.name) / "out")
        self.seedbed("export", "1", "--to", "safetensors", "--out", exported, "--episodes", "20", "--eval-episodes", "0")
        self.seedbed("import", exported, "--name", "friend")
        self.assertEqual(candidates("eval", "fr"), ["friend"])
        self.assertEqual(candidates("show", "fr"), [])

    def test_bash_completes_what_it_would_take_apart(self):
        self.seedbed("train", "cartpole", "--name", "my run", *QUICK)

        def replies(*words):
            quoted = " ".join(shlex.quote(word) for word in words)
            answer = subprocess.run(["bash", "-c", f"PATH={shlex.quote(str(PROGRAM.parent))}:$PATH; source <(seedbed completion bash); "
                                     f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _seedbed; printf '%s\\n' \"${{COMPREPLY[@]}}\""],
                                    capture_output=True, text=True, env=self.env)
            self.assertEqual(answer.stderr, "")
            return answer.stdout.splitlines()

        self.assertEqual(replies("seedbed", "eval", "my"), ["my\\ run"])
        self.assertEqual(replies("seedbed", "eval", '"my'), ["my run"])
        self.assertEqual(replies("seedbed", "eval", "my\\ r"), ["my\\ run"])
        # "1:b", in bash's own words.
        self.assertEqual(replies("seedbed", "eval", "1", ":", "b"), ["best"])
        self.assertIn("best", replies("seedbed", "eval", "1", ":"))
        self.assertEqual(replies("seedbed", "metrics", "my\\ run", "speed/frames"), ["speed/frames_per_s"])

    def test_the_manual_page_names_every_command(self):
        page = self.seedbed("man").stdout
        for command in ("train", "eval", "compare", "env list"):
            self.assertIn(f".B seedbed {command}", page)

    def test_results_that_cannot_be_written_are_an_error(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([PROGRAM, "env", "list"], stdout=full, stderr=subprocess.PIPE, text=True, env=self.env)
        self.assertEqual(run.returncode, 1)
        self.assertIn("could not be written", run.stderr)

    def test_a_new_database_does_not_adopt_old_checkpoints(self):
        self.seedbed("train", "cartpole", *QUICK)
        for file in self.data.glob("seedbed.db*"):
            file.unlink()
        run = self.seedbed("train", "cartpole", "--steps", "500", "--eval.final_episodes", "0")
        self.assertIn("not in the database", run.stderr)
        shown = self.document("show", "1")
        self.assertIn(f"step {shown['steps']}", self.seedbed("eval", "1", "--episodes", "2").stdout)

    def test_quiet_and_empty_arguments(self):
        self.assertEqual(self.seedbed("train", "cartpole", "--quiet", *QUICK).stderr, "")
        for option in ("--init-from", "--config", "--name"):
            self.seedbed("train", "cartpole", option, "", code=2)
        self.assertSays(self.seedbed("train", "cartpole", "--fail-below", "nan", code=3), "finite")
        self.seedbed("train", "cartpole", "--dry-run", "--init-from", "77", code=3)
        self.seedbed("train", "cartpole", "--dry-run", "--name", "a/b", code=3)

    def test_an_empty_folder_has_no_runs(self):
        self.assertEqual(self.document("list"), [])
        self.assertSays(self.seedbed("list", "--data", "/nowhere/runs"), "No runs yet", "'/nowhere/runs' is not there")

    def test_lists_show_star_tags_and_what_was_changed(self):
        for rate in ("0.002", "0.004"):
            self.seedbed("train", "cartpole", "--algo.learning_rate", rate, "--steps", "300", "--eval.final_episodes", "0")
        plain = self.seedbed("list").stdout.splitlines()
        self.assertNotIn("TAGS", plain[0])
        self.seedbed("edit", "1", "--tag", "paper", "--tag", "draft", "--star", "--note", "the slow one")
        header, first, second = self.seedbed("list").stdout.splitlines()
        self.assertTrue(header.split()[-2:] == ["TAGS", "CHANGED"], header)
        self.assertTrue(first.startswith("*"), first)
        self.assertRegex(first, r"draft,paper +learning_rate=0.002, ")
        self.assertRegex(second, r"^ .* learning_rate=0.004, ")
        self.assertEqual([run["id"] for run in self.document("list", "--star")], [1])
        self.assertEqual([run["id"] for run in self.document("list", "--tag", "paper", "--tag", "draft")], [1])
        self.assertEqual(self.document("list", "--tag", "paper", "--tag", "other"), [])
        self.assertIn("None of the runs", self.seedbed("list", "--tag", "other").stderr)
        shown = self.seedbed("show", "1").stdout
        for line in ("marks      star", "tags       draft, paper", "notes      the slow one", "           --algo.learning_rate 0.002 (0.005)"):
            self.assertIn(line + "\n", shown)
        self.assertEqual(len(re.findall("^engine", shown, re.M)), 1, shown)
        self.assertNotIn('"', shown)
        self.assertLess(max(map(len, shown.splitlines())), 300)

    def test_metrics_without_a_name_are_a_list_of_the_curves(self):
        self.seedbed("train", "cartpole", *QUICK)
        curves = self.document("metrics", "1")
        header, *rows = self.seedbed("metrics", "1").stdout.splitlines()
        self.assertEqual(header.split(), ["METRIC", "POINTS", "LAST", "STEP", "LAST"])
        self.assertEqual({row.split()[0]: int(row.split()[1].replace(",", "")) for row in rows},
                         {name: len(curve["steps"]) for name, curve in curves.items()})
        points = sum(len(curve["steps"]) for curve in curves.values())
        self.assertEqual(self.seedbed("metrics", "1", "--all").stdout.count("\n"), points)
        self.assertEqual(self.seedbed("metrics", "1", "loss/value").stdout.count("\n"), len(curves["loss/value"]["steps"]))

    def test_imported_policies_are_found_again(self):
        self.assertIn("No imported policies", self.seedbed("policies").stderr)
        self.seedbed("train", "cartpole", *QUICK)
        out = pathlib.Path(self.folder.name) / "out"
        self.seedbed("export", "1", "--to", "safetensors", "--out", str(out), "--eval-episodes", "0")
        card = (out / "README.md").read_bytes()
        (out / "README.md").write_bytes(card[:-9] + b"?" + card[-8:])
        self.assertIn("README.md", self.seedbed("import", str(out), "--name", "friend", code=1).stderr)
        self.assertEqual(self.document("policies"), [])
        shutil.rmtree(out)
        self.seedbed("export", "1", "--to", "safetensors", "--out", str(out), "--eval-episodes", "0")
        self.seedbed("import", str(out), "--name", "friend")
        (policy,) = self.document("policies")
        self.assertEqual((policy["name"], policy["env"], policy["algo"]), ("friend", "cartpole", "ppo"))
        self.assertEqual(policy["params_sha256"], self.document("show", "1")["params_sha256"])
        self.assertIn("friend", self.seedbed("policies").stdout)
        self.assertIn("'seedbed policies' lists what was imported: friend", self.seedbed("list").stderr)

    def test_every_engine_trains(self):
        for engine in self.document("doctor")["engines"]:
            if engine["available"]:
                self.seedbed("train", "cartpole", "--engine", engine["id"], "--steps", "300", "--eval.final_episodes", "0", "--eval.episodes", "1")

    def test_a_killed_run_is_recognised_at_once(self):
        process = self.start("train", "cartpole", "--steps", "1e12", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        run = process.stdout.readline().strip()
        self.wait_for("its start", lambda: self.document("show", run)["status"] == "running")
        process.kill()
        process.wait()
        process.stdout.close()
        self.assertEqual(self.document("show", run)["status"], "interrupted")
        self.seedbed("eval", run, "--episodes", "2")

    def test_one_line_refreshes_on_a_terminal(self):
        text = self.text_on_a_terminal(["--steps", "60000"])
        self.assertIn(b"\r\x1b[K", text)
        for word in (b"steps", b"/s", b"return", b"left", b"next checkpoint", b"training: ", b"evaluating: ", b"saving: "):
            self.assertIn(word, text)
        self.assertNotIn(b" 0/s", text)

    def test_a_line_that_is_too_long_is_shortened_between_its_parts(self):
        for columns in (60, 40, 12):
            text = self.text_on_a_terminal(["--steps", "60000"], columns)
            lines = [line.split(b"\r\n")[0].decode() for line in text.split(b"\r\x1b[K")[1:]]
            self.assertTrue(lines)
            for line in lines:
                self.assertLess(len(line), max(columns, 26), line)
                self.assertRegex(line, r"^(\w+: )?[\d,]+ of 60,000 steps(, [\d,]+/s)?(, return [\d.]+)?(, evaluation [\d.]+)?(, [\d.]+ s)?"
                                       r"(, [\d. s]+(to [\d.]+ s )?left)?(, next checkpoint in [\d.]+ s)?$")

    def test_an_interrupt_begins_a_line_of_its_own(self):
        text = self.text_on_a_terminal(["--steps", "1e12"], 120, interrupt_after=b" steps", code=130)
        self.assertIn(b"\r\nstopping after this update; again stops at once\r\n", text)

    def text_on_a_terminal(self, options, columns=0, interrupt_after=None, code=0):
        try:
            parent, child = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminals here: {error}")
        if columns:
            fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.start("train", "cartpole", *options, stdout=subprocess.DEVNULL, stderr=child)
        os.close(child)
        text = b""
        try:
            while block := os.read(parent, 4096):
                text += block
                if interrupt_after and interrupt_after in text:
                    process.send_signal(signal.SIGINT)
                    interrupt_after = None
        except OSError:  # the terminal closes with the program
            pass
        os.close(parent)
        self.assertEqual(process.wait(timeout=60), code)
        return text


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
