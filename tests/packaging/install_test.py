#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a build into an empty folder and checks it: programs find their resources, the manual page and the
completions contain every command, desktop files are valid, and run.sh and test.sh accept their options.

usage: install_test.py BUILD_FOLDER
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parent.parent.parent
COMPONENTS = ["seedbed"] + (["gui"] if (BUILD / "bin/seedbed-gui").exists() else [])


def run(*words, **options):
    environment = {
        k: v
        for k, v in os.environ.items()
        if k not in ("SEEDBED_RESOURCES", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    environment.update(options.pop("env", {}))
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=100,
                          env=environment, **options)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(
            prefix="seedbed install ")  # the space in the path is part of the test
        cls.prefix = Path(cls.folder.name) / "usr"
        for component in COMPONENTS:
            done = run("cmake", "--install", BUILD, "--component", component, "--prefix", cls.prefix)
            assert done.returncode == 0, done.stdout + done.stderr
        cls.share = cls.prefix / "share"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_installed_program_finds_its_presets_and_results(self):
        done = run(self.prefix / "bin/seedbed", "presets", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(len(json.loads(done.stdout)), 50)
        self.assertTrue((self.share / "seedbed/learning.json").exists())
        self.assertTrue((self.share / "seedbed/gallery/cartpole.png").exists())

    def test_version_names_the_commit(self):
        done = run(self.prefix / "bin/seedbed", "--version")
        commit = r"\(commit ([0-9a-f]{12}(-dirty)?|unknown)\)"
        self.assertRegex(done.stdout, rf"^seedbed \d+\.\d+\.\d+ {commit}\n$")

    @unittest.skipUnless((BUILD / "share/seedbed/web/page.html").exists(), "emscripten was not found")
    def test_installed_program_exports_web_pages_without_other_programs(self):
        data = Path(self.folder.name) / "data"
        program, env = self.prefix / "bin/seedbed", {"SEEDBED_DATA": str(data), "PATH": ""}
        trained = run(program, "train", "two_state", "--preset", "none", "--steps", "500", "--quiet", env=env)
        self.assertEqual(trained.returncode, 0, trained.stderr)
        export = [program, "export", "1", "--to", "web", "--eval-episodes", "0", "--no-replay", "--out"]
        done = run(*export, data / "page", env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Node.js was not found", done.stderr)
        self.assertIn("the page was not run", done.stderr)
        self.assertGreater((data / "page/page.html").stat().st_size, 100_000)
        (self.share / "seedbed/web/page.html").unlink()
        refused = run(*export, data / "other", env=env)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("apt install emscripten", refused.stderr)
        self.assertFalse((data / "other").exists())

    def test_manual_page_and_completions_are_those_of_the_program(self):
        manual = (self.share / "man/man1/seedbed.1").read_text()
        for command in ("train", "queue add", "calibrate", "compare"):
            self.assertIn(f"seedbed {command}", manual.replace("\\-", "-"))
        if "gui" in COMPONENTS:
            self.assertTrue((self.share / "man/man1/seedbed-gui.1").exists())
        self.assertIn("complete", (self.share / "bash-completion/completions/seedbed").read_text())
        self.assertTrue((self.share / "zsh/site-functions/_seedbed").read_text().startswith("#compdef"))
        self.assertIn("complete", (self.share / "fish/vendor_completions.d/seedbed.fish").read_text())

    def test_licences_are_there(self):
        self.assertTrue(list(self.share.glob("doc/*/LICENSES/Apache-2.0.txt")))
        if "gui" in COMPONENTS:
            self.assertTrue(list(self.share.glob("doc/*/LICENSES/GPL-3.0-or-later.txt")))

    @unittest.skipUnless("gui" in COMPONENTS, "the window was not built")
    def test_the_window_starts_from_its_place(self):
        # Without a display, only --version and --help work.
        for argument, text in (("--version", "0.2.0"), ("--help", "--safe-mode")):
            done = run(self.prefix / "bin/seedbed-gui", argument)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(text, done.stdout)
        done = run(self.prefix / "bin/seedbed-gui")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("no display", done.stderr)

    @unittest.skipUnless("gui" in COMPONENTS, "the window was not built")
    @unittest.skipUnless(shutil.which("desktop-file-validate"), "desktop-file-validate was not found")
    def test_desktop_entry_is_valid_and_names_installed_files(self):
        entry = self.share / "applications/org.seedbed.Seedbed.desktop"
        done = run("desktop-file-validate", entry)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stdout)
        keys = dict(line.split("=", 1) for line in entry.read_text().splitlines() if "=" in line)
        self.assertTrue((self.prefix / "bin" / keys["Exec"].split()[0]).exists())
        self.assertTrue((self.share / f"icons/hicolor/scalable/apps/{keys['Icon']}.svg").exists())

    @unittest.skipUnless("gui" in COMPONENTS, "the window was not built")
    @unittest.skipUnless(shutil.which("update-mime-database"), "update-mime-database was not found")
    @unittest.skipUnless(shutil.which("gio"), "gio was not found")
    def test_desktops_know_recorded_games_and_policies(self):
        work = Path(self.folder.name)
        shutil.copytree(self.share / "mime", work / "mime")
        done = run("update-mime-database", work / "mime")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("application/vnd.seedbed.replay:*.replay", (work / "mime/globs").read_text())
        env = {"XDG_DATA_HOME": str(work), "SEEDBED_DATA": str(work / "games")}
        for words in (["train", "two_state", "--preset", "none", "--steps", "500", "--quiet"],
                      ["play", "1", "--headless", "--episodes", "1", "--record", work / "game.replay"],
                      ["export", "1", "--to", "safetensors", "--no-replay", "--out", work / "friend"]):
            done = run(self.prefix / "bin/seedbed", *words, env=env)
            self.assertEqual(done.returncode, 0, done.stderr)
        (work / "game.replay").rename(work / "game")
        types = {}
        for name in ("game", "friend/model.safetensors", "friend/golden.safetensors"):
            done = run("gio", "info", "-a", "standard::content-type", work / name, env=env)
            types[name] = done.stdout.split()[-1]
        replay, policy = "application/vnd.seedbed.replay", "application/vnd.seedbed.policy"
        self.assertEqual((types["game"], types["friend/model.safetensors"]), (replay, policy))
        self.assertNotEqual(types["friend/golden.safetensors"], policy)
        entry = (self.share / "applications/org.seedbed.Seedbed.desktop").read_text()
        self.assertIn(f"\nMimeType={replay};{policy};\n", entry)

    @unittest.skipUnless("gui" in COMPONENTS, "the window was not built")
    @unittest.skipUnless(shutil.which("appstreamcli"), "appstreamcli was not found")
    def test_appstream_metadata_is_valid(self):
        done = run("appstreamcli", "validate", "--no-net",
                   self.share / "metainfo/org.seedbed.Seedbed.metainfo.xml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


@unittest.skipUnless((BUILD / "bin/libseedbed.so").exists(), "libseedbed was not built")
class Development(unittest.TestCase):
    """The package libseedbed-dev."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed_install_")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def install(self, component, prefix):
        done = run("cmake", "--install", BUILD, "--component", component, "--prefix", prefix)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(shutil.which("pkg-config") and shutil.which("cc"), "no C compiler or pkg-config")
    def test_the_examples_are_built_and_run_by_the_commands_of_the_docs(self):
        prefix, work = self.folder / "usr", self.folder / "work"
        self.install("libseedbed", prefix)
        work.mkdir()
        commands = []
        for page in ("docs/embed.md", "docs/own-environment.md"):
            block = next(block for block in (ROOT / page).read_text().split("```")
                         if re.search(r"^cc ", block, re.M) and "seedbed list" not in block)
            commands += [line for line in block.strip().splitlines() if not line.startswith("seedbed ")]
        script = "\n".join(["set -e", *commands]).replace("/usr/", f"{prefix}/")
        self.assertIn("pkg-config --cflags --libs seedbed", script)
        script = script.replace("-I core/embed docs/examples/environment/", f"-I {prefix}/include ")
        env = {"PKG_CONFIG_PATH": str(next(prefix.rglob("seedbed.pc")).parent),
               "LD_LIBRARY_PATH": str(next(prefix.rglob("libseedbed.so")).parent)}
        done = run("sh", "-c", script, cwd=work, env=env)
        self.assertEqual(done.returncode, 0, script + done.stderr)
        self.assertIn("after two hours: 2", done.stdout)
        self.assertTrue((work / "lander_env.so").exists())
        # The first lines of the other example state how to build it.
        command = next(line.strip(" *") for line in (work / "game_loop.c").read_text().splitlines()
                       if line.startswith(" *     cc "))
        done = run("sh", "-c", f"{command} && ./game_loop 100", cwd=work, env=env)
        self.assertIn("of 100 frames", done.stdout, done.stderr)

    def test_the_debian_package_has_the_examples_and_no_other_documents(self):
        for group in ("program", "python", "library", "development"):
            (self.folder / group / "usr/lib/machine").mkdir(parents=True)
        for group in ("library", "development"):
            (self.folder / group / "usr/lib/machine/libseedbed.so.1").write_text("")
        self.install("libseedbed", self.folder / "development/usr")
        doc = self.folder / "development/usr/share/doc/libseedbed-dev"
        (doc / "LICENSE").write_text("replaced by the copyright")
        done = run("cmake", f"-DCPACK_TEMPORARY_DIRECTORY={self.folder}", "-DCPACK_PACKAGE_VERSION=1",
                   "-DCPACK_PACKAGE_CONTACT=a", "-P", ROOT / "cmake/package_files.cmake")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(str(path.relative_to(doc)) for path in doc.rglob("*") if path.is_file()),
                         ["changelog.gz", "copyright", "examples/game_loop.c", "examples/lander_env.c",
                          "examples/thermostat.c"])
        self.assertFalse((self.folder / "development/usr/lib/machine/libseedbed.so.1").exists())
        self.assertTrue((self.folder / "library/usr/lib/machine/libseedbed.so.1").exists())


class Scripts(unittest.TestCase):
    def test_help_says_what_the_scripts_do_without_doing_it(self):
        for script in ("run.sh", "test.sh"):
            done = run(ROOT / "packaging" / script, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("--no-install", done.stdout)

    @unittest.skipUnless(shutil.which("git"), "git was not found")
    def test_run_uses_an_installed_program_of_the_same_unchanged_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            tree, programs = Path(folder, "tree"), Path(folder, "bin")
            shutil.copytree(ROOT / "packaging", tree / "packaging")
            programs.mkdir()
            git = ["git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b.example"]
            for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "a commit"]):
                self.assertEqual(run(*git, *words).returncode, 0)
            commit = run(*git, "rev-parse", "--short=12", "HEAD").stdout.strip()
            program = programs / "seedbed"
            program.write_text('#!/bin/sh\n[ "$1" != --version ] || '
                               f'exec echo "seedbed 1 (commit {commit})"\necho "installed: $*"\n')
            program.chmod(0o755)
            # Without CMakeLists.txt, building fails.
            start = [tree / "packaging/run.sh", "--no-install", "list"]
            env = {"PATH": f"{programs}:{os.environ['PATH']}"}
            done = run(*start, env=env)
            self.assertEqual((done.returncode, done.stdout), (0, "installed: list\n"), done.stderr)
            (tree / "new.cpp").write_text("")
            self.assertNotEqual(run(*start, env=env).returncode, 0)

    def test_every_package_belongs_to_a_group_with_a_reason(self):
        groups = set()
        for line in (ROOT / "packaging/packages.txt").read_text().splitlines():
            if line.startswith("["):
                kind, reason = line[1:].split("]", 1)
                groups.add(kind)
                self.assertTrue(reason.strip(), line)
            elif line and not line.startswith("#"):
                self.assertGreaterEqual(len(line.split(None, 1)), 2, line)
        self.assertEqual(
            groups, {"run", "gui", "test", "fuzz", "check", "cuda", "wheel", "package", "edge", "optional"})


if __name__ == "__main__":
    unittest.main()
