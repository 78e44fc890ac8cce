# SPDX-License-Identifier: Apache-2.0
"""Vector environments of the Python package.

usage: vector_env_test.py LIBSEEDBED
"""

import gc
import math
import threading
import unittest
import unittest.mock
import warnings

from installed import seedbed
import gymnasium as gym
import numpy as np
from gymnasium.utils.env_checker import check_env
from seedbed import vector


class VectorEnv(unittest.TestCase):
    def test_gymnasium_accepts_single_environments(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", message=".*symmetric|.*render|.*infinit|.*Box observation")
            for name in ("cartpole", "minatar_breakout", "pendulum", "deep_sea", "bit_flipping"):
                env = seedbed.make(name, render_mode="rgb_array")
                check_env(env, skip_render_check=False)
                env.close()

    def test_spaces_contain_what_reset_and_step_return(self):
        for name in ("cartpole", "minatar_space_invaders", "pendulum", "connect_four", "minigrid_empty_5x5"):
            env = seedbed.make_vec(name, 6, seed=3)
            env.action_space.seed(1)
            observations, info = env.reset(seed=5)
            for _ in range(30):
                self.assertIn(observations, env.observation_space)
                actions = env.action_space.sample()
                if "action_mask" in info:
                    actions = np.array([np.flatnonzero(row)[0] for row in info["action_mask"]])
                observations, rewards, terminated, truncated, info = env.step(actions)
                self.assertEqual(rewards.dtype, np.float32)
                self.assertEqual(terminated.dtype, bool)
                self.assertEqual(truncated.shape, (6,))
            env.close()

    def test_it_equals_gymnasium_cartpole_and_begins_again_in_the_next_step(self):
        env, twin = seedbed.make_vec("cartpole", 1), gym.make("CartPole-v1").unwrapped
        observations, _ = env.reset(seed=1)
        twin.reset(seed=1)
        twin.state, ended = np.float64(observations[0]), False
        for step in range(60):
            observations, rewards, terminated, _, _ = env.step([step % 2])
            if ended:
                self.assertEqual(rewards[0], 0)
                self.assertLess(np.abs(observations).max(), 0.06)
                return
            expected, _, ended, _, _ = twin.step(step % 2)
            # The twin calculates in double precision.
            np.testing.assert_allclose(observations[0], expected, rtol=1e-4, atol=1e-5)
            self.assertEqual(terminated[0], ended)
        self.fail("the pole did not fall")

    def test_a_time_limit_truncates(self):
        env = seedbed.make_vec("pendulum", 2)
        env.reset(seed=0)
        for step in range(1, 201):
            _, _, terminated, truncated, _ = env.step(np.zeros((2, 1), np.float32))
            self.assertEqual(truncated.tolist(), [step == 200] * 2)
            self.assertFalse(terminated.any())

    def test_seeds_repeat_for_any_number_of_threads(self):
        def play(threads, seed):
            env = seedbed.make_vec("minatar_breakout", 24, seed=9, threads=threads)
            env.action_space.seed(2)
            env.reset(seed=seed)
            total = 0
            for _ in range(100):
                observations, rewards, *_ = env.step(env.action_space.sample())
                total = total * 3 + int(observations.sum()) + float(rewards.sum())
                total %= 1 << 40
            env.close()
            return total

        self.assertEqual(play(1, 4), play(3, 4))
        self.assertNotEqual(play(1, 4), play(1, 5))

    def test_reset_mask_resets_the_chosen_rows(self):
        env = seedbed.make_vec("cartpole", 3)
        before, _ = env.reset(seed=1)
        moved, *_ = env.step([1, 1, 1])
        after, _ = env.reset(options={"reset_mask": np.array([False, True, False])})
        np.testing.assert_array_equal(after[[0, 2]], moved[[0, 2]])
        self.assertFalse(np.array_equal(after[1], moved[1]))

    def test_copies_stay_and_views_change(self):
        for copy in (True, False):
            env = seedbed.make_vec("cartpole", 2, copy=copy)
            first, _ = env.reset(seed=1)
            kept = first.copy()
            env.step([1, 1])
            self.assertEqual(np.array_equal(first, kept), copy)
            del first

    def test_results_in_use_never_change(self):
        for name in ("cartpole", "connect_four", "pendulum"):
            env = seedbed.make_vec(name, 6)
            twin = seedbed.make_vec(name, 6, copy=False)
            for one in (env, twin):
                one.action_space.seed(4)
                _, info = one.reset(seed=3)
            kept = []
            for step in range(60):
                actions = env.action_space.sample()
                if "action_mask" in info:
                    actions = np.array([np.flatnonzero(row)[0] for row in info["action_mask"]])
                arrays, expected = ([], [])
                for one, found in ((env, arrays), (twin, expected)):
                    observations, *ends, info = one.step(actions)
                    board = observations.values() if isinstance(observations, dict) else [observations]
                    found.extend([*board, *ends, *info.values()])
                np.testing.assert_equal(arrays, expected)
                array = arrays[step % len(arrays)]
                held = ([], [array], [array[1:]], [memoryview(array)], arrays)[step // 4 % 5]
                kept += [(part, np.array(part)) for part in held]
            for held, value in kept:
                np.testing.assert_array_equal(held, value)

    def test_results_are_reused_when_nothing_refers_to_them(self):
        env, places = seedbed.make_vec("cartpole", 8), set()
        env.reset(seed=1)
        for _ in range(9):
            observations, rewards, *_ = env.step(np.zeros(8, int))
            places.add((observations.ctypes.data, rewards.ctypes.data))
        self.assertEqual(len(places), 2)

    def test_actions_of_all_types_and_shapes_mean_the_same(self):
        actions = np.array([1, 0, 1])
        forms = [actions, actions.astype(np.int32), actions.astype(bool), actions.astype(np.float64),
                 actions[::-1].copy()[::-1], actions[:, None], actions.tolist()]
        for number, form in enumerate(forms):
            env = seedbed.make_vec("cartpole", 3)
            env.reset(seed=8)
            observations, *_ = env.step(form)
            expected = observations if number == 0 else expected
            np.testing.assert_array_equal(observations, expected)

    def test_actions_that_do_not_exist_change_nothing(self):
        env, twin = seedbed.make_vec("cartpole", 3), seedbed.make_vec("cartpole", 3)
        for one in (env, twin):
            one.reset(seed=8)
        for wrong in (-1, 2, 2**32, 2**33 + 1, 2**63 - 1, -(2**63), 0.5, -0.5, math.nan, math.inf, 1e30):
            with self.assertRaisesRegex(seedbed.Error, "the action of column 1 does not exist", msg=wrong):
                env.step(np.array([1, wrong, 0]))
        for wrong in (np.zeros(4, int), np.zeros((2, 3), int), np.zeros((3, 2), int), np.int64(1), [],
                      ["a", "b", "c"]):
            with self.assertRaises(ValueError, msg=wrong):
                env.step(wrong)
        np.testing.assert_array_equal(env.step([1, 1, 1])[0], twin.step([1, 1, 1])[0])
        with self.assertRaisesRegex(ValueError, "actions of 2 values per row; expected 1"):
            seedbed.make_vec("pendulum", 2).step(np.zeros((2, 2)))

    def test_two_threads_and_closed_environments_are_refused(self):
        errors = []
        env = seedbed.make_vec("cartpole", 2, render_mode="rgb_array")
        calls = (lambda: env.step([0, 1]), env.reset, env.render, lambda: env.close_extras())

        def intrude(*arguments):  # called inside a step
            vector.step_into = library_step
            for call in calls:
                thread = threading.Thread(target=lambda: errors.append(error_of(call)))
                thread.start()
                thread.join()
            return library_step(*arguments)

        def error_of(call):
            with self.assertRaises(seedbed.Error) as caught:
                call()
            return str(caught.exception), caught.exception.code

        library_step = vector.step_into
        with unittest.mock.patch.object(vector, "step_into", intrude):
            env.step([1, 1])
        self.assertEqual(errors, [("another thread is using the environment", 10)] * 4)
        env.step(np.array([0, 1]))
        env.close()
        env.close()
        for call in calls[:3]:
            self.assertEqual(error_of(call), ("the environment is closed", 16))

    def test_the_library_refuses_wrong_arguments_of_a_step(self):
        library, env = seedbed._library.library, seedbed.make_vec("pendulum", 2)
        batch = env.batch
        output, words, choices = batch.own.address, batch.words_address, batch.choices_address
        self.assertEqual(library.batch_step_into(batch.handle, words, None, output), 0)
        for arguments, reason in (
                ((None, words, None, output), "the batch is NULL"),
                ((batch.handle, None, None, output), "one of actions and choices must be NULL"),
                ((batch.handle, words, choices, output), "one of actions and choices must be NULL"),
                ((batch.handle, words, None, None), "output is NULL"),
                ((batch.handle, None, choices, output), "real numbers, not choices")):
            self.assertEqual(library.batch_step_into(*arguments), 1)
            self.assertIn(reason, library.error().decode())
        for member in ("observations", "rewards", "terminated", "truncated"):
            setattr(batch.own.output, member, None)
            self.assertEqual(library.batch_step_into(batch.handle, words, None, output), 1)
            self.assertEqual(library.error(), b"an array of output is NULL")
            env = seedbed.make_vec("pendulum", 2)
            batch = env.batch
            output, words = batch.own.address, batch.words_address

    def test_a_view_keeps_its_memory(self):
        library = seedbed._library.library
        free = unittest.mock.Mock(wraps=library.batch_free)
        for ends in ("close", "del"):
            env = seedbed.make_vec("connect_four", 4, copy=False)
            observations, info = env.reset(seed=1)
            board = next(iter(observations.values())) if isinstance(observations, dict) else observations
            mask, kept = info["action_mask"][1:], board.copy()
            del observations, info
            with unittest.mock.patch.object(library, "batch_free", free):
                free.reset_mock()
                if ends == "close":
                    env.close()
                    with self.assertRaises(seedbed.Error):
                        env.reset()
                del env
                gc.collect()
                free.assert_not_called()
                np.testing.assert_array_equal(board, kept)
                self.assertTrue(set(np.unique(mask)) <= {0, 1})
                del board
                gc.collect()
                free.assert_not_called()
                del mask
                gc.collect()
                free.assert_called_once()

    def test_settings_and_pictures(self):
        env = seedbed.make_vec("deep_sea", 2, size=7, render_mode="rgb_array")
        env.reset(seed=1)
        self.assertEqual(env.render()[1].shape, (256, 256, 3))
        self.assertGreater(env.render()[1].std(), 1)

    def test_mistakes_are_explained(self):
        with self.assertRaisesRegex(seedbed.Error, "did you mean 'cartpole'"):
            seedbed.make_vec("cartpoll")
        with self.assertRaisesRegex(seedbed.Error, "sizes"):
            seedbed.make_vec("deep_sea", sizes=3)
        with self.assertRaisesRegex(ValueError, "a multiple of 2"):
            seedbed.make_vec("connect_four", 3)
        with self.assertRaisesRegex(seedbed.Error, "begin with 'gym:'"):
            seedbed.make_vec("gym:CartPole-v1")
        env = seedbed.make_vec("cartpole", 2)
        env.reset()
        with self.assertRaisesRegex(seedbed.Error, "the action of column 1 does not exist"):
            env.step([0, 2])
        with self.assertRaises(ValueError):
            env.step([0, 1, 0])
        with self.assertRaisesRegex(ValueError, "3 seeds for 2"):
            env.reset(seed=[1, 2, 3])


if __name__ == "__main__":
    unittest.main()
