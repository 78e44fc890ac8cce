# SPDX-License-Identifier: Apache-2.0
"""The commands: training, evaluation, comparison, catalogues, mistakes and damaged folders."""
import json
import pathlib
import re
import shlex
import shutil
import sqlite3
import sys
import time
import unittest

from command_case import CommandCase, QUICK, SOURCE
from measure import MEASURING, measures


class CommandLine(CommandCase):
    doctor_report = None

    def doctor(self):
        """The report of `doctor`, which checks every device; made once for all tests."""
        if CommandLine.doctor_report is None:
            CommandLine.doctor_report = self.document("doctor")
        return CommandLine.doctor_report

    def test_train_list_show_metrics_eval(self):
        run = self.seedbed("train", "cartpole", "--name", "first", *QUICK)
        self.assertEqual(run.stdout, "1\n")
        self.assertIn("finished run 1", run.stderr)

        (listed,) = self.document("list")
        self.assertEqual(list(listed), [
            "id", "name", "env", "algo", "seed", "status", "steps", "frames", "created", "started", "updated",
            "best_return", "last_return", "tags", "status_text", "preset", "settings", "setting_changes",
            "resume_step", "changed"
        ])
        self.assertEqual((listed["id"], listed["name"], listed["env"], listed["algo"], listed["status"]),
                         (1, "first", "cartpole", "ppo", "finished"))
        self.assertGreaterEqual(listed["steps"], 2000)
        shown = self.document("show", "first")
        for key in ("config", "devices", "engine", "auto", "params_sha256", "checkpoints", "evaluations",
                    "events"):
            self.assertIn(key, shown)
        self.assertRegex(shown["params_sha256"], "^[0-9a-f]{64}$")
        self.assertTrue(shown["checkpoints"])
        metrics = self.document("metrics", "1")
        self.assertEqual(len(metrics["loss/value"]["steps"]), len(metrics["loss/value"]["values"]))
        self.assertIn("episode/return", metrics)
        evaluation = self.evaluation("1", "--episodes", "7")
        self.assertEqual(evaluation["n"], 7)
        self.assertEqual(len(evaluation["episodes"]), 7)
        self.assertLessEqual(evaluation["ci95"][0], evaluation["mean"])
        self.assertEqual(evaluation, self.evaluation("1", "--episodes", "7"),
                         "the same seed, the same episodes")
        self.assertNotEqual(self.evaluation("1", "--episodes", "7", "--sample"), evaluation)
        folder = self.data / shown["checkpoints"][-1]["folder"]
        self.assertEqual(self.evaluation(str(folder), "--episodes", "7"), evaluation)

    def test_same_seed_gives_the_same_parameters_for_any_number_of_threads(self):
        hashes = set()
        for threads in ("1", "2", "4"):
            lines = self.seedbed("train", "cartpole", "--threads", threads, "--json",
                                 *QUICK).stdout.splitlines()
            self.assertEqual(json.loads(lines[0]), {"event": "started", "id": json.loads(lines[0])["id"]})
            hashes.add(json.loads(lines[-1])["done"]["params_sha256"])
        self.assertEqual(len(hashes), 1)

    def test_a_missed_goal_is_exit_6(self):
        self.seedbed("train", "cartpole", *QUICK, "--algo.learning_rate", "0", "--fail-below", "499", code=6)
        self.seedbed("train", "cartpole", *QUICK, "--fail-below", "1")

    def test_init_from(self):
        self.trained("cartpole", *QUICK)
        self.seedbed("train", "cartpole", *QUICK, "--init-from", "1")
        self.assertIn("init_from", [event["kind"] for event in self.document("show", "2")["events"]])
        self.assertText(self.seedbed("train", "pendulum", "--steps", "100", "--init-from", "1", code=3),
                        "different network")

    def test_dry_run_starts_nothing(self):
        plan = self.document("train", "cartpole", "--dry-run")
        self.assertGreater(plan["memory_bytes"]["total"], 0)
        self.assertEqual(plan["config"]["env"]["id"], "cartpole")
        self.assertFalse(self.data.exists())

    def test_catalogue_config_presets_doctor(self):
        environments = {env["id"]: env for env in self.document("env", "list")}
        self.assertIn("cartpole", environments)
        self.assertIn("CartPole-v1", environments["cartpole"]["aliases"])
        self.assertEqual(self.document("env", "show", "CartPole-v1")["id"], "cartpole")
        self.assertIn("ppo", [algo["id"] for algo in self.document("algos")])
        presets = self.document("presets")
        for preset in presets:
            arguments = ["train", preset["env"], "--preset", preset["name"], "--dry-run"]
            if ":" in preset["env"]:  # the environment is in a pack, and no pack is installed here
                self.assertIn("seedbed pack install", self.seedbed(*arguments, code=3).stderr)
            else:
                self.document(*arguments)
        self.assertIn("--algo.gamma", self.seedbed("config", "cartpole").stdout)
        doctor = self.doctor()
        for engine in doctor["engines"]:
            if engine["available"]:
                self.assertTrue(engine["parity"]["ok"], engine)
        for choice in doctor["auto_engine"].values():
            self.assertIn(choice["engine"],
                          [engine["id"] for engine in doctor["engines"] if engine["available"]])
            self.assertTrue(choice["why"])
        self.assertIn("auto ", self.seedbed("doctor").stdout)
        self.seedbed("env", "show", "cartpole")
        self.seedbed("algos")
        for row in self.seedbed("env", "list").stdout.splitlines()[1:]:
            number = re.match(r"\S+ +(?:\S+ +)?\S+ +(-?[0-9.]+(?:e-?[0-9]+)?|-) ", row).group(1)
            self.assertLessEqual(len(number.lstrip("-").replace(".", "").lstrip("0")), 6, row)

    def test_env_check_names_the_first_difference(self):
        trace = SOURCE / "tests/oracle/traces/CartPole-v1.jsonl.gz"
        self.assertIn("transitions match the trace",
                      self.seedbed("env", "check", "CartPole-v1", str(trace)).stdout)
        self.assertText(self.seedbed("env", "check", "MountainCar-v0", str(trace), code=7), "line 1")
        self.seedbed("env", "check", "cartpole", "/nowhere.jsonl.gz", code=1)

    def test_gallery_writes_a_picture_of_each_environment_and_gifs_on_request(self):
        out = pathlib.Path(self.folder.name) / "new" / "pictures"
        files = self.document("env", "gallery", "--out", str(out))
        self.assertEqual(sorted(pathlib.Path(f["file"]).stem for f in files),
                         sorted(e["id"] for e in self.document("env", "list")))
        for file in files:
            content = pathlib.Path(file["file"]).read_bytes()
            self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(len(content), file["bytes"])
            self.assertLess(len(content), 15000, "pictures of the README are small: " + file["file"])
        again = self.document("env", "gallery", "--out", str(out / "two"), "--env", "CartPole-v1", "--gif",
                              "--frames", "5")
        self.assertEqual([pathlib.Path(f["file"]).name for f in again], ["cartpole.png", "cartpole.gif"])
        self.assertEqual((out / "two" / "cartpole.gif").read_bytes()[:6], b"GIF89a")
        self.assertEqual((out / "two" / "cartpole.png").read_bytes(), (out / "cartpole.png").read_bytes(),
                         "the seed decides")
        self.assertText(self.seedbed("env", "gallery", "--out", str(out), "--env", "cartpool", code=3),
                        "cartpool", "cartpole")

    def test_benchmarks_print_one_line(self):
        bench = self.document("bench", "train", "--task", "cartpole-ppo4-8x128", "--seconds", "0.3")
        for key in ("task", "steps", "seconds", "sps", "cpu_s", "score", "solve_s", "cpu_s_per_million_steps",
                    "thread_s"):
            self.assertIn(key, bench)
        self.assertGreater(bench["sps"], 0)
        ended = self.document("bench", "train", "--task", "cartpole-ppo4-8x128", "--seconds", "0.1",
                              "--until-steps", "20000")
        self.assertGreaterEqual(ended["trained_steps"], 20000)
        self.assertGreater(ended["score"], 9)  # mean of the last 100 episodes; the random policy gets 22
        self.assertGreater(self.document("bench", "env", "catch", "--seconds", "0.2")["sps"], 0)
        for arguments in (["train", "--task", "cartpole-ppo4-8x128", "--seconds",
                           "0.3"], ["infer", "--seconds",
                                    "0.1"], ["learner", "--batch", "128", "--seconds", "0.1"]):
            # A fraction above 1 means that the work or the peak is wrong. Other programs may lower the
            # measured peak, but not ten times in a row.
            for _ in range(10):
                bench = self.document("bench", *arguments)
                self.assertGreater(bench["sps"], 0)
                self.assertGreater(bench["gflops"], 0)
                if bench["fma_fraction"] < 2 or not MEASURING:
                    break
            if MEASURING:
                self.assertLess(bench["fma_fraction"], 2, bench)
        self.assertIn("fma_fraction", self.seedbed("bench", "infer", "--seconds", "0.1").stdout)
        self.assertText(self.seedbed("bench", "train", "--task", "cartpole-slove", code=3), "cartpole-solve")
        self.assertText(self.seedbed("bench", "infer", "--net", "natur", code=3), "nature")

    @measures  # it takes a third of the time of this file
    def test_bench_gpu_measures_every_engine_of_a_device(self):
        # Only the CPU: a Vulkan device in software would take a minute.
        report = self.document("bench", "gpu", "--device", "cpu", "--seconds", "0.01")
        known = [(engine["id"], text) for engine in self.doctor()["engines"]
                 if engine["id"] not in ("check", "reference")
                 for text in engine["devices"] if text.startswith("cpu")]
        self.assertEqual([(each["engine"], each["description"]) for each in report["devices"]], known)
        for each in report["devices"]:
            self.assertIsNone(each["error"])
            self.assertLess(each["parity"]["gradient_error"], 1e-4)  # rounding of floats gives about 1e-6
            self.assertEqual([rate["net"] for rate in each["rates"]], ["mlp2048", "nature", "impala-deep"])
            for rate in each["rates"]:
                self.assertGreater(min(rate["train_us"], rate["forward_us"]), 0)
                if MEASURING:
                    self.assertGreater(rate["train_us"], rate["forward_us"])
            for net, times in each["latency_us"].items():
                self.assertGreater(min(times["1"], times["256"], each["host_us"][net]), 0)
                if MEASURING:
                    self.assertLess(times["1"], times["256"])

    def test_benchmarks_of_a_missing_device_name_it(self):
        self.assertText(self.seedbed("bench", "gpu", "--device", "vulkan:99", code=4), "vulkan:99", "doctor")
        self.assertText(self.seedbed("bench", "infer", "--device", "vulkan:99", code=4), "vulkan")

    def test_time_to_solve_counts_from_process_start(self):
        begin = time.monotonic()
        bench = self.document("bench", "train", "--task", "cartpole-solve", "--seed", "2", "--seconds",
                              "300")
        self.assertLess(bench["solve_s"], time.monotonic() - begin)
        self.assertGreater(bench["solve_s"], bench["first_update_s"])
        # The score is the mean of 100 further episodes, so it may be slightly below 475.
        self.assertGreater(bench["score"], 400)

    def test_mistyped_names_get_a_suggestion(self):
        self.assertText(self.seedbed("trian", code=2), "did you mean 'train'?")
        self.assertText(self.seedbed("env", "lst", code=2), "did you mean 'env list'?")
        self.assertText(self.seedbed("train", "cartpol", code=3), "did you mean 'cartpole'?")
        self.assertText(self.seedbed("train", "cartpole", "--preset", "acrobt", code=3),
                        "did you mean 'acrobot'?")
        self.assertText(self.seedbed("train", "cartpole", "--algo", "pp0", code=3), "did you mean 'ppo'?")
        self.assertText(self.seedbed("train", "cartpole", "--algo.gama", "0.9", code=3), "gama", "gamma")
        self.assertText(self.seedbed("train", "cartpole", "--engine", "torhc", code=3), "torch")
        self.assertText(self.seedbed("train", "cartpole", "--stepz", "3", code=2), "no option '--stepz'",
                        "did you mean '--steps'?")
        self.assertText(self.seedbed("train", "cartpole", "--seeds", "3", code=2), "no option '--seeds'",
                        "did you mean '--seed'?")
        self.assertText(self.seedbed("list", "--jsn", code=2), "did you mean '--json'?")
        self.assertText(self.seedbed("show", "1", "2", code=2), "unexpected argument '2'")
        self.seedbed("train", code=2)
        self.assertText(self.seedbed("list", "--algo.gamma", "1", code=2), "does not accept settings")
        self.assertFalse(self.data.exists(), "nothing was started")

    def test_values_out_of_range_name_the_range(self):
        self.assertText(self.seedbed("train", "cartpole", "--algo.gamma", "1.5", code=3), "algo.gamma", "1.5",
                        "0 to 1")
        self.assertText(self.seedbed("train", "cartpole", "--actor.num_envs", "many", code=3),
                        "actor.num_envs", "many")
        for schedule in (["--schedule", "asink"], ["--inference", "centre"], ["--run.forced_lag", "-1"],
                         ["--infer.deadline_ms", "-2"], ["--actor.groups", "9", "--actor.num_envs",
                                                         "8"], ["--actor.threads", "2"]):
            self.seedbed("train", "cartpole", *schedule, code=3)

    def test_configuration_files(self):
        file = pathlib.Path(self.folder.name) / "settings.json"
        file.write_text('{"algo": {"gamma": 0.5}}')
        plan = self.document("train", "cartpole", "--config", str(file), "--dry-run")
        self.assertEqual(plan["config"]["algo"]["gamma"], 0.5)
        plan = self.document("train", "cartpole", "--config", str(file), "--algo.gamma", "0.25", "--dry-run")
        self.assertEqual(plan["config"]["algo"]["gamma"], 0.25)
        file.write_text('{"algo":\n  {"gamma": 0.5,,}}')
        self.assertText(self.seedbed("train", "cartpole", "--config", str(file), code=3), "settings.json",
                        "2")
        file.write_text('{"algoo": {}}')
        self.assertText(self.seedbed("train", "cartpole", "--config", str(file), code=3), "algoo", "algo")
        self.seedbed("train", "cartpole", "--config", "/nowhere.json", code=3)

    def test_devices_and_memory(self):
        refused = self.seedbed("train", "cartpole", "--device", "cuda:9", code=4)
        torch, = (engine for engine in self.doctor()["engines"] if engine["id"] == "torch")
        self.assertText(refused, *(("cuda:9", "cpu") if torch["available"] else ("torch",)))
        huge = ["--actor.num_envs", "1000000", "--algo.rollout_length", "2000"]  # 13 TiB
        self.assertText(self.seedbed("train", "pong_pixels", *huge, code=5), "memory")
        self.assertText(self.seedbed("train", "pong_pixels", *huge, "--dry-run", code=5), "memory")
        self.seedbed("train", "cartpole", "--algo.minibatches", "4096", "--learner.chunk_rows", "1048576",
                     "--dry-run")
        self.assertFalse(self.data.exists(), "nothing was started")

    def test_missing_runs(self):
        self.assertText(self.seedbed("show", "1", code=3), "no runs")
        self.trained("cartpole", *QUICK)
        self.seedbed("edit", "1", "--name", "walker")
        self.assertText(self.seedbed("show", "walkre", code=3), "walker")
        self.assertText(self.seedbed("eval", "7", code=3), "7")
        self.assertText(self.seedbed("metrics", "1", "loss/polcy", code=3), "loss/policy")
        self.assertText(self.seedbed("eval", "1:999", code=3), "999")

    def test_a_read_only_folder(self):
        self.assertText(self.seedbed("train", "cartpole", "--data", "/proc/seedbed", code=1), "/proc/seedbed")

    def test_a_newer_or_foreign_database_is_left_alone(self):
        self.trained("cartpole", *QUICK)
        database = self.data / "seedbed.db"
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA user_version = 9999")
        before = database.read_bytes()
        for command in (["train", "cartpole", *QUICK], ["list"]):
            self.assertText(self.seedbed(*command, code=1), "newer")
        self.assertEqual(database.read_bytes(), before)
        for name in ("seedbed.db-wal", "seedbed.db-shm"):
            (self.data / name).unlink(missing_ok=True)
        database.write_bytes(b"not a database at all" * 100)
        self.assertText(self.seedbed("train", "cartpole", *QUICK, code=1), "seedbed.db")
        self.assertEqual(database.read_bytes(), b"not a database at all" * 100)

    def test_a_damaged_checkpoint_is_reported_and_the_previous_one_used(self):
        self.trained("cartpole", *QUICK)
        shown = self.document("show", "1")
        newest = self.data / [c for c in shown["checkpoints"] if not c["removed"]][-1]["folder"]
        damaged = next(newest.glob("*.safetensors"))
        content = bytearray(damaged.read_bytes())
        content[-5] ^= 1
        damaged.write_bytes(content)
        self.seedbed("eval", str(newest), "--episodes", "3", code=1)
        run = self.seedbed("eval", "1", "--episodes", "3")
        self.assertIn(damaged.name, run.stderr)

    def test_compare_groups_seeds_and_reports_differences(self):
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
        self.assertEqual((compared["scores_at"], compared["common_steps"]), ("last_step", []),
                         "all have the same length")
        reported = self.seedbed("compare", "1", "2", "3").stdout
        self.assertNotIn("--at", reported)
        self.assertIn("learning_rate=1e-05: ", self.seedbed("compare", "1", "2", "3", "4", "5", "6").stdout)
        self.assertIn("too few seeds", self.seedbed("compare", "1", "4").stdout)
        self.seedbed("train", "pendulum", "--steps", "2000", "--eval.episodes", "2", "--eval.final_episodes",
                     "2")
        labels = [group["label"] for group in self.document("compare", "1", "4", "7")["groups"]]
        self.assertEqual(
            labels, ["cartpole, algo.learning_rate=0.001", "cartpole, algo.learning_rate=1e-05", "pendulum"])
        self.assertText(self.seedbed("compare", "1", "--baseline", "2", code=2), "baseline")
        self.assertText(self.seedbed("compare", "1", "99", code=3), "99")

    def test_runs_of_different_lengths_are_compared_at_the_last_common_step(self):
        for seed, steps in (("1", "2000"), ("2", "6000")):
            self.seedbed("train", "cartpole", "--seed", seed, "--steps", steps, "--eval.every_steps", "1000",
                         "--eval.episodes", "5", "--eval.final_episodes", "5")
        evaluations = [{e["step"]: e["mean"]
                        for e in self.document("show", run)["evaluations"]} for run in ("1", "2")]
        last = max(evaluations[0])
        compared = self.document("compare", "1", "2")
        self.assertEqual((compared["scores_at"], compared["common_steps"]), ("common_step", [last]))
        for run, known in zip(compared["runs"], evaluations):
            self.assertLessEqual(run["step"], 1.05 * last)
            self.assertEqual(run["score"], known[run["step"]])
        self.assertIn("Scores are from step", self.seedbed("compare", "1", "2").stdout)
        newest = self.document("compare", "1", "2", "--at", "last")
        self.assertEqual([run["step"] for run in newest["runs"]], [max(known) for known in evaluations])
        self.assertIn("without '--at last'", self.seedbed("compare", "1", "2", "--at", "last").stdout)

    def test_the_planned_length_separates_groups_only_at_the_last_step_of_each_run(self):
        for seed in ("1", "2", "3"):
            self.seedbed("train", "cartpole", "--seed", seed, *QUICK)
        self.seedbed("resume", "1", "--steps", "4000")
        # The schedule of the last run depends on its length.
        self.seedbed("train", "cartpole", "--seed", "4", "--steps", "4000", *QUICK[2:], "--algo.lr_horizon",
                     "4000")

        def groups(*arguments):
            found = self.document("compare", "1..4", *arguments)["groups"]
            return [group["runs"] for group in found], [group["label"] for group in found]

        runs, labels = groups()
        self.assertEqual(runs, [[1, 2, 3], [4]])
        self.assertNotIn("run.steps", " ".join(labels))
        runs, labels = groups("--at", "last")
        self.assertEqual(runs, [[1], [2, 3], [4]])
        self.assertIn("run.steps=4000", labels[0])

    def test_recorded_episodes_repeat_exactly(self):
        self.trained("cartpole", *QUICK)
        file = pathlib.Path(self.folder.name) / "games.replay"
        played = self.document("play", "1", "--headless", "--episodes", "5", "--envs", "2", "--sample",
                               "--record", str(file))
        self.assertEqual(played["n"], 5)
        again = self.document("replay", str(file), "--verify")
        self.assertEqual((again["episodes"], again["sha256"]), (5, played["sha256"]))
        self.assertEqual(again["decisions"], sum(episode["length"] for episode in played["episodes"]))
        data = file.read_bytes()
        file.write_bytes(data[:len(data) // 2])
        self.assertText(self.seedbed("replay", str(file), "--verify", code=3), "games.replay",
                        "cannot be played")
        self.seedbed("replay", str(file) + ".none", "--verify", code=1)
        self.seedbed("play", "9", "--headless", "--episodes", "1", code=3)
        self.seedbed("play", "1:7", "--headless", "--episodes", "1", code=3)
        self.seedbed("play", "1", "--record", "x", code=2)

    def test_doctor_diagnoses_a_run(self):
        self.seedbed("train", "cartpole", "--algo.learning_rate", "0.5", "--steps", "8000",
                     "--eval.final_episodes", "2")
        (finding, *_) = self.document("doctor", "1")["findings"]
        self.assertTrue(finding["evidence"] and finding["cause"] and finding["remedy"])
        self.seedbed(*shlex.split(finding["command"])[1:], "--dry-run")
        reported = self.seedbed("doctor", "1").stdout
        self.assertIn("likely cause", reported)
        # The change comes first, then the settings that differ from the preset.
        (change, value), *_ = finding["settings"].items()
        words = shlex.split(finding["command"])
        self.assertEqual(words[:4], ["seedbed", "train", "cartpole", "--" + change])
        self.assertIn(f"change: {change} ", reported)
        expected = {
            "--" + key
            for key in (*finding["settings"], "algo.learning_rate", "run.steps", "eval.final_episodes")
        }
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
        self.assertText(self.seedbed("doctor", "99", code=3), "99")

    def test_a_suggested_command_keeps_the_seed_and_other_settings(self):
        self.seedbed("train", "cartpole", "--algo.learning_rate", "0.5", "--steps", "8000", "--seed", "5",
                     "--engine", "reference", "--algo.epochs", "5", "--eval.final_episodes", "2")
        first, *notes = self.document("doctor", "1")["findings"]
        self.assertEqual(first["settings"], {"algo.learning_rate": 0.005})
        made = self.document(*shlex.split(first["command"])[1:], "--dry-run")["config"]
        own = self.document("show", "1")["config"]
        own["algo"]["learning_rate"] = 0.005
        for config in (made, own):
            config["run"].pop("threads")
        self.assertEqual(made, own)
        self.assertNotIn("another seed", self.seedbed("doctor", "1").stdout)
        for note in notes:
            if note["severity"] == "note":
                suggested = note["remedy"], note["settings"], note["command"]
                self.assertEqual(suggested, ("", {}, ""), note["rule"])

    def test_a_run_without_enough_steps_is_continued_exactly(self):
        self.seedbed("train", "cartpole", "--seed", "6", *QUICK)
        first, *_ = self.document("doctor", "1")["findings"]
        self.assertEqual((first["rule"], first["command"]),
                         ("too_few_steps", "seedbed resume 1 --steps 100000"))

    def test_the_doctor_reports_a_run_that_never_started(self):
        self.seedbed("queue", "add", "cartpole", *QUICK)
        finding, = self.document("doctor", "1")["findings"]
        self.assertEqual((finding["rule"], finding["command"]), ("not_trained", ""))
        self.assertIn("has not started training", self.seedbed("doctor", "1").stdout)

    def test_a_new_database_does_not_adopt_old_checkpoints(self):
        self.trained("cartpole", *QUICK)
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
        self.assertText(self.seedbed("train", "cartpole", "--fail-below", "nan", code=3), "finite")
        self.seedbed("train", "cartpole", "--dry-run", "--init-from", "77", code=3)
        self.seedbed("train", "cartpole", "--dry-run", "--name", "a/b", code=3)

    def test_an_empty_folder_has_no_runs(self):
        self.assertEqual(self.document("list"), [])
        self.assertText(self.seedbed("list", "--data", "/nowhere/runs"), "No runs yet",
                        "'/nowhere/runs' does not exist")

    def test_lists_show_stars_tags_and_changed_settings(self):
        for rate in ("0.002", "0.004"):
            self.seedbed("train", "cartpole", "--algo.learning_rate", rate, "--steps", "300",
                         "--eval.final_episodes", "0")
        plain = self.seedbed("list").stdout.splitlines()
        self.assertNotIn("TAGS", plain[0])
        self.seedbed("edit", "1", "--tag", "paper", "--tag", "draft", "--star", "--note", "the slow one")
        header, first, second = self.seedbed("list").stdout.splitlines()
        self.assertTrue(header.split()[-2:] == ["TAGS", "CHANGED"], header)
        self.assertTrue(first.startswith("*"), first)
        self.assertRegex(first, r"draft,paper +learning_rate=0.002, ")
        self.assertRegex(second, r"^ .* learning_rate=0.004, ")
        self.assertEqual([run["changed"][0] for run in self.document("list")],
                         ["learning_rate=0.002", "learning_rate=0.004"])
        self.assertEqual([run["id"] for run in self.document("list", "--star")], [1])
        self.assertEqual([run["id"] for run in self.document("list", "--tag", "paper", "--tag", "draft")],
                         [1])
        self.assertEqual(self.document("list", "--tag", "paper", "--tag", "other"), [])
        self.assertIn("No runs match", self.seedbed("list", "--tag", "other").stderr)
        shown = self.seedbed("show", "1").stdout
        for line in ("marks      star", "tags       draft, paper", "notes      the slow one",
                     "           --algo.learning_rate 0.002 (0.005)"):
            self.assertIn(line + "\n", shown)
        self.assertEqual(len(re.findall("^engine", shown, re.M)), 1, shown)
        self.assertNotIn('"', shown)
        self.assertLess(max(map(len, shown.splitlines())), 300)

    def test_metrics_without_a_name_lists_the_metrics(self):
        self.trained("cartpole", *QUICK)
        curves = self.document("metrics", "1")
        header, *rows = self.seedbed("metrics", "1").stdout.splitlines()
        self.assertEqual(header.split(), ["METRIC", "POINTS", "LAST", "STEP", "LAST"])
        self.assertEqual({row.split()[0]: int(row.split()[1].replace(",", ""))
                          for row in rows}, {name: len(curve["steps"])
                                             for name, curve in curves.items()})
        points = sum(len(curve["steps"]) for curve in curves.values())
        self.assertEqual(self.seedbed("metrics", "1", "--all").stdout.count("\n"), points)
        self.assertEqual(
            self.seedbed("metrics", "1", "loss/value").stdout.count("\n"), len(curves["loss/value"]["steps"]))

    def test_imported_policies_are_listed(self):
        self.assertIn("No imported policies", self.seedbed("policies").stderr)
        self.trained("cartpole", *QUICK)
        out = pathlib.Path(self.folder.name) / "out"
        self.seedbed("export", "1", "--to", "safetensors", "--out", str(out), "--eval-episodes", "0")
        card = (out / "README.md").read_bytes()
        (out / "README.md").write_bytes(card[:-9] + b"?" + card[-8:])
        self.assertIn("README.md", self.seedbed("import", str(out), "--name", "friend", code=1).stderr)
        self.assertEqual(self.document("policies"), [])
        shutil.rmtree(out)
        exported = self.document("export", "1", "--to", "safetensors", "--out", str(out))
        best = [row for row in self.document("show", "1")["checkpoints"] if row["best"]]
        self.assertEqual((exported["policy"], exported["steps"]), ("1:best", best[0]["step"]))
        newest = self.document("export", "1:newest", "--to", "safetensors", "--out", str(out) + "-newest")
        self.assertEqual(newest["policy"], "1:newest")
        self.seedbed("import", str(out), "--name", "friend")
        (policy,) = self.document("policies")
        self.assertEqual((policy["name"], policy["env"], policy["algo"]), ("friend", "cartpole", "ppo"))
        self.assertEqual(policy["params_sha256"], self.document("show", "1")["params_sha256"])
        self.assertEqual(policy["source"], str(out))
        self.assertAlmostEqual(policy["imported"], time.time(), delta=3600)
        self.assertEqual(policy["config"]["env"]["id"], "cartpole")
        self.assertIn("friend", self.seedbed("policies").stdout)
        self.assertIn("Imported policies (see 'seedbed policies'): friend", self.seedbed("list").stderr)

    def test_every_engine_trains(self):
        for engine in self.doctor()["engines"]:
            if engine["available"]:
                device = engine["devices"][0].split(" ")[0]
                self.seedbed("train", "cartpole", "--engine", engine["id"], "--device", device,
                             "--steps", "300", "--eval.final_episodes", "0", "--eval.episodes", "1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
