# SPDX-License-Identifier: Apache-2.0
"""Environments with several agents: parallel, turn-based, deaths, waiting, masks and failures. Needs
NumPy."""

import importlib.util
import random
import sys
import unittest

try:
    import numpy as np
    from fake_host import CUT, ENVS, FIRST, INACTIVE, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

sys.path.insert(0, str(ENVS))
import games


class Parallel(WorkerCase):
    def test_rows_equal_the_game_played_directly(self):
        worker = self.open(f"pettingzoo:{ENVS}/games.py:Race", 2, limit=8)
        self.assertEqual((worker.spec["agents"], worker.columns), (3, 6))
        mirrors, draw = [games.Race(limit=8) for _ in range(2)], random.Random(2)
        worker.exchange(RESET, seeds=[10, 11])
        for mirror, seed in zip(mirrors, (10, 11)):
            mirror.reset(seed=seed)
        what, seen = [STEP, STEP], set()
        for step in range(200):
            live = [list(mirror.agents) for mirror in mirrors]
            actions = [draw.randrange(2) for _ in range(6)]
            seeds = [draw.randrange(1000) for _ in range(2)]
            worker.exchange(what, actions, seeds)
            for e, mirror in enumerate(mirrors):
                obs, rewards, flag, left = None, {}, FIRST, []
                if what[e] == STEP:
                    chosen = dict(zip(mirror.possible_agents, actions[3 * e : 3 * e + 3]))
                    obs, rewards, done, cut, _ = mirror.step({name: chosen[name] for name in live[e]})
                    over = not mirror.agents
                    truncated = any(cut[name] and not done[name] for name in live[e])
                    flag = (TRUNCATED if truncated else TERMINATED | FIRST) if over else 0
                    left = [name for name in mirror.possible_agents if name not in live[e] or done[name]]
                if flag & FIRST:
                    obs, _ = mirror.reset(seed=seeds[e])
                for column, name in enumerate(mirror.possible_agents, 3 * e):
                    inactive = name in left and not flag & FIRST
                    self.assertEqual(worker.flags[column], flag | (INACTIVE if inactive else 0))
                    self.assertEqual(worker.rewards[column], rewards.get(name, 0))
                    if name in obs:
                        np.testing.assert_array_equal(worker.leaves[0][column], obs[name])
                    seen.add(int(worker.flags[column]))
                what[e] = RESET if flag == TRUNCATED else STEP
        self.assertEqual(seen, {0, FIRST, INACTIVE, TERMINATED | FIRST, TRUNCATED, TRUNCATED | INACTIVE})
        self.assertEqual(worker.errors(), [])

    def test_an_agent_leaves_with_its_last_step(self):
        worker = self.open(f"pettingzoo:{ENVS}/games.py:Race", 1, length=3, limit=3)
        worker.exchange(RESET, seeds=[6])  # the places are 0, 1, 1
        self.assertEqual(worker.leaves[0][:, 0].tolist(), [0, 1, 1])
        worker.exchange(STEP, [1, 1, 0])
        self.assertEqual(worker.flags.tolist(), [0, 0, 0])
        worker.exchange(STEP, [1, 1, 0])
        self.assertEqual(worker.flags.tolist(), [0, INACTIVE, 0])
        self.assertEqual(worker.rewards.tolist(), [0, 1, 0])
        self.assertEqual(worker.leaves[0][1].tolist(), [3, 2])
        worker.exchange(STEP, [1, 1, 0])  # ann reaches the end in the step that truncates cleo
        self.assertEqual(worker.flags.tolist(), [TRUNCATED | INACTIVE, TRUNCATED | INACTIVE, TRUNCATED])
        self.assertEqual(worker.rewards.tolist(), [1, 0, 0])
        self.assertEqual(worker.leaves[0][[0, 2]].tolist(), [[3, 3], [1, 3]])

    def test_an_agent_that_is_truncated_alone_shows_its_last_observation(self):
        worker = self.open(f"pettingzoo:{ENVS}/games.py:Race", 1, length=9, early=2)
        worker.exchange(RESET, seeds=[6])
        rows = []
        for _ in range(3):
            worker.exchange(STEP, [1, 0, 1])
            rows.append((worker.flags.tolist(), worker.leaves[0][1, 1]))
        left = [0, INACTIVE, 0]
        self.assertEqual(rows, [([0, 0, 0], 1), ([0, INACTIVE | CUT, 0], 2), (left, 2)])

    def test_different_spaces_are_refused(self):
        with self.assertRaisesRegex(Refused, "space: the agents ann and bob have different spaces"):
            self.open(f"gym:{ENVS}/games.py:Race", other_space=True)


class Turns(WorkerCase):
    def test_the_other_player_waits(self):
        worker = self.open(f"gym:{ENVS}/games.py:Nim", 2)
        spaces = worker.spec["spaces"]
        self.assertEqual([leaf["name"] for leaf in spaces["obs"]], ["observation", "turn"])
        self.assertEqual([leaf["n"] for leaf in spaces["actions"]], [4])
        self.assertTrue(spaces["has_mask"])
        draw, seeds, ends = random.Random(1), [5, 6], 0
        mirrors = [games.Nim() for _ in range(2)]
        for mirror, seed in zip(mirrors, seeds):
            mirror.reset(seed=seed)
        worker.exchange(RESET, seeds=seeds)
        for step in range(200):
            for e, mirror in enumerate(mirrors):
                for column, name in enumerate(mirror.agents, 2 * e):
                    acts = mirror.agent_selection == name
                    legal = [acts and number <= mirror.left for number in (1, 2, 3)]
                    self.assertEqual(worker.mask[column].tolist(), [*legal, not acts])
                    self.assertEqual(worker.leaves[0][column, 0], mirror.left)
                    self.assertEqual(worker.leaves[1][column, 0], acts)
            actions = [draw.choice(np.flatnonzero(row)) for row in worker.mask]
            seeds = [draw.randrange(1000) for _ in range(2)]
            worker.exchange(STEP, actions, seeds)
            for e, mirror in enumerate(mirrors):
                number = mirror.agents.index(mirror.agent_selection)
                mirror.step(1 + actions[2 * e + number])
                over = mirror.left == 0
                flag = TERMINATED | FIRST if over else 0
                self.assertEqual(worker.flags[2 * e : 2 * e + 2].tolist(), [flag, flag])
                expected = [0, 0]
                if over:
                    expected[number], expected[1 - number] = -1, 1
                    mirror.reset(seed=seeds[e])
                    ends += 1
                self.assertEqual(worker.rewards[2 * e : 2 * e + 2].tolist(), expected)
        self.assertGreater(ends, 20)
        self.assertEqual(worker.errors(), [])

    def test_an_agent_leaves_with_its_last_step(self):
        cut = [TRUNCATED | INACTIVE, TRUNCATED, TRUNCATED]
        for limit, flags in ((99, [TERMINATED | FIRST] * 3), (6, cut)):
            worker = self.open(f"gym:{ENVS}/games.py:Ladder", limit=limit)
            worker.exchange(RESET)
            rows = []
            for mover in (0, 1, 2, 0, 1, 2, 1, 2, 2):
                worker.exchange(STEP, [1 if number == mover else 2 for number in range(3)])
                self.assertEqual(worker.errors(), [])
                rows.append((worker.flags.tolist(), worker.rewards.tolist(), worker.leaves[0][:, 0].tolist()))
                if worker.flags[0] & (TERMINATED | TRUNCATED):
                    break
            self.assertEqual(rows[3], ([INACTIVE, 0, 0], [1, 0, 0], [2, 1, 1]))
            self.assertEqual(rows[4][0], [INACTIVE, 0, 0])
            self.assertEqual(len(rows), min(limit, 9))
            self.assertEqual(rows[-1][0], flags)
            if limit == 99:
                self.assertEqual(rows[6], ([INACTIVE, INACTIVE, 0], [0, 1, 0], [2, 3, 2]))

    def test_an_agent_that_is_truncated_alone_shows_its_last_observation(self):
        worker = self.open(f"gym:{ENVS}/games.py:Ladder", early=1)
        worker.exchange(RESET)
        rows = []
        for mover in (0, 1, 2, 0):
            worker.exchange(STEP, [1 if number == mover else 2 for number in range(3)])
            rows.append((worker.flags.tolist(), worker.leaves[0][1, 0]))
        left = [0, INACTIVE, 0]
        self.assertEqual(rows[:3], [([0, 0, 0], 0), ([0, INACTIVE | CUT, 0], 1), (left, 1)])
        self.assertEqual(rows[3], ([INACTIVE, INACTIVE, 0], 1))
        self.assertEqual(worker.errors(), [])

    def test_a_forbidden_action_fails_one_game(self):
        worker = self.open(f"gym:{ENVS}/games.py:Nim", 2)
        worker.exchange(RESET, seeds=[1, 2])
        worker.exchange(STEP, [3, 3, 0, 3])
        self.assertEqual(worker.flags.tolist(), [16, 16, 0, 0])
        self.assertRegex(worker.errors()[0]["error"], "first acts, but its action is to wait")
        worker.exchange([RESET, 0])
        self.assertEqual(worker.flags.tolist(), [FIRST, FIRST, 0, 0])


@unittest.skipUnless(importlib.util.find_spec("pettingzoo"), "PettingZoo is not installed")
class PettingZoo(WorkerCase):
    def test_connect_four_equals_the_original(self):
        from pettingzoo.classic import connect_four_v3

        worker = self.open("pettingzoo:connect_four_v3", 1)
        mirror, draw, games_played = connect_four_v3.env(), np.random.default_rng(0), 0
        mirror.reset(seed=1)
        worker.exchange(RESET, seeds=[1])
        for _ in range(150):
            for column, name in enumerate(mirror.possible_agents):
                obs, acts = mirror.observe(name), name == mirror.agent_selection
                np.testing.assert_array_equal(worker.leaves[0][column], obs["observation"].transpose(2, 0, 1))
                legal = obs["action_mask"] * acts
                self.assertEqual(worker.mask[column].tolist(), [*legal, 0 if acts else 1])
            actions = [draw.choice(np.flatnonzero(row)) for row in worker.mask]
            mirror.step(actions[mirror.possible_agents.index(mirror.agent_selection)])
            worker.exchange(STEP, actions, [1])
            over = any(mirror.terminations.values())
            self.assertEqual(worker.flags.tolist(), [TERMINATED | FIRST if over else 0] * 2)
            self.assertEqual(
                worker.rewards.tolist(), [mirror.rewards[name] for name in mirror.possible_agents]
            )
            if over:
                games_played += 1
                mirror.reset(seed=1)
        self.assertGreater(games_played, 3)

    def test_unknown_names_are_answered_with_similar_ones(self):
        with self.assertRaisesRegex(Refused, "no environment 'connect_fou_v3'; did you mean connect_four_v3"):
            self.open("pettingzoo:connect_fou_v3")


if __name__ == "__main__":
    unittest.main()
