# SPDX-License-Identifier: Apache-2.0
"""Tests of tables, figures and comparisons over tasks: `seedbed aggregate` and the files of `compare`."""
import re
import sys
import unittest
import xml.dom.minidom

from command_case import CommandCase

SMALL = ["--preset", "none", "--steps", "1024", "--run.threads", "1", "--eval.final_episodes", "3", "--quiet"]


class Aggregate(CommandCase):
    def train(self, env, algo, seed, *settings):
        self.seedbed("train", env, "--algo", algo, "--seed", str(seed), *SMALL, *settings)

    def runs(self):
        for env in ("cartpole", "catch"):
            for algo in ("ppo", "a2c"):
                for seed in (1, 2):
                    self.train(env, algo, seed)

    def test_methods_are_compared_over_tasks_and_drawn(self):
        self.runs()
        over = self.document("aggregate", "--reference", "cartpole=0,100", "--by", "algo.id", "1..8")
        self.assertEqual([method["method"] for method in over["methods"]], ["ppo", "a2c"])
        ranges = {task["task"]: (task["random"], task["goal"]) for task in over["tasks"]}
        self.assertEqual(ranges["cartpole"], (0, 100))
        self.assertEqual(ranges["catch"], (-0.6, 0.95))
        scores = {run["id"]: run["score"] for run in self.document("compare", "1..8")["runs"]}
        importance = self.document("compare", "1..8", "--importance")["importance"]
        self.assertEqual((importance["state"], importance["settings"]), ("other_tasks", []))
        ppo = [scores[1] / 100, scores[2] / 100] + [(scores[run] + 0.6) / 1.55 for run in (5, 6)]
        self.assertAlmostEqual(over["methods"][0]["mean"]["value"], sum(ppo) / 4, places=9)
        self.assertAlmostEqual(over["methods"][0]["optimality_gap"]["value"],
                               sum(max(0, 1 - score) for score in ppo) / 4, places=9)
        for method in over["methods"]:
            self.assertEqual(method["fewest_of_a_task"], 2)
            for share, (low, high) in zip(method["profile"], method["profile_ci95"], strict=True):
                self.assertTrue(low <= share <= high)

        figure = self.data / "profiles.svg"
        table = self.seedbed("aggregate", "1..8", "--format", "csv", "--figure", str(figure)).stdout
        self.assertEqual(table.splitlines()[0], "METHOD,RUNS,IQM,MEDIAN,MEAN,OPTIMALITY GAP,P(BETTER)")
        self.assertTrue(table.splitlines()[1].startswith("ppo,4,"), table)
        drawn = xml.dom.minidom.parse(str(figure))
        texts = {text.firstChild.data for text in drawn.getElementsByTagName("text")}
        self.assertLessEqual({"ppo", "a2c", "normalised score"}, texts)
        # A figure is replaced, another file is not.
        self.seedbed("aggregate", "1..8", "--figure", str(figure))
        note = self.data / "note.svg"
        note.write_text("<svg xmlns='mine'/>")
        refused = self.seedbed("aggregate", "1..8", "--figure", str(note), code=3)
        self.assertIn("already exists and was not written by Seedbed", refused.stderr)
        self.assertEqual(note.read_text(), "<svg xmlns='mine'/>")

        curves = self.data / "curves.pdf"
        table = self.seedbed("compare", "1..4", "--format", "latex", "--figure", str(curves), "--metric",
                             "loss/value").stdout
        self.assertTrue(table.startswith("\\begin{tabular}{lrrrrrrr}"), table)
        self.assertIn("\nppo & 1 2 & 2 & ", table)
        self.assertEqual(len(re.findall(rb"\((?:ppo|a2c|loss/value|steps)\) Tj", curves.read_bytes())), 4)

    def test_mistakes_name_what_is_missing(self):
        self.train("cartpole", "ppo", 1)
        self.train("catch", "a2c", 1)
        self.assertIn("'ppo' has no run of 'catch'", self.seedbed("aggregate", "1..2", code=2).stderr)
        self.assertIn("a run has no setting 'algo.speed'",
                      self.seedbed("aggregate", "1", "--by", "algo.speed", code=2).stderr)
        for wrong in ("cartpole", "cartpole=1", "cartpole=1,1", "cartpole=a,2"):
            self.assertIn("is not ENV=RANDOM,REFERENCE",
                          self.seedbed("aggregate", "1", "--reference", wrong, code=2).stderr)
        self.assertIn("must end with .svg or .pdf",
                      self.seedbed("compare", "1", "--figure", "x.png", code=2).stderr)
        self.assertIn("run 1 has no metric 'speed'",
                      self.seedbed("compare", "1", "--figure", str(self.data / "x.svg"), "--metric", "speed",
                                   code=3).stderr)
        # Other settings of the environment: neither score is known.
        self.train("cartpole", "ppo", 2, "--env.wrap.action_repeat", "2")
        self.assertIn("--reference cartpole=RANDOM,GOAL", self.seedbed("aggregate", "3", code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
