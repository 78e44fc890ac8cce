# SPDX-License-Identifier: Apache-2.0
"""godot:HOST:PORT and godot:FILE with a scripted game: the protocol, several agents, and games that fail."""

import pathlib
import socket
import stat
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    from fake_host import FAILED, FIRST, RESET, STEP, TERMINATED, TRUNCATED, Refused, Worker
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

GAME = pathlib.Path(__file__).resolve().parent / "stand_ins" / "godot_game.py"
LEFT, STAY, RIGHT = 0, 1, 2


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Godot(WorkerCase):
    def setUp(self):
        self.port = free_port()
        self.id = f"godot:127.0.0.1:{self.port}"

    def start(self, *options):
        game = subprocess.Popen(
            [sys.executable, str(GAME), f"--port={self.port}", *options], stderr=subprocess.DEVNULL
        )
        self.addCleanup(lambda: (game.kill(), game.wait()))
        return game

    def refused(self, kind, text, *options, **kwargs):
        if options != ("nobody",):
            self.start(*options)
        with self.assertRaises(Refused) as caught:
            self.open(self.id, 1, **kwargs)
        self.assertEqual(caught.exception.kind, kind)
        self.assertRegex(caught.exception.error, text)

    def test_agents_are_environments_with_their_own_episodes(self):
        self.start("--agents=3")
        worker = self.open(self.id, 3)
        spaces = worker.spec["spaces"]
        self.assertEqual(
            [(leaf["name"], leaf["shape"]) for leaf in spaces["obs"]],
            [("obs", [5]), ("camera_2d", [3, 4, 4])],
        )
        self.assertEqual([leaf["kind"] for leaf in spaces["actions"]], ["discrete", "box"])
        self.assertFalse(worker.spec["repeats"])
        worker.exchange(RESET)
        self.assertEqual(worker.flags.tolist(), [FIRST] * 3)
        self.assertEqual(worker.leaves[0][:, :2].tolist(), [[0, 0]] * 3)
        self.assertTrue((worker.leaves[1] == 10).all())
        worker.exchange(STEP, [[RIGHT, 0.5, 0.25], [LEFT, 0, 0], [STAY, -9, 9]])
        self.assertEqual(worker.flags.tolist(), [0, 0, 0])
        self.assertEqual(worker.rewards.tolist(), [1.75, -1, 0])  # -9 and 9 are clipped to -1 and 1
        self.assertEqual(worker.leaves[0][:, :2].tolist(), [[1, 1], [-1, 1], [0, 1]])
        self.assertEqual(worker.leaves[1][:, 0, 0, 0].tolist(), [11, 9, 10])
        worker.exchange(STEP, [[RIGHT, 0, 0], [STAY, 0, 0], [STAY, 0, 0]])
        self.assertEqual(worker.flags.tolist(), [TERMINATED | FIRST, 0, 0])
        self.assertEqual(worker.rewards.tolist(), [2, -1, 0])
        self.assertEqual(worker.leaves[0][:, :2].tolist(), [[0, 0], [-1, 2], [0, 2]])
        self.assertEqual(worker.picture(1).shape, (16, 16, 3))
        self.assertEqual(worker.picture(1)[0, 0].tolist(), [9, 9, 9])

    def test_truncated_episodes_have_their_last_observation(self):
        self.start("--mode=truncates", "--agents=2")
        worker = self.open(self.id, 2)
        worker.exchange(RESET)
        for _ in range(5):
            worker.exchange(STEP, [STAY, 0, 0] * 2)
            self.assertEqual(worker.flags.tolist(), [0, 0])
        worker.exchange(STEP, [STAY, 0, 0] * 2)
        self.assertEqual(worker.flags.tolist(), [TRUNCATED] * 2)
        self.assertEqual(worker.leaves[0][:, 1].tolist(), [6, 6])
        worker.exchange([RESET, RESET], [RIGHT, 1, 1] * 2)
        self.assertEqual(worker.flags.tolist(), [FIRST] * 2)

    def test_older_games_send_one_space_for_all_agents(self):
        self.start("--mode=old")
        worker = self.open(self.id, 2)
        worker.exchange(RESET)
        worker.exchange(STEP, [RIGHT, 0, 0] * 2)
        self.assertEqual(worker.rewards.tolist(), [1, 1])

    def test_several_games_share_a_worker(self):
        for _ in range(2):
            self.start("--agents=2")
        worker = self.open(self.id, 3)
        worker.exchange(RESET)
        worker.exchange(STEP, [[RIGHT, 0, 0], [LEFT, 0, 0], [STAY, 1, 0]])
        self.assertEqual(worker.rewards.tolist(), [1, -1, 1])

    def test_a_policy_plays_its_agents_only(self):
        self.start("--mode=mixed", "--agents=3")
        worker = self.open(self.id, 2, policy="walker")
        worker.exchange(RESET)
        worker.exchange(STEP, [[RIGHT, 0, 0], [LEFT, 0, 0]])
        self.assertEqual(worker.rewards.tolist(), [1, -1])
        worker.control.close()
        self.port = free_port()
        self.id = f"godot:127.0.0.1:{self.port}"
        self.refused(
            "space", "actions of agents 0 and 1 differ.*--env.policy: jumper, walker", "--mode=mixed"
        )
        self.port = free_port()
        self.id = f"godot:127.0.0.1:{self.port}"
        self.refused("no_such_env", "no policy 'x'; it has jumper, walker", "--mode=mixed", policy="x")

    def test_the_worker_starts_an_exported_game(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "My Game.x86_64")
            file.write_text(f'#!/bin/sh\nexec {sys.executable} {GAME} --agents=2 "$@"\n')
            with self.assertRaisesRegex(Refused, "is not executable"):
                self.open(f"godot:{file}")
            file.chmod(stat.S_IRWXU)
            worker = Worker()
            worker.open(f"godot:{file}", 4, seed=5, speedup=8, action_repeat=4)
            self.assertEqual(worker.spec["title"], "My Game")
            self.assertEqual(
                [item["name"] for item in worker.spec["parameters"]],
                ["policy", "seed", "speedup", "action_repeat", "wait_s", "step_s"],
            )
            worker.exchange(RESET)
            # Each game has its own seed.
            self.assertEqual(worker.leaves[0][:, 2:].tolist(), [[5, 8, 4]] * 2 + [[6, 8, 4]] * 2)
            task = pathlib.Path(f"/proc/{worker.process.pid}/task/{worker.process.pid}/children")
            games = task.read_text().split()
            self.assertEqual(len(games), 2)
            self.assertEqual(worker.close(), 0)
            for game in games:
                self.assertFalse(pathlib.Path(f"/proc/{game}").exists())
            file.write_text("#!/bin/sh\nexit 3\n")
            with self.assertRaisesRegex(Refused, "the game exited with code 3 before it connected"):
                self.open(f"godot:{file}")

    def test_restricted_workers_reach_their_games(self):
        with tempfile.TemporaryDirectory() as folder:
            self.start()
            worker = self.worker("--scratch", folder, "--network", f"listen:127.0.0.1:{self.port}")
            worker.open(self.id, 2)
            worker.exchange(RESET)
            self.assertEqual(worker.flags.tolist(), [FIRST] * 2)
            file = pathlib.Path(folder, "Game")
            file.write_text(f'#!/bin/sh\nexec {sys.executable} {GAME} "$@"\n')
            file.chmod(stat.S_IRWXU)
            scratch = pathlib.Path(folder, "scratch")
            scratch.mkdir()
            worker = self.worker("--scratch", str(scratch), "--network", "game")
            worker.open(f"godot:{file}", 2)
            worker.exchange(RESET)
            self.assertEqual(worker.flags.tolist(), [FIRST] * 2)

    def test_a_game_that_does_not_connect_is_explained_in_time(self):
        self.refused(
            "constructor", f"no game has connected to 127.0.0.1:{self.port}; start it", "nobody", wait_s=0.5
        )
        self.start("--agents=2")
        with self.assertRaisesRegex(
            Refused, "2 agents have connected to .*, but 5 are needed; set --actor.num_envs 2"
        ):
            self.open(self.id, 5, wait_s=2)

    def test_a_port_that_is_used_is_explained(self):
        with socket.create_server(("127.0.0.1", self.port)):
            self.refused("constructor", f"port {self.port} is used by another program", "nobody", wait_s=0.3)
        self.id = "godot:203.0.113.9:11008"
        self.refused("constructor", "203.0.113.9 is not an address of this computer", "nobody", wait_s=0.3)
        for name in ("godot:11008", "godot:nowhere", "godot:127.0.0.1:99999"):
            self.id = name
            self.refused("no_such_env", "is neither HOST:PORT nor a file", "nobody")

    def test_other_protocols_are_explained(self):
        cases = {
            "wrong_version": r"another version of the protocol \('n_agents' is missing\); .* protocol 0.7",
            "garbage": "has sent bytes b'hello', which is not JSON",
            "http": "sends a message of 1347703880 bytes, which is too long",
            "silent": "has not sent anything for 0.5 s; is it paused",
            "unknown_space": "the action 'move' is of kind str 'quantum'; known: discrete, continuous",
        }
        for mode, text in cases.items():
            with self.subTest(mode):
                self.port = free_port()
                self.id = f"godot:127.0.0.1:{self.port}"
                self.refused("constructor", text, f"--mode={mode}", step_s=0.5)

    def test_a_lost_game_fails_its_environments_and_can_be_started_again(self):
        self.start("--mode=disconnect")
        worker = self.open(self.id, 2, wait_s=5)
        worker.exchange(RESET)
        for _ in range(2):
            worker.exchange(STEP, [STAY, 0, 0] * 2)
            self.assertEqual(worker.flags.tolist(), [0, 0])
        worker.exchange(STEP, [STAY, 0, 0] * 2)
        self.assertEqual(worker.flags.tolist(), [FAILED] * 2)
        self.assertRegex(worker.errors()[0]["error"], "closed the connection; start it again")
        self.start()
        worker.exchange(RESET)
        self.assertEqual(worker.flags.tolist(), [FIRST] * 2)
        worker.exchange(STEP, [RIGHT, 0, 0] * 2)
        self.assertEqual(worker.rewards.tolist(), [1, 1])

    def test_a_message_with_missing_agents_is_explained(self):
        self.start("--mode=short")
        worker = self.open(self.id, 2)
        worker.exchange(RESET)
        worker.exchange(STEP, [STAY, 0, 0] * 2)
        self.assertEqual(worker.flags.tolist(), [FAILED] * 2)
        self.assertRegex(
            worker.errors()[0]["error"], r"'reward' of the game's message is list .*expected a list of 2"
        )

    def test_settings_of_a_game_that_the_user_starts_are_refused(self):
        self.refused(
            "constructor", "speedup .* are arguments of the game, which you start", "nobody", speedup=2
        )
        self.refused(
            "constructor", "a Godot game got an unexpected keyword argument 'spedup'", "nobody", spedup=2
        )


if __name__ == "__main__":
    unittest.main()
