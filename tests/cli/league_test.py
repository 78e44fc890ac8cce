# SPDX-License-Identifier: Apache-2.0
"""Tests of `seedbed league`: the ladder, members that cannot play, and matches that survive kills."""
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest

from command_case import QUICK, CommandCase

SMALL = ["--actor.num_envs", "8", "--algo.rollout_length", "16"]
KILLS = 15


class League(CommandCase):

    def create(self, *players, env="tic_tac_toe"):
        self.seedbed("league", "create", "club", "--env", env, "--opening", "1")
        self.seedbed("league", "add", "club", *players)

    def matches(self):
        """{(a, b, number): (wins, draws, losses)} of all matches in the database."""
        with sqlite3.connect(self.data / "seedbed.db") as database:
            rows = database.execute("SELECT a, b, number, wins, draws, losses FROM league_matches").fetchall()
        self.assertEqual(len(rows), len({row[:3] for row in rows}))
        return {row[:3]: row[3:] for row in rows}

    def test_ladder_and_matrix_count_every_game(self):
        self.create("minimax", "random")
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--quiet")
        self.seedbed("league", "add", "club", "1", "--as", "learner")
        played = self.document("league", "play", "club", "--rounds", "3", "--games", "40")
        self.assertEqual(played, {"league": "club", "matches": 9, "failed": 0})
        table = self.document("league", "show", "club")
        names = [standing["name"] for standing in table["ladder"]]
        self.assertEqual(names[0], "minimax")
        self.assertEqual(sorted(names), ["learner", "minimax", "random"])
        for i, standing in enumerate(table["ladder"]):
            low, high = standing["ci95"]
            self.assertTrue(low < standing["rating"] < high)
            self.assertEqual(sum(standing["games"].values()), 240)
            self.assertEqual(table["matrix"][i][i], {"wins": 0, "draws": 0, "losses": 0})
            for j in range(3):
                self.assertEqual(table["matrix"][i][j]["wins"], table["matrix"][j][i]["losses"])
        self.assertEqual(table["ladder"][0]["games"]["losses"], 0, "perfect play does not lose")
        text = self.seedbed("league", "show", "club").stdout
        for part in ("95 % interval", "against 1", "Bradley-Terry"):
            self.assertIn(part, text)
        self.assertEqual(self.document("league", "list")[0]["games"], 360)

    def test_repeated_games_of_deterministic_players_count_once_in_the_interval(self):
        for seed in ("1", "2"):
            self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--seed", seed, "--quiet")
        self.create("1", "2")
        self.seedbed("league", "play", "club", "--games", "60", "--quiet")
        few = self.document("league", "show", "club")["ladder"]
        self.seedbed("league", "play", "club", "--rounds", "9", "--games", "60", "--quiet")
        many = self.document("league", "show", "club")["ladder"]
        for standing in few + many:
            self.assertLessEqual(standing["distinct_games"], 18, "nine openings, two that can start")
            self.assertGreater(standing["distinct_games"], 1)
        self.assertEqual(sum(many[0]["games"].values()), 600)
        width = [standing["ci95"][1] - standing["ci95"][0] for standing in (few[0], many[0])]
        self.assertGreater(width[1], width[0] / 2, "ten times as many games, none of them new")
        # A player against itself: each opening and starter is a game of its own.
        self.seedbed("league", "create", "twins", "--env", "tic_tac_toe", "--opening", "1")
        self.seedbed("league", "add", "twins", "1")
        self.seedbed("league", "add", "twins", "1", "--as", "twin")
        self.seedbed("league", "play", "twins", "--games", "600", "--quiet")
        for standing in self.document("league", "show", "twins")["ladder"]:
            self.assertEqual(standing["distinct_games"], 18)
        # Sampled actions differ, and an equal game is another sample.
        self.seedbed("league", "create", "sampled", "--env", "tic_tac_toe", "--sample")
        self.seedbed("league", "add", "sampled", "1", "2")
        self.seedbed("league", "play", "sampled", "--games", "100", "--quiet")
        self.assertEqual(self.document("league", "show", "sampled")["ladder"][0]["distinct_games"], 100)

    def test_a_member_is_a_player_of_other_commands(self):
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--quiet")
        self.create("minimax", "random")
        self.seedbed("league", "add", "club", "1", "--as", "the learner")
        self.seedbed("rm", "1")
        member, perfect = "league:club/the learner", "league:club/minimax"
        games = self.document("match", member, perfect, "--games", "20")
        self.assertEqual((games["env"], games["a"], games["b"]), ("tic_tac_toe", member, perfect))
        # Scripted members play the game of their league.
        self.assertEqual(self.document("match", perfect, "league:club/random", "--games", "4")["games"], 4)
        self.assertEqual(self.document("duel", member, "random")["a"]["player"], member)
        record = self.data.parent / "game.replay"
        self.seedbed("play", member, "--headless", "--episodes", "1", "--record", str(record))
        self.assertTrue(record.exists())
        for player, says in (("league:clubs/x", "no league 'clubs'; leagues: club"),
                             ("league:club/x", "no member 'x'; members: minimax, random, the learner"),
                             ("league:club", "league:LEAGUE/MEMBER")):
            for command in (("match", player, "random"), ("duel", "random", player), ("play", player)):
                self.assertIn(says, self.seedbed(*command, code=3).stderr)
        shutil.rmtree(self.data / "leagues")
        for command in (("match", member, "random"), ("play", member)):
            self.assertIn("the policy of member 'the learner' was removed",
                          self.seedbed(*command, code=3).stderr)
        players = self.document("league", "list")[0]["players"]
        self.assertEqual([each["name"] for each in players], ["minimax", "random", "the learner"])
        self.assertIn("was removed", players[2]["problem"])

    def train_versions(self):
        """Trains run 1 with many checkpoints; returns their steps, without the first."""
        self.seedbed("train", "tic_tac_toe", "--steps", "60000", *QUICK[2:], *SMALL, "--quiet",
                     "--checkpoint.milestone_steps", "2048", "--checkpoint.every_s", "3600",
                     "--checkpoint.time_share", "0")
        return [row["step"] for row in self.document("show", "1")["checkpoints"] if row["step"] > 0]

    def test_versions_of_a_run_join_in_order_and_removed_ones_are_reported(self):
        steps = sorted(self.train_versions())
        self.assertGreater(len(steps), 2)
        self.create("random")
        lost = steps[1]
        (folder,) = self.data.glob(f"checkpoints/1/*{lost}*")
        shutil.rmtree(folder)
        run = self.seedbed("league", "follow", "club", "1", "--every", "2", "--games", "4", "--json")
        self.assertIn(f"'1:{lost}' does not join", run.stderr)
        report = json.loads(run.stdout)
        wanted = [step for i, step in enumerate(steps) if i % 2 == 1 or i + 1 == len(steps)]
        self.assertEqual(report["removed_checkpoints"], [lost])
        self.assertEqual(report["added"], [f"1:{step}" for step in wanted if step != lost])
        members = len(report["added"]) + 1
        self.assertEqual(report["matches"], members * (members - 1) // 2)
        # Following it again plays nothing, and more rounds only what is missing.
        for rounds, matches in ((1, 0), (2, report["matches"])):
            again = self.document("league", "follow", "club", "1", "--every", "2", "--games", "4", "--rounds",
                                  str(rounds))
            self.assertEqual((again["added"], again["matches"]), ([], matches))
        self.seedbed("train", "pong", *QUICK, "--quiet")
        self.assertIn("run 2 trains in 'pong'", self.seedbed("league", "follow", "club", "2", code=3).stderr)

    def test_versions_join_while_the_run_trains_and_its_last_one_at_the_end(self):
        training = self.start("train", "tic_tac_toe", "--steps", "100000000", *QUICK[2:], *SMALL,
                              "--checkpoint.milestone_steps", "500000", "--quiet", stdout=subprocess.DEVNULL)
        self.create("random")
        self.wait_for_steps("1", 1)
        self.seedbed("queue", "add", "tic_tac_toe", *QUICK, *SMALL)
        waiting = self.start("league", "follow", "club", "2", "--quiet")
        following = self.start("league", "follow", "club", "1", "--games", "10", "--json",
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for("two versions", lambda: self.document("league", "list")[0]["members"] >= 3)
        self.assertIsNone(training.poll(), "the ladder grows during the training")
        self.assertIsNone(waiting.poll(), "a queued run has not ended")
        waiting.terminate()
        waiting.wait()
        self.seedbed("stop", "1")
        training.wait(60)
        report = json.loads(following.communicate(timeout=60)[0])
        self.assertEqual(following.returncode, 0)
        last = max(row["step"] for row in self.document("show", "1")["checkpoints"])
        self.assertEqual(report["added"][-1], f"1:{last}")
        members = len(report["added"]) + 1
        self.assertEqual(report["matches"], members * (members - 1) // 2)

    def test_kills_while_versions_join_lose_nothing(self):
        steps = self.train_versions()
        self.create("random", "minimax")
        follow = ("league", "follow", "club", "1", "--games", "200", "--threads", "1", "--quiet")
        rng = random.Random(5)
        before, partial, kills = {}, 0, 0
        while kills < KILLS or partial <= 1:  # a busy machine plays few matches between two kills
            kills += 1
            child = self.start(*follow)
            time.sleep(rng.uniform(0.05, 0.4) * (1 + kills / KILLS))
            child.kill()
            child.wait()
            after = self.matches()
            self.assertEqual({key: after.get(key) for key in before}, before)
            partial += len(after) > len(before)
            before = after
        self.seedbed(*follow)
        members = [standing["name"] for standing in self.document("league", "show", "club")["ladder"]]
        self.assertEqual(sorted(members), sorted(["minimax", "random"] + [f"1:{step}" for step in steps]))
        count = len(members)
        # Every pair once, except that of the two that are not of the run.
        self.assertEqual(len(self.matches()), count * (count - 1) // 2 - 1)

    def test_a_run_trains_against_policies_that_do_not_change(self):
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--quiet")
        self.create("1", "minimax")
        rivals = ("--self_play.rivals", "league:club/1, 1:best", "--self_play.rival_share", "0.4")
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, *rivals, "--quiet")
        names = self.document("metrics", "2")
        for name in ("score_rivals", "score_rival_1", "score_rival_2", "score_past"):
            self.assertIn("self_play/" + name, names)
        # A checkpoint contains them; a new run needs them.
        shutil.rmtree(self.data / "leagues")
        self.seedbed("resume", "2", "--steps", "4000", "--quiet")
        run = self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, *rivals, code=3)
        self.assertIn("the policy of 'league:club/1' was removed", run.stderr)
        for rival, says in (("league:club/minimax", "is the scripted player 'minimax'"),
                            ("league:club/x", "no member 'x'"), ("7", "7")):
            self.assertIn(says, self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, *rivals[2:],
                                             "--self_play.rivals", rival, "--dry-run", code=3).stderr)
        self.assertIn("these parts differ: hidden",
                      self.seedbed("train", "tic_tac_toe", *QUICK, *rivals[2:], "--self_play.rivals", "1",
                                   "--network.hidden", "[8]", code=3).stderr)
        self.assertEqual(len(self.document("list")), 2, "nothing was recorded")

    LEAGUE = ("league", "train", "club", *QUICK, *SMALL, "--games", "20", "--generations")

    def test_main_agents_and_exploiters_train_in_turns(self):
        self.create("random")
        report = self.document(*self.LEAGUE, "2")
        members = ["main-1", "exploiter-1", "main-2", "exploiter-2"]
        self.assertEqual([each["member"] for each in report["trained"]], members)
        self.assertEqual(report["matches"], 10, "every pair of five")
        for each, against in zip(report["exploiters"], ("main-1", "main-2"), strict=True):
            self.assertEqual((each["against"], each["games"]), (against, 20))
            self.assertTrue(0 <= each["ci95"][0] <= each["score"] <= each["ci95"][1] <= 1)
        play = [self.document("show", str(run))["config"]["self_play"] for run in (1, 2, 3, 4)]
        self.assertEqual([each["rivals"] for each in play],
                         ["", "league:club/main-1", "league:club/exploiter-1", "league:club/main-2"])
        self.assertEqual([(each["rival_share"], each["past"]) for each in play],
                         [(0, 0.5), (1, 0), (0.3, 0.5), (1, 0)])
        policies = {s["name"]: s["params_sha256"]
                    for s in self.document("league", "show", "club")["ladder"]}
        self.assertEqual(len(set(policies.values())), 5)
        for run, begins in (("1", ""), ("2", "main-1"), ("3", "main-1"), ("4", "main-2")):
            texts = [event["text"] for event in self.document("show", run)["events"]
                     if event["kind"] == "init_from"]
            self.assertEqual(len(texts), bool(begins))
            self.assertTrue(all(policies[begins][:8] in text for text in texts), texts)
        # The fourth main agent meets the two that the third one beat least.
        self.document(*self.LEAGUE, "3", "--no-exploiters", "--rounds", "2")
        table = self.document("league", "show", "club")
        order = [standing["name"] for standing in table["ladder"]]
        scores = {name: cell["wins"] + cell["draws"] / 2
                  for name, cell in zip(order, table["matrix"][order.index("main-3")], strict=True)
                  if name not in ("main-3", "random")}
        self.document(*self.LEAGUE, "4", "--no-exploiters", "--opponents", "2")
        met = self.document("show", "6")["config"]["self_play"]["rivals"].split(",")
        self.assertEqual(len(met), 2)
        least = sorted(scores.values())[1]
        for name in met:
            self.assertLessEqual(scores[name.removeprefix("league:club/")], least)
        again = self.document(*self.LEAGUE, "4", "--no-exploiters", "--rounds", "2")
        self.assertEqual(again["trained"], [])

    def test_kills_while_a_league_trains_lose_nothing(self):
        self.create("random")
        rng = random.Random(11)
        for _ in range(8):
            child = self.start(*self.LEAGUE, "3", "--quiet")
            time.sleep(rng.uniform(0.1, 1.5))
            child.kill()
            child.wait()
        self.document(*self.LEAGUE, "3")
        names = [f"{role}-{i}" for i in (1, 2, 3) for role in ("main", "exploiter")]
        self.assertEqual(sorted(s["name"] for s in self.document("league", "show", "club")["ladder"]),
                         sorted(["random", *names]))
        self.assertEqual(len(self.matches()), 21)
        runs = [run["name"] for run in self.document("list") if run["status"] == "finished"]
        self.assertEqual(sorted(runs), sorted("club " + name for name in names))

    def test_a_stopped_training_continues_with_the_same_settings_only(self):
        self.create("random")
        long = ("league", "train", "club", *SMALL, "--steps", "100000000", "--generations", "1", "--games", "4")
        child = self.start(*long, "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for("the run", lambda: (self.data / "seedbed.db").exists() and self.document("list"))
        self.wait_for_steps("1", 1)
        self.assertIn("is being trained by another process",
                      self.seedbed(*long, code=1).stderr)
        self.assertTrue(self.document("league", "show", "club")["training"])
        self.seedbed("stop", "1")
        out, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130)
        self.assertIn("the same command continues it", json.loads(out)["error"])
        self.assertFalse(self.document("league", "show", "club")["training"])
        run = self.seedbed(*long, "--algo.gamma", "0.5", code=3)
        self.assertIn("was begun with other settings (algo.gamma)", run.stderr)
        self.seedbed("rm", "1")
        self.assertIn("seedbed restore 1", self.seedbed(*long, code=3).stderr)
        self.seedbed("restore", "1")
        self.seedbed("edit", "1", "--name", "old")
        self.assertEqual(self.document(*self.LEAGUE, "1")["trained"][0], {"member": "main-1", "run": 2})

    def test_exploiters_play_one_agent_only_and_inactive_agents_have_none(self):
        self.create("random")
        scripted = ("--self_play.scripted", "random", "--self_play.scripted_share", "0.2")
        self.document(*self.LEAGUE, "1", *scripted, "--exploiter-steps", "1000")
        play = self.document("show", "2")["config"]
        self.assertEqual((play["self_play"]["scripted"], play["self_play"]["scripted_share"]), ("", 0))
        self.assertEqual(play["run"]["steps"], 1000)
        self.seedbed("league", "remove", "club", "main-1", "exploiter-1")
        self.document(*self.LEAGUE, "2", *scripted)
        self.assertEqual([run["name"] for run in sorted(self.document("list"), key=lambda run: run["id"])],
                         ["club main-1", "club exploiter-1", "club main-2", "club exploiter-2"])
        self.assertEqual(self.document("show", "3")["config"]["self_play"]["rivals"], "")
        self.assertEqual([e for e in self.document("show", "3")["events"] if e["kind"] == "init_from"], [])

    def test_a_league_does_not_train_what_does_not_fit(self):
        self.assertText(self.seedbed("league", "train", "club", code=3), "league create")
        self.create("random")
        self.assertText(self.seedbed("league", "train", "club", "pong", code=3), "trains in 'pong'",
                        "plays 'tic_tac_toe'")
        self.assertText(self.seedbed(*self.LEAGUE, "1", "--self_play.rivals", "1", "--self_play.rival_share",
                                     "0.1", code=3), "sets self_play.rivals itself")
        for settings, says in ((("--share", "0.6"), "add up to 1.1"), (("--seed", str(2**63 - 1)), "too large"),
                               (("--inference", "central"), "run.inference=inline")):
            self.assertIn(says, self.seedbed(*self.LEAGUE, "1", *settings, code=3).stderr)
        self.seedbed("league", "add", "club", "minimax", "--as", "main-2")
        self.assertText(self.seedbed(*self.LEAGUE, "2", code=3), "'main-2'", "scripted player")
        self.seedbed("league", "create", "a,b", "--env", "tic_tac_toe")
        self.assertText(self.seedbed("league", "train", "a,b", code=3), "comma")
        self.assertEqual(self.document("list"), [], "nothing was trained")
        self.assertIn("7", self.seedbed("queue", "add", "tic_tac_toe", *QUICK, "--self_play.rivals", "7",
                                        "--self_play.rival_share", "0.1", code=3).stderr)

    def test_a_member_outlives_its_run(self):
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--quiet")
        self.create("1", "random")
        self.seedbed("rm", "1")
        self.assertEqual(self.document("league", "play", "club", "--games", "4")["matches"], 1)

    def standings(self, *where):
        table = self.document("league", "show", "club", *where)
        return sorted((s["name"], s["player"], s["params_sha256"], s["rating"], str(s["games"]))
                      for s in table["ladder"])

    def test_a_backup_contains_leagues_and_an_import_adds_them_once(self):
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--quiet")
        self.create("1", "minimax", "random")
        self.seedbed("league", "play", "club", "--rounds", "2", "--games", "4")
        copy, other = self.data.parent / "copy", ("--data", str(self.data.parent / "other"))
        self.assertEqual(self.document("db", "export", str(copy))["not_copied"], [])
        league = {"there": "club", "name": "club"}
        for known, members, matches in ((False, 3, 6), (True, 0, 0)):
            imported = self.document("db", "import", str(copy), *other)
            self.assertEqual(imported["leagues"],
                             [{**league, "known": known, "members": members, "matches": matches}])
        self.assertEqual(self.standings(*other), self.standings())
        # The copied policy plays, and what was played there comes back once.
        self.assertEqual(self.document("league", "play", "club", "--games", "4", *other)["matches"], 3)
        back = self.document("db", "import", str(self.data.parent / "other"))
        self.assertEqual(back["leagues"], [{**league, "known": True, "members": 0, "matches": 3}])
        self.assertEqual(self.standings(*other), self.standings())
        text = self.seedbed("db", "import", str(copy)).stderr
        self.assertIn("league 'club' is already here as 'club'\n", text)
        # A copy of single runs has no leagues.
        self.seedbed("db", "export", str(self.data.parent / "one"), "1")
        self.assertFalse((self.data.parent / "one" / "leagues").exists())

    def test_policies_of_a_backup_that_were_changed_or_are_links_are_not_copied(self):
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--quiet")
        self.create("1", "random")
        copy = self.data.parent / "copy"
        self.seedbed("db", "export", str(copy))
        (policy,) = (copy / "leagues" / "club").iterdir()
        outside = self.data.parent / "outside"
        other = self.data.parent / "other"
        changes = {
            "does not exist": lambda: shutil.rmtree(policy),
            "is a link": lambda: (policy.rename(outside), policy.symlink_to(outside)),
            "policy.json' is a link": lambda: ((policy / "policy.json").rename(outside),
                                    (policy / "policy.json").symlink_to(outside)),
            "params.safetensors": lambda: (policy / "params.safetensors").write_bytes(b"x"),
        }
        saved = self.data.parent / "saved"
        shutil.copytree(policy, saved)
        for says, change in changes.items():
            if policy.is_symlink():
                policy.unlink()
            shutil.rmtree(policy, ignore_errors=True)
            shutil.rmtree(outside, ignore_errors=True)
            shutil.copytree(saved, policy)
            change()
            report = self.document("db", "import", str(copy), "--data", str(other), code=1)
            self.assertIn(says, report["not_copied"][0])
            self.assertFalse((other / "leagues" / "club" / policy.name).exists())
        shutil.rmtree(policy)
        shutil.copytree(saved, policy)
        self.assertEqual(self.document("db", "import", str(copy), "--data", str(other))["not_copied"], [])
        self.assertTrue((other / "leagues" / "club" / policy.name).exists())

    def test_others_continue_without_a_member_whose_policy_was_removed(self):
        self.seedbed("train", "tic_tac_toe", *QUICK, *SMALL, "--quiet")
        self.create("1", "random", "minimax")
        shutil.rmtree(self.data / "leagues")
        run = self.seedbed("league", "play", "club", "--games", "4", "--json", code=1)
        self.assertIn("the policy of member '1' was removed", run.stderr)
        self.assertEqual(run.stderr.count("does not play"), 1, "reported once")
        self.assertEqual(len(self.matches()), 1)
        ladder = self.document("league", "show", "club")["ladder"]
        problems = {standing["name"]: standing["problem"] for standing in ladder}
        self.assertIn("was removed", problems.pop("1"))
        self.assertEqual(problems, {"minimax": "", "random": ""})

    def test_what_does_not_fit_is_named(self):
        self.assertText(self.seedbed("league", "create", "club", "--env", "cartpole", code=3), "cartpole",
                        "1 seat")
        self.assertText(self.seedbed("league", "show", "club", code=3), "league create")
        self.create("minimax")
        self.assertText(self.seedbed("league", "play", "club", code=3), "1 active member", "needs two")
        self.seedbed("train", "cartpole", *QUICK, "--quiet")
        self.assertIn("differ", self.seedbed("league", "add", "club", "1", "random", code=3).stderr)
        self.assertIn("it plays pong", self.seedbed("league", "add", "club", "tracker", code=3).stderr)
        self.assertText(self.seedbed("league", "remove", "club", "minimax", "nobody", code=3), "nobody",
                        "nothing was changed")
        table = self.document("league", "show", "club")
        self.assertEqual({(s["name"], s["active"]) for s in table["ladder"]},
                         {("minimax", True), ("random", True)})

    def test_kills_neither_lose_matches_nor_count_them_twice(self):
        self.create("alpha_beta:2", "alpha_beta:1", "random", env="connect_four")
        play = ("league", "play", "club", "--games", "10", "--rounds", "1000", "--threads", "1", "--quiet")
        rng = random.Random(3)
        before, kills = {}, 0
        while kills < KILLS or len(before) <= KILLS:  # a busy machine plays few matches between two kills
            kills += 1
            child = self.start(*play)
            time.sleep(rng.uniform(0.05, 0.5))
            child.kill()
            child.wait()
            after = self.matches()
            self.assertEqual({key: after.get(key) for key in before}, before)
            before = after
        rounds = max(number for _, _, number in before) + 1
        for a, b in {key[:2] for key in before}:
            numbers = sorted(number for x, y, number in before if (x, y) == (a, b))
            self.assertEqual(numbers, list(range(len(numbers))))
        # A league without kills has the same results.
        shutil.rmtree(self.data)
        self.create("alpha_beta:2", "alpha_beta:1", "random", env="connect_four")
        self.seedbed("league", "play", "club", "--games", "10", "--rounds", str(rounds), "--quiet")
        alone = self.matches()
        self.assertEqual({key: alone.get(key) for key in before}, before)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
