# SPDX-License-Identifier: Apache-2.0
"""Environments from files in a worker: the exchange, seeds, masks, pictures and descriptions. Needs NumPy."""

import hashlib
import os
import pathlib
import random
import sys
import tempfile
import textwrap
import unittest
import unittest.mock

try:
    import numpy as np
    from fake_host import ENVS, FIRST, REST, RESET, STEP, TERMINATED, TRUNCATED, Refused, Worker
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

sys.path.insert(0, str(ENVS))
import corridor


class WorkerCase(unittest.TestCase):
    def worker(self, *options, **settings):
        worker = Worker(*options, **settings)
        self.addCleanup(worker.close)
        return worker

    def open(self, env_id, count=1, **kwargs):
        worker = self.worker()
        worker.open(env_id, count, **kwargs)
        return worker


class Exchange(WorkerCase):
    def test_the_specification_describes_the_environment(self):
        spec = self.open(f"gym:{ENVS}/corridor.py:Corridor", 3).spec
        self.assertEqual(spec["title"], "Corridor")
        self.assertEqual(spec["sentence"], "Walk to the right end of a corridor.")
        self.assertEqual(spec["agents"], 1)
        self.assertTrue(spec["repeats"])
        self.assertEqual(
            spec["parameters"],
            [
                {"name": "length", "type": "int", "default": 8},
                {"name": "limit", "type": "int", "default": 20},
                {"name": "reward", "type": "float", "default": 1.0},
                {"name": "name", "type": "str", "default": "plain"},
                {"name": "slippery", "type": "bool", "default": False},
            ],
        )
        self.assertEqual(
            spec["spaces"],
            {
                "obs": [
                    {
                        "name": "obs",
                        "kind": "vector",
                        "dtype": "f32",
                        "shape": [2],
                        "low": -1.0,
                        "high": None,
                        "cardinality": 0,
                        "stack": 1,
                        "labels": [],
                    }
                ],
                "actions": [
                    {"name": "action", "kind": "discrete", "n": 2, "low": [], "high": [], "labels": []}
                ],
                "has_mask": False,
            },
        )

    def test_rows_equal_the_environment_stepped_directly(self):
        count, draw = 5, random.Random(1)
        worker = self.open(f"gym:{ENVS}/corridor.py:Corridor", count, length=5, limit=9)
        mirrors = [corridor.Corridor(length=5, limit=9) for _ in range(count)]
        seeds = list(range(100, 100 + count))
        worker.exchange(RESET, seeds=seeds)
        expected = [mirror.reset(seed=seed)[0] for mirror, seed in zip(mirrors, seeds)]
        np.testing.assert_array_equal(worker.leaves[0], expected)
        self.assertTrue((worker.flags == FIRST).all())
        seen, truncated = set(), set()
        for _ in range(300):
            seeds = [draw.randrange(2**32) for _ in range(count)]
            actions = [draw.randrange(2) for _ in range(count)]
            what = [RESET if e in truncated else draw.choice([REST, STEP, STEP, STEP]) for e in range(count)]
            before = worker.leaves[0].copy()
            worker.exchange(what, actions, seeds)
            for e, mirror in enumerate(mirrors):
                obs, reward, flags = before[e], 0.0, 0
                if what[e] == STEP:
                    obs, reward, terminated, cut, _ = mirror.step(actions[e])
                    flags = TERMINATED | FIRST if terminated else TRUNCATED if cut else 0
                if what[e] == RESET:
                    flags = FIRST
                if flags & FIRST:
                    obs, _ = mirror.reset(seed=seeds[e])
                np.testing.assert_array_equal(worker.leaves[0][e], obs)
                self.assertEqual(worker.flags[e], flags)
                if what[e] != REST:
                    self.assertEqual(worker.rewards[e], reward)
                seen.add(flags)
            truncated = {e for e in range(count) if worker.flags[e] & TRUNCATED}
        self.assertEqual(seen, {0, FIRST, TERMINATED | FIRST, TRUNCATED})
        self.assertEqual(worker.errors(), [])

    def test_masks_come_from_info_and_from_the_method(self):
        for name in ("Masked", "MaskMethod"):
            worker = self.open(f"gym:{ENVS}/corridor.py:{name}", 2, length=4)
            self.assertTrue(worker.spec["spaces"]["has_mask"])
            worker.exchange(RESET, seeds=[1, 2])
            for action in (0, 0, 0, 1):
                worker.exchange(STEP, [action, action])
                places = worker.leaves[0][:, 0]
                np.testing.assert_array_equal(worker.mask, [[place > 0, 1] for place in places])

    def test_a_picture_is_drawn_on_request(self):
        worker = self.open(f"gym:{ENVS}/corridor.py:Corridor", 2)
        worker.exchange(RESET, seeds=[1, 2])
        for env in range(2):
            picture = worker.picture(env)
            self.assertEqual(picture.shape, (4, 8, 3))
            self.assertEqual(picture[0, int(worker.leaves[0][env, 0]), 0], 255)
            self.assertEqual(np.count_nonzero(picture), 12)

    def test_without_egl_mujoco_trains_and_names_what_pictures_need(self):
        files = {
            # This machine may have EGL.
            "sitecustomize.py": """
                import ctypes
                class CDLL(ctypes.CDLL):
                    def __init__(self, name, *more, **options):
                        if name == "libEGL.so.1":
                            raise OSError(name)
                        super().__init__(name, *more, **options)
                ctypes.CDLL = CDLL
                """,
            # The real module loads the library that MUJOCO_GL selects when it is imported.
            "mujoco.py": """
                import ctypes, os
                if os.environ.get("MUJOCO_GL") != "disable":
                    ctypes.CDLL("libEGL.so.1")
                """,
            "walker.py": """
                import corridor, mujoco
                class Walker(corridor.Corridor):
                    def render(self):
                        raise RuntimeError("no context")
                """,
        }
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            pathlib.Path(folder.name, name).write_text(textwrap.dedent(text))
        outside = {"PYTHONPATH": folder.name, "MUJOCO_GL": ""}
        with unittest.mock.patch.dict(os.environ, outside):
            del os.environ["MUJOCO_GL"]
            worker = self.worker("--path", folder.name, "--path", str(ENVS))
        worker.open(f"gym:{folder.name}/walker.py:Walker")
        worker.exchange(RESET, seeds=[1])
        worker.exchange(STEP, [1])
        self.assertEqual(worker.flags.tolist(), [0])
        with self.assertRaisesRegex(Refused, "pictures of MuJoCo need EGL"):
            worker.picture(0)

    def test_constructors_that_check_their_arguments_get_no_others(self):
        worker = self.open(f"gym:{ENVS}/constructors.py:Checks", 2, length=5)
        worker.exchange(RESET)
        self.assertEqual(worker.flags.tolist(), [FIRST] * 2)
        with self.assertRaisesRegex(Refused, "constructor: TypeError: unknown settings: nope"):
            self.open(f"gym:{ENVS}/constructors.py:Checks", nope=1)
        self.open(f"gym:{ENVS}/constructors.py:Draws").picture(0)

    def test_the_horizon_is_the_limit_of_truncation(self):
        for name, kwargs, horizon in [
            ("Limited", {}, 7),
            ("Limited", {"max_episode_steps": 9}, 9),
            ("Frames", {}, 0),
        ]:
            worker = self.open(f"gym:{ENVS}/constructors.py:{name}", **kwargs)
            self.assertEqual(worker.spec["horizon"], horizon)

    def test_a_file_does_not_replace_a_module_of_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("json", "numpy", "mine"):
                lines = ["import sys, json, numpy", f"sys.path.insert(0, {str(ENVS)!r})"]
                lines += ["from corridor import Corridor", "json.dumps, numpy.zeros"]
                file = pathlib.Path(folder, f"{name}.py")
                file.write_text("\n".join(lines))
                self.open(f"gym:{file}:Corridor")

    def test_the_files_of_an_environment_are_hashed(self):
        spec = self.open(f"gym:{ENVS}/games.py:Nim").spec
        files = {pathlib.Path(file["path"]).name: file["sha256"] for file in spec["files"]}
        self.assertEqual(list(files), ["games.py", "corridor.py"])
        for name, found in files.items():
            self.assertEqual(found, hashlib.sha256((ENVS / name).read_bytes()).hexdigest())

    def test_the_worker_exits_with_the_host(self):
        worker = Worker()
        worker.open(f"gym:{ENVS}/corridor.py:Corridor")
        self.assertEqual(worker.close(), 0)

    def test_isolated_mode_and_folders_to_import_from(self):
        worker = self.worker("--path", str(ENVS), python=(sys.executable, "-I", "-u"))
        worker.open("gym:corridor:Corridor", length=3)
        worker.exchange(RESET, seeds=[0])
        self.assertEqual(worker.flags[0], FIRST)

    def test_unknown_operations_and_versions_are_refused(self):
        worker = self.worker()
        with self.assertRaisesRegex(Refused, "protocol: unknown operation 'nope'"):
            worker.ask("nope")
        with self.assertRaisesRegex(Refused, "protocol 1, not 2"):
            worker.ask("open", protocol=2)
        with self.assertRaisesRegex(Refused, "no_such_env: 'cartpole' is not an id"):
            worker.open("cartpole")


if __name__ == "__main__":
    unittest.main()
