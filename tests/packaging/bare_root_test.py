#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the packages in dist/ that packaging/package.sh made on a bare Debian 12, uses and removes them.
Measures the time until a window is open and until an agent is trained.

usage: bare_root_test.py DIST [ROOT]

ROOT: a folder that `debootstrap --variant=minbase bookworm ROOT` made; it is copied. Without it, the test
makes one. Needs SEEDBED_LONG=1, root, mirrors of Debian and PyPI, Xvfb and xdotool.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from measure import MEASURING, limit  # noqa: E402

DIST = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
del sys.argv[1:]
FILES = {name: sorted(DIST.glob(pattern)) for name, pattern in
         (("debs", "*.deb"), ("archive", "seedbed-*.tar.xz"), ("wheel", "seedbed-*.whl"))}
INSTALL = "apt-get install -y -q --no-install-recommends"
HOME = "/home/user"  # in the other system
DATA = f"{HOME}/.local/share/seedbed"


def run(*words, **options):
    options.setdefault("timeout", 1800)
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def skip(reason):
    print(f"[  SKIPPED ] {reason}")
    raise unittest.SkipTest(reason)


def why_not():
    """The reason for which this test cannot run; "" if it can."""
    if not MEASURING:
        return "it takes minutes and measures; set SEEDBED_LONG=1"
    if os.geteuid() != 0:
        return "entering another system needs root"
    for name, files in FILES.items():
        if not files:
            return f"{DIST} does not contain the {name} (packaging/package.sh)"
    needed = ["unshare", "Xvfb", "xdotool"] + (["debootstrap"] if ROOT is None else [])
    missing = [name for name in needed if shutil.which(name) is None]
    return f"not found: {', '.join(missing)}" if missing else ""


class BareDebian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="seedbed_root_", dir=ROOT.parent if ROOT else None)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.bare = ROOT or cls.folder / "bare"
        if ROOT is None:
            made = run("debootstrap", "--variant=minbase", "bookworm", cls.bare)
            if made.returncode != 0:
                skip("debootstrap failed: " + (made.stdout + made.stderr).strip()[-200:])

    def setUp(self):
        self.root = self.folder / self._testMethodName
        run("cp", "-a", self.bare, self.root)  # copies devices as devices
        self.addCleanup(shutil.rmtree, self.root)
        if pathlib.Path("/etc/resolv.conf").exists():
            shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")

    def words(self, command):
        """Runs a command in the root, with mounts that only it sees."""
        script = f"mount -t proc proc /proc; mount -t tmpfs shm /dev/shm; mkdir -p {HOME}; " \
                 f"export HOME={HOME}; {command}"
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "chroot", str(self.root), "sh", "-c",
                script]

    def inside(self, command):
        done = run(*self.words(command))
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    @contextlib.contextmanager
    def screen(self):
        """A virtual screen, which processes of another root reach by its abstract socket."""
        server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-ac", "-screen", "0", "1280x800x24"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()
            server.communicate()

    def opens_a_window(self, program):
        with self.screen() as display:
            window = subprocess.Popen(self.words(f"exec env DISPLAY={display} {program}"), text=True,
                                      stderr=subprocess.PIPE)
            found = run("timeout", "120", "xdotool", "search", "--sync", "--onlyvisible", "--name", "Seedbed",
                        env={**os.environ, "DISPLAY": display})
            opened = time.monotonic()
            window.kill()
            self.assertEqual(found.returncode, 0, window.communicate()[1])
        return opened

    def trains(self, folder):
        self.assertRegex(self.inside(f"{folder}/seedbed --version"), r"^seedbed \d\S+ \(commit \w")
        self.inside(f"{folder}/seedbed train cartpole --steps 20000 --quiet")
        self.assertIn('"mean"', self.inside(f"{folder}/seedbed eval 1 --episodes 5 --json"))
        self.assertIn("cartpole", self.inside(f"{folder}/seedbed list"))
        self.inside(f"{folder}/seedbed fleet start cartpole_vtrace --actors 1 --envs 8 --steps 3000 "
                    "--eval.final_episodes 2 --quiet")

    def test_the_archive_runs_where_it_is_unpacked(self):
        began = time.monotonic()
        run("tar", "-xf", FILES["archive"][0], "-C", self.root / "opt")
        next((self.root / "opt").iterdir()).rename(self.root / "opt/moved here")
        seconds = self.opens_a_window("'/opt/moved here/bin/seedbed-gui'") - began
        print(f"archive: unpacked to an open window in {seconds:.1f} s")
        self.assertLess(seconds, limit(30))
        self.trains("'/opt/moved here/bin'")
        self.assertIn("(commit ", self.inside("'/opt/moved here/bin/seedbed-gui' --version"))

    def test_debian_packages_are_installed_used_and_removed(self):
        for path in FILES["debs"]:
            shutil.copy(path, self.root / "tmp")
        self.inside(f"apt-get update -q && {INSTALL} --download-only /tmp/*.deb")
        began = time.monotonic()
        self.inside(f"{INSTALL} /tmp/seedbed_*.deb")
        installed = time.monotonic() - began
        seconds = self.opens_a_window("seedbed-gui") - began
        print(f"Debian package: installed in {installed:.1f} s, an open window after {seconds:.1f} s")
        self.inside(f"{INSTALL} /tmp/*.deb")
        self.trains("/usr/bin")
        self.inside("for page in seedbed seedbed-gui; do gzip -t /usr/share/man/man1/$page.1.gz; done")
        self.inside("python3 -c 'import seedbed; run = seedbed.train(\"cartpole\", steps=20000); "
                    "assert run.steps >= 20000'")
        self.inside(f"{INSTALL} gcc libc6-dev pkg-config desktop-file-utils shared-mime-info libglib2.0-bin")
        printed = self.inside("cd /usr/share/doc/libseedbed-dev/examples && cc thermostat.c -o /tmp/a.out "
                              "$(pkg-config --cflags --libs seedbed) -lm && /tmp/a.out")
        self.assertIn("after two hours: 2", printed)
        self.inside("desktop-file-validate /usr/share/applications/org.seedbed.Seedbed.desktop")
        self.inside("seedbed export 1 --to safetensors --no-replay --out /tmp/friend && "
                    "seedbed play 1 --headless --episodes 1 --record /tmp/game.replay")
        for file, kind in (("friend/model.safetensors", "policy"), ("game.replay", "replay")):
            printed = self.inside(f"gio info -a standard::content-type /tmp/{file}; "
                                  f"gio mime application/vnd.seedbed.{kind}")
            self.assertIn(f"content-type: application/vnd.seedbed.{kind}\n", printed)
            self.assertRegex(printed, r"Default application .*: org\.seedbed\.Seedbed\.desktop")
        self.inside(f"apt-get purge -y -q seedbed libseedbed1 && test -s {DATA}/seedbed.db && "
                    "! ls /usr/bin/seedbed* /usr/share/seedbed /usr/share/man/man1/seedbed*")
        self.assertLess(seconds, limit(30))

    def test_the_wheel_trains_in_a_clean_environment(self):
        wheels = self.root / "tmp/wheels"
        got = run(sys.executable, "-m", "pip", "download", "-q", "-d", wheels, FILES["wheel"][0])
        if got.returncode != 0:
            skip("pip download failed: " + got.stderr.strip()[-200:])
        self.inside(f"apt-get update -q && {INSTALL} python3-venv && python3 -m venv /venv")
        began = time.monotonic()
        printed = self.inside("cd /venv/bin && ./pip install -q --no-index -f /tmp/wheels seedbed && "
                              "./python -c 'import seedbed; print(seedbed.train(\"cartpole\").mean_return)'")
        seconds = time.monotonic() - began
        print(f"wheel: installed and trained in {seconds:.1f} s")
        self.assertGreater(float(printed), 400)
        self.assertLess(seconds, limit(10))


if __name__ == "__main__":
    if why_not():
        print(f"[  SKIPPED ] {why_not()}")
        sys.exit()
    unittest.main()
