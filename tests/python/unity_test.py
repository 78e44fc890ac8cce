# SPDX-License-Identifier: Apache-2.0
"""unity:FILE with a scripted game, which has the interface of mlagents_envs: in a worker with a substitute
for the package and, if mlagents_envs is installed, with its classes."""

import importlib.util
import pathlib
import socket
import stat
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "envs" / "python"))
try:
    import numpy as np
    from fake_host import FIRST, RESET, STEP, TERMINATED, TRUNCATED, Refused, Worker
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

from seedbed_worker import unity

STAND_INS = HERE / "stand_ins"
STAY, WALK, RUN = 0, 1, 2


class Unity(WorkerCase):
    """Tests in a worker, with the substitute."""

    def unity(self, count, **kwargs):
        worker = self.worker("--path", str(STAND_INS))
        worker.open("unity:editor", count, **kwargs)
        return worker

    def test_a_restricted_worker_waits_for_the_editor(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            address = probe.getsockname()
        with tempfile.TemporaryDirectory() as folder:
            options = ("--scratch", folder, "--network", f"relay:127.0.0.1:{address[1]}")
            worker = self.worker("--path", str(STAND_INS), *options)
            worker.open("unity:editor", 2)
            worker.exchange(RESET)
            self.assertEqual(worker.flags.tolist(), [FIRST] * 2)
            if "user" in worker.restrictions["active"]:
                socket.create_connection(address, 5).close()

    def test_the_spaces_are_those_of_the_behaviour(self):
        worker = self.unity(3)
        spaces = worker.spec["spaces"]
        self.assertEqual(
            [(leaf["name"], leaf["kind"], leaf["shape"]) for leaf in spaces["obs"]],
            [("place", "vector", [2]), ("camera", "image", [3, 8, 8])],
        )
        self.assertEqual(
            [(leaf["name"], leaf["kind"], leaf["n"]) for leaf in spaces["actions"]],
            [("continuous", "box", 0), ("branch 0", "discrete", 3), ("branch 1", "discrete", 2)],
        )
        self.assertTrue(spaces["has_mask"])
        self.assertEqual(worker.versions.get("numpy"), np.__version__)
        self.assertIn("mlagents-envs 0.28.0", worker.spec["upstream"])

    def test_steps_last_until_every_agent_decides(self):
        worker = self.unity(3)
        worker.exchange(RESET)
        self.assertEqual(worker.flags.tolist(), [FIRST] * 3)
        self.assertEqual(worker.leaves[0].tolist(), [[0, 0]] * 3)
        self.assertEqual(worker.mask.tolist(), [[1, 1, 0, 1, 1]] * 3)
        worker.exchange(STEP, [1, WALK, 0] * 3)
        self.assertEqual(worker.flags.tolist(), [0] * 3)
        self.assertEqual(worker.leaves[0].tolist(), [[2, 2]] * 3)  # agent 1 decides every two ticks
        self.assertEqual(worker.leaves[1][:, 0, 0, 0].tolist(), [51] * 3)
        self.assertEqual(worker.rewards.tolist(), [1] * 3)
        worker.exchange(STEP, [[1, WALK, 0], [-1, WALK, 0], [-0.5, WALK, 0]])
        self.assertEqual(worker.flags.tolist(), [TERMINATED | FIRST, 0, 0])
        self.assertEqual(worker.rewards[0], 10.5)
        self.assertEqual(worker.leaves[0][1].tolist(), [0, 4])
        self.assertEqual(worker.leaves[0][2].tolist(), [1, 4])
        self.assertEqual(worker.mask[2].tolist(), [1] * 5)

    def test_an_episode_that_ends_early_does_not_lose_the_reward_of_the_next_one(self):
        worker = self.unity(2)
        worker.exchange(RESET)
        worker.exchange(STEP, [[1, WALK, 0], [0, STAY, 0]])
        # Agent 0's episode ends in the first of two ticks, and it acts once more in its next episode.
        worker.exchange(STEP, [[1, WALK, 0], [0, STAY, 0]])
        self.assertEqual(worker.flags.tolist(), [TERMINATED | FIRST, 0])
        self.assertEqual(worker.rewards.tolist(), [10.5, 1])
        self.assertEqual(worker.leaves[0].tolist(), [[1, 1], [0, 4]])
        worker.exchange(STEP, [[0, STAY, 0], [0, STAY, 0]])
        self.assertEqual(worker.flags.tolist(), [0, TRUNCATED])
        self.assertEqual(worker.rewards.tolist(), [1.5, 1])

    def test_group_rewards_count_and_forbidden_choices_are_not_taken(self):
        worker = self.unity(1)
        worker.exchange(RESET)
        worker.exchange(STEP, [1, WALK, 0])
        self.assertEqual(worker.mask[0].tolist(), [1] * 5)
        worker.exchange(STEP, [0, RUN, 1])
        self.assertEqual(worker.rewards[0], 1.5)
        worker.exchange(STEP, [1, RUN, 1])
        self.assertEqual(worker.mask[0].tolist(), [1, 1, 0, 1, 1])
        worker.exchange(STEP, [0, RUN, 1])  # the game asserts that this is never sent
        self.assertEqual(worker.flags[0], 0)
        self.assertEqual(worker.rewards[0], 0.5)

    def test_interrupted_episodes_are_truncated(self):
        worker = self.unity(3)
        worker.exchange(RESET)
        for _ in range(2):
            worker.exchange(STEP, [0, STAY, 0] * 3)
            self.assertEqual(worker.flags.tolist(), [0] * 3)
        worker.exchange(STEP, [0, STAY, 0] * 3)
        self.assertEqual(worker.flags.tolist(), [TRUNCATED] * 3)
        self.assertTrue((worker.leaves[0][:, 1] == 6).all())
        worker.exchange([RESET, RESET, RESET], [1, RUN, 1] * 3)
        self.assertEqual(worker.flags.tolist(), [FIRST] * 3)
        self.assertEqual(worker.rewards.tolist(), [0] * 3)
        self.assertTrue((worker.leaves[0][:, 0] == 0).all())

    def test_pictures_are_the_camera(self):
        worker = self.unity(1)
        worker.exchange(RESET)
        self.assertEqual(worker.picture(0).shape, (32, 32, 3))

    def test_wrong_settings_are_explained(self):
        cases = {
            "scene in the editor has 3 agents, but 4": (4, {}),
            "Walker.team=0 and Other have different .*--env.behaviour: Walker.team=0, Other": (
                1,
                {"seed": 7},
            ),
            "no behaviour 'Runner'; it has Walker.team=0": (1, {"behaviour": "Runner"}),
            "a Unity game got an unexpected keyword argument 'speed'": (1, {"speed": 1}),
        }
        for text, (count, kwargs) in cases.items():
            with self.assertRaisesRegex(Refused, text):
                self.unity(count, **kwargs)
        worker = self.unity(3, seed=7, behaviour="Walker?team=0")
        worker.exchange(RESET)
        with self.assertRaisesRegex(Refused, "/nowhere/Game.x86_64 does not exist"):
            self.worker("--path", str(STAND_INS)).open("unity:/nowhere/Game.x86_64")
        if not importlib.util.find_spec("mlagents_envs"):
            with self.assertRaisesRegex(Refused, "needs mlagents_envs.*install the pack 'unity'"):
                self.open("unity:editor")

    def test_games_are_started_and_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "Game.x86_64")
            file.write_text(f'#!/bin/sh\necho "$@" >> {folder}/arguments\nexec sleep 60\n')
            file.chmod(stat.S_IRWXU)
            worker = Worker("--path", str(STAND_INS))
            worker.open(f"unity:{file}", 4)  # two games with three agents each
            worker.exchange(RESET)
            self.assertEqual(worker.flags.tolist(), [FIRST] * 4)
            children = pathlib.Path(f"/proc/{worker.process.pid}/task/{worker.process.pid}/children")
            games = children.read_text().split()
            self.assertEqual(len(games), 2)
            self.assertEqual(worker.close(), 0)
            for game in games:
                self.assertFalse(pathlib.Path(f"/proc/{game}").exists())
            lines = pathlib.Path(folder, "arguments").read_text().splitlines()
            self.assertEqual(len(set(lines)), 2, "each game has its own port")
            self.assertRegex(lines[0], "-nographics -batchmode -logFile - --mlagents-port [0-9]+")


@unittest.skipUnless(importlib.util.find_spec("mlagents_envs"), "mlagents_envs is not installed")
class OwnClasses(unittest.TestCase):
    """Tests in this process, with the classes of mlagents_envs itself."""

    def test_the_adapter_fits_the_package(self):
        import mlagents_envs.environment

        spec = importlib.util.spec_from_file_location("game", STAND_INS / "mlagents_envs" / "environment.py")
        game = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(game)
        game.UnityEnvironment.__abstractmethods__ = frozenset()
        original = mlagents_envs.environment.UnityEnvironment
        mlagents_envs.environment.UnityEnvironment = game.UnityEnvironment
        self.addCleanup(setattr, mlagents_envs.environment, "UnityEnvironment", original)
        host = types.SimpleNamespace(report=lambda *error: self.fail(error), wrap=None, server=None)
        source = unity.source("editor", {}, 2, host)
        shapes = [(2, *leaf["shape"]) for leaf in source.spec["spaces"]["obs"]]
        arrays = types.SimpleNamespace(
            leaves=[np.zeros(shapes[0], np.float32), np.zeros(shapes[1], np.uint8)],
            mask=np.zeros((2, 5), np.uint8),
            rewards=np.zeros(2, np.float32),
            flags=np.zeros(2, np.uint8),
            what=np.full(2, RESET, np.uint8),
            seeds=np.zeros(2, np.uint32),
            actions=np.array([[1, WALK, 0], [0, STAY, 1]], np.float32),
        )
        source.attach(arrays)
        source.exchange()
        self.assertEqual(arrays.flags.tolist(), [FIRST] * 2)
        self.assertEqual(arrays.mask.tolist(), [[1, 1, 0, 1, 1]] * 2)
        arrays.what[...] = STEP
        source.exchange()
        source.exchange()
        self.assertEqual(arrays.flags.tolist(), [TERMINATED | FIRST, 0])
        self.assertEqual(arrays.rewards.tolist(), [10.5, 1])
        source.close()


if __name__ == "__main__":
    unittest.main()
