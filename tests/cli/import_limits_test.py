# SPDX-License-Identifier: Apache-2.0
"""Imports of hostile projects: paths, links and bombs. Each is refused with a reason, writes nothing
outside the data folder, leaves no more on the disk than before, and needs little memory."""
import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

from command_case import PROGRAM, CommandCase

SMALL = [
    "catch", "--preset", "none", "--steps", "1500", "--engine", "reference", "--network.hidden", "8",
    "--actor.num_envs", "4", "--eval.episodes", "2", "--eval.final_episodes", "2", "--run.threads", "1"
]
MOST_KIB = 64 * 1024  # more than an idle command needs
MOST_SECONDS = 20  # CPU time, which does not depend on other programs; the largest cases take one second
# Limit for this process: after a fork, the kernel counts its memory as that of the child.
OWN_KIB = 32 * 1024


def signed(manifest, folder, hashes=True):
    """The text of a manifest with the sizes and hashes of its files, as an attacker would write it."""
    for entry in manifest["files"] if hashes else []:
        file = folder / entry["name"]
        if file.is_file() and not file.is_symlink() and file.stat().st_size < 1 << 20:
            data = file.read_bytes()
            entry["bytes"], entry["sha256"] = len(data), hashlib.sha256(data).hexdigest()
    manifest.pop("sha256", None)
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    manifest["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def sparse(path, size, begin=b""):
    with open(path, "wb") as file:
        file.write(begin)
        file.truncate(size)


def tree(folder):
    """Every entry below the folder, with the attributes that a write would change."""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[str(path)] = (status.st_mode, status.st_size, status.st_mtime_ns)
    return found


def disk_use(place):
    """Allocated bytes of a file, or of all files in a folder."""
    files = [path for path in place.rglob("*") if not path.is_dir()] if place.is_dir() else [place]
    return sum(file.lstat().st_blocks * 512 for file in files)


class ImportLimitsTest(CommandCase):

    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory(prefix="seedbed-limits-")
        cls.addClassCleanup(cls.made.cleanup)
        root = pathlib.Path(cls.made.name)
        env = {**os.environ, "SEEDBED_DATA": str(root / "data"), "HOME": str(root)}
        for command in (["train", *SMALL, "--name", "offered"], ["db", "export", str(root / "project")],
                        ["export", "1", "--to", "safetensors", "--out", str(root / "policy")],
                        ["train", *SMALL, "--name", "mine", "--data", str(root / "own")]):
            subprocess.run([PROGRAM, *command], env=env, check=True, capture_output=True, timeout=300)
        cls.project, cls.policy, cls.own = root / "project", root / "policy", root / "own"

    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.folder.name)
        self.work = self.place / "work"
        self.work.mkdir()
        self.restore()
        self.idle_kib = self.measured("list")[2]

    # --- helpers
    def measured(self, *arguments):
        """Exit code, output, peak memory in KiB and CPU seconds."""
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen([PROGRAM, *map(str, arguments)], env=self.env, cwd=self.work,
                                     stdin=subprocess.DEVNULL, stdout=output, stderr=output)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            text = output.read(100_000).decode(errors="replace")
        return child.returncode, text, used.ru_maxrss, used.ru_utime + used.ru_stime

    def assertRefused(self, name, *arguments, says):
        """The command fails with the reason, and nothing has changed anywhere."""
        before, elsewhere, used = tree(self.data), tree(self.place), disk_use(self.data)
        code, text, peak_kib, seconds = self.measured(*arguments)
        with self.subTest(name):
            self.assertIn(code, (1, 2, 3), text)
            self.assertIn(says, text)
            self.assertLessEqual(peak_kib - self.idle_kib, MOST_KIB, text)
            self.assertLess(seconds, MOST_SECONDS, text)
            self.assertLessEqual(disk_use(self.data), used, "a refused import uses disk space")
            self.assertEqual(set(tree(self.data)), set(before), "entries of the data folder")
            kept = {path: status for path, status in elsewhere.items() if not path.startswith(str(self.data))}
            now = {path: s for path, s in tree(self.place).items() if not path.startswith(str(self.data))}
            self.assertEqual(now, kept, "something was written outside of the data folder")
            self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, self.idle_kib + OWN_KIB)
        if code == 0:  # the next cases need the data folder as it was
            self.restore()

    def restore(self):
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.own, self.data)

    def copied(self, what):
        folder = self.place / "offered"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(what, folder, symlinks=True)
        return folder

    def changed(self, *statements):
        """A copy of the project whose database another process has changed."""
        folder = self.copied(self.project)
        script = ("import sqlite3, sys\n"
                  "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                  "database.execute('pragma ignore_check_constraints = on')\n"
                  "for statement in sys.argv[2:]: database.execute(statement)\n"
                  "database.execute('pragma wal_checkpoint(truncate)')\n")
        done = subprocess.run([sys.executable, "-c", script, folder / "seedbed.db", *statements],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def checkpoint(self, folder):
        return min(f for f in (folder / "checkpoints" / "1").iterdir() if f.is_dir())

    # --- the cases
    def test_databases_that_are_not_plain_ones_of_seedbed_are_refused(self):
        links = {"passwd": "/etc/passwd", "zero": "/dev/zero", "loop": "seedbed.db", "nothing": "no/such"}
        database = (self.project / "seedbed.db").read_bytes()
        for name, target in links.items():
            folder = self.copied(self.project)
            (folder / "seedbed.db").unlink()
            (folder / "seedbed.db").symlink_to(target)
            self.assertRefused("link to " + name, "db", "import", folder, says="seedbed.db")
        for name, make in {
                "pipe": os.mkfifo, "folder": os.mkdir, "empty": lambda path: path.write_bytes(b""),
                "text": lambda path: path.write_text("SQLite format 3"),
                "header only": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(84)),
                "cut": lambda path: path.write_bytes(database[:10_000]),
                "sparse tebibyte": lambda path: sparse(path, 1 << 40, database),
                "sparse 65 GiB": lambda path: sparse(path, 65 << 30, database),
                "sparse without header": lambda path: sparse(path, 8 << 30),
        }.items():
            folder = self.copied(self.project)
            (folder / "seedbed.db").unlink()
            make(folder / "seedbed.db")
            self.assertRefused(name, "db", "import", folder, says="seedbed.db")
        self.assertRefused("missing", "db", "import", self.place / "nowhere", says="does not exist")
        self.assertRefused("device", "db", "import", "/dev/zero", says="/dev/zero")
        self.assertRefused("pipe", "db", "import", "/proc/self/mem", says="/proc/self/mem")
        folder = self.copied(self.project)
        (folder / "seedbed.db-wal").write_bytes(os.urandom(100_000))
        (folder / "seedbed.db-journal").symlink_to("/etc/passwd")
        self.assertRefused("journal", "db", "import", folder, says="seedbed.db")

    def test_schemas_with_more_than_seedbeds_tables_are_refused(self):
        bomb = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
        for name, says, *statements in (
            ("view", "view", f"create view v as {bomb}"),
            ("trigger", "trigger", "create trigger t after insert on runs begin delete from runs; end"),
            ("table", "table", "create table t(x)"),
            ("table of 100 MB", "table", "create table t(x)", "insert into t values (zeroblob(100000000))"),
            ("index on an expression", "index", "create index i on runs(abs(id))"),
            ("generated column", "", "alter table runs add column g text as (hex(zeroblob(100000000)))"),
            ("virtual table", "", "create virtual table t using fts5(x)"),
            ("newer version", "newer version", "pragma user_version = 99"),
            ("older version", "older version", "pragma user_version = 1"),
            ("another program", "another program", "pragma application_id = 1"),
            ("missing table", "", "drop table setting_rows"),
        ):
            self.assertRefused(name, "db", "import", self.changed(*statements), says=says)

    def test_rows_with_paths_wrong_numbers_and_bombs_are_refused(self):
        paths = ("../../escaped", "/etc", "checkpoints/2/5", "checkpoints/1/..", "checkpoints/1/5/../../../x",
                 "checkpoints/1/", "checkpoints/1/5\n", "checkpoints//1/5")
        for path in paths:
            folder = self.changed(f"update checkpoint_rows set folder = '{path}'")
            self.assertRefused("checkpoint in " + path, "db", "import", folder,
                               says="the folder of a checkpoint")
        deep = "[" * 100_000
        for name, says, *statements in (
            ("negative step", "", "update event_rows set step = -1"),
            ("step of 2^62", "", f"update evaluation_rows set step = {1 << 62}"),
            ("settings that are not JSON", "JSON", "update runs set config = 'os.system(1)'"),
            ("settings of 100,000 levels", "JSON", f"update runs set config = '{deep}'"),
            ("settings of 600,000 members", "JSON",
             "update runs set config = (with recursive n(i) as (select 0 union all select i + 1 from n where "
             "i < 600000) select json_group_object(i, 0) from n)"),
            ("notes of 100 MB", "", "update runs set notes = hex(zeroblob(50000000))"),
            ("notes of 9 MB", "", "update runs set notes = hex(zeroblob(4500000))"),
            ("event of 100 MB", "", "update event_rows set data = '[\"' || hex(zeroblob(50000000)) || '\"]'"),
            ("point before the first", "", "update metric_tail set ordinal = -1 - ordinal"),
            ("segment of 2^62", "", f"update metric_tail set segment = {1 << 62}"),
            ("run called as a path", "name", "update runs set name = '../../escaped'"),
            ("run identified by a path", "unique id", "update runs set uid = '../../escaped'"),
            ("state of another kind", "no valid status", "update runs set status = 'rm -rf /'"),
        ):
            self.assertRefused(name, "db", "import", self.changed(*statements), says=says)

    def assertNotCopied(self, name, folder, says):
        """The run is imported without its checkpoint, and the reason is reported."""
        elsewhere = {path: s for path, s in tree(self.place).items() if not path.startswith(str(self.data))}
        used = disk_use(self.data)
        code, text, peak_kib, seconds = self.measured("db", "import", folder)
        with self.subTest(name):
            self.assertEqual(code, 1, text)
            self.assertIn(says, text)
            self.assertLessEqual(peak_kib - self.idle_kib, MOST_KIB, text)
            self.assertLess(seconds, MOST_SECONDS, text)
            copy = self.data / "checkpoints" / "2" / self.checkpoint(self.project).name
            self.assertFalse(copy.exists(), text)
            self.assertEqual(list(self.data.rglob("*.tmp*")), [])
            self.assertLessEqual(disk_use(self.data) - used, disk_use(self.project), "disk space")
            now = {path: s for path, s in tree(self.place).items() if not path.startswith(str(self.data))}
            self.assertEqual(now, elsewhere, "something was written outside of the data folder")
        self.restore()

    def test_checkpoints_that_point_elsewhere_are_not_copied(self):
        outside = self.place / "outside"
        outside.mkdir()
        for name in ("params.safetensors", "policy.json", "manifest.json"):
            for target in ("/etc/passwd", "/dev/zero", "own copy", "pipe"):
                folder = self.copied(self.project)
                file = self.checkpoint(folder) / name
                (outside / name).write_bytes(file.read_bytes())
                file.unlink()
                if target == "pipe":
                    os.mkfifo(file)
                else:
                    file.symlink_to(outside / name if target == "own copy" else target)
                self.assertNotCopied(f"{name} is {target}", folder, str(file.parent))
        for level in ("checkpoints", "checkpoints/1", "a checkpoint"):
            folder = self.copied(self.project)
            path = self.checkpoint(folder) if level == "a checkpoint" else folder / level
            shutil.rmtree(outside)
            outside.mkdir()
            path.rename(outside / path.name)
            path.symlink_to(outside / path.name)
            self.assertNotCopied(f"{level} is a link", folder, "is a link")
        # The user's own folders may be on another disk.
        self.seedbed("db", "import", str(folder), "--trust")
        self.assertTrue((self.data / "checkpoints" / "2" / path.name).is_dir())

    def test_checkpoints_with_wrong_manifests_are_not_copied(self):
        escapes = ("../../../../escaped", "/tmp/escaped", "a/b", "..", ".hidden", "", "x" * 200,
                   "manifest.json")
        for name in escapes:
            folder = self.copied(self.project)
            manifest = json.loads((self.checkpoint(folder) / "manifest.json").read_text())
            manifest["files"][0]["name"] = name
            (self.checkpoint(folder) / "manifest.json").write_text(signed(manifest, folder, hashes=False))
            self.assertNotCopied("file called " + name, folder, "not allowed")
        for name, size, says in (("bytes", 1 << 62, "instead of"), ("a sparse file", 600 << 20, "SHA-256")):
            folder = self.copied(self.project)
            checkpoint = self.checkpoint(folder)
            manifest = json.loads((checkpoint / "manifest.json").read_text())
            entry = next(e for e in manifest["files"] if e["name"] == "params.safetensors")
            entry["bytes"] = size
            if name == "a sparse file":
                sparse(checkpoint / entry["name"], size, (checkpoint / entry["name"]).read_bytes())
            (checkpoint / "manifest.json").write_text(signed(manifest, checkpoint, hashes=False))
            self.assertNotCopied(name, folder, says)
        for name, text in (("deep", "[" * 500_000), ("long", '{"a": "' + "a" * (2 << 20) + '"}'),
                           ("of many members", "{" + ",".join(f'"{i}":0' for i in range(90_000)) + "}")):
            folder = self.copied(self.project)
            (self.checkpoint(folder) / "manifest.json").write_text(text)
            self.assertNotCopied(name, folder, "manifest.json")

    def test_policies_with_paths_links_and_bombs_are_refused(self):
        for name in ("../escaped", "/tmp/escaped", "a/b", "..", ".hidden", "x" * 100, "a\nb", "12"):
            self.assertRefused("name " + name, "import", self.policy, "--name", name,
                               says="cannot be the name")
        for source in ("/dev/zero", "/proc/self/mem", "/etc/passwd", "/", self.place / "nowhere"):
            self.assertRefused(str(source), "import", source, "--name", "x", says="'" + str(source)[:4])
        for name, size, says in (("config.json", (2 << 20) + 1, "too long"),
                                 ("config.json", 1 << 40, "larger"),
                                 ("model.safetensors", 1 << 40, "larger"),
                                 ("model.safetensors", 600 << 20, "")):
            folder = self.copied(self.policy)
            (folder / "manifest.json").unlink()
            sparse(folder / name, size, (folder / name).read_bytes())
            self.assertRefused(f"{name} of {size}", "import", folder, "--name", "x", says=says or name)
        for name, text in (("members", ",".join(f'"{i}":0' for i in range(150_000))),
                           ("lists", '"a":[' + ",".join("[]" for _ in range(600_000)) + "]"),
                           ("objects", '"a":[' + ",".join("{}" for _ in range(600_000)) + "]"),
                           ("texts", '"a":[' + ",".join('""' for _ in range(600_000)) + "]"),
                           ("levels", '"a":{' * 300_000)):
            folder = self.copied(self.policy)
            (folder / "manifest.json").unlink()
            (folder / "config.json").write_text("{" + text + "}")
            self.assertRefused("description of " + name, "import", folder, "--name", "x", says="config.json")
        for link in ("config.json", "model.safetensors", "manifest.json"):
            folder = self.copied(self.policy)
            (folder / link).rename(self.place / "elsewhere")
            (folder / link).symlink_to(self.place / "elsewhere")
            self.assertRefused("link " + link, "import", folder, "--name", "x", says=link)
            (self.place / "elsewhere").unlink()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
