# SPDX-License-Identifier: Apache-2.0
"""The Python package: the wheel, training, policies, errors and the examples of the docs.

usage: wheel_test.py LIBSEEDBED
"""

import ctypes.util
import inspect
import itertools
import json
import math
import os
import pathlib
import platform
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
import zipfile

from installed import FOLDER, LIBRARY, ROOT, SITE, seedbed
import gymnasium as gym
import numpy as np
import pandas
import polars


def auditwheel_command(folder):
    """The auditwheel of wheel.sh, installed into the folder, as a command line; or a reason why not."""
    if shutil.which("patchelf") is None:
        return "patchelf is not installed"
    wanted = re.search(r"auditwheel==[\d.]+", (ROOT / "packaging" / "wheel.sh").read_text())[0]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--retries", "0"]
    done = subprocess.run([*pip, "--target", folder, wanted], capture_output=True, text=True)
    if done.returncode != 0:
        return f"{wanted} cannot be installed: {done.stderr.strip().splitlines()[-1:]}"
    return [sys.executable, "-m", "auditwheel"]


SMALL = {"network.hidden": [16, 16], "algo.rollout_length": 16, "actor.num_envs": 8}


class Package(unittest.TestCase):
    def test_the_same_sources_give_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("a", "b"):
                subprocess.run(
                    [sys.executable, ROOT / "packaging" / "make_wheel.py", LIBRARY, f"{folder}/{part}"],
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
            wheels = [path.read_bytes() for path in sorted(pathlib.Path(folder).rglob("*.whl"))]
        self.assertEqual(len(wheels), 2)
        self.assertEqual(wheels[0], wheels[1])

    def test_the_repaired_wheel_is_manylinux_and_contains_what_it_needs(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=FOLDER.name))
        auditwheel = auditwheel_command(folder / "tools")
        if isinstance(auditwheel, str):
            self.skipTest(auditwheel)
        wheel = next((pathlib.Path(FOLDER.name) / "dist").glob("*.whl"))
        done = subprocess.run([*auditwheel, "repair", "-w", folder / "repaired", wheel], capture_output=True,
                              text=True, env={**os.environ, "PYTHONPATH": str(folder / "tools")})
        self.assertEqual(done.returncode, 0, done.stderr)
        (path,) = (folder / "repaired").glob("*.whl")
        pattern = rf"seedbed-{seedbed.__version__}-py3-none-((?:manylinux_?\w+\.?)+)\.whl"
        name = re.fullmatch(pattern, path.name)
        self.assertTrue(name, path.name)
        # At most the glibc of this machine; on Debian 12, the 2.36 that the docs state.
        least = re.search(r"manylinux_2_(\d+)_", name[1])
        self.assertLessEqual(int(least[1]), int(platform.libc_ver()[1].split(".")[1]))
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            (info,) = (n for n in names if n.endswith(".dist-info/WHEEL"))
            tags = re.findall(r"^Tag: (.*)$", archive.read(info).decode(), re.M)
            archive.extractall(folder / "site")
        self.assertEqual(sorted(tags), sorted(f"py3-none-{tag}" for tag in name[1].split(".")))
        library = folder / "site" / "seedbed" / "lib" / "libseedbed.so"
        linked = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
        outside = [line.split()[0] for line in linked.splitlines()
                   if "=>" in line and str(folder) not in line.split("=>")[1]]
        allowed = {f"lib{name}" for name in ("stdc++.so.6", "m.so.6", "gcc_s.so.1", "c.so.6", "z.so.1")}
        self.assertLessEqual(set(outside), allowed)
        program = "import seedbed; print(seedbed.make_vec('cartpole', 4).reset()[0].shape)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env={"PYTHONPATH": str(folder / "site")})
        self.assertEqual(done.stdout.strip(), "(4, 4)", done.stderr)

    def test_every_preset_of_the_package_has_a_built_in_environment(self):
        self.assertGreater(len(seedbed.presets()), 50)
        for name in seedbed.presets():
            seedbed.make_vec(seedbed.preset(name)["env"], 4).close()  # up to 4 agents each

    def test_the_public_functions_have_types(self):
        self.assertTrue((SITE / "seedbed" / "py.typed").exists())
        public = [getattr(seedbed, name) for name in seedbed.__all__]
        methods = [m for part in public if inspect.isclass(part) for name, m in vars(part).items()
                   if inspect.isfunction(m) and (not name.startswith("_") or name == "__init__")]
        for function in [part for part in public if inspect.isfunction(part)] + methods:
            signature = inspect.signature(function)
            types = [p.annotation for p in signature.parameters.values() if p.name != "self"]
            missing = inspect.Signature.empty in [*types, signature.return_annotation]
            self.assertFalse(missing, f"{function.__qualname__}{signature}")

    def test_the_examples_of_the_docs_run(self):
        text = (ROOT / "docs" / "python.md").read_text()
        examples = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(examples), 4)
        for example in examples:
            done = subprocess.run(
                [sys.executable, "-c", example], capture_output=True, text=True, env={"PYTHONPATH": str(SITE)}
            )
            self.assertEqual(done.returncode, 0, example + done.stderr)
            self.assertNotIn("False", done.stdout, example)

    def test_a_library_that_cannot_be_used_is_an_import_error(self):
        folder = pathlib.Path(FOLDER.name)
        text = folder / "text.so"
        text.write_text("not a library")
        other = ctypes.util.find_library("z")  # a library without our functions
        for path, cause in ((text, "text.so"), (folder, "directory"), (folder / "none.so", "none.so"),
                            (other, "seedbed_")):
            done = subprocess.run([sys.executable, "-c", "import seedbed"], capture_output=True, text=True,
                                  env={"PYTHONPATH": str(SITE), "SEEDBED_LIBRARY": str(path)})
            self.assertEqual(done.returncode, 1)
            last = done.stderr.strip().splitlines()[-1]
            self.assertRegex(last, rf"^ImportError: libseedbed cannot be loaded: .*{cause}.*\. Unset "
                             "SEEDBED_LIBRARY, or let it name libseedbed.so of this version$")

    def test_training_needs_no_gymnasium_and_environments_name_it(self):
        program = """import sys
sys.modules["gymnasium"] = None
import seedbed
run = seedbed.train("cartpole", steps=2000)
print(run.steps >= 2000, len(run.policy().act([0] * 4).shape))
run.close()
try: seedbed.make_vec("cartpole", 2)
except ImportError as error: print("gymnasium" in str(error))
try: seedbed.nothing
except AttributeError as error: print("nothing" in str(error))
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env={"PYTHONPATH": str(SITE)})
        self.assertEqual(done.stdout.split(), ["True", "0", "True", "True"], done.stderr)


class Corridor(gym.Env):
    """The right end of a corridor gives 1; mixed observations, a mask and an offset action."""

    observation_space = gym.spaces.Dict(
        {
            "place": gym.spaces.Discrete(6),
            "picture": gym.spaces.Box(0, 255, (8, 9, 3), np.uint8),
            "parts": gym.spaces.Tuple((gym.spaces.Box(-1, 1, (2, 2)), gym.spaces.MultiBinary(2))),
        }
    )
    action_space = gym.spaces.Discrete(2, start=1)
    failing = False

    def seen(self):
        place = self.place
        parts = np.full((2, 2), place / 6, np.float32), np.array([place % 2, 1], np.int8)
        return {"place": place, "picture": np.full((8, 9, 3), place, np.uint8), "parts": parts}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place, self.steps = 0, 0
        return self.seen(), {"action_mask": np.array([1, 1])}

    def step(self, action):
        if Corridor.failing:
            raise ArithmeticError("the simulator broke")
        assert action in (1, 2)
        self.steps += 1
        self.place = max(0, self.place + (1 if action == 2 else -1))
        ends = self.place == 5
        return self.seen(), float(ends), ends, self.steps == 30, {"action_mask": np.array([1, 1])}


class Training(unittest.TestCase):
    def test_a_preset_is_solved(self):
        run = seedbed.train("cartpole", 60_000, seed=1)
        self.assertGreaterEqual(run.steps, 60_000)
        self.assertGreater(run.mean_return, 300)
        rows = run.metrics("list")
        self.assertEqual([row["updates"] for row in rows], list(range(1, len(rows) + 1)))
        self.assertTrue(math.isfinite(rows[-1]["policy/entropy"]))
        self.assertIn("<svg", run._repr_html_())
        policy, env = run.policy(), seedbed.make_vec("cartpole", 4)
        observations, _ = env.reset(seed=3)
        for step in range(200):
            observations, _, terminated, _, _ = env.step(policy.act(observations))
            self.assertFalse(terminated.any(), step)
        single = policy.act(observations[0])
        self.assertEqual(single, policy.act(observations)[0])
        run.close()

    def test_a_different_algorithm_uses_its_own_defaults(self):
        with seedbed.train("catch", 500, settings={"algo.id": "r2d2"}) as run:  # needs a recurrent core
            self.assertGreaterEqual(run.steps, 500)

    def test_the_same_seed_gives_the_same_numbers_for_any_number_of_threads(self):
        bits = []
        for threads in (1, 2):
            with seedbed.train("catch", 2000, seed=4, settings=SMALL, threads=threads) as run:
                rows = run.metrics("list")
                bits.append([(row["steps"], row["policy/entropy"]) for row in rows])
        self.assertEqual(bits[0], bits[1])

    def test_a_gymnasium_environment_is_learned(self):
        run = seedbed.train(Corridor, 12_000, num_envs=8, seed=2, settings={
            "algo.rollout_length": 32, "algo.learning_rate": 3e-3, "network.hidden": [32]})
        self.assertGreater(run.mean_return, 0.95)
        policy = run.policy()
        self.assertEqual(len(policy.names), 4)
        run.close()

    def test_rewards_and_ends_of_a_gymnasium_environment_arrive(self):
        class Counting(gym.Env):
            observation_space, action_space = gym.spaces.Box(0, 100, (1,)), gym.spaces.Box(-2, 2, (3,))

            def reset(self, *, seed=None, options=None):
                self.steps = 0
                return np.zeros(1, np.float32), {}

            def step(self, action):
                assert action.shape == (3,) and (np.abs(action) <= 2).all()
                self.steps += 1
                return np.full(1, self.steps, np.float32), 1.0, self.steps == 7, False, {}

        run = seedbed.train(Counting, 600, num_envs=4, settings={"algo.rollout_length": 20})
        self.assertEqual(run.mean_return, 7)
        run.close()

    def test_exceptions_of_the_environment_and_the_callback_leave_train(self):
        with self.assertRaisesRegex(ArithmeticError, "the simulator broke"):
            Corridor.failing = True
            try:
                seedbed.train(Corridor, 1000, num_envs=2)
            finally:
                Corridor.failing = False
        calls = []

        def callback(run):
            calls.append(run.steps)
            if len(calls) == 3:
                raise ZeroDivisionError
            return None

        with self.assertRaises(ZeroDivisionError):
            seedbed.train("catch", 100_000, settings=SMALL, callback=callback)
        self.assertEqual(len(calls), 3)

    def test_a_callback_ends_training_and_training_continues(self):
        run = seedbed.train("catch", 100_000, settings=SMALL, callback=lambda run: run.updates < 2)
        self.assertEqual(run.updates, 2)
        run.set("algo.learning_rate", 1e-5)
        run.train(128)
        self.assertEqual(run.updates, 3)
        run.close()

    def test_a_goal_by_time_ends_training(self):
        # Such an update is computed in pieces, so that the time ends in the middle of one.
        slow = {"network.hidden": [512, 512], "algo.rollout_length": 256, "run.minutes": 0.02, "run.steps": 0}
        with tempfile.TemporaryDirectory() as folder:
            for data in (None, pathlib.Path(folder) / "data"):
                run = seedbed.train("cartpole", 10**9, settings=slow, data_folder=data)
                self.assertTrue(run.progress().goal_reached)
                self.assertLessEqual(len(run.metrics("list")), run.updates)
                run.close()

    def test_pieces_of_slow_updates_begin_small_so_that_each_update_has_a_row(self):
        run, library, budgets = seedbed.train("catch", 128, settings=SMALL), seedbed._library.library, []
        pump, clock = library.pump, itertools.count(0, 0.5)

        def piece(handle, budget):
            budgets.append(budget)
            if len(budgets) not in (3, 4):  # the others complete an update
                pump(handle, -1)

        with unittest.mock.patch.object(library, "pump", piece):
            with unittest.mock.patch.object(seedbed.training.time, "monotonic", clock.__next__):
                run.train(3 * 128)
            run.train(128)
        self.assertEqual(budgets, [-1, 1, 1, 2, 4, -1])
        self.assertEqual(len(run.metrics("list")), run.updates)
        run.close()

    def test_a_paused_run_is_not_polled_without_rest(self):
        run, library, calls = seedbed.train("catch", 128, settings=SMALL), seedbed._library.library, []
        pump = library.pump

        def paused(handle, budget):
            calls.append(time.monotonic())
            if len(calls) > 3:
                pump(handle, budget)

        with unittest.mock.patch.object(library, "pump", paused):
            run.train(128)
        self.assertEqual(len(calls), 4)
        self.assertGreaterEqual(calls[3] - calls[0], 3 * seedbed.training.WAIT_S)
        run.close()

    def test_ctrl_c_leaves_a_run_that_continues(self):
        run = seedbed.train("catch", 128, settings=SMALL)
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        with self.assertRaises(KeyboardInterrupt):
            run.train(10**9)
        steps = run.steps
        run.train(128)
        self.assertGreater(run.steps, steps)
        run.close()

    def test_other_threads_run_during_training(self):
        counted, stop = [0], threading.Event()

        def count():
            while not stop.wait(0.002):
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        settings = {"network.hidden": [512, 512], "algo.rollout_length": 256}
        seedbed.train("cartpole", 16_384, settings=settings).close()
        stop.set()
        thread.join()
        self.assertGreater(counted[0], 5)

    def test_metrics_are_frames_with_a_row_per_update(self):
        with seedbed.train("catch", 1024, settings=SMALL) as run:
            run.history[-1]["later"] = 5.0  # a metric that earlier updates lack
            rows, frames = run.metrics("list"), (run.metrics(), run.metrics("polars"))
            self.assertIsInstance(frames[0], pandas.DataFrame)
            self.assertIsInstance(frames[1], polars.DataFrame)
            for frame in frames:
                self.assertEqual(list(frame["steps"]), [row["steps"] for row in rows])
                self.assertEqual(list(frame["policy/entropy"]), [row["policy/entropy"] for row in rows])
                self.assertEqual(frame["later"].sum(), 5)
                self.assertEqual(frame.shape, (len(rows), len(rows[-1])))
            with self.assertRaisesRegex(ValueError, "supported: 'pandas', 'polars', 'list'"):
                run.metrics("numpy")

    def test_a_live_curve_is_updated_in_place_and_ends_with_the_last_update(self):
        shown, display = [], unittest.mock.Mock()
        display.return_value.update = shown.append
        display.side_effect = lambda picture, display_id: shown.append(picture) or unittest.mock.DEFAULT
        fake = types.SimpleNamespace(HTML=lambda text: text, display=display)
        modules = {"IPython": types.SimpleNamespace(display=fake), "IPython.display": fake}
        clock = unittest.mock.Mock(return_value=0.0)
        curve = seedbed.LiveCurve()
        with unittest.mock.patch.dict(sys.modules, modules), \
                unittest.mock.patch.object(seedbed.training.time, "monotonic", clock):
            with seedbed.train("catch", 1280, settings=SMALL, callback=curve) as run:
                self.assertGreater(run.updates, 3)
                # The first update, and the last one although no time has passed.
                self.assertEqual(len(shown), 2)
                self.assertEqual(shown[1], run._repr_html_())
                self.assertIn(f"{run.steps:,} decisions", shown[1])
                curve.draw(run)
                self.assertEqual(len(shown), 2)
                with self.assertRaises(ZeroDivisionError), \
                        unittest.mock.patch.object(run, "piece", side_effect=ZeroDivisionError):
                    run.train(128, callback=curve)
                self.assertEqual(len(shown), 2)
                clock.return_value = seedbed.training.INTERVAL_S
                run.train(128, callback=curve)
                self.assertEqual(len(shown), 3)
        display.assert_called_once()

    def test_data_of_a_newer_version_is_refused_and_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder) / "data"
            seedbed.train("catch", 128, settings=SMALL, data_folder=data).close()
            with sqlite3.connect(data / "seedbed.db") as database:
                database.execute("PRAGMA user_version = 9999")
                database.execute("PRAGMA journal_mode = DELETE")
            database.close()
            before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
            for arguments in ({}, {"resume": 1}):
                with self.assertRaisesRegex(seedbed.Error, "newer version of Seedbed") as caught:
                    seedbed.train("catch", 128, settings=SMALL, data_folder=data, **arguments)
                self.assertEqual(caught.exception.code, 11)
            after = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
            self.assertEqual(after, before)

    def test_a_recorded_run_is_resumed_and_its_policy_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder) / "data"
            run = seedbed.train("catch", 512, settings=SMALL, data_folder=data, name="first")
            number, steps = run.number, run.steps
            run.close()
            again = seedbed.train("catch", 512, data_folder=data, resume=number)
            self.assertEqual(again.number, number)
            self.assertGreaterEqual(again.steps, steps + 512)
            again.save(pathlib.Path(folder) / "policy")
            again.close()
            policy = seedbed.Policy.load(pathlib.Path(folder) / "policy")
            self.assertEqual(policy.environment, "catch")
            env = seedbed.make_vec("catch", 3)
            actions = policy.act(env.reset(seed=1)[0])
            self.assertEqual(actions.shape, (3,))
            self.assertEqual(policy.sample(4).act(env.reset(seed=1)[0]).dtype, np.int64)

    def test_mistakes_are_explained(self):
        with self.assertRaisesRegex(seedbed.Error, "learning_rat"):
            seedbed.train("cartpole", 100, settings={"algo.learning_rat": 1})
        with self.assertRaisesRegex(seedbed.Error, "unknown env"):
            seedbed.train("no_such_environment", 100)
        with self.assertRaisesRegex(TypeError, "spaces of the type Text"):
            seedbed.train(lambda: Texts(), 100)
        with self.assertRaisesRegex(ValueError, "NEXT_STEP"):
            mode = gym.vector.AutoresetMode.SAME_STEP
            seedbed.train(gym.vector.SyncVectorEnv([Corridor], autoreset_mode=mode), 100)
        with self.assertRaisesRegex(seedbed.Error, "no_such_folder"):
            seedbed.Policy.load("no_such_folder")
        run = seedbed.train("catch", 128, settings=SMALL)
        with self.assertRaisesRegex(ValueError, "elements; expected"):
            run.policy().act(np.zeros(3, np.float32))
        with self.assertRaisesRegex(seedbed.Error, "cannot change while a run is in progress"):
            run.set("network.hidden", [3])
        errors = []

        def elsewhere():
            try:
                run.train(128)
            except seedbed.Error as error:
                errors.append(str(error))

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        self.assertRegex(errors[0], "only the thread that created the trainer")
        run.close()


class Texts(gym.Env):
    observation_space, action_space = gym.spaces.Text(5), gym.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        return "a", {}

    def step(self, action):
        return "a", 0.0, False, False, {}


if __name__ == "__main__":
    unittest.main()
