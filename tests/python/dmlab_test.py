# SPDX-License-Identifier: Apache-2.0
"""maze:LEVEL, and dmlab:LEVEL with Seedbed's mazes in place of DeepMind Lab: the interface, actions, the
level cache, the tasks and scores of DMLab-30, and the speed."""

import pathlib
import random
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "envs" / "python"))
try:
    import numpy as np
    from fake_host import FIRST, RESET, STEP, TERMINATED, Refused
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

sys.path.insert(0, str(HERE.parent))  # before this folder, which has another measure.py
from measure import measures
from seedbed_worker import dmlab, dmlab30, maze

FORWARD, BACKWARD, LOOK_LEFT, LOOK_RIGHT = 0, 1, 4, 5
SIZE = {"width": "96", "height": "72"}


def action(**fields):
    values = np.zeros(7, np.intc)
    for name, value in fields.items():
        values[[field[0] for field in maze.ACTIONS].index(name)] = value
    return values


class Maze(unittest.TestCase):
    """The interface of deepmind_lab.Lab."""

    def lab(self, level="collect_apples", observations=("RGB_INTERLEAVED",), **config):
        return maze.Lab(level, list(observations), {**SIZE, **config})

    def test_specifications_describe_the_observations(self):
        lab = self.lab(observations=["RGB_INTERLEAVED", "RGB", "INSTR", "VEL.TRANS"])
        lab.reset(seed=1)
        specs = {spec["name"]: spec for spec in lab.observation_spec()}
        for name, value in lab.observations().items():
            if specs[name]["dtype"] is str:
                self.assertEqual(value, "collect the red apples")
            else:
                self.assertEqual((value.shape, value.dtype), (specs[name]["shape"], specs[name]["dtype"]))
        np.testing.assert_array_equal(
            lab.observations()["RGB"], lab.observations()["RGB_INTERLEAVED"].transpose(2, 0, 1)
        )
        self.assertEqual(len(lab.action_spec()), 7)
        self.assertEqual(lab.fps(), 60)

    def test_wrong_arguments_are_refused_like_by_deepmind_lab(self):
        with self.assertRaisesRegex(TypeError, "must be list"):
            maze.Lab("find_goal", None, {})
        with self.assertRaisesRegex(TypeError, "must be dict"):
            maze.Lab("find_goal", [], {"width": 3})
        with self.assertRaisesRegex(ValueError, "Unknown observation 'DEPTH'"):
            maze.Lab("find_goal", ["DEPTH"], {})
        with self.assertRaisesRegex(RuntimeError, "Invalid levelName"):
            maze.Lab("nope", [], {})
        lab = self.lab()
        with self.assertRaisesRegex(RuntimeError, "wrong status to advance"):
            lab.step(action())
        with self.assertRaisesRegex(ValueError, "'seed' must be int or None"):
            lab.reset(seed="1")
        lab.reset(seed=1)
        with self.assertRaisesRegex(ValueError, "must have shape"):
            lab.step(np.zeros(3, np.intc))
        with self.assertRaisesRegex(ValueError, "np.intc"):
            lab.step(np.zeros(7))
        self.assertTrue(lab.close())
        self.assertFalse(lab.close())
        with self.assertRaisesRegex(RuntimeError, "wrong status"):
            lab.observations()

    def test_an_episode_depends_on_its_seed(self):
        pictures = {}
        for seed in (1, 2, 1):
            lab = self.lab("find_goal")
            lab.reset(seed=seed)
            for number in range(30):
                lab.step(
                    action(MOVE_BACK_FORWARD=1, LOOK_LEFT_RIGHT_PIXELS_PER_FRAME=number % 7 * 10), num_steps=4
                )
            picture = lab.observations()["RGB_INTERLEAVED"].tobytes()
            self.assertEqual(pictures.setdefault(seed, picture), picture)
        self.assertNotEqual(pictures[1], pictures[2])

    def test_walls_stop_the_player_and_mazes_are_connected(self):
        lab = self.lab("find_goal_large")
        lab.reset(seed=5)
        draw = np.random.default_rng(0)
        for _ in range(2000):
            lab.step(
                action(MOVE_BACK_FORWARD=1, LOOK_LEFT_RIGHT_PIXELS_PER_FRAME=draw.integers(-200, 200)),
                num_steps=4,
            )
            self.assertFalse(lab.walls[int(lab.y), int(lab.x)])
        reached, edge = set(), [(int(lab.x), int(lab.y))]
        while edge:
            x, y = edge.pop()
            if not lab.walls[y, x] and (x, y) not in reached:
                reached.add((x, y))
                edge += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        self.assertEqual(len(reached), np.count_nonzero(~lab.walls))

    def test_apples_and_goals_are_rewarded(self):
        lab = self.lab()
        lab.reset(seed=1)
        apple = lab.apples[3]
        lab.x, lab.y = apple
        self.assertEqual(lab.step(action()), 1.0)
        self.assertEqual(len(lab.apples), maze.APPLES - 1)
        self.assertEqual(lab.step(action()), 0.0)
        lab.apples = [(lab.x, lab.y)]
        self.assertEqual(lab.step(action()), 1.0)
        self.assertEqual(len(lab.apples), maze.APPLES, "they grow again")
        lab = self.lab("find_goal")
        lab.reset(seed=1)
        goal = lab.x, lab.y = lab.goal
        self.assertEqual(lab.step(action()), 10.0)
        self.assertEqual(lab.goal, goal)
        self.assertGreater(abs(lab.x - goal[0]) + abs(lab.y - goal[1]), 0.5)

    def test_the_picture_shows_distance_and_things(self):
        lab = self.lab()
        lab.reset(seed=1)
        lab.walls[:] = True
        lab.walls[1:10, 5] = False  # a corridor along y
        lab.solid = lab.walls.tolist()
        lab.x, lab.y, lab.direction, lab.apples = 5.5, 1.5, np.pi / 2, []
        far = lab.observations()["RGB_INTERLEAVED"]
        lab.y = 8.5
        near = lab.observations()["RGB_INTERLEAVED"]

        def height_of_wall(picture):
            middle = picture[:, 48].astype(int)
            return np.count_nonzero(np.all(middle == middle[36], axis=1))

        self.assertLess(height_of_wall(far), 12)
        self.assertEqual(height_of_wall(near), 36)  # 53 pixels per cell, 1.5 cells away
        lab.y, lab.apples = 1.5, [(5.5, 3.5)]
        seen = lab.observations()["RGB_INTERLEAVED"]
        red = (seen[..., 0] > 100) & (seen[..., 1] < 40)
        self.assertGreater(np.count_nonzero(red[:, 44:52]), 20)
        self.assertEqual(np.count_nonzero(red[:, :40]), 0)
        lab.direction = -np.pi / 2
        behind = lab.observations()["RGB_INTERLEAVED"]
        self.assertFalse(((behind[..., 0] > 100) & (behind[..., 1] < 40)).any())

    def test_an_episode_ends_with_its_time(self):
        lab = self.lab(episodeLengthSeconds="1")
        lab.reset(seed=1)
        for _ in range(14):
            lab.step(action(), num_steps=4)
            self.assertTrue(lab.is_running())
        lab.step(action(), num_steps=4)
        self.assertFalse(lab.is_running())
        self.assertEqual(lab.num_steps(), 60)

    @measures
    def test_a_process_draws_1000_pictures_per_second(self):
        lab, times = self.lab(), []
        lab.reset(seed=1)
        for number in range(600):
            begin = time.process_time()
            lab.step(
                action(MOVE_BACK_FORWARD=1, LOOK_LEFT_RIGHT_PIXELS_PER_FRAME=number % 5 * 8), num_steps=4
            )
            lab.observations()
            times.append(time.process_time() - begin)
        # Not the median, since other programs slow the processor down.
        self.assertLess(np.percentile(times, 10), 1e-3)


class Levels(WorkerCase):
    """Tests in a worker."""

    def dmlab(self, env_id, count=1, **kwargs):
        worker = self.worker("--path", str(HERE / "stand_ins"))
        worker.open(env_id, count, **kwargs)
        return worker

    def test_mazes_need_no_package(self):
        worker = self.open("maze:collect_apples", 2)
        self.assertEqual(worker.spec["spaces"]["obs"][0]["shape"], [3, 72, 96])
        self.assertEqual(worker.spec["spaces"]["actions"][0]["n"], 9)
        self.assertEqual((worker.spec["horizon"], worker.spec["frames_per_step"]), (900, 4))
        worker.exchange(RESET, seeds=[4, 4])
        np.testing.assert_array_equal(worker.leaves[0][0], worker.leaves[0][1])
        before = worker.leaves[0].copy()
        worker.exchange(STEP, [LOOK_LEFT, LOOK_RIGHT])
        self.assertFalse((worker.leaves[0][0] == before[0]).all())
        self.assertFalse((worker.leaves[0][0] == worker.leaves[0][1]).all())
        self.assertEqual(worker.picture(0).shape, (288, 384, 3))
        with self.assertRaisesRegex(Refused, "no maze 'nope'; known: collect_apples, find_goal"):
            self.open("maze:nope")

    def test_rows_equal_the_level_stepped_directly(self):
        worker = self.open("maze:find_goal", 1, actions=15, action_repeat=3, width=40, height=30)
        mirror = maze.Lab("find_goal", ["RGB"], {"width": "40", "height": "30"})
        worker.exchange(RESET, seeds=[3_000_000_000])
        mirror.reset(seed=3_000_000_000 & 0x7FFFFFFF)
        draw = np.random.default_rng(3)
        for _ in range(50):
            choice = int(draw.integers(15))
            worker.exchange(STEP, [choice])
            reward = mirror.step(np.array(list(dmlab.ACTIONS[15].values())[choice], np.intc), num_steps=3)
            self.assertEqual(worker.rewards[0], reward)
            np.testing.assert_array_equal(worker.leaves[0][0], mirror.observations()["RGB"])

    def test_the_end_of_an_episode_terminates_it(self):
        worker = self.dmlab("dmlab:explore_goal_locations_small", 1)
        worker.exchange(RESET, seeds=[1])
        for _ in range(29):
            worker.exchange(STEP, [FORWARD])
            self.assertEqual(worker.flags[0], 0)
        worker.exchange(STEP, [FORWARD], [2])
        self.assertEqual(worker.flags[0], TERMINATED | FIRST)
        self.assertEqual(worker.errors(), [])

    def test_observations_and_actions_can_be_chosen(self):
        worker = self.dmlab(
            "dmlab:rooms_watermaze",
            observations="RGB_INTERLEAVED, INSTR, VEL.TRANS",
            task_input=True,
            actions=15,
        )
        self.assertEqual(
            [(leaf["name"], leaf["kind"], leaf["shape"]) for leaf in worker.spec["spaces"]["obs"]],
            [
                ("RGB_INTERLEAVED", "image", [3, 72, 96]),
                ("INSTR", "discrete", [16]),
                ("VEL.TRANS", "vector", [3]),
                ("task", "discrete", [1]),
            ],
        )
        self.assertIn("forward and look far left", worker.spec["spaces"]["actions"][0]["labels"])
        worker.exchange(RESET, seeds=[1])
        self.assertEqual(worker.leaves[3][0].tolist(), [3])
        self.assertEqual(np.count_nonzero(worker.leaves[1][0]), 4, "find the green goal")

    def test_dmlab30_has_a_task_per_environment_and_scores(self):
        worker = self.dmlab(
            "dmlab:dmlab30", 31, task_input=True, width=24, height=16, observations="RGB_INTERLEAVED"
        )
        tasks = worker.spec["tasks"]
        self.assertEqual(len(tasks), 30)
        scores = {"random_score": 4.065, "human_score": 54}
        self.assertEqual(tasks[3], {"name": "rooms_watermaze", **scores})
        worker.exchange(RESET, seeds=range(31))
        self.assertEqual(worker.leaves[1].reshape(-1).tolist(), [*range(30), 0])
        returns = np.zeros(31)
        for _ in range(30):
            worker.exchange(STEP, [FORWARD] * 31, range(31))
            returns += worker.rewards
        self.assertTrue((worker.flags == TERMINATED | FIRST).all())
        state = worker.ask("state", env=26)["state"]
        self.assertEqual(state["level"], "contributed/dmlab30/explore_goal_locations_small")
        self.assertEqual((state["task"], state["tasks_counted"], state["episodes_counted"]), (26, 30, 1))
        self.assertAlmostEqual(state["mean_return"], returns[26])
        self.assertAlmostEqual(
            state["human_normalised_percent"], 100 * (returns[26] - 7.66) / (267.5 - 7.66), places=9
        )
        means = {task: returns[task] for task in range(1, 30)}
        means[0] = (returns[0] + returns[30]) / 2
        self.assertAlmostEqual(state["capped_mean_percent"], dmlab30.capped_mean(means))

    def test_a_part_of_a_group_begins_with_its_own_task(self):
        worker = self.worker("--path", str(HERE / "stand_ins"))
        reply = worker.ask("open", protocol=1, id="dmlab:dmlab30", kwargs={}, count=2, first=29)
        worker.spec, worker.count = reply["spec"], 2
        worker.map()
        levels = [worker.ask("state", env=env)["state"]["task"] for env in range(2)]
        self.assertEqual(levels, [29, 0])

    def test_hold_out_levels_are_those_for_tests(self):
        worker = self.dmlab("dmlab:rooms_collect_good_objects_train", hold_out=True)
        state = worker.ask("state", env=0)["state"]
        self.assertEqual(state["level"], "contributed/dmlab30/rooms_collect_good_objects_test")
        self.assertEqual(state["task"], 0)

    def test_the_level_cache_returns_what_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            pictures = []
            for turn in range(3):
                worker = self.dmlab("dmlab:explore_goal_locations_small", 4, level_cache=folder)
                worker.exchange(RESET, seeds=[8, 9, 10, 11])
                pictures.append(worker.leaves[0].copy())
                files = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
                self.assertEqual(len(files), 5, "of four seeds, and of seed 0 when the worker was opened")
                self.assertEqual({len(path.parent.name) for path in files}, {3})
                for file in files if turn == 1 else []:
                    file.write_text("\n".join(maze.maze(11, 1.0, random.Random(0))))
            np.testing.assert_array_equal(pictures[0], pictures[1])
            self.assertFalse((pictures[0] == pictures[2]).all(), "the maps in the files are played")

    def test_what_is_wrong_is_explained(self):
        cases = {
            ("dmlab:broken", "Failed to connect RL API"): {},
            ("dmlab:nav_maze", "Invalid levelName flag 'nav_maze'"): {},
            ("dmlab:rooms_watermaze", r"actions must be 9 .* or 15 .*, not 7"): {"actions": 7},
            ("dmlab:rooms_watermaze", "Unknown observation 'DEPTH'"): {"observations": "DEPTH"},
            ("maze:find_goal", "task_input needs a task of DMLab-30"): {"task_input": True},
        }
        for (env_id, text), kwargs in cases.items():
            env_id = "dmlab:contributed/dmlab30/broken" if env_id == "dmlab:broken" else env_id
            with self.assertRaisesRegex(Refused, text):
                self.dmlab(env_id, **kwargs)
        with self.assertRaisesRegex(
            Refused, "import: this id needs DeepMind Lab.*pack install dmlab --python"
        ):
            self.open("dmlab:rooms_watermaze")


class Scores(unittest.TestCase):
    def test_scores_are_normalised_and_capped(self):
        self.assertEqual(len(dmlab30.TASKS), 30)
        for task, (_, _, human, random) in enumerate(dmlab30.TASKS):
            self.assertAlmostEqual(dmlab30.human_normalised(task, human), 100)
            self.assertAlmostEqual(dmlab30.human_normalised(task, random), 0)
        # A score twice that of a human in one task does not make up for a random score in another.
        means = {3: 2 * dmlab30.TASKS[3][2], 4: dmlab30.TASKS[4][3]}
        self.assertAlmostEqual(dmlab30.capped_mean(means), 50)

    def test_levels_have_their_tasks(self):
        self.assertEqual(dmlab30.task_of("rooms_watermaze"), 3)
        self.assertEqual(dmlab30.task_of("contributed/dmlab30/rooms_collect_good_objects_test"), 0)
        self.assertIsNone(dmlab30.task_of("lt_chasm"))


if __name__ == "__main__":
    unittest.main()
