# SPDX-License-Identifier: Apache-2.0
"""Atari games in ale-py's vector environment: rows depend only on seed and actions. Needs ale-py."""

import os
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"))
try:
    import ale_py
    import cv2
    import numpy as np
    from ale_py.vector_env import AtariVectorEnv
    from fake_host import CONTINUES, FIRST, REST, RESET, STEP, TERMINATED, TRUNCATED, Refused
    from seedbed_worker import atari57
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


class Atari(WorkerCase):
    def test_rows_do_not_depend_on_the_batch(self):
        """Four games together, with lost lives, time limits and resets, give the same rows as four alone."""
        together = self.open("atari:breakout", 4, max_frames=1200, threads=2)
        alone = [self.open("atari:breakout", 1, max_frames=1200, threads=1) for _ in range(4)]
        draw, what, seen = np.random.default_rng(0), np.full(4, RESET), set()
        for _ in range(700):
            actions, seeds = draw.integers(0, 4, 4), draw.integers(0, 2**32, 4)
            together.exchange(what, actions, seeds)
            for number, single in enumerate(alone):
                single.exchange(what[number], actions[number], seeds[number])
                self.assertEqual(single.flags[0], together.flags[number])
                self.assertEqual(single.rewards[0], together.rewards[number])
                np.testing.assert_array_equal(single.leaves[0][0], together.leaves[0][number])
                seen.add((int(what[number]), int(single.flags[0])))
            what = np.where(together.flags & TRUNCATED, RESET, STEP)
        life = TERMINATED | FIRST | CONTINUES
        self.assertLessEqual({(RESET, FIRST), (STEP, 0), (STEP, life), (STEP, TRUNCATED)}, seen)
        self.assertEqual(together.errors(), [])

    def test_frames_and_rewards_are_those_of_ale_py(self):
        worker = self.open("atari:pong", 2)
        direct = AtariVectorEnv(
            "pong", 2, stack_num=1, life_loss_info=True, reward_clipping=False, use_fire_reset=False
        )
        worker.exchange(RESET, seeds=[5, 6])
        obs, _ = direct.reset(seed=np.array([5, 6]))
        draw, rewards = np.random.default_rng(1), 0
        for _ in range(300):
            np.testing.assert_array_equal(worker.leaves[0], obs)
            actions = draw.integers(0, 6, 2)
            worker.exchange(STEP, actions)
            obs, reward, *_ = direct.step(actions)
            np.testing.assert_array_equal(worker.rewards, reward)
            rewards += np.abs(reward).sum()
        self.assertGreater(rewards, 5)

    def test_one_thread_plays_like_several(self):
        """games.py gives the same results as ale-py. ALE itself does not clear all memory after
        yars_revenge."""
        for game, variant in [("yars_revenge", "dqn"), ("breakout", "machado"), ("time_pilot", "machado")]:
            arguments = {"preprocessing": variant, "max_frames": 1202}
            workers = [self.open(f"atari:{game}", 2, threads=threads, **arguments) for threads in (1, 2)]
            draw, what, ends = np.random.default_rng(2), np.full(2, RESET), 0
            choices = workers[0].spec["spaces"]["actions"][0]["n"]
            for _ in range(800):
                actions, seeds = draw.integers(0, choices, 2), draw.integers(0, 2**32, 2)
                for worker in workers:
                    worker.exchange(what, actions, seeds)
                one, several = workers
                np.testing.assert_array_equal(one.flags, several.flags)
                np.testing.assert_array_equal(one.rewards, several.rewards)
                np.testing.assert_array_equal(one.leaves[0], several.leaves[0])
                ends += np.count_nonzero(one.flags & (TERMINATED | TRUNCATED))
                what = np.where(one.flags & TRUNCATED, RESET, STEP)
            self.assertGreater(ends, 3, game)

    def test_the_processes_share_the_cores(self):
        for processes, shape in [(1, (336, 336, 3)), (os.cpu_count(), (420, 320, 3))]:
            if processes == 1 and len(os.sched_getaffinity(0)) == 1:
                continue
            worker = self.worker()
            request = {"protocol": 1, "id": "atari:pong", "kwargs": {}, "count": 1, "processes": processes}
            worker.spec, worker.count = worker.ask("open", **request)["spec"], 1
            worker.map()
            worker.exchange(RESET)
            self.assertEqual(worker.picture(0).shape, shape)

    def test_a_reset_within_an_episode(self):
        worker = self.open("atari:pong", 2)
        worker.exchange(RESET, seeds=[1, 2])
        first = worker.leaves[0].copy()
        for _ in range(30):
            worker.exchange(STEP, [2, 3], [1, 2])
        worker.exchange([RESET, REST])
        np.testing.assert_array_equal(worker.leaves[0][0], first[0])
        self.assertEqual(worker.flags.tolist(), [FIRST, 0])
        worker.exchange([STEP, RESET], [0, 0])
        np.testing.assert_array_equal(worker.leaves[0][1], first[1])
        self.assertEqual(worker.flags.tolist(), [0, FIRST])

    def test_the_variants_differ(self):
        for variant, actions, frames, horizon in [
            ("dqn", 4, 4, 27000),
            ("cleanrl", 4, 4, 27000),
            ("machado", 18, 5, 3600),
            ("r2d2", 18, 4, 27000),
        ]:
            worker = self.open("atari:breakout", 1, preprocessing=variant, threads=2)
            spec = worker.spec
            self.assertEqual((spec["frames_per_step"], spec["horizon"]), (frames, horizon))
            leaf = spec["spaces"]["actions"][0]
            self.assertEqual((leaf["n"], len(leaf["labels"])), (actions, actions))
            obs = spec["spaces"]["obs"][0]
            self.assertEqual((obs["shape"], obs["stack"]), ([1, 84, 84], 4))
            worker.exchange(RESET)
            colour = variant in ("cleanrl", "r2d2")
            self.assertEqual(worker.picture(0).shape, (420, 320, 3) if colour else (336, 336, 3))

    def test_mistakes_are_named(self):
        for env_id, kwargs, text in [
            ("atari:nope", {}, "no_such_env: ale-py has no game 'nope'; it has adventure"),
            ("atari:pong", {"nope": 1}, "unknown argument nope; known: preprocessing"),
            ("atari:pong", {"preprocessing": "x"}, "must be one of dqn, cleanrl, machado, r2d2, not 'x'"),
            ("atari:pong", {"resize": "x"}, "resize must be area or linear, not 'x'"),
            ("atari:pong", {"frame_skip": 0}, "frame_skip must be a whole number of at least 1, not 0"),
            ("atari:pong", {"frame_skip": 2.5}, "frame_skip must be a whole number of at least 1, not 2.5"),
            ("atari:pong", {"size": 7}, "size must be a whole number of at least 8, not 7"),
            ("atari:pong", {"noop_max": -1}, "noop_max must be a whole number of at least 0, not -1"),
            ("atari:pong", {"stack": 0}, "stack must be a whole number of at least 1, not 0"),
        ]:
            with self.assertRaisesRegex(Refused, text):
                self.open(env_id, **kwargs)


class Definition:
    """The wrappers of Stable-Baselines3 or of SEED RL, one after the other, as their authors wrote them."""

    def __init__(self, game, full, colours, interpolation, life, fire):
        self.ale = ale_py.ALEInterface()
        self.ale.setFloat("repeat_action_probability", 0)
        self.ale.setInt("max_num_frames_per_episode", 108000)
        self.ale.loadROM(ale_py.roms.get_rom_path(game))
        self.actions = self.ale.getLegalActionSet() if full else self.ale.getMinimalActionSet()
        self.colours, self.interpolation, self.life, self.fire = colours, interpolation, life, fire

    def shot(self):
        return self.ale.getScreenRGB() if self.colours else self.ale.getScreenGrayscale()

    def max_and_skip(self, action):
        total = 0
        for i in range(4):
            total += self.ale.act(self.actions[action])
            if i == 2:
                self.shots[0] = self.shot()
            if i == 3:
                self.shots[1] = self.shot()
            if self.ale.game_over():
                break
        return total

    def noop_reset(self, noops):
        self.ale.reset_game()
        for _ in range(noops):
            self.ale.act(ale_py.Action.NOOP)
        self.shots = [self.shot(), self.shot()]

    def fire_reset(self):
        if self.fire:
            self.max_and_skip(1)
            self.max_and_skip(2)
        self.lives = self.ale.lives()

    def reset(self, noops):
        self.noop_reset(noops)
        self.fire_reset()

    def step(self, action):
        """(reward, terminated, life lost)"""
        reward = self.max_and_skip(action)
        lives = self.ale.lives()
        if self.ale.game_over():
            return reward, True, False
        lost = self.life and 0 < lives < self.lives
        self.lives = lives
        if lost:
            self.max_and_skip(0)
            self.fire_reset()
        return reward, lost, lost

    def observation(self):
        shot = np.maximum(self.shots[0], self.shots[1])
        if self.colours:
            shot = cv2.cvtColor(shot, cv2.COLOR_RGB2GRAY)
        return cv2.resize(shot, (84, 84), interpolation=self.interpolation)


class Variants(WorkerCase):
    def test_all_57_games_have_reference_scores(self):
        self.assertEqual(len(atari57.SCORES), 57)
        self.assertLessEqual(atari57.SCORES.keys(), set(ale_py.roms.get_all_rom_ids()))
        task = {"name": "pong", "random_score": -20.7, "human_score": 14.6}
        self.assertEqual(self.open("atari:pong").spec["tasks"], [task])
        self.assertEqual(self.open("atari:tetris").spec["tasks"], [])

    def compare(self, variant, game, steps, *definition):
        """Plays until a game is over, after at least `steps` decisions. Returns numbers of lost lives and
        games."""
        worker, direct = self.open(f"atari:{game}", 1, preprocessing=variant), Definition(game, *definition)
        worker.exchange(RESET, seeds=[7])
        direct.reset(random.Random(7).randint(1, 30))
        draw, lost_lives, games = np.random.default_rng(3), 0, 0
        for step in range(20 * steps):
            np.testing.assert_array_equal(worker.leaves[0][0, 0], direct.observation(), str(step))
            action = int(draw.integers(0, len(direct.actions)))
            worker.exchange(STEP, [action], [step])
            reward, terminated, life_lost = direct.step(action)
            self.assertEqual(worker.rewards[0], reward, step)
            self.assertEqual(bool(worker.flags[0] & TERMINATED), terminated, step)
            self.assertEqual(bool(worker.flags[0] & CONTINUES), life_lost, step)
            lost_lives += life_lost
            if terminated and not life_lost:
                games += 1
                direct.reset(random.Random(step).randint(1, 30))
                if step > steps:
                    return lost_lives, games
        self.fail("no game was over")

    def test_the_frame_of_one_is_its_own_maximum(self):
        arguments = {"preprocessing": "cleanrl", "frame_skip": 1}
        workers = [self.open("atari:breakout", 1, max_pool=pool, **arguments) for pool in (True, False)]
        draw = np.random.default_rng(3)
        for worker in workers:
            worker.exchange(RESET, seeds=[7])
        for step in range(200):
            action = int(draw.integers(4))
            for worker in workers:
                worker.exchange(STEP, [action], [step])
            np.testing.assert_array_equal(workers[0].leaves[0], workers[1].leaves[0])

    def test_cleanrl_is_the_wrapper_of_stable_baselines3(self):
        definition = (False, True, cv2.INTER_AREA, True, True)
        lost_lives, games = self.compare("cleanrl", "breakout", 300, *definition)
        self.assertEqual(lost_lives, 4 * games)
        lost_lives, games = self.compare("cleanrl", "beam_rider", 300, *definition)
        self.assertEqual(lost_lives, 2 * games)

    def test_r2d2_is_the_preprocessing_of_seed_rl(self):
        definition = (True, False, cv2.INTER_LINEAR, False, False)
        lost_lives, _ = self.compare("r2d2", "breakout", 300, *definition)
        self.assertEqual(lost_lives, 0)

    def test_sticky_actions_depend_on_the_seed_only(self):
        worker = self.open("atari:breakout", 2, preprocessing="r2d2", sticky=0.25)
        episodes = []
        for seeds in ([5, 6], [6, 5]):
            worker.exchange(RESET, seeds=seeds)
            rows = []
            for step in range(60):
                worker.exchange(STEP, [step // 5 % 18] * 2)
                rows.append(worker.leaves[0].copy())
            episodes.append(np.array(rows))
        np.testing.assert_array_equal(episodes[0][:, 0], episodes[1][:, 1])
        np.testing.assert_array_equal(episodes[0][:, 1], episodes[1][:, 0])
        self.assertTrue((episodes[0][:, 0] != episodes[0][:, 1]).any())

    def test_machado_ends_a_game_at_its_time_limit(self):
        worker = self.open("atari:pong", 1, preprocessing="machado", max_frames=300)
        worker.exchange(RESET, seeds=[1])
        steps = 0
        while not worker.flags[0] & (TERMINATED | TRUNCATED):
            worker.exchange(STEP, [0])
            steps += 1
        self.assertEqual((steps, worker.flags[0]), (60, TRUNCATED))


if __name__ == "__main__":
    unittest.main()
