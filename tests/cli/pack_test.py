# SPDX-License-Identifier: Apache-2.0
"""Packs: installing from this test's package index, failures, interrupts and checks. With SEEDBED_LONG=1 also
installs every pack from the real index and steps its environments."""
import hashlib
import importlib.util
import json
import os
import pathlib
import platform
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from command_case import CommandCase
from fake_index import StallingIndex, make_wheel
from measure import limit

PYTHON = "{}.{}".format(*sys.version_info)
HAS_PIP = subprocess.run([sys.executable, "-I", "-m", "pip", "--version"], capture_output=True,
                         check=False).returncode == 0


class PackCase(CommandCase):

    def setUp(self):
        super().setUp()
        place = pathlib.Path(self.folder.name)
        self.wheels, self.resources = place / "wheels", place / "resources"
        for folder in (self.wheels, self.resources / "presets", self.resources / "packs"):
            folder.mkdir(parents=True)
        self.env |= {
            "SEEDBED_RESOURCES": str(self.resources), "SEEDBED_PYTHON": sys.executable, "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull
        }
        self.env.pop("PIP_INDEX_URL", None)

    def wheel(self, name, version="1.0", text=None):
        return make_wheel(self.wheels, name, version,
                          {f"{name}/__init__.py": text if text is not None else f"VERSION = '{version}'\n"})

    def document_of(self, wheels, **changes):
        packages = []
        for wheel in wheels:
            name, version = wheel.name.split("-")[:2]
            data = wheel.read_bytes()
            packages.append({
                "name": name, "version": version, "bytes": len(data),
                "sha256": [hashlib.sha256(data).hexdigest()]
            })
        return {
            "name": "tiny", "title": "Tiny", "sentence": "A pack of this test.",
            "licences": [{"part": "tiny", "licence": "MIT"}], "schemes": ["tiny"], "envs": ["tiny:one"],
            "modules": [package["name"] for package in packages],
            "platforms": {platform.machine(): [PYTHON]}, "packages": packages, "installed_bytes": 1000,
            **changes
        }

    def write(self, document):
        (self.resources / "packs" / f"{document['name']}.json").write_text(json.dumps(document))
        return document

    def tiny(self, **changes):
        """Writes a pack of two packages."""
        return self.write(self.document_of([self.wheel("alpha"), self.wheel("beta", "2.1")], **changes))

    installed = None  # a folder with what a test has after tiny() and its installation

    def installed_tiny(self):
        """tiny(), installed as it was for an earlier test."""
        place = pathlib.Path(self.folder.name)
        if PackCase.installed is None:
            self.tiny()
            self.seedbed("pack", "install", "tiny")
            shared = tempfile.TemporaryDirectory(prefix="seedbed-packs-")
            unittest.addModuleCleanup(shared.cleanup)
            PackCase.installed = pathlib.Path(shared.name) / "place"
            shutil.copytree(place, PackCase.installed)
        else:
            shutil.copytree(PackCase.installed, place, dirs_exist_ok=True)
        self.assertEqual(self.left(), ["tiny"])
        self.assertEqual(self.state(), "installed")

    def left(self):
        """The contents of the folder of packs, including hidden files."""
        folder = self.data / "packs"
        return sorted(entry.name for entry in folder.iterdir()) if folder.exists() else []

    def state(self):
        return self.document("pack", "show", "tiny")["state"]

    def assertFails(self, code, *texts, arguments=("pack", "install", "tiny", "--quiet"), env=None):
        run = self.seedbed(*arguments, code=code, env=env)
        self.assertText(run, *texts)
        return run


@unittest.skipUnless(HAS_PIP, "this Python has no pip")
class InstallTest(PackCase):

    def test_an_installed_pack_is_listed_checked_moved_and_removed(self):
        self.tiny(files={"extra/__init__.py": "ONE = 1\n"}, modules=["alpha", "beta", "extra"])
        self.assertEqual(self.state(), "not_installed")
        self.assertFails(3, "'seedbed pack install tiny' installs it", arguments=("pack", "check", "tiny"))
        lines = self.seedbed("pack", "install", "tiny").stderr
        self.assertIn("tiny: downloading package 1 of 2: alpha-1.0-py3-none-any.whl (0 B of ", lines)
        self.assertIn("tiny: downloading package 2 of 2: beta-2.1-py3-none-any.whl (", lines)
        self.assertIn("tiny is installed in", lines)
        self.assertEqual(self.left(), ["tiny"])
        self.assertEqual(sorted(file.name for file in (self.data / "packs" / "tiny").iterdir()),
                         ["pack.json", "site"])
        pack = self.document("pack", "show", "tiny")
        self.assertEqual(pack["state"], "installed")
        self.assertEqual(pack["installed"]["python_version"], PYTHON)
        self.assertGreater(pack["installed"]["bytes"], 100)
        checked = self.document("pack", "check", "tiny")
        self.assertEqual((checked["ok"], checked["modules"], checked["packages"]), (True, 3, 2))
        self.assertGreaterEqual(checked["files"], 6)
        # A pack does not contain the path of its folder, so data folders can be moved.
        moved = self.data.with_name("moved")
        self.data.rename(moved)
        self.assertTrue(self.document("pack", "check", "tiny", "--data", str(moved))["ok"])
        moved.rename(self.data)
        self.assertIn("already installed", self.seedbed("pack", "install", "tiny").stderr)
        self.seedbed("pack", "remove", "tiny")
        self.assertEqual(self.left(), [])
        self.assertFails(3, "not installed", arguments=("pack", "remove", "tiny"))

    def test_a_pack_that_a_queued_run_needs_is_only_removed_by_force(self):
        self.installed_tiny()
        self.seedbed("queue", "add", "cartpole", "--steps", "1000")
        with sqlite3.connect(self.data / "seedbed.db") as database:
            database.execute("UPDATE runs SET env = 'tiny:one'")
        database.close()
        self.assertEqual(self.document("pack", "list")[0]["runs"], [1])
        self.assertFails(3, "needed by run 1, in progress or queued; --force",
                         arguments=("pack", "remove", "tiny"))
        self.assertEqual(self.left(), ["tiny"])
        self.seedbed("pack", "remove", "tiny", "--force")
        self.assertEqual(self.left(), [])

    def test_a_pack_with_other_versions_is_outdated_and_installed_again(self):
        self.installed_tiny()
        self.write(self.document_of([self.wheel("alpha", "1.5")]))
        self.assertEqual(self.state(), "outdated")
        self.assertFails(1, "older description", "version 1.0 instead of 1.5",
                         arguments=("pack", "check", "tiny"))
        self.seedbed("pack", "install", "tiny")
        self.assertEqual(self.state(), "installed")
        self.assertTrue(self.document("pack", "check", "tiny")["ok"])
        self.assertEqual(self.left(), ["tiny"])

    def test_check_finds_changed_and_missing_files(self):
        self.installed_tiny()
        site = self.data / "packs" / "tiny" / "site"
        (site / "alpha" / "__init__.py").write_text("VERSION = 'other'\n")
        self.assertFails(1, "'alpha/__init__.py' has changed", "--force", arguments=("pack", "check", "tiny"))
        (site / "beta" / "__init__.py").unlink()
        self.assertFails(1, "'beta/__init__.py' cannot be read", arguments=("pack", "check", "tiny"))
        self.seedbed("pack", "install", "tiny", "--force")
        self.assertTrue(self.document("pack", "check", "tiny")["ok"])
        (self.data / "packs" / "tiny" / "pack.json").write_text("{")
        self.assertEqual(self.state(), "damaged")
        self.assertFails(3, "cannot be used", "installs it again", arguments=("pack", "check", "tiny"))
        self.seedbed("pack", "install", "tiny")
        self.assertEqual(self.state(), "installed")

    def test_an_import_that_prints_or_ends_python_is_understood(self):
        self.write(self.document_of([self.wheel("alpha", text="print('hello')\n")]))
        self.seedbed("pack", "install", "tiny")
        text = "import os, sys\nprint('no luck')\nsys.stdout.flush()\nos._exit(7)\n"
        wheel = self.wheel("alpha", "2.0", text)
        self.write(self.document_of([wheel]))
        self.assertFails(3, "terminated Python", "exited with code 7", "no luck")

    def test_a_stopped_check_ends_python_and_its_children(self):
        mark = f"87654.{os.getpid()}"
        text = f"import subprocess\nsubprocess.run(['sleep', '{mark}'])\n"
        self.installed_tiny()
        (self.data / "packs" / "tiny" / "site" / "alpha" / "__init__.py").write_text(text)

        def left():
            return subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True, check=False).stdout

        process = self.start("pack", "check", "tiny")
        self.wait_for("the import", left)
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 130)
        self.wait_for("its end", lambda: not left(), 5)

    # --- failures leave the previous state
    def test_another_hash_is_refused(self):
        document = self.tiny()
        document["packages"][1]["sha256"] = ["0" * 64]
        self.write(document)
        self.assertFails(1, "'beta==2.1'", "differs from the file that this pack was made with", "try again")
        self.assertEqual(self.left(), [])

    def test_a_missing_package_is_named(self):
        document = self.tiny()
        document["packages"][1]["version"] = "9.9"
        self.write(document)
        self.assertFails(1, "no file of beta==9.9")
        self.assertEqual(self.left(), [])

    def test_without_a_network_the_cause_and_an_old_installation_remain(self):
        self.installed_tiny()
        self.write(self.document_of([self.wheel("gamma")]))
        closed = {"PIP_NO_INDEX": "0", "PIP_FIND_LINKS": "", "PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
        self.assertFails(1, "could not be reached", "using a pack does not", env=closed)
        self.assertEqual(self.left(), ["tiny"])
        self.assertEqual(self.state(), "outdated")

    def test_a_failing_import_names_the_packages_of_the_system(self):
        text = "raise ImportError('libQt5Gui.so.5: cannot open shared object file')\n"
        wheel = self.wheel("alpha", text=text)
        self.write(self.document_of([wheel], system_packages=["libqt5gui5"]))
        self.assertFails(3, "importing 'alpha' failed", "libQt5Gui.so.5", "apt install libqt5gui5")
        self.assertEqual(self.left(), [])

    def test_missing_libraries_are_named_before_the_download(self):
        self.tiny(libraries=["libc.so.6", "libnothing.so.7"], system_packages=["libnothing7"])
        run = self.assertFails(3, "(libnothing.so.7)", "apt install libnothing7")
        self.assertNotIn("libc.so.6", run.stderr)
        self.assertEqual(self.left(), [])
        self.tiny(picture_libraries=["libnothing.so.7"], system_packages=["libnothing7"])
        notice = "pictures of its environments need more packages: apt install libnothing7"
        self.assertIn(notice, self.seedbed("pack", "install", "tiny").stderr)
        self.assertIn(notice, self.seedbed("pack", "check", "tiny").stderr)

    def test_a_disk_without_enough_space_is_refused_before_the_download(self):
        self.tiny(installed_bytes=1 << 40)
        self.assertFails(1, "left; installing the pack needs 1.0 TiB", "--data")
        self.assertEqual(self.left(), [])

    def test_other_programs_follow_the_progress(self):
        self.tiny()
        self.assertFails(2, "--progress needs --json", arguments=("pack", "install", "tiny", "--progress"))
        process = self.start("pack", "install", "tiny", "--json", "--progress", stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
        *steps, (result,) = [json.loads(line) for line in process.stdout]
        process.stdout.close()
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)
        phases = [step["phase"] for step in steps]
        self.assertEqual(list(dict.fromkeys(phases)), ["preparing", "downloading", "installing", "checking"])
        downloads = [step for step in steps if step["phase"] == "downloading"]
        self.assertEqual([step["number"] for step in downloads], [1, 2])
        self.assertEqual({step["count"] for step in downloads}, {2})
        self.assertGreater(downloads[0]["total_bytes"], 0)
        self.assertEqual(result["state"], "installed")

    def test_closing_standard_input_cancels(self):
        self.tiny()
        process = self.stalled("--json", "--progress", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(self.left(), [])
        self.assertEqual(self.pips(), [])

    def stalled(self, *arguments, **options):
        """Starts an installation and returns its process once it has half of a wheel."""
        index = StallingIndex(self.wheels)
        self.addCleanup(index.server_close)
        self.addCleanup(index.shutdown)
        self.addCleanup(index.release.set)
        self.env |= {"PIP_NO_INDEX": "0", "PIP_FIND_LINKS": "", "PIP_INDEX_URL": index.url()}
        process = self.start("pack", "install", "tiny", *arguments, stderr=subprocess.PIPE, **options)
        self.addCleanup(process.stderr.close)
        self.assertTrue(index.stalled.wait(60), "pip requests a wheel")
        self.env |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)}
        return process

    def pips(self):
        """Command lines of processes that use the data folder."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    line = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if str(self.data / "packs").encode() in line:
                    found.append(line)
        return found

    def test_control_c_stops_within_two_seconds_and_leaves_nothing(self):
        self.tiny()
        process = self.stalled()
        self.assertEqual(len(self.left()), 1)
        self.assertEqual(len(self.pips()), 1)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertLess(time.monotonic() - begin, limit(2))
        self.assertEqual(self.left(), [])
        self.assertEqual(self.pips(), [])

    def test_the_remains_of_a_killed_installation_are_removed_by_the_next(self):
        self.tiny()
        process = self.stalled()
        process.kill()
        process.wait()
        self.wait_for("pip to end", lambda: not self.pips(), 5)
        self.assertEqual(len(self.left()), 1)
        self.assertEqual(self.state(), "not_installed")
        self.seedbed("pack", "install", "tiny")
        self.assertEqual(self.left(), ["tiny"])
        self.assertTrue(self.document("pack", "check", "tiny")["ok"])


class PythonTest(PackCase):
    """Computers without a suitable Python, and packs that use the user's own Python."""

    def test_no_python(self):
        self.tiny()
        self.assertFails(3, "python3", "apt install python3 python3-venv", "SEEDBED_PYTHON",
                         env={"PATH": self.folder.name, "SEEDBED_PYTHON": ""})
        self.assertEqual(self.left(), [])

    def test_another_version_or_machine(self):
        self.tiny(platforms={platform.machine(): ["3.98", "3.99"]})
        self.assertFails(3, f"it is Python {PYTHON}, but the packages are made for 3.98, 3.99", "--python")
        self.tiny(platforms={"pdp11": [PYTHON]})
        self.assertFails(3, f"not made for machines of type {platform.machine()}")

    def test_a_python_that_does_not_exist_or_is_none(self):
        self.tiny()
        for python in ("/nowhere/python3", "/bin/true"):
            self.assertFails(3, f"cannot be installed with --python '{python}'",
                             arguments=("pack", "install", "tiny", "--python", python))

    def test_neither_pip_nor_venv(self):
        self.tiny()
        bare = pathlib.Path(self.folder.name) / "bare"
        answer = json.dumps(["cpython", PYTHON, platform.machine(), str(bare), str(bare)])
        bare.write_text("#!/bin/sh\ncase \"$3\" in *realpath*) echo '" + answer + "';; *) exit 1;; esac\n")
        bare.chmod(0o755)
        self.assertFails(3, "neither pip nor venv", "apt install python3-venv",
                         env={"SEEDBED_PYTHON": str(bare)})
        self.assertEqual(self.left(), [])

    @unittest.skipUnless(HAS_PIP and importlib.util.find_spec("ensurepip"), "this Python has no ensurepip")
    def test_a_python_without_pip_uses_a_virtual_environment(self):
        self.tiny()
        python = pathlib.Path(self.folder.name) / "python"
        answer = json.dumps(["cpython", PYTHON, platform.machine(), str(python), str(python)])
        python.write_text("#!/bin/sh\ncase \"$3\" in *realpath*) echo '" + answer + "'; exit;; esac\n"
                          f"[ \"$4\" = pip ] && exit 1\nexec {sys.executable} \"$@\"\n")
        python.chmod(0o755)
        self.env["SEEDBED_PYTHON"] = str(python)
        self.seedbed("pack", "install", "tiny")
        self.assertEqual(self.left(), ["tiny"])
        self.assertTrue(self.document("pack", "check", "tiny")["ok"])

    def test_a_pack_of_the_users_own_packages(self):
        document = self.document_of([], modules=["not_built_yet"], instructions="Build it first.",
                                    platforms={})
        self.write(document)
        self.assertFails(3, "importing 'not_built_yet' failed", "Build it first.")
        self.assertEqual(self.left(), [])
        self.write({**document, "modules": ["json"]})
        self.seedbed("pack", "install", "tiny")
        self.assertEqual(self.state(), "installed")
        self.assertTrue(self.document("pack", "check", "tiny")["ok"])


class DocumentTest(CommandCase):
    """The documents that come with the program."""

    def test_all_documents_are_valid(self):
        packs = {pack["name"]: pack for pack in self.document("pack", "list")}
        for name in ("gymnasium", "mujoco", "atari", "vizdoom", "procgen", "minigrid", "football",
                     "dm_control", "pettingzoo", "popgym", "nethack", "unity", "dmlab"):
            pack = packs.pop(name)
            self.assertEqual(pack["state"], "not_installed")
            self.assertTrue(pack["licences"] and pack["envs"], name)
            if name != "dmlab":
                self.assertIn("3.11", pack["platforms"]["x86_64"], name)
                self.assertGreater(pack["installed_bytes"], pack["download_bytes"] // 2, name)
            self.assertIn(pack["title"], self.seedbed("pack", "show", name).stdout)
        self.assertEqual(packs, {})
        self.assertIn("did you mean 'atari'?", self.seedbed("pack", "show", "atri", code=3).stderr)
        self.assertIn("build it", self.seedbed("pack", "show", "dmlab").stdout)



def stepping(*ids, module="gymnasium"):
    """A program that steps Gymnasium environments."""
    return f"""
import gymnasium, {module}
for id in {ids}:
    env = gymnasium.make(id, disable_env_checker=True)
    env.reset(seed=1)
    for _ in range(50):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()
    env.close()
"""


# Programs that step an environment of each pack.
STEPS = {
    "gymnasium": stepping("LunarLander-v3", "CarRacing-v3", "FrozenLake-v1", "CartPole-v1"),
    "mujoco": stepping("HalfCheetah-v5", "Ant-v5", "Humanoid-v5", "HalfCheetah-v4"),
    "atari": stepping("ALE/Pong-v5", "ALE/Breakout-v5", module="ale_py") + """
from ale_py.vector_env import AtariVectorEnv
envs = AtariVectorEnv(game="pong", num_envs=2)
envs.reset()
envs.step(envs.action_space.sample())
envs.close()
""",
    "vizdoom": stepping("VizdoomBasic-v1", module="vizdoom.gymnasium_wrapper"),
    "procgen": """
import numpy, procgen
env = procgen.ProcgenGym3Env(num=2, env_name="coinrun")
for _ in range(50):
    env.act(numpy.array([7, 3]))
reward, observation, first = env.observe()
assert observation["rgb"].shape == (2, 64, 64, 3), observation
""",
    "minigrid": stepping("MiniGrid-DoorKey-5x5-v0", "BabyAI-GoToRedBall-v0", module="minigrid"),
    "football": """
import envpool, numpy
for id in ("academy_empty_goal_close", "11_vs_11_easy_stochastic"):
    env = envpool.make_gymnasium("gfootball/" + id + "-v1", num_envs=2, num_threads=1)
    env.reset()
    for _ in range(20):
        observation = env.step(numpy.full(2, 5, numpy.int32))[0]
    assert observation.shape == (2, 72, 96, 4), observation.shape
""",
    "dm_control": """
import os
os.environ["MUJOCO_GL"] = "disable"
from dm_control import suite
env = suite.load("cheetah", "run")
env.reset()
for _ in range(50):
    env.step(env.action_spec().generate_value())
""",
    "pettingzoo": """
from pettingzoo.butterfly import pistonball_v6
from pettingzoo.classic import chess_v6, connect_four_v3, tictactoe_v3
from pettingzoo.sisl import multiwalker_v9
for module in (chess_v6, connect_four_v3, tictactoe_v3, multiwalker_v9, pistonball_v6):
    env = module.env()
    env.reset(seed=1)
    for agent in env.agent_iter(20):
        observation, _, terminated, truncated, _ = env.last()
        mask = observation["action_mask"] if isinstance(observation, dict) else None
        env.step(None if terminated or truncated else env.action_space(agent).sample(mask))
    env.close()
""",
    "popgym": stepping("popgym-RepeatPreviousEasy-v0", "popgym-BattleshipEasy-v0", module="popgym"),
    "nethack": stepping("NetHackScore-v0", "NetHackStaircase-v0", module="nle"),
    "unity": """
from mlagents_envs.environment import UnityEnvironment
from mlagents_envs.exception import UnityWorkerInUseException, UnityTimeOutException
try:
    UnityEnvironment(file_name=None, timeout_wait=1)
except UnityTimeOutException:
    pass  # it listened, and no game connected
""",
}


@unittest.skipUnless(os.environ.get("SEEDBED_LONG") == "1", "set SEEDBED_LONG=1; needs a network")
class RealTest(CommandCase):
    """SEEDBED_PACKS="atari mujoco" limits the packs; SEEDBED_PACK_DATA names a data folder that is kept."""

    def test_every_pack_installs_passes_its_check_and_steps_its_environments(self):
        if "SEEDBED_PACK_DATA" in os.environ:
            self.env["SEEDBED_DATA"] = os.environ["SEEDBED_PACK_DATA"]
        failures = []
        wanted = os.environ.get("SEEDBED_PACKS", "").split()
        for pack in self.document("pack", "list"):
            name = pack["name"]
            if pack["instructions"] or (wanted and name not in wanted):
                continue
            begin = time.monotonic()
            try:
                made = self.document("pack", "install", name)[0]["installed"]
                seconds = time.monotonic() - begin
                checked = self.document("pack", "check", name)
                print(f"{name}: {made['bytes'] / 1e6:.0f} MB, {checked['files']} files, installed in "
                      f"{seconds:.0f} s", flush=True)
                self.step(made, STEPS[name])
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failures.append(name)
                print(f"{name}: {error}", flush=True)
        self.assertEqual(failures, [])

    def step(self, installed, program):
        start = f"import site\nsite.addsitedir({installed['folder'] + '/site'!r})\n"
        run = subprocess.run([installed["python"], "-I", "-S", "-c", start + program], capture_output=True,
                             text=True, timeout=300, check=False, cwd=self.folder.name,
                             env={**self.env, "SDL_VIDEODRIVER": "dummy"})
        self.assertEqual(run.returncode, 0, run.stderr[-2000:])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
