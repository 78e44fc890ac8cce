# SPDX-License-Identifier: Apache-2.0
"""Output of the command line in cases that are easy to get wrong: comparisons, resumed schedules, the
history of settings, goals, the queue, and mistakes in options.
"""
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import unittest

from command_case import PROGRAM, QUICK, CommandCase

# Without the preset's schedule; each update is 256 steps.
PLAIN = ["cartpole", "--preset", "none", "--run.inference", "inline", "--network.hidden", "16,16",
         "--algo.rollout_length", "32", "--eval.episodes", "2", "--eval.final_episodes", "2"]


class Comparisons(CommandCase):

    def train(self, *arguments):
        lines = self.seedbed("train", *PLAIN, *arguments, "--json").stdout.splitlines()
        return json.loads(lines[-1])["done"]["id"]

    def test_all_runs_are_compared_by_one_kind_of_score(self):
        no_evaluation = ["--eval.final_episodes", "0", "--eval.every_steps", "1000000"]
        short = [self.train("--steps", "2048", "--seed", str(seed), *no_evaluation) for seed in (1, 2)]
        evaluated = [self.train("--steps", "2048", "--seed", str(seed), "--algo.gamma", "0.97")
                     for seed in (1, 2)]
        runs = [str(run) for run in short + evaluated]
        compared = self.document("compare", *runs)
        self.assertEqual(compared["score_kind"], "training")
        self.assertEqual(compared["unevaluated"], short)
        self.assertEqual({run["evaluated"] for run in compared["runs"]}, {False})
        said = self.seedbed("compare", *runs).stdout
        self.assertIn(f"Runs {short[0]}, {short[1]} have no evaluation", said)
        self.assertIn(f"seedbed eval {short[0]} --record", said)
        refused = self.seedbed("compare", *runs, "--score", "greedy", code=3)
        self.assertText(refused, f"runs {short[0]}, {short[1]} have no greedy evaluation", "--record")
        for run in short:
            made = self.document("eval", str(run), "--episodes", "4", "--record")
            self.assertEqual((made["run"], made["recorded"]), (run, True))
            self.assertEqual(self.document("show", str(run))["evaluations"][-1]["mean"], made["mean"])
        compared = self.document("compare", *runs)
        self.assertEqual((compared["score_kind"], compared["unevaluated"]), ("greedy", []))
        sampled = self.document("compare", *runs, "--score", "training")
        self.assertEqual({run["evaluated"] for run in sampled["runs"]}, {False})

    def test_the_command_for_a_missing_sampled_evaluation_adds_one(self):
        run = str(self.train("--steps", "512"))
        refused = self.seedbed("compare", run, "--score", "sampled", code=3)
        command, = re.findall("'seedbed ([^']*)'", refused.stderr)
        self.seedbed(*command.split(), "--episodes", "2")
        self.assertEqual(self.document("compare", run, "--score", "sampled")["score_kind"], "sampled")

    def test_ranges_skip_the_trash_and_say_which_runs_exist(self):
        for seed in ("1", "2", "3"):
            self.train("--steps", "256", "--seed", seed)
        self.assertEqual(self.seedbed("compare", "1..3").stderr, "")
        self.seedbed("rm", "2")
        said = self.seedbed("compare", "1..3").stderr
        self.assertEqual(said, "Of the 3 runs 1..3, 2 are used: run 2 is in the trash.\n")
        said = self.seedbed("compare", "1..99")
        self.assertEqual(said.stderr,
                         "Of the 99 runs 1..99, 2 are used: run 2 is in the trash; the others do not "
                         "exist.\n")
        self.assertEqual(self.document("compare", "3..9")["groups"][0]["runs"], [3])
        self.assertEqual(self.seedbed("compare", "1..9", "--quiet").stderr, "")
        self.assertText(self.seedbed("compare", "5..9", code=3), "there are no runs 5..9")
        self.assertText(self.seedbed("compare", "2..2", code=3), "run 2 is in the trash")
        self.seedbed("restore", "1..3")
        self.assertEqual(self.seedbed("compare", "1..3").stderr, "")

    def test_an_incomplete_evaluation_is_not_recorded(self):
        run = self.train("--steps", "64", "--eval.final_episodes", "0", "--eval.every_steps", "1000000")
        lengths = sorted(episode["length"] for episode in self.document("eval", str(run))["episodes"])
        made = self.document("eval", str(run), "--record", "--max-steps", str(lengths[50]), code=1)
        self.assertLess(made["n"], 100)
        self.assertFalse(made["recorded"])
        self.assertEqual(self.document("show", str(run))["evaluations"], [])

    def test_intervals_are_absent_below_three_seeds_and_the_method_is_named(self):
        runs = [str(self.train("--steps", "1024", "--seed", str(seed))) for seed in (1, 2, 3)]
        two = self.document("compare", *runs[:2])["groups"][0]
        self.assertEqual(two["ci95"], [None, None])
        self.assertIn("at least 3 seeds", two["ci95_note"])
        compared = self.document("compare", f"{runs[0]}..{runs[2]}")
        three = compared["groups"][0]
        self.assertEqual(three["runs"], [1, 2, 3])
        self.assertTrue(0 <= three["ci95"][0] <= three["centre"] <= three["ci95"][1] <= 500)
        self.assertAlmostEqual(three["ci95_widening"], 2.689, places=2)
        for key in ("score", "centre", "ci95", "p_value", "probability_ci95"):
            self.assertTrue(compared["method"][key])
        said = self.seedbed("compare", *runs).stdout
        self.assertIn("percentile bootstrap", said)
        self.assertIn("2.689 for n = 3", said)
        self.assertIn("interquartile mean", said)
        self.assertIn(" -  ", self.seedbed("compare", runs[0]).stdout)

    def test_a_run_whose_settings_changed_is_not_pooled(self):
        constant = self.train("--steps", "2048", "--algo.learning_rate", "0.0001")
        changed = self.train("--steps", "1024", "--algo.learning_rate", "0.005", "--seed", "2")
        resumed = self.seedbed("resume", str(changed), "--steps", "2048", "--algo.learning_rate", "0.0001")
        self.assertNotIn("bit for bit", resumed.stderr)
        self.assertIn("algo.learning_rate 0.005 -> 0.0001", resumed.stderr)
        shown = self.document("show", str(changed))
        changes = [change for change in shown["setting_changes"] if change["key"].startswith("algo")]
        self.assertEqual([(c["step"], c["key"], c["old"], c["new"], c["source"]) for c in changes],
                         [(1024, "algo.learning_rate", 0.005, 0.0001, "resume")])
        self.assertEqual(shown["original_config"]["algo"]["learning_rate"], 0.005)
        self.assertFalse([e for e in shown["events"] if e["kind"] == "resumed"][0]["data"]["exact"])
        self.assertIn("at step 1,024: algo.learning_rate 0.005 -> 0.0001 (resume)",
                      self.seedbed("show", str(changed)).stdout)
        listed = {run["id"]: run for run in self.document("list")}
        self.assertEqual(listed[changed]["settings"]["algo.learning_rate"], "0.005 (0.0001 from step 1,024)")
        self.assertIn("0.005 (0.0001 from step 1,024)", self.seedbed("list").stdout)
        groups = self.document("compare", str(constant), str(changed))["groups"]
        self.assertEqual([group["runs"] for group in groups], [[constant], [changed]])


class Schedules(CommandCase):

    def test_a_resume_beyond_the_schedule_warns_and_a_longer_horizon_learns(self):
        linear = ["--algo.lr_schedule", "linear", "--algo.lr_horizon", "1024"]
        self.assertNotIn("lr_horizon", self.seedbed("train", *PLAIN, "--steps", "1024", *linear).stderr)
        shutil.copytree(self.data, self.data.parent / "copy")
        before = self.document("show", "1")["params_sha256"]
        ended = self.seedbed("resume", "1", "--steps", "2048")
        self.assertIn("--algo.lr_horizon 2048", ended.stderr)
        self.assertIn("schedule_ends", [e["kind"] for e in self.document("show", "1")["events"]])
        self.assertEqual(self.document("show", "1")["params_sha256"], before, "the rate is 0")
        copy = {"SEEDBED_DATA": str(self.data.parent / "copy")}
        longer = self.seedbed("resume", "1", "--steps", "2048", "--algo.lr_horizon", "2048", env=copy)
        self.assertNotIn("stays there", longer.stderr)
        shown = json.loads(self.seedbed("show", "1", "--json", env=copy).stdout)
        self.assertNotEqual(shown["params_sha256"], before)
        self.assertIn(("algo.lr_horizon", 1024, 2048),
                      [(c["key"], c["old"], c["new"]) for c in shown["setting_changes"]])
        rates = json.loads(self.seedbed("metrics", "1", "optimiser/learning_rate", "--json", env=copy).stdout)
        self.assertGreater(min(rates["optimiser/learning_rate"]["values"][5:7]), 0)

    def test_a_new_run_beyond_its_schedule_is_warned_of(self):
        run = self.seedbed("train", *PLAIN, "--steps", "2048", "--algo.lr_schedule", "linear",
                           "--algo.lr_horizon", "1024")
        self.assertIn("add '--algo.lr_horizon 2048'", run.stderr)

    def test_a_limit_in_minutes_bounds_the_time_left(self):
        run = self.seedbed("train", *PLAIN, "--steps", "100000000", "--minutes", "0.03", "--json")
        left = [line["eta_s"] for line in map(json.loads, run.stdout.splitlines())
                if line.get("event") == "status" and line["eta_s"]]
        self.assertTrue(left)
        self.assertLessEqual(max(high for _, high in left), 1.81)

    def test_calibrate_prints_short_times(self):
        line = self.seedbed("calibrate", "two_state").stdout
        self.assertRegex(line, r"  [0-9.]+( m?s| min)?( to [0-9.]+ (m?s|s|min|h))? to reach its score")
        self.assertNotRegex(line, r"\.0*[1-9]\d{3}", "few significant digits")


class Goals(CommandCase):

    def test_a_missed_target_is_exit_6_and_the_ending_says_so(self):
        run = self.seedbed("train", *PLAIN, "--steps", "1024", "--target-return", "600", code=6)
        self.assertIn("the target return of 600 was not reached", run.stderr)
        shown = self.document("show", "1")
        self.assertEqual(shown["status"], "finished")
        self.assertIn("600 was not reached", shown["status_text"])
        self.assertIn("target_missed", [e["kind"] for e in shown["events"]])
        done = json.loads(self.seedbed("train", *PLAIN, "--steps", "1024", "--target-return", "600", "--json",
                                       code=6).stdout.splitlines()[-1])
        self.assertEqual((done["event"], done["done"]["target_missed"]), ("ended", True))

    def test_stop_and_list_use_one_word_and_a_stop_is_an_event(self):
        child = self.start("train", *PLAIN, "--steps", "100000000", "--quiet", stdout=subprocess.PIPE)
        child.stdout.readline()  # the id of the run, once it is recorded
        child.stdout.close()
        self.wait_for_steps("1", 512)
        self.assertIn("stopped", self.seedbed("stop", "1").stderr)
        child.wait()
        self.assertIn(" stopped ", self.seedbed("list").stdout)
        self.assertEqual(self.document("list")[0]["status"], "interrupted", "the name in JSON is unchanged")
        self.assertEqual([e["text"] for e in self.document("show", "1")["events"] if e["kind"] == "stopped"],
                         ["stopped on request"])
        child = self.start("resume", "1", "--quiet")
        self.wait_for("the run", lambda: self.document("show", "1")["status"] == "running")
        child.send_signal(signal.SIGTERM)
        child.wait()
        self.assertIn(" interrupted ", self.seedbed("list").stdout)

    def test_quiet_resumes_print_nothing(self):
        self.trained(*PLAIN, "--steps", "1024")
        self.assertEqual(self.seedbed("resume", "1", "--steps", "2048", "--quiet").stderr, "")

    def test_train_and_attach_report_events_of_the_same_names(self):
        lines = [json.loads(line) for line in
                 self.seedbed("train", *PLAIN, "--steps", "4096", "--json").stdout.splitlines()]
        self.assertEqual(lines[0]["event"], "started")
        self.assertEqual(lines[-1]["event"], "ended")
        self.assertLessEqual({line["event"] for line in lines}, {"started", "status", "evaluated", "ended"})
        statuses = [line for line in lines if line["event"] == "status"]
        child = self.start("train", *PLAIN, "--steps", "100000000", "--quiet")
        self.wait_for("the run", lambda: len(self.document("list")) == 2)
        self.wait_for_steps("2", 512)
        attached = self.start("attach", "2", "--json", "--every", "50", stdout=-1)
        other = [json.loads(attached.stdout.readline()) for _ in range(3)]
        self.seedbed("stop", "2")
        other += [json.loads(line) for line in attached.stdout.read().splitlines()]
        child.wait()
        self.assertLessEqual({line["event"] for line in other}, {"status", "evaluated", "ended", "message"})
        for line in (line for line in other if line["event"] == "status"):
            for key in statuses[0]:
                self.assertIn(key, line)


class Queue(CommandCase):

    def add(self, *arguments, code=0):
        return self.seedbed("queue", "add", *PLAIN, "--steps", "1024", *arguments, code=code)

    def queued(self):
        return [entry["id"] for entry in self.document("queue", "list")["entries"]]

    def test_many_jobs_need_a_confirmation(self):
        self.assertText(self.add("--seeds", "1..2000", code=2), "2,000 jobs", "--yes")
        self.assertFalse(self.data.exists())
        self.add("--seeds", "1..101", "--yes")
        self.assertEqual(len(self.queued()), 101)

    def test_a_seed_besides_seeds_is_refused(self):
        self.assertText(self.add("--seeds", "1..3", "--seed", "4", code=2), "--seeds 1..3,4")
        self.assertText(self.add("--grid", "run.seed=1,2", "--seeds", "3", code=2), "run.seed")

    def test_queued_runs_are_not_compared(self):
        self.add("--seeds", "1,2")
        self.assertText(self.seedbed("compare", "1", "2", code=3), "runs 1, 2 have not started training yet")

    def test_identical_jobs_are_added_once(self):
        run = self.add("--grid", "algo.learning_rate=0.001,1e-3", "--seeds", "1,1,2")
        self.assertEqual(run.stdout.split(), ["1", "2"])
        self.assertIn("4 jobs not added", run.stderr)
        again = self.add("--algo.learning_rate", "0.001", "--seeds", "2,3")
        self.assertEqual(again.stdout.split(), ["3"])
        self.assertIn("run 2", again.stderr)

    def test_lists_are_values_of_a_grid(self):
        self.seedbed("queue", "add", "cartpole", "--preset", "none", "--steps", "1024", "--grid",
                     "network.hidden=[32],[64,64]")
        hidden = [self.document("show", str(run))["config"]["network"]["hidden"] for run in self.queued()]
        self.assertEqual(hidden, [[32], [64, 64]])

    def test_remove_takes_ranges_and_removes_what_it_can(self):
        self.add("--seeds", "1..5")
        self.assertText(self.seedbed("queue", "remove", "1..3"), "Removed from the queue: runs 1, 2, 3")
        self.assertEqual(self.queued(), [4, 5])
        said = self.seedbed("queue", "remove", "3", "3..4", code=3).stderr
        self.assertIn("run 3 is not in the queue", said)
        self.assertIn("run 3 is in the trash.\nRemoved from the queue: run 4\n", said)
        self.seedbed("queue", "add", "--run", "4")
        failed = self.document("queue", "remove", "4", "no-such-run", "1", code=3)
        self.assertEqual(failed["removed"], [4])
        self.assertEqual([f["run"] for f in failed["failed"]], ["no-such-run", "1"])
        self.assertEqual(self.queued(), [5])
        self.assertText(self.seedbed("queue", "remove", "70..80", code=3), "no runs 70..80")

    def test_a_finished_run_is_not_queued(self):
        self.trained(*PLAIN, "--steps", "1024")
        self.assertText(self.seedbed("queue", "add", "--run", "1", code=3), "finished after 1,024 steps",
                        "seedbed resume 1 --steps N")


    def test_stop_and_set_name_the_state_of_a_run_that_does_not_run(self):
        self.trained(*PLAIN, "--steps", "1024")
        self.add("--seeds", "7")
        rate = ["--algo.learning_rate", "1e-4"]
        self.assertText(self.seedbed("stop", "1", code=3), "run 1 has finished; there is nothing to stop")
        self.assertText(self.seedbed("set", "1", *rate, code=3), "run 1 has finished; "
                        "'seedbed resume 1 --steps N --SECTION.NAME VALUE' continues it with other settings")
        self.assertText(self.seedbed("attach", "1", code=3), "'seedbed resume 1 --steps N' continues it")
        self.assertText(self.seedbed("stop", "2", code=3), "run 2 is queued and has not started; "
                        "'seedbed queue remove 2' removes it")
        self.assertText(self.seedbed("set", "2", *rate, code=3), "run 2 is queued and has not started; "
                        "'seedbed queue remove 2' removes it, and 'seedbed queue add' adds it with other")


class Mistakes(CommandCase):

    def test_settings_are_suggested_for_short_names(self):
        for option in ("--lr", "--learning-rate", "--learning_rate"):
            self.assertText(self.seedbed("train", "cartpole", option, "0.1", code=2),
                            "did you mean '--algo.learning_rate'?")
        self.assertText(self.seedbed("train", "cartpole", "--hidden", "32", code=2), "'--network.hidden'")
        self.assertText(self.seedbed("train", "LunarLander-v2", code=3), "'seedbed env list' lists all")
        self.assertText(self.seedbed("train", "atari_pong", code=3),
                        "not an environment but a preset; use '--preset atari_pong'")

    def test_an_option_without_its_value_is_named(self):
        for words, option in ((["--env.wrap.time_limit", "--seed", "1"], "--env.wrap.time_limit"),
                              (["--algo", "--steps", "500"], "--algo"),
                              (["--algo", "--algo.gamma", "0.9"], "--algo")):
            self.assertText(self.seedbed("train", "cartpole", *words, code=2), f"'{option}' needs a value")
        self.seedbed("train", "cartpole", "--quiet", "--algo.gamma", "0.9", "--dry-run", "--json",
                     "--env.wrap.time_limit", "-1", "--target-return", "-1")

    def test_only_similar_names_are_suggested(self):
        refused = self.seedbed("train", "--preset", "foo", code=3)
        self.assertText(refused, "unknown preset 'foo'")
        self.assertNotIn("did you mean", refused.stderr)
        self.assertText(self.seedbed("train", "freeway", code=3), "did you mean 'minatar_freeway'?")

    def test_a_setting_that_cannot_change_is_not_suggested(self):
        self.trained(*PLAIN, "--steps", "512")
        refused = self.seedbed("resume", "1", "--seed", "4", code=2)
        self.assertText(refused, "run.seed of a run cannot change")
        self.assertNotIn("did you mean", refused.stderr)

    def test_an_unknown_run_is_a_bad_configuration_with_and_without_a_database(self):
        for command in (["show", "1"], ["resume", "1"], ["doctor", "1"], ["compare", "1"]):
            self.assertText(self.seedbed(*command, code=3), "there are no runs in")
        self.seedbed("train", *PLAIN, "--steps", "64", "--eval.final_episodes", "0")
        self.assertText(self.seedbed("show", "2", code=3), "there is no run 2")

    def test_importing_a_damaged_database_is_a_failure(self):
        self.trained(*PLAIN, "--steps", "512")
        self.seedbed("db", "export", str(self.data.parent / "copy"))
        database = self.data.parent / "copy" / "seedbed.db"
        content = bytearray(database.read_bytes())
        content[4096:] = b"x" * (len(content) - 4096)
        database.write_bytes(content)
        refused = self.seedbed("db", "import", str(database.parent), code=1)
        self.assertIn("nothing was imported", refused.stderr)
        database.write_bytes(b"no database")
        self.assertText(self.seedbed("db", "import", str(database.parent), code=3), "not a database")

    def test_the_data_folder_is_not_a_file(self):
        file = self.data.parent / "file"
        file.write_text("text")
        for command in (["list"], ["train", "cartpole"], ["doctor"]):
            self.assertText(self.seedbed(*command, "--data", str(file), code=3), "file' is not a folder")
        self.assertText(self.seedbed("list", env={"SEEDBED_DATA": str(file)}, code=3), "is not a folder")
        self.assertEqual(file.read_text(), "text")

    def test_verify_names_what_is_missing(self):
        self.trained(*PLAIN, "--steps", "512")
        out = self.data.parent / "exported"
        self.seedbed("export", "1", "--to", "onnx", "--no-replay", "--out", str(out))
        (out / "manifest.json").unlink()
        self.assertText(self.seedbed("verify", str(out), code=7), "manifest.json' is missing; export it")
        self.assertText(self.seedbed("verify", str(self.data), code=3), "is not an export")
        self.assertText(self.seedbed("verify", str(out) + "-none", code=3), "exported-none' does not exist")

    def test_verify_names_targets_that_the_executor_cannot_run(self):
        self.trained(*PLAIN, "--steps", "512")
        out = self.data.parent / "exported"
        self.seedbed("export", "1", "--to", "onnx,safetensors", "--no-replay", "--out", str(out))
        short = ["verify", str(out), "--episodes", "0"]
        said = self.seedbed(*short, "--executor", "interpreter").stderr
        self.assertRegex(said, "target 'safetensors' was verified with [a-z]+, because interpreter cannot")
        self.assertNotIn("cannot run it", self.seedbed(*short).stderr)
        card = (out / "README.md").read_text()
        self.assertRegex(card, r"trained with Seedbed [0-9.]+ \(.*[A-Za-z]+ [0-9.]+")

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_the_card_of_an_export_names_the_compiler(self):
        self.trained(*PLAIN, "--steps", "512")
        out = self.data.parent / "exported"
        self.seedbed("export", "1", "--to", "c", "--no-replay", "--out", str(out))
        card = (out / "README.md").read_text()
        self.assertRegex(card, r"\| c \| c compiled by cc \([A-Za-z]+ .*[0-9.]+\) \|")

    def test_a_preset_names_the_environment(self):
        self.assertText(self.seedbed("train", code=2), "ENV is required, unless --preset names a preset")
        self.assertText(self.seedbed("train", "--preset", "none", code=2), "ENV is required")
        self.assertText(self.seedbed("train", "--preset", "catrpole", code=3), "did you mean 'cartpole'?")
        self.assertEqual(self.document("config", "--preset", "cartpole"), self.document("config", "cartpole"))

    def test_common_options_may_come_first(self):
        self.assertEqual(json.loads(self.seedbed("--json", "list").stdout), [])
        other = str(self.data.parent / "other")
        self.seedbed("--data", other, "--quiet", "train", *PLAIN, "--steps", "512")
        self.assertEqual(len(json.loads(self.seedbed("--json", "--data=" + other, "list").stdout)), 1)

    def test_restore_needs_a_run_in_the_trash(self):
        self.seedbed("train", *PLAIN, "--steps", "512", "--tag", "paper", "--tag", "draft")
        self.assertEqual(self.document("list")[0]["tags"], ["draft", "paper"])
        self.assertText(self.seedbed("restore", "1", code=3), "run 1 is not in the trash")
        self.seedbed("rm", "1")
        self.assertText(self.seedbed("rm", "1", code=3), "already in the trash")
        self.seedbed("restore", "1")

    def test_lists_are_sorted_limited_and_have_settings(self):
        for steps in ("512", "1536", "1024"):
            self.seedbed("train", *PLAIN, "--steps", steps, "--algo.gamma", "0.9")
        self.seedbed("train", "two_state", "--preset", "none", "--steps", "256", "--eval.final_episodes", "0")
        by_steps = self.document("list", "--env", "cartpole", "--sort", "steps", "--limit", "2")
        self.assertEqual([run["id"] for run in by_steps], [2, 3])
        self.assertEqual(by_steps[0]["settings"]["algo.gamma"], 0.9)
        self.assertIn("2 of 4 runs shown", self.seedbed("list", "--limit", "2").stderr)

    def test_evaluations_name_what_was_evaluated(self):
        self.trained(*PLAIN, "--steps", "512")
        made = self.document("eval", "1", "--episodes", "3", "--seed", "9", "--sample")
        self.assertEqual([made[key] for key in ("run", "step", "env", "algo", "seed", "greedy")],
                         [1, 512, "cartpole", "ppo", 9, False])

    def test_the_file_of_an_environment_is_shown(self):
        self.trained(*PLAIN, "--steps", "512")
        with sqlite3.connect(self.data / "seedbed.db") as connection:
            text, = connection.execute("SELECT auto_settings FROM runs").fetchone()
            file = {"path": "/home/a/my.py", "sha256": "0123456789abcdef" * 4}
            chosen = {**json.loads(text), "environment_file": file}
            connection.execute("UPDATE runs SET auto_settings = ?", [json.dumps(chosen)])
        shown = self.seedbed("show", "1").stdout
        self.assertIn("file       /home/a/my.py (sha256 0123456789ab)", shown)
        self.assertNotIn("environment_file", shown)

    def test_recordings_are_not_overwritten(self):
        self.trained(*PLAIN, "--steps", "512")
        file = self.data.parent / "games.replay"
        play = ["play", "1", "--headless", "--episodes", "2", "--record", str(file)]
        self.seedbed(*play)
        before = file.read_bytes()
        self.assertText(self.seedbed(*play, "--seed", "2", code=2), "already exists", "--force")
        self.assertEqual(file.read_bytes(), before)
        self.seedbed(*play, "--seed", "2", "--force")
        self.assertNotEqual(file.read_bytes(), before)

    def test_a_requested_python_is_not_replaced(self):
        self.trained(*PLAIN, "--steps", "512")
        out = self.data.parent / "out"
        run = self.seedbed("export", "1", "--to", "onnx", "--out", str(out), "--no-replay", "--python",
                           "no-such-python", code=1)
        self.assertIn("no-such-python", run.stderr)
        self.assertFalse(out.exists())

    def test_a_copied_program_names_where_it_looked(self):
        elsewhere = self.data.parent / "bin"
        elsewhere.mkdir()
        shutil.copy(PROGRAM, elsewhere / "seedbed")
        run = self.seedbed_at(elsewhere / "seedbed", "presets", code=1)
        self.assertIn(str(self.data.parent / "share" / "seedbed"), run.stderr)
        self.assertIn("SEEDBED_RESOURCES", run.stderr)

    def seedbed_at(self, program, *arguments, code):
        run = subprocess.run([program, *arguments], capture_output=True, text=True, env=self.env, timeout=60)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def test_names_of_imported_policies_are_suggested(self):
        self.trained(*PLAIN, "--steps", "64")
        self.seedbed("import", str(self.data / "checkpoints" / "1" / "0"), "--name", "friend")
        self.assertText(self.seedbed("eval", "fiend", code=3), "did you mean 'friend'")
        self.assertText(self.seedbed("eval", "friend:best", code=3), "'friend' is an imported policy")

    def test_a_seed_cannot_be_negative(self):
        for command in (["eval", "1"], ["play", "1", "--headless", "--episodes", "1"],
                        ["export", "1", "--to", "c", "--out", "x"], ["env", "gallery"]):
            self.assertText(self.seedbed(*command, "--seed", "-1", code=2), "must not be negative")

    def test_options_without_an_effect_are_refused(self):
        for option in (["--profile", "unity"], ["--without-value"], ["--prefix", "mine"]):
            refused = self.seedbed("export", "1", "--to", "safetensors", "--out", "x", *option, code=2)
            self.assertText(refused, option[0], "no effect with --to safetensors")
        self.assertText(self.seedbed("replay", "x", "--verify", "--track", "1", code=2), "--track")

    def test_imports_of_other_things_name_the_right_command(self):
        self.trained(*PLAIN, "--steps", "64")
        text = self.data.parent / "notes.txt"
        text.write_text("x" * 100)
        empty = self.data.parent / "empty"
        empty.mkdir()
        policy = self.data / "checkpoints" / "1" / "0"
        for source, words in ((text, "is not a policy"), (empty, "contains no policy"),
                              (self.data, "'seedbed db import'"),
                              (self.data / "seedbed.db", "'seedbed db import'")):
            self.assertText(self.seedbed("import", str(source), code=3), words)
        for source, words in ((text, "it is not a database of Seedbed"), (policy, "'seedbed import'"),
                              (empty, "contains no seedbed.db")):
            self.assertText(self.seedbed("db", "import", str(source), code=3), words)

    def test_imported_policies_can_be_removed(self):
        self.trained(*PLAIN, "--steps", "512")
        out = self.data.parent / "out"
        self.seedbed("export", "1", "--to", "safetensors", "--out", str(out), "--no-replay", "--executor",
                     "reference")
        self.seedbed("import", str(out), "--name", "friend")
        self.assertEqual([self.document("import", str(out))["name"] for _ in range(3)],
                         ["out", "out-2", "out-3"])
        self.assertText(self.seedbed("import", str(out), "--name", "out", code=3), "already exists")
        self.assertText(self.seedbed("policies", "rename", "out-3", "friend", code=3), "already exists")
        self.assertText(self.seedbed("policies", "rename", "out-3", "a/b", code=3), "cannot be the name")
        self.seedbed("policies", "rename", "out-3", "teacher")
        for name in ("out", "out-2", "teacher"):
            self.seedbed("policies", "remove", name)
        self.assertText(self.seedbed("policies", "remove", "fiend", code=3), "did you mean 'friend'")
        self.seedbed("policies", "remove", "friend")
        self.assertEqual(self.document("policies"), [])

    def test_a_data_folder_that_cannot_be_read_is_named(self):
        self.trained(*PLAIN, "--steps", "512")
        os.chmod(self.data, 0)
        self.addCleanup(os.chmod, self.data, 0o700)
        other = {}
        if os.geteuid() == 0:  # permissions do not apply to root
            os.chmod(self.folder.name, 0o755)
            other = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            run = subprocess.run([PROGRAM, "list"], capture_output=True, text=True, env=self.env,
                                 timeout=60, **other)
        except PermissionError:
            self.skipTest("another user cannot run the program")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertText(run, "the data folder cannot be read; check its permissions")

    def test_an_import_of_a_damaged_database_names_its_own_folder(self):
        self.trained(*PLAIN, "--steps", "512")
        source = self.data.parent / "source"
        self.seedbed("db", "export", str(source))
        with open(source / "seedbed.db", "r+b") as damaged:
            damaged.seek(4096)
            damaged.write(b"\x5a" * 40960)
        refused = subprocess.run([PROGRAM, "db", "import", source], capture_output=True, text=True,
                                 env=self.env, timeout=60)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn(f"'seedbed db export FOLDER --data {source}'", refused.stderr)

    def test_an_export_rescues_what_is_readable_of_a_damaged_database(self):
        for seed in range(1, 4):
            self.seedbed("train", *PLAIN, "--steps", "20000", "--seed", str(seed), "--quiet")
        self.seedbed("league", "create", "club", "--env", "tic_tac_toe")
        self.seedbed("league", "add", "club", "minimax", "random")
        self.seedbed("league", "play", "club", "--games", "4")
        league = self.seedbed("league", "show", "club", "--json").stdout
        file = self.data / "seedbed.db"
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            page = connection.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'event_rows'").fetchone()[0]
            size = connection.execute("PRAGMA page_size").fetchone()[0]
        with open(file, "r+b") as damaged:
            damaged.seek((page - 1) * size)
            damaged.write(b"\x5a" * size)
        self.seedbed("db", "check", code=1)
        self.assertText(self.seedbed("show", "1", code=1), "is damaged",
                        f"'seedbed db export FOLDER --data {self.data}'")
        out = self.data.parent / "rescued"
        run = self.seedbed("db", "export", str(out), code=1)
        self.assertIn("damaged", run.stderr)
        rescued = json.loads(self.seedbed("list", "--json", "--data", str(out)).stdout)
        self.assertEqual([run["id"] for run in rescued], [1, 2, 3])
        self.assertEqual(self.seedbed("league", "show", "club", "--json", "--data", str(out)).stdout, league)
        self.seedbed("db", "check", "--data", str(out))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
