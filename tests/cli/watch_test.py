# SPDX-License-Identifier: Apache-2.0
"""`seedbed watch`: pictures and keys in a terminal, decisions as JSON, recorded games, mistakes."""
import fcntl
import itertools
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

from command_case import CommandCase, PROGRAM, QUICK

QUIT, SHOWS_AGAIN = b"\x1b[?1049l", b"\x1b[?25h"


class Watch(CommandCase):

    def setUp(self):
        super().setUp()
        self.trained("cartpole", *QUICK)

    def players(self):
        return list((self.data / "control").glob("play-*.sock"))

    def terminal(self, *arguments, columns=80, rows=24, colours="truecolor"):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(theirs)
        process = subprocess.Popen([PROGRAM, "watch", *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
                                   env={**self.env, "COLORTERM": colours})
        self.addCleanup(process.kill)
        self.addCleanup(os.close, ours)
        self.addCleanup(os.close, theirs)
        os.set_blocking(ours, False)
        self.seen, self.ours, self.theirs = b"", ours, theirs
        return process

    def wait_for_text(self, text):
        """Waits until the text appears in what is written from now on."""
        self.seen, end = b"", time.monotonic() + 120
        while text not in self.seen:
            self.assertLess(time.monotonic(), end, f"no {text} in {self.seen[-400:]}")
            try:
                self.seen += os.read(self.ours, 1 << 16)
            except BlockingIOError:
                time.sleep(0.02)

    def shown_step(self):
        """The step in the newest complete picture."""
        try:
            self.seen += os.read(self.ours, 1 << 16)
        except BlockingIOError:
            pass
        found = re.findall(rb", step (\d+), return", self.seen)
        return int(found[-1]) if found else None

    def test_pictures_values_and_keys(self):
        process = self.terminal("1")
        self.wait_for_text(b"\x1b[?1049h")
        self.wait_for_text("CartPole, 1x, greedy".encode())
        self.wait_for_text("▀".encode())
        self.wait_for_text(b"value ")
        self.wait_for_text(b"> push ")
        self.assertIn("█".encode(), self.seen)
        self.assertIn(b"\x1b[38;2;", self.seen)
        os.write(self.ours, b"+")
        self.wait_for_text(b"CartPole, 2x")
        os.write(self.ours, b" ")
        self.wait_for_text(b"paused")
        step = self.shown_step()
        os.write(self.ours, 3 * b"\x1b[D")
        self.wait_for("three steps back", lambda: self.shown_step() == step - 3)
        os.write(self.ours, b"\x1b[C")
        self.wait_for("a step", lambda: self.shown_step() == step - 2)
        os.write(self.ours, b"g")
        self.wait_for_text(b"sampled")
        os.write(self.ours, b"q")
        self.wait_for_text(QUIT)
        self.assertIn(SHOWS_AGAIN, self.seen)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual(termios.tcgetattr(self.theirs), self.before)
        self.wait_for("the player to exit", lambda: not self.players())

    def test_an_interrupt_restores_the_terminal(self):
        process = self.terminal("1", columns=30, rows=10, colours="")
        self.wait_for_text("▀".encode())
        self.assertIn(b"\x1b[38;5;", self.seen)
        process.send_signal(signal.SIGINT)
        self.wait_for_text(QUIT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(termios.tcgetattr(self.theirs), self.before)
        self.assertFalse(self.players())

    def test_a_player_that_is_killed_ends_the_view(self):
        process = self.terminal("1")
        self.wait_for_text("▀".encode())
        child = int(self.players()[0].stem.split("-")[1])  # the socket is named after the viewer
        self.assertEqual(child, process.pid)
        player = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout
        os.kill(int(player), signal.SIGKILL)
        self.wait_for_text(b"killed by signal 9")
        self.assertIn(QUIT, self.seen)
        self.assertEqual(process.wait(timeout=60), 1)

    def test_json_has_every_decision(self):
        process = self.start("watch", "1", "--json", "--speed", "4", stdout=subprocess.PIPE)
        decisions = [json.loads(line) for line in itertools.islice(process.stdout, 100)]
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 0, "it ends when its output is closed")
        self.wait_for("the player to exit", lambda: not self.players())
        self.assertEqual([d["row"] for d in decisions], list(range(100)))
        for decision in decisions:
            self.assertEqual(decision["reward"], 1)
            self.assertAlmostEqual(sum(decision["policy"]), 1, places=5)
            self.assertEqual(decision["action"], [decision["policy"].index(max(decision["policy"]))])
        ends = [d for d in decisions if d["end"]]
        self.assertTrue(all(d["end"] == "terminated" and d["return"] == d["step"] for d in ends))

    def test_lost_decisions_are_an_error(self):
        run = self.seedbed("watch", "1", "--json", "--speed", "0", code=1)
        self.assertIn("choose a lower --speed", run.stdout.splitlines()[-1])
        self.assertFalse(self.players())

    def test_recorded_games_end(self):
        game = self.folder.name + "/a game.replay"
        self.seedbed("play", "1", "--headless", "--episodes", "1", "--record", game)
        run = self.seedbed("watch", game, "--json", "--speed", "4")
        decisions = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([d["row"] for d in decisions], list(range(len(decisions))))
        self.assertEqual(decisions[-1]["end"], "terminated")
        self.assertGreater(len(decisions), 5)

    def test_taking_over_and_inspecting(self):
        film = pathlib.Path(self.folder.name) / "saved.gif"
        process = self.terminal("1", "--save", str(film), columns=120, rows=30)
        self.wait_for_text(b"entropy ")
        os.write(self.ours, b"i")
        self.wait_for_text(b"the action depends on:")
        os.write(self.ours, b"t")
        self.wait_for_text(b"you play; t return the seat")
        os.write(self.ours, b"0")
        os.write(self.ours, b"7")
        self.wait_for_text(b"unknown action '7'; the actions are 0 push left, 1 push right")
        os.write(self.ours, b"t")
        self.wait_for_text(b"t take over")
        os.write(self.ours, b" ")
        self.wait_for_text(b"paused")
        os.write(self.ours, b"s")
        self.wait_for_text(b"saved " + str(film).encode()[:60])
        self.assertEqual(film.read_bytes()[:6], b"GIF89a")
        os.write(self.ours, b"b\t")
        os.write(self.ours, b"q")
        self.wait_for_text(QUIT)
        self.assertEqual(process.wait(timeout=60), 0)

    def test_the_second_seat_can_be_taken(self):
        self.seedbed("train", "tic_tac_toe", *QUICK, "--quiet")
        process = self.terminal("2", columns=150, rows=30)
        self.wait_for_text(b", seat 1 of 2, ")
        self.wait_for_text(b"tab next seat or game")
        os.write(self.ours, b"\t")
        self.wait_for_text(b", seat 2 of 2, ")
        os.write(self.ours, b"t")
        self.wait_for_text(b"you play seat 2 of 2; t return the seat")
        os.write(self.ours, b"t")
        self.wait_for_text(b"t take over")
        os.write(self.ours, b"\t")
        self.wait_for_text(b", seat 1 of 2, ")
        os.write(self.ours, b"q")
        self.wait_for_text(QUIT)
        self.assertEqual(process.wait(timeout=60), 0)

    def test_conditions_stop_the_player(self):
        run = self.seedbed("watch", "1", "--json", "--speed", "4", "--break", "step >= 5 and reward > 0")
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(lines[-1], {"stopped_by": "step >= 5 and reward > 0", "row": 5})
        self.assertEqual({d["source"] for d in lines[:-1]}, {"policy"})
        self.assertTrue(all(0 <= d["entropy"] <= 0.7 for d in lines[:-1]))
        wrong = self.seedbed("watch", "1", "--json", "--break", "valu < 1", code=3)
        self.assertIn("wrong at character 1: expected end, value, entropy", wrong.stdout)

    def test_inspections_as_json(self):
        run = self.seedbed("watch", "1", "--json", "--inspect", "--break", "step == 4")
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([d["row"] for d in lines], [0, 1, 2, 3, 4])
        for decision in lines[:-1]:
            seen = decision["inspection"]
            self.assertEqual(seen["row"], decision["row"])
            self.assertEqual(seen["action"], decision["action"])
            self.assertAlmostEqual(seen["value"], decision["value"], places=3)
            leaf, = seen["inputs"]
            self.assertEqual([len(leaf[key]) for key in ("seen", "saliency_action", "saliency_value")],
                             [4, 4, 4])
        self.assertText(self.seedbed("watch", "1", "--inspect", code=2), "--inspect needs --json")

    def test_films(self):
        film = self.folder.name + "/game.gif"
        run = self.seedbed("play", "1", "--record", film, "--seconds", "1", "--size", "64", "--json")
        self.assertEqual(json.loads(run.stdout)["frames"], 30)
        with open(film, "rb") as file:
            self.assertEqual(file.read(6), b"GIF89a")
        self.assertText(self.seedbed("play", "1", "--record", film, code=2), "overwrite it with --force")
        self.seedbed("play", "1", "--record", film, "--seconds", "0.5", "--thoughts", "--force")
        self.assertText(self.seedbed("play", "1", "--record", film, "--headless", "--force", code=2),
                        "a film has a length in --seconds")
        game = self.folder.name + "/games.replay"
        self.seedbed("play", "1", "--headless", "--episodes", "1", "--record", game)
        self.seedbed("replay", game, "--record", film, "--size", "64", "--force")
        self.assertText(self.seedbed("replay", game, "--record", "x.avi", code=3), "must end with .gif")
        run = subprocess.run([PROGRAM, "play", "1", "--record", self.folder.name + "/game.mp4"],
                             env={**self.env, "PATH": "/nowhere"}, capture_output=True, text=True)
        self.assertEqual(run.returncode, 3)
        self.assertIn("needs ffmpeg", run.stderr)

    def test_duels(self):
        same = json.loads(self.seedbed("duel", "1", "1", "--json").stdout)
        self.assertFalse(same["differs"])
        self.assertEqual(same["a"]["return"], same["step"])
        duel = json.loads(self.seedbed("duel", "1", "random", "--json", "--seed", "3").stdout)
        self.assertTrue(duel["differs"])
        self.assertNotEqual(duel["a"]["action"], duel["b"]["action"])
        self.assertEqual(duel["a"]["action_text"], ["push left", "push right"][int(duel["a"]["action"][0])])
        self.assertGreater(duel["a"]["return"], duel["step"])
        self.assertEqual((duel["b"]["value"], duel["b"]["policy"]), (None, []))
        stopped = json.loads(self.seedbed("duel", "1", "random", "--json", "--seed", "3", "--stop").stdout)
        self.assertEqual((stopped["step"], stopped["a"]["return"]), (duel["step"], None))
        text = self.seedbed("duel", "1", "random", "--seed", "3").stdout
        self.assertIn(f"the same actions for {duel['step']} step", text)
        game = json.loads(self.seedbed("duel", "minimax", "random", "--env", "tic_tac_toe", "--json").stdout)
        self.assertIn(game["seat"], (0, 1))
        self.assertText(self.seedbed("duel", "random", "random", code=2), "name the environment")
        self.assertText(self.seedbed("duel", "1", "7", code=3), "no run 7")
        self.assertText(self.seedbed("duel", "1", "1:5", code=3), "no checkpoint at step 5")

    def test_two_players_at_one_game(self):
        film = self.folder.name + "/game.gif"
        self.seedbed("train", "connect_four", *QUICK, "--actor.num_envs", "8", "--algo.rollout_length", "16")
        self.seedbed("play", "2", "--against", "alpha_beta:2", "--seat", "2", "--record", film, "--seconds", "1")
        self.seedbed("play", "tracker", "--env", "pong", "--record", film, "--seconds", "1", "--force")
        game = ("alpha_beta:2", "--against", "2", "--json", "--speed", "4")
        first = self.start("watch", *game, stdout=subprocess.PIPE)
        second = self.start("watch", *game, "--seat", "2", stdout=subprocess.PIPE)
        script, network = ([json.loads(line) for line in itertools.islice(process.stdout, 5)]
                           for process in (first, second))
        self.assertEqual({(d["value"], *d["policy"]) for d in script}, {(None,)})
        self.assertTrue(all(len(d["policy"]) == 8 and d["value"] is not None for d in network))
        for process in (first, second):
            process.stdout.close()
            process.wait(60)

    def test_another_player_has_the_environment_of_a_run(self):
        run = self.seedbed("train", "cartpole", "--steps", "2000", "--quiet",
                           "--env.wrap.time_limit=5").stdout.strip()
        ends = {}
        for name in ("--env=cartpole", f"--env-of={run}"):
            process = self.start("watch", "random", name, "--json", "--speed", "4", stdout=subprocess.PIPE)
            ends[name] = [json.loads(line)["step"] for line in itertools.islice(process.stdout, 12)]
            process.stdout.close()
            process.wait(60)
        self.assertGreater(max(ends["--env=cartpole"]), 4)
        self.assertEqual(max(ends[f"--env-of={run}"]), 4)

    def test_players_that_do_not_fit_are_named(self):

        def refused(*arguments, code=2):
            return self.seedbed("play", *arguments, code=code)

        self.assertText(refused("1", "--against", "random", code=3), "'cartpole' has one seat")
        self.assertText(refused("tracker", "--against", "random", "--env", "pong", "--seat", "3", code=3),
                        "'pong' has the seats 1 to 2; there is no seat 3")
        self.assertIn("--seat", refused("1", "--seat", "1").stderr)
        self.assertIn("--seat", refused("1", "--against", "random", "--seat", "0").stderr)
        self.assertText(refused("random"), "name the environment with --env")
        self.assertText(refused("tracker", "--env", "connect_four", code=3), "it plays pong")
        self.assertText(refused("1", "--env", "pong", code=3), "'1' was trained in 'cartpole'")
        self.assertText(refused("random", "--follow", "--env", "pong"), "--follow needs a run")
        self.assertText(refused("1", "--against", "9", code=3), "opening player '9'", "no run 9")
        headless = ("--headless", "--episodes", "1")
        for arguments in (("1", "--against", "random", *headless), ("random", "--env", "pong", *headless),
                          ("1", "--against", "random", "--replay", "best"), ("random", "--replay", "best")):
            self.assertText(refused(*arguments), "cannot be combined with", "'seedbed match'")
        self.assertIn("a recorded game cannot be combined with",
                      self.seedbed("watch", "x.replay", "--against", "random", "--json", code=2).stdout)
        self.assertIn("has one seat",
                      self.seedbed("watch", "1", "--against", "random", "--json", code=3).stdout)

    def test_a_run_that_is_deleted_continues_to_play(self):
        process = self.start("watch", "1", "--json", "--speed", "4", stdout=subprocess.PIPE)
        first = [json.loads(line) for line in itertools.islice(process.stdout, 5)]
        self.seedbed("rm", "1")
        shutil.rmtree(self.data / "checkpoints")
        later = [json.loads(line) for line in itertools.islice(process.stdout, 100)]
        process.stdout.close()
        self.assertEqual([d["row"] for d in first + later], list(range(105)))
        self.assertEqual(process.wait(timeout=60), 0)

    def test_mistakes(self):
        self.assertText(self.seedbed("watch", "1", code=2), "needs a terminal", "--json")
        self.seedbed("watch", "a.replay", "--follow", "--json", code=2)
        self.assertIn("there is no run 7", self.seedbed("watch", "7", "--json", code=3).stdout)
        self.assertText(self.seedbed("watch", "none.replay", code=2), "needs a terminal")
        self.assertIn("none.replay", self.seedbed("watch", "none.replay", "--json", code=1).stdout)
        self.assertFalse(self.players())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
