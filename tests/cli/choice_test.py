# SPDX-License-Identifier: Apache-2.0
"""--algo auto on the command line: the choice is made before the run is stored; explicit settings win."""
import json
import sys
import unittest

from command_case import QUICK, CommandCase


class Choice(CommandCase):

    def choose(self, *arguments):
        document = self.document("train", *arguments, "--algo", "auto", "--steps", "1000", "--dry-run")
        self.assertEqual(document["config"]["algo"]["id"], document["recommendation"]["algo"])
        self.assertEqual(document["preset"], document["recommendation"]["preset"])
        return document

    def test_a_solved_preset_is_preferred(self):
        chosen = self.choose("cartpole")
        self.assertEqual((chosen["recommendation"]["algo"], chosen["preset"]), ("ppo", "cartpole"))
        self.assertIn("reaches its goal", chosen["recommendation"]["why"])
        preset = self.document("config", "cartpole")["config"]
        self.assertEqual(chosen["config"]["algo"], preset["algo"])

    def test_a_slow_environment_learns_from_a_replay(self):
        slow = self.choose("cartpole", "--env.wrap.step_ms", "1", "--threads", "1")
        self.assertEqual((slow["recommendation"]["algo"], slow["preset"]), ("dqn", "cartpole_dqn"))
        self.assertIn(" ms", slow["recommendation"]["why"])

    def test_without_presets_the_settings_of_the_task_are_added(self):
        chosen = self.choose("t_maze", "--preset", "none")
        self.assertEqual(chosen["config"]["network"]["core"], "gru")
        self.assertEqual(chosen["recommendation"]["settings"], {"network.core": "gru"})
        own = self.choose("t_maze", "--preset", "none", "--network.core", "lstm")
        self.assertEqual(own["config"]["network"]["core"], "lstm", "an explicit setting wins")

    def test_presets_of_other_parameters_do_not_count_as_solved(self):
        chosen = self.choose("deep_sea", "--env.size", "20")
        self.assertEqual(chosen["recommendation"]["algo"], "dqn")
        self.assertEqual(chosen["config"]["algo"]["values"], "ensemble")
        self.assertEqual(chosen["config"]["env"]["size"], 20)

    def test_an_explicit_algorithm_does_not_change_the_task(self):
        def named(*arguments):
            document = self.document("train", *arguments, "--steps", "1000", "--dry-run")
            return document["preset"], document["config"]["env"], document["config"]["algo"]["id"]

        preset, env, algo = named("memory_chain", "--algo", "r2d2", "--network.core", "gru")
        self.assertEqual((preset, env["memory_length"], algo), ("", 10, "r2d2"))
        preset, env, algo = named("deep_sea", "--algo", "dqn")
        self.assertEqual((preset, env["size"], algo), ("", 10, "dqn"))
        preset, env, _ = named("deep_sea", "--algo", "dqn", "--env.size", "30")
        self.assertEqual((preset, env["size"]), ("deep_sea_30", 30))
        self.assertEqual(self.choose("deep_sea")["config"]["env"]["size"], 10)
        self.assertEqual(self.choose("memory_chain")["config"]["env"]["memory_length"], 10)
        # Wrappers are not part of the task.
        self.assertEqual(named("repeat_previous_easy", "--algo", "r2d2")[0], "repeat_previous_easy_r2d2")
        self.assertEqual(named("minigrid_memory_s7", "--algo", "ppo")[0], "minigrid_memory_s7")
        self.assertEqual(named("connect_four", "--algo", "ppo")[0], "connect_four_self_play")

    def test_a_run_that_ends_before_learning_starts_is_noticed(self):
        for steps, expected in (("5000", True), ("5001", False)):
            text = self.seedbed("train", "memory_chain", "--algo", "r2d2", "--steps", steps,
                                "--dry-run").stderr
            self.assertEqual("The run learns nothing: it ends after 5,000 steps" in text, expected, text)

    def test_an_algorithm_without_a_preset_uses_its_own_defaults(self):
        document = self.document("train", "memory_chain", "--algo", "r2d2", "--dry-run")
        config = document["config"]
        self.assertEqual((config["network"]["core"], config["network"]["hidden"]), ("lstm", [64, 64]))
        self.assertEqual((config["actor"]["num_envs"], config["run"]["steps"]), (8, 500000))
        self.assertIn("only its environment and evaluation apply", document["notes"][0])
        for env in ("catch", "minatar_breakout"):
            text = self.seedbed("train", env, "--algo", "r2d2", "--dry-run").stderr
            for said in ("r2d2 uses network.core=lstm: ", "500,000 steps, the default of r2d2"):
                self.assertEqual(text.count(said), 1, text)
        game = self.document("train", "--preset", "connect_four", "--algo", "dqn", "--dry-run")
        self.assertEqual(game["preset"], "connect_four")
        self.assertEqual(game["config"]["eval"]["opponent"], "alpha_beta:4")
        self.assertText(self.seedbed("train", "catch", "--algo", "r2d2", "--network.core", "none", code=3),
                        "burn-in on a feed-forward network")

    def test_a_default_length_applies_only_without_a_stop_condition(self):
        def steps(*arguments):
            shown = self.document("config", "pendulum", "--preset", "none", *arguments)
            return shown["config"]["run"]["steps"]

        self.assertEqual(steps(), 1_000_000)
        self.assertEqual(steps("--algo", "sac"), 200_000)
        self.assertEqual(steps("--algo", "auto"), 1_000_000)
        self.assertEqual(steps("--algo", "sac", "--minutes", "2"), 0)
        self.assertEqual(steps("--target-return", "-200"), 0)
        self.assertText(self.seedbed("train", "pendulum", "--preset", "none", "--steps", "0", code=3),
                        "needs a stop condition")
        self.assertEqual(self.document("config", "pendulum")["notes"], [], "a preset needs no explanation")

    def test_an_explicit_preset_or_algorithm_wins(self):
        named = self.choose("cartpole", "--preset", "cartpole_vtrace")
        self.assertEqual(named["recommendation"]["algo"], "vtrace")
        last = self.document("train", "cartpole", "--algo", "auto", "--algo.id", "a2c", "--dry-run")
        self.assertEqual((last["config"]["algo"]["id"], last["recommendation"]), ("a2c", None))

    def test_a_file_may_ask(self):
        file = self.data.parent / "asks.json"
        file.write_text(json.dumps({"algo": {"id": "auto", "gamma": 0.9}}))
        chosen = self.document("train", "cartpole", "--config", str(file), "--dry-run")
        self.assertEqual(chosen["config"]["algo"]["id"], "ppo")
        self.assertEqual(chosen["config"]["algo"]["gamma"], 0.9)
        self.assertEqual(chosen["recommendation"]["algo"], "ppo")

    def test_the_run_stores_the_choice_and_resumes(self):
        run = self.seedbed("train", "cartpole", "--algo", "auto", *QUICK)
        self.assertIn("Algorithm ppo: ", run.stderr)
        shown = self.document("show", "1")
        self.assertEqual(shown["algo"], "ppo")
        self.assertNotIn('"id": "auto"', json.dumps(shown))
        self.seedbed("resume", "1", "--steps", "4000")

    def test_the_settings_show_it(self):
        shown = self.document("config", "cartpole", "--algo", "auto")
        self.assertEqual(shown["recommendation"]["algo"], "ppo")
        self.assertIn("algorithm ppo: ", self.seedbed("config", "cartpole", "--algo", "auto").stdout)
        self.assertNotIn("recommendation", self.document("config", "cartpole"))
        self.assertTrue(self.document("env", "show", "t_maze")["needs_memory"])
        self.assertTrue(self.document("env", "show", "deep_sea")["sparse_reward"])
        self.assertFalse(self.document("env", "show", "cartpole")["needs_memory"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
