# SPDX-License-Identifier: Apache-2.0
"""Tests of `seedbed match` and of evaluations against scripted players."""
import json
import signal
import subprocess
import sys
import time
import unittest

from command_case import QUICK, CommandCase
from measure import limit

SMALL = ["--actor.num_envs", "8", "--algo.rollout_length", "16"]


class Match(CommandCase):

    def test_scripted_players_of_a_game_for_two(self):
        match = self.document("match", "alpha_beta:3", "random", "--env", "connect_four", "--games", "40",
                              "--swap", "--opening", "2")
        self.assertEqual((match["games"], match["asked"], match["seats"]), (40, 40, 2))
        self.assertEqual(sum(match[kind]["n"] for kind in ("wins", "draws", "losses")), 40)
        self.assertGreater(match["score"]["share"], 0.9)
        low, high = match["score"]["ci95"]
        self.assertTrue(0 < low < match["score"]["share"] <= high <= 1)
        self.assertEqual(sum(seat["wins"]["n"] for seat in match["by_seat"]), match["wins"]["n"])
        self.assertIn("Wilson", match["method"])
        again = self.document("match", "alpha_beta:3", "random", "--env", "connect_four", "--games", "40",
                              "--opening", "2", "--threads", "1")
        self.assertEqual(again, match)
        text = self.seedbed("match", "tracker:5", "tracker", "--env", "pong", "--games", "4").stdout
        for part in ("tracker:5 plays", "both seats", "seat 1", "Wilson"):
            self.assertIn(part, text)

    def test_policies_on_one_seat_play_equal_seeds(self):
        self.seedbed("train", "cartpole", *QUICK, "--quiet")
        match = self.document("match", "1", "1", "--games", "20")
        self.assertEqual(match["seats"], 1)
        self.assertEqual(match["difference"], {"mean": 0.0, "ci95": [0.0, 0.0]})
        self.assertEqual(len(match["pairs"]), 20)
        better = self.document("match", "1", "random", "--games", "20")
        self.assertEqual(better["a_return"], match["a_return"])
        self.assertIn("difference", self.seedbed("match", "1", "random", "--games", "5").stdout)

    def test_policies_against_each_other_and_against_scripted_players(self):
        for seed in ("1", "2"):
            self.seedbed("train", "connect_four", *QUICK, *SMALL, "--seed", seed, "--quiet")
        self.assertEqual(self.document("match", "1", "2", "--games", "30", "--sample")["games"], 30)
        lost = self.document("match", "1:best", "alpha_beta:4", "--games", "20")
        won = self.document("match", "alpha_beta:4", "1:best", "--games", "20")
        self.assertLess(lost["score"]["share"], 0.5)
        self.assertGreater(won["score"]["share"], 0.5)

    def test_what_does_not_fit_is_named(self):
        self.seedbed("train", "cartpole", *QUICK, "--quiet")
        self.assertText(self.seedbed("match", "7", "random", code=3), "7", "alpha_beta:DEPTH")
        self.assertText(self.seedbed("match", "1", "alpha_beta:4", code=3), "it plays connect_four")
        self.assertText(self.seedbed("match", "1", "random", "--env", "connect_four", code=3), "cartpole",
                        "connect_four", "differ")
        self.assertText(self.seedbed("match", "random", "random", code=2), "--env")
        self.assertText(self.seedbed("match", "alpha_beta", "random", "--env", "connect_four", code=3),
                        "alpha_beta:DEPTH with DEPTH from 1 to 8")
        self.assertText(self.seedbed("match", "random", "random", "--env", "pogn", code=3), "pong")

    def test_ctrl_c_ends_it_with_the_finished_games(self):
        # A game takes some milliseconds, and all take hours.
        child = self.start("match", "alpha_beta:4", "alpha_beta:4", "--env", "connect_four", "--games",
                           "1000000", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2)
        child.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out, errors = child.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, limit(3))
        self.assertEqual(child.returncode, 130)
        match = json.loads(out)
        self.assertTrue(match["stopped"])
        self.assertGreater(match["games"], 0)
        self.assertIn("of 1000000 games", errors)

    def test_completion_offers_players(self):
        self.assertIn("alpha_beta", self.seedbed("complete", "--", "match", "al").stdout)
        self.assertIn("tracker", self.seedbed("complete", "--", "eval", "--opponent", "").stdout)

    def test_runs_are_evaluated_against_their_opponent(self):
        self.seedbed("train", "connect_four", *QUICK, *SMALL, "--eval.opponent", "alpha_beta:2", "--quiet")
        against = self.document("eval", "1", "--episodes", "40")
        self.assertEqual(against["opponent"], "alpha_beta:2")
        self.assertLess(against["mean"], 0)
        alone = self.document("eval", "1", "--episodes", "40", "--opponent", "none")
        self.assertEqual(alone["opponent"], "")
        self.assertText(self.seedbed("eval", "1", "--opponent", "tracker", code=3), "it plays pong")
        self.assertText(
            self.seedbed("train", "cartpole", "--eval.opponent", "random", "--steps", "100", code=3),
            "eval.opponent", "one seat")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
