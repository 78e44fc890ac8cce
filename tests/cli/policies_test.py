# SPDX-License-Identifier: Apache-2.0
"""Runs with several policies: what each command does with them."""
import sys
import unittest

from command_case import QUICK, CommandCase

SMALL = ["--actor.num_envs", "8", "--algo.rollout_length", "16"]
ROLES = ["simple_tag", *QUICK[2:], *SMALL, "--policies.seats", "pursuer,pursuer,pursuer,evader", "--steps"]
ONE = ["connect_four", *QUICK, *SMALL]
SIDES = [*ONE, "--policies.seats", "first,second"]


class Policies(CommandCase):

    def test_a_run_shows_evaluates_and_resumes_its_policies(self):
        self.trained(*ROLES, "2000")
        self.assertIn("pursuer (seats 1, 2, 3), evader (seat 4)", self.seedbed("show", "1").stdout)
        first = self.evaluation("1", "--opponent", "none", "--episodes", "20")
        self.assertEqual(sorted(first["policies"]), ["evader", "pursuer"])
        self.assertNotEqual(first["policies"]["evader"], first["policies"]["pursuer"])
        self.assertIn("policy evader: mean return",
                      self.seedbed("eval", "1", "--opponent", "none", "--episodes", "5").stdout)
        names = self.seedbed("metrics", "1").stdout
        for metric in ("evader/episode/return", "pursuer/episode/return", "evader/policy/entropy"):
            self.assertIn(metric, names)
        # Resumed, it equals a run that was not interrupted.
        self.seedbed("resume", "1", "--steps", "5000", "--quiet")
        self.seedbed("train", *ROLES, "5000", "--quiet")
        evaluations = [self.evaluation(run, "--opponent", "none", "--episodes", "20") for run in ("1", "2")]
        self.assertEqual(evaluations[0], evaluations[1])
        self.assertNotEqual(evaluations[0]["policies"], first["policies"])

    def test_games_use_the_policy_of_each_seat(self):
        self.trained(*SIDES)
        # The default preset plays against past selves, which does not fit.
        notes = self.seedbed("train", *SIDES, "--seed", "2").stderr
        self.assertIn("'connect_four_self_play' do not fit policies.seats", notes)
        self.assertIn("self_play.past", self.seedbed("train", *SIDES, "--preset", "connect_four_self_play",
                                                     code=3).stderr)
        self.seedbed("train", *ONE, "--quiet")
        for name in ("first", "second"):
            self.seedbed("export", "1:newest", "--policy", name, "--to", "safetensors", "--out",
                         self.folder.name + "/" + name, "--episodes", "20")
        match = ["--games", "20", "--sample"]
        self.assertEqual(self.document("match", "1", "2", *match)["games"], 20)
        # On a fixed seat, the run is the policy of this seat.
        fixed = [*match, "--no-swap", "--opening", "2"]

        def scores(a, b):
            return self.document("match", a, b, *fixed)["by_seat"]

        first, second = (self.folder.name + "/" + name for name in ("first", "second"))
        self.assertEqual(scores("1:newest", "3"), scores(first, "3"))
        self.assertEqual(scores("3", "1:newest"), scores("3", second))
        # Players do the same: the first difference to a game of one policy is on the seat of the other.
        for seed in ("1", "2", "3"):
            duel = self.document("duel", "1:newest", first, "--sample", "--seed", seed)
            self.assertEqual((duel["differs"], duel["seat"]), (True, 1))
        film = self.folder.name + "/film.gif"
        self.seedbed("play", "1", "--against", "2", "--record", film, "--thoughts", "--seconds", "0.2")
        played = self.document("play", "1", "--headless", "--episodes", "3")
        self.assertEqual(played, self.document("play", "1", "--headless", "--episodes", "3", "--envs", "1"))

    def test_what_needs_one_policy_names_them(self):
        self.trained(*SIDES)
        for arguments in (["export", "1", "--to", "c", "--out", self.folder.name + "/x"],
                          ["train", *ONE, "--init-from", "1"],
                          ["train", *ONE, "--self_play.rivals", "1", "--self_play.rival_share", "0.5"]):
            self.assertText(self.seedbed(*arguments, code=3), "first, second", "--policy NAME")
        export = ["export", "1", "--to", "c", "--out", self.folder.name + "/x"]
        self.assertText(self.seedbed(*export, "--policy", "third", code=3), "no policy 'third'", "first, second")
        self.seedbed("league", "create", "club", "--env", "connect_four")
        self.assertIn("first, second", self.seedbed("league", "add", "club", "1", code=3).stderr)
        self.assertText(self.seedbed("league", "train", "club", *SIDES[1:], code=3), "policies.seats")

    def test_wrong_seats_are_refused(self):
        for seats, part in (("a,b", "4"), ("a,b,c,D", "'D'")):
            self.assertText(self.seedbed("train", "simple_tag", "--policies.seats", seats, code=3), part)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
