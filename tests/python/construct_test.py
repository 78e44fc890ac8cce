# SPDX-License-Identifier: Apache-2.0
"""How environments are constructed: arguments, time limits, render modes, registered ids, and files in
folders and packages. Needs Gymnasium."""

import enum
import pathlib
import re
import sys
import tempfile
import types
import typing
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"))
try:
    import gymnasium
    import numpy as np
    from fake_host import ENVS, RESET, STEP, TRUNCATED, Refused
    from worker_test import WorkerCase
    from seedbed_worker import gym, single
    from seedbed_worker.arguments import fitted, guess, parameters
    from seedbed_worker.errors import WorkerError
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

REGISTERED = f"{ENVS}/gym_registered.py"


class Mode(enum.Enum):
    EASY = 1
    HARD = 2


class Base:
    def __init__(self, depth: int = 3):
        pass


class Many(Base):
    def __init__(
        self, flag=True, count=5, rate=0.5, name="a", free=None, sizes=(1, 2), table={}, mode=Mode.EASY,
        perhaps: typing.Optional[int] = None, either: "str | int" = 1,
        level: typing.Literal["low", 2] = "low",
        ratio: float = 1, folder=pathlib.Path("x"), odd: "Unknown" = 4,
        tags: typing.Optional[list[str]] = None, words=("a", "b"), kept: typing.Final[str] = "x", **others,
    ):  # fmt: skip
        super().__init__(**others)


class Arguments(unittest.TestCase):
    def test_the_default_decides_the_type(self):
        for name, value, expected in [
            *[("flag", text, False) for text in (False, "False", "false", "no", "off", 0, "0")],
            *[("flag", text, True) for text in (True, "True", "yes", 1)],
            ("count", 7, 7), ("count", "1e6", 10**6), ("count", 3.0, 3), ("count", str(10**23), 10**23),
            ("rate", 2, 2.0), ("rate", "1e-3", 0.001), ("rate", "1.50", 1.5),
            ("name", 5, "5"), ("name", "1.50", "1.50"), ("name", True, "true"), ("name", "None", "None"),
            ("free", "1e-3", 0.001), ("free", "None", None), ("free", "True", True), ("free", "text", "text"),
            ("free", "5", "5"), ("free", '{"a": 1}', {"a": 1}), ("free", 5, 5),
            ("sizes", [3, 4], (3, 4)), ("sizes", "3, 4", (3, 4)), ("table", '{"a": [1]}', {"a": [1]}),
            ("mode", "HARD", Mode.HARD), ("level", 2, 2), ("perhaps", "none", None), ("perhaps", 4, 4),
            ("either", "x", "x"), ("either", 2, 2), ("either", "1e1", 10), ("ratio", 0.5, 0.5),
            ("ratio", "1e-3", 0.001), ("folder", "a/b", pathlib.Path("a/b")), ("odd", 3, 3),
            ("depth", "1e1", 10), ("more", "1e1", 10.0),
            ("tags", "a, b", ["a", "b"]), ("tags", "a", ["a"]), ("tags", "5,6", ["5", "6"]),
            ("tags", '["a", "b,c"]', ["a", "b,c"]), ("tags", "none", None), ("words", "c,d", ("c", "d")),
            ("kept", "a,b", "a,b"),
        ]:  # fmt: skip
            with self.subTest(name=name, value=value):
                found = fitted({name: value}, Many, {}, "Many")[name]
                self.assertEqual((found, type(found)), (expected, type(expected)))

    def test_what_does_not_fit_is_refused_with_a_remedy(self):
        for name, value, about in [
            ("flag", "maybe", "(bool, default True); write true or false"),
            ("flag", 2, "(bool, default True); write true or false"),
            ("count", 2.5, "(int, default 5); write a whole number"),
            ("count", "text", "(int, default 5); write a whole number"),
            ("count", True, "(int, default 5); write a whole number"),
            ("rate", "fast", "(float, default 0.5); write a number"),
            ("sizes", 'a"', "(tuple, default (1, 2)); write a list such as [1, 2]"),
            ("mode", "SOFT", "(choice, default EASY); write one of EASY, HARD"),
            ("perhaps", 2.5, "(int or None, default None); write a whole number or none"),
            ("depth", 2.5, "(int, default 3); write a whole number"),
        ]:
            with self.subTest(name=name, value=value), self.assertRaises(WorkerError) as caught:
                fitted({name: value}, Many, {}, "Many")
            self.assertIn(f"does not fit the argument '{name}' {about}", str(caught.exception))

    def test_every_argument_is_shown_with_type_default_and_choices(self):
        class Some(Base):
            def __init__(
                self, size: int, level: typing.Optional[typing.Literal["low", 2]] = None, mode=Mode.EASY,
                free=None, sizes=(1, 2), tags: list[str] = (), far=float("inf"), **others,
            ):  # fmt: skip
                pass

        found = {entry.pop("name"): entry for entry in parameters(Some, {"sizes": (3, 4)})}
        self.assertEqual(
            found,
            {
                "depth": {"type": "int", "default": 3},
                "size": {"type": "int", "required": True, "default": None},
                "level": {"type": "choice or None", "choices": ["low", "2", "none"], "default": None},
                "mode": {"type": "choice", "choices": ["EASY", "HARD"], "default": "EASY"},
                "free": {"type": "any", "default": None},
                "sizes": {"type": "tuple", "default": [3, 4]},
                "tags": {"type": "list or tuple", "default": []},
                "far": {"type": "float", "default": "inf"},
            },
        )

    def test_registered_values_are_defaults(self):
        refused = "'0.5' does not fit .*'rate' .int, default 3.; write a whole"
        with self.assertRaisesRegex(WorkerError, refused):
            fitted({"rate": 0.5}, Many, {"rate": 3}, "Many")
        with self.assertRaisesRegex(WorkerError, "has no argument 'dept'; did you mean 'depth'"):
            fitted({"dept": 1}, Base, {}, "Base")
        self.assertEqual(guess("[1, 2]"), [1, 2])


class Recipes(unittest.TestCase):
    """The environments of this process."""

    def setUp(self):
        path, sys.path = sys.path, [*sys.path]
        self.addCleanup(setattr, sys, "path", path)
        self.notes = []

    def source(self, name, limit=None, count=2, **kwargs):
        host = types.SimpleNamespace(time_limit=limit, wrap=None, note=self.notes.append)
        return gym.source(name, kwargs, count, host)

    def length(self, made):
        """Steps until the first environment ends an episode, at most 400."""
        env = getattr(made, "engine", None)
        env = env.env if env else made.envs[0]
        env.reset(seed=1)
        action = np.zeros(made.count, int) if hasattr(made, "engine") else 0
        ends = (step for step in range(1, 401) if np.any(np.logical_or(*env.step(action)[2:4])))
        return next(ends, None)

    def test_the_time_limit_replaces_those_of_wrappers(self):
        limits, vectors = f"{ENVS}/gym_limits.py", f"{ENVS}/gym_vectors.py"
        for name, kwargs, own, longer in [
            ("MountainCar-v0", {}, 200, None),
            ("MountainCar-v0", {"max_episode_steps": 20}, 20, None),
            (f"{limits}:inner_limit", {}, 9, 10),  # where the pole falls
            (f"{limits}:two_limits", {}, 9, 10),
            (f"{vectors}:next_step", {"max_episode_steps": 5}, 5, 9),
            (f"{ENVS}/constructors.py:Limited", {}, 7, None),
            (f"{REGISTERED}:processes", {}, 5, 10),
            (f"{REGISTERED}:NoVersion", {}, 5, 10),
        ]:
            for limit in (None, 0, 1000):
                with self.subTest(name=name, limit=limit, **kwargs):
                    made = self.source(name, limit, **kwargs)
                    found = self.length(made)
                    if limit is None:
                        self.assertEqual(found, own)
                    else:
                        self.assertTrue(found == longer or longer == 9 and 9 <= found <= 10, found)
                        self.assertEqual(made.spec["horizon"], limit)
                    made.close()

    def test_states_from_before_the_wrapper_was_removed_are_loaded(self):
        before, after = self.source("MountainCar-v0"), self.source("MountainCar-v0", 1000)
        for made in (before, after):
            made.envs[0].reset(seed=1)
        before.envs[0].step(2)
        single.saved.load(after.envs[0], single.saved.save(before.envs[0]))
        np.testing.assert_array_equal(after.envs[0].unwrapped.state, before.envs[0].unwrapped.state)

    def test_render_modes(self):
        for name, mode, reason in [
            ("Steps", "rgb_array", ""),
            ("Frames", "rgb_array_list", ""),
            ("TextOnly", None, "no pictures: its metadata['render_modes'] are ansi; pictures need"),
            ("Headless", None, "no pictures: its constructor failed with render_mode='rgb_array'"),
            ("Undrawn", None, ""),
        ]:
            with self.subTest(name):
                made = self.source(f"{REGISTERED}:{name}")
                self.assertEqual(getattr(made.envs[1], "render_mode", None), mode)
                self.assertRegex(made.recipe.no_pictures, re.escape(reason) if reason else "^$")
        self.assertEqual(len(self.notes), 1, "Headless reports it once")

    def test_registered_ids(self):
        for name, title, length in [
            ("my-space/VectorOnly-v0", "my-space/VectorOnly-v0", 4),
            ("my-space/Partial-v0", "my-space/Partial-v0", 7),
            ("NoVersion", "NoVersion", 5),
            ("my-space/Versions", "my-space/Versions-v2", 3),
            ("my-space/Versions-v1", "my-space/Versions-v1", 10),
        ]:
            for place in (REGISTERED, "gym_registered"):
                made = self.source(f"{place}:{name}")
                self.assertEqual((made.spec["title"], self.length(made)), (title, length))
        self.assertEqual(self.source("CartPole").spec["title"], "CartPole-v1")
        self.assertEqual(self.length(self.source(f"{REGISTERED}:my-space/Versions", length="4")), 4)
        half = self.source(f"{REGISTERED}:my-space/Half-v0", length=1)
        self.assertEqual(half.recipe.kwargs, {"length": 1.0})
        self.source(f"{REGISTERED}:my-space/Half-v0", length=2.5)
        with self.assertRaisesRegex(WorkerError, "'2.5' does not fit the argument 'length' .int, default 7"):
            self.source(f"{REGISTERED}:my-space/Partial-v0", length=2.5)


class Folders(WorkerCase):
    def folder(self, corridor="corridor.py", **files):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        for name, text in {corridor: (ENVS / "corridor.py").read_text(), **files}.items():
            path = pathlib.Path(made.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return pathlib.Path(made.name)

    def test_a_file_runs_in_its_folder_and_in_its_package(self):
        world = "from .size import LENGTH\nfrom corridor import Corridor\n"
        world += "class World(Corridor):\n    def __init__(self):\n        super().__init__(LENGTH)\n"
        world += "        self.place = open('data/place.txt').read()\n"
        files = {"json/world.py": world, "json/size.py": "LENGTH = 4", "json/__init__.py": "import json\n"}
        files |= {"json/data/place.txt": "here", "plain/world.py": world}
        folder = self.folder("json/corridor.py", **files)
        spec = self.open(f"gym:{folder}/json/world.py:World").spec
        names = [pathlib.Path(file["path"]).name for file in spec["files"]]
        self.assertEqual(names, ["world.py", "__init__.py", "corridor.py", "size.py"])
        with self.assertRaisesRegex(Refused, "needs an empty file __init__.py in .*plain"):
            self.open(f"gym:{folder}/plain/world.py:World")
        (folder / "json" / "data" / "place.txt").unlink()
        with self.assertRaisesRegex(Refused, "'data/place.txt'; the working folder is .*json"):
            self.open(f"gym:{folder}/json/world.py:World")

    def test_pictures_and_the_limit_of_the_host(self):
        worker = self.worker()
        name = f"gym:{REGISTERED}"
        for limit, flag in [({"time_limit": 0}, 0), ({}, TRUNCATED)]:
            request = {"protocol": 1, "id": f"{name}:NoVersion", "kwargs": {"length": 9}, "count": 1, **limit}
            worker.spec, worker.count = worker.ask("open", **request)["spec"], 1
            worker.map()
            worker.exchange(RESET)
            for _ in range(5):
                worker.exchange(STEP, [0])
            self.assertEqual(worker.flags.tolist(), [flag])
        worker.open(f"{name}:Frames")
        worker.exchange(RESET)
        self.assertEqual(worker.picture(0).max(), 2, "the last frame")
        worker.open(f"{name}:TextOnly")
        with self.assertRaisesRegex(Refused, "render: TextOnly has no pictures: .* are ansi; pictures need"):
            worker.picture(0)

    def test_restrictions_name_the_remedy(self):
        lines = ["import multiprocessing, os", "from corridor import Corridor", "class Asks(Corridor):"]
        lines += ["    def step(self, action):", "        if action:", "            open('file', 'w')"]
        lines += ["        multiprocessing.get_context('forkserver').Process(target=os.getpid).start()"]
        folder = self.folder(**{"asks.py": "\n".join(lines)})
        with tempfile.TemporaryDirectory() as scratch:
            worker = self.worker("--scratch", scratch)
            worker.open(f"gym:{folder}/asks.py:Asks")
            active = worker.restrictions["active"]
            cases = [(0, "sockets", "'fork' or 'spawn'"), (1, "read-only", "only to the folder")]
            for action, needed, remedy in cases:
                worker.exchange(RESET)
                worker.exchange(STEP, [action])
                if needed in active:
                    self.assertIn(remedy, worker.errors()[0]["error"])

    def test_too_many_choices_are_refused(self):
        lines = ["from corridor import Corridor, Discrete", "class Big(Corridor):", "    def __init__(self):"]
        lines += ["        super().__init__()", "        self.action_space = Discrete(2**31)"]
        folder = self.folder(**{"big.py": "\n".join(lines)})
        with self.assertRaisesRegex(Refused, "the action space: .*at most 1,048,576 choices.*MultiDiscrete"):
            self.open(f"gym:{folder}/big.py:Big")


if __name__ == "__main__":
    unittest.main()
