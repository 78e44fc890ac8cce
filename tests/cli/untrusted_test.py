# SPDX-License-Identifier: Apache-2.0
"""Untrusted input: imports, pipes and links in place of files, and terminal escapes; access of other users to
stored files."""
import hashlib
import os
import pathlib
import random
import re
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
import time
import unittest

from command_case import PROGRAM, CommandCase
from measure import MEASURING, limit

SMALL = [
    "catch", "--preset", "none", "--steps", "1500", "--engine", "reference", "--network.hidden", "8",
    "--actor.num_envs", "4", "--eval.episodes", "2", "--eval.final_episodes", "2", "--run.threads", "1"
]
STATE = ["session.bin", "windows.bin", "run.bin"]


def with_hashes(folder):
    """Makes the manifest match the files again, as an attacker would."""
    manifest = folder / "manifest.json"
    text = manifest.read_text()
    for file in folder.iterdir():
        data = file.read_bytes()
        new = f"{len(data)}", hashlib.sha256(data).hexdigest()
        text = re.sub(r'("name": "' + re.escape(file.name) + r'",\s+"bytes": )\d+(,\s+"sha256": ")[0-9a-f]+',
                      lambda found, new=new: found[1] + new[0] + found[2] + new[1], text)
    plain = re.sub(r',\n  "sha256": "[0-9a-f]{64}"\n\}', "\n}", text)
    assert plain != text
    own = hashlib.sha256(plain.encode()).hexdigest()
    manifest.write_text(plain[:-3] + f',\n  "sha256": "{own}"\n}}\n')


class UntrustedTest(CommandCase):

    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.folder.name)

    def exported(self, *arguments):
        self.trained(*SMALL, *arguments)
        target = self.place / "out"
        self.seedbed("db", "export", str(target))
        return target

    def newest(self, data):
        folders = [f for f in (data / "checkpoints" / "1").iterdir() if f.is_dir()]
        return max(folders, key=lambda f: int(f.name.split(".")[0]))

    def attempt(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, env=self.env,
                              timeout=120)

    # --- imports
    def test_an_import_brings_weights_and_only_trust_brings_the_state_of_training(self):
        source, other = self.exported(), ["--data", str(self.place / "other")]
        said = self.seedbed("db", "import", str(source), *other).stderr
        self.assertIn("the training state of 1 run was not imported", said)
        self.assertIn("--trust " + str(source), said)
        names = {file.name for file in self.newest(self.place / "other").iterdir()}
        self.assertIn("params.safetensors", names)
        self.assertFalse(names & set(STATE))
        self.assertTrue(self.document("db", "check", "--checkpoints", *other)["ok"])
        self.assertEqual(self.document("eval", "1", "--episodes", "3", *other),
                         self.document("eval", "1", "--episodes", "3"))
        self.assertEqual(self.document("metrics", "1", *other), self.document("metrics", "1"))
        self.seedbed("train", *SMALL, "--init-from", "1", *other)
        refused = self.seedbed("resume", "1", "--steps", "2500", *other, code=3)
        self.assertIn("db import --trust", refused.stderr)
        self.assertIn("--init-from 1", refused.stderr)
        self.assertFalse(self.document("db", "import", str(source), *other)["runs"][0]["resumable"])
        # An import with --trust adds the state to the existing run.
        copy = self.place / "copy"
        shutil.copytree(self.place / "other", copy)
        said = self.seedbed("db", "import", str(source), "--trust", "--data", str(copy)).stderr
        self.assertRegex(said, "run 1 is already here as run 1; added .* with the training state")
        run = self.document("db", "import", str(source), "--trust", *other)["runs"][0]
        self.assertTrue(run["known"] and run["resumable"] and run["checkpoints"] > 0, run)
        self.seedbed("resume", "1", "--steps", "2500", *other)
        self.seedbed("resume", "1", "--steps", "2500")
        self.assertEqual(self.document("show", "1", *other)["params_sha256"],
                         self.document("show", "1")["params_sha256"])

    def test_checkpoints_that_were_not_copied_are_not_shown(self):
        source, other = self.exported(), ["--data", str(self.place / "other")]
        run_folder = self.newest(source).parent
        self.assertGreater(len([f for f in run_folder.iterdir() if f.is_dir()]), 1)
        run_folder.rename(self.place / "elsewhere")
        run_folder.symlink_to(self.place / "elsewhere")
        said = self.seedbed("db", "import", str(source), *other, code=1).stderr
        self.assertEqual(said.count("is a link"), 1, said)
        listed = self.document("show", "1", *other)["checkpoints"]
        self.assertTrue(listed and all(one["removed"] for one in listed), listed)
        self.assertNotIn("checkpoint step", self.seedbed("show", "1", *other).stdout)
        self.assertIn("checkpoint step", self.seedbed("show", "1").stdout)
        # Importing again adds the checkpoints.
        self.seedbed("db", "import", "--trust", str(source), *other)
        self.assertIn("checkpoint step", self.seedbed("show", "1", *other).stdout)

    def test_files_that_are_not_imported_need_not_be_regular(self):
        source = self.exported()
        session = self.newest(source) / "session.bin"
        session.unlink()
        os.mkfifo(session)
        self.seedbed("db", "import", str(source), "--data", str(self.place / "other"))
        self.assertRefusedAtOnce("db", "import", "--trust", str(source), "--data", self.place / "trusted",
                                 says="session.bin' is not a regular file")

    def test_a_trusted_import_with_a_changed_state_never_crashes(self):
        source = self.exported()
        chance = random.Random(5)
        state = self.newest(source) / "session.bin"
        original = state.read_bytes()
        refused = 0
        for number in range(12):
            changed = bytearray(original)
            for _ in range(1 + number % 3):
                # The environments are at the end, the counters at the beginning.
                at = chance.choice([chance.randrange(64), len(changed) - 4 - chance.randrange(600)])
                value = chance.choice([-1, 1 << 30, -(1 << 31), 99, 0x7fc00000])
                changed[at:at + 4] = struct.pack("<i", value)
            state.write_bytes(bytes(changed))
            with_hashes(state.parent)
            other = ["--data", str(self.place / f"other{number}")]
            self.seedbed("db", "import", str(source), "--trust", *other)
            run = self.attempt("resume", "1", "--steps", "2000", *other)
            self.assertIn(run.returncode, (0, 1, 3), run.stderr)
            refused += "the saved state is invalid" in run.stderr
        self.assertGreater(refused, 0)

    # --- pipes, devices, links
    def assertRefusedAtOnce(self, *arguments, says="regular file"):
        begin = time.monotonic()
        run = self.attempt(*arguments)
        self.assertLess(time.monotonic() - begin, limit(1.5), arguments)
        self.assertGreater(run.returncode, 0, arguments)
        self.assertIn(says, run.stderr + run.stdout, arguments)

    def test_a_pipe_in_place_of_each_file_is_refused_at_once(self):
        self.trained(*SMALL)
        self.seedbed("export", "1", "--to", "safetensors", "--out", str(self.place / "policy"))
        self.seedbed("play", "1", "--headless", "--episodes", "1", "--record", str(self.place / "replay.bin"))
        pipe, checkpoint = self.place / "pipe", self.newest(self.data)
        os.mkfifo(pipe)
        for command in (["train", "catch", "--config", pipe], ["replay", pipe], ["db", "import", pipe],
                        ["env", "check", "catch", pipe], ["import", pipe]):
            with self.subTest(command[0]):
                self.assertRefusedAtOnce(*command, says="not a regular file" if command[0] == "db" else "")
        os.rename(pipe, self.place / "x.safetensors")
        self.assertRefusedAtOnce("import", self.place / "x.safetensors", says="")
        for folder, command in ((checkpoint, ["eval", str(checkpoint), "--episodes", "1"]),
                                (self.place / "policy", ["verify", str(self.place / "policy")]),
                                (self.place / "policy", ["import", self.place / "policy", "--name", "x"])):
            for file in sorted(folder.iterdir()):
                if folder == checkpoint and file.name not in ("manifest.json", "params.safetensors"):
                    continue
                with self.subTest(f"{command[0]} {file.name}"):
                    kept = file.read_bytes()
                    file.unlink()
                    os.mkfifo(file)
                    self.assertRefusedAtOnce(*command, says="not a regular file")
                    file.unlink()
                    file.write_bytes(kept)
        best = checkpoint.parent / "best.json"
        best.unlink(missing_ok=True)
        os.mkfifo(best)
        self.seedbed("eval", "1", "--episodes", "1")  # the scores in the checkpoints are used instead

    def test_a_pipe_in_place_of_the_database_or_its_log_is_refused_at_once(self):
        self.trained(*SMALL)
        for name in ("seedbed.db", "seedbed.db-wal", "seedbed.db-shm", "seedbed.db.lock"):
            with self.subTest(name):
                folder = self.place / ("with-" + name)
                self.seedbed("db", "export", str(folder))
                (folder / name).unlink(missing_ok=True)
                os.mkfifo(folder / name)
                self.assertRefusedAtOnce("edit", "1", "--name", "x", "--data", folder)
                if name != "seedbed.db.lock":
                    self.assertRefusedAtOnce("list", "--data", folder)
                    self.assertRefusedAtOnce("db", "import", folder, says="")

    def test_no_command_waits_for_a_pipe_in_place_of_any_file_of_a_data_folder(self):
        self.seedbed("train", *SMALL, "--run.schedule", "async", "--actor.threads", "1")
        self.seedbed("export", "1", "--to", "safetensors", "--out", str(self.place / "policy"))
        self.seedbed("import", str(self.place / "policy"), "--name", "stored")
        self.seedbed("queue", "add", *SMALL, "--seed", "2")
        newest = self.newest(self.data).relative_to(self.data)
        files = [file.relative_to(self.data) for file in sorted(self.data.rglob("*")) if file.is_file()]
        files = [file for file in files if len(file.parts) < 4 or file.is_relative_to(newest)]
        self.assertGreaterEqual({file.name for file in files}, {
            "session.bin", "windows.bin", "run.bin", "params.safetensors", "manifest.json", "policy.json",
            "best.json", "run-1.lock", "seedbed.db"
        })
        commands = [["resume", "1", "--steps", "2000"], ["eval", "1", "--episodes", "1"],
                    ["eval", "stored", "--episodes", "1"], ["db", "check", "--checkpoints"],
                    ["db", "import", "--trust", self.place / "copy", "--data", self.place / "other"],
                    ["queue", "start", "--foreground"]]
        in_checkpoint = {file for file in files if len(file.parts) > 3}
        for file in files:
            for command in commands:
                if not MEASURING and file in in_checkpoint and command[:2] in (["eval", "stored"],
                                                                              ["queue", "start"]):
                    continue  # commands that do not use the checkpoints of run 1
                with self.subTest(f"{file}: {' '.join(map(str, command[:2]))}"):
                    for folder in ("copy", "other"):
                        shutil.rmtree(self.place / folder, ignore_errors=True)
                    shutil.copytree(self.data, self.place / "copy")
                    (self.place / "copy" / file).unlink()
                    os.mkfifo(self.place / "copy" / file)
                    where = [] if "--data" in command else ["--data", self.place / "copy"]
                    run = self.attempt(*command, *where)  # fails after its timeout
                    self.assertIn(run.returncode, (0, 1, 3), run.stderr)

    def test_links_and_devices_in_a_foreign_folder_are_refused(self):
        self.trained(*SMALL)
        checkpoint = self.newest(self.data)
        params = checkpoint / "params.safetensors"
        params.rename(self.place / "elsewhere")
        for target in (self.place / "elsewhere", pathlib.Path("/dev/zero")):
            params.unlink(missing_ok=True)
            params.symlink_to(target)
            self.assertRefusedAtOnce("eval", checkpoint, "--episodes", "1", says="")
        config = self.place / "config.json"
        config.write_text("{}")
        link = self.place / "link.json"
        link.symlink_to(config)
        self.seedbed("train", *SMALL, "--config", str(link))  # the user's own links are followed

    # --- text
    def test_terminal_escapes_of_imported_text_are_not_printed(self):
        source = self.exported("--name", "mine")
        evil = "\x1b]0;title\x07\x1b[2Jred\x1b[31m \u009b31m \u202egnp.exe \u00fc\u4f60"
        with sqlite3.connect(source / "seedbed.db") as database:
            database.execute("update runs set notes = ?, env = ?, algo = ?, status_text = ?", (evil, ) * 4)
            database.execute("update event_rows set text = ?, kind = ?", (evil, evil))
        other = ["--data", str(self.place / "other")]
        self.seedbed("db", "import", str(source), *other)
        printed = ""
        for command in (["list"], ["show", "1"], ["resume", "1"], ["doctor", "1"]):
            run = self.attempt(*command, *other)
            printed += run.stdout + run.stderr
        for bad in "\x1b\x07\u009b\u202e":
            self.assertNotIn(bad, printed)
        self.assertIn("\u00fc\u4f60", printed, "other text stays")
        missing = self.seedbed("show", "no\x1b[31m such", code=3).stderr
        self.assertNotIn("\x1b", missing)

    # --- access
    def test_only_the_owner_can_read_what_seedbed_stores(self):
        os.umask(0o022)
        self.seedbed("train", *SMALL)
        self.seedbed("export", "1", "--to", "safetensors", "--out", str(self.place / "policy"))
        self.seedbed("import", str(self.place / "policy"), "--name", "stored")
        copy = self.place / "copy"
        self.seedbed("db", "export", str(copy))
        for path in [self.data, *self.data.rglob("*"), copy, *copy.rglob("*")]:
            self.assertEqual(stat.S_IMODE(path.lstat().st_mode) & 0o077, 0, path)
        self.assertEqual(stat.S_IMODE((self.place / "policy").stat().st_mode), 0o755, "an export")
        model = self.place / "policy" / "model.safetensors"
        self.assertEqual(stat.S_IMODE(model.stat().st_mode), 0o644)
        # A folder of an earlier version, or one that was copied with other permissions.
        (self.data / "environments.json").write_text("[]")
        (self.data / "leagues").mkdir()
        for path in [self.data, *self.data.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        self.seedbed("edit", "1", "--name", "x")
        for path in [self.data, *self.data.iterdir()]:
            self.assertEqual(stat.S_IMODE(path.lstat().st_mode) & 0o077, 0, path)
        # A folder that also contains other files keeps its permissions; Seedbed's own files do not.
        self.data.chmod(0o755)
        (self.data / "thesis.tex").write_text("")
        self.seedbed("edit", "1", "--name", "y")
        self.assertEqual(stat.S_IMODE(self.data.stat().st_mode), 0o755)

    def test_a_read_only_database_is_read_and_changes_name_the_reason(self):
        self.trained(*SMALL)
        run_as = []
        if os.geteuid() == 0:  # root without the capabilities that make it ignore permissions
            dropped = "-dac_override,-dac_read_search"
            run_as = ["setpriv", "--bounding-set", dropped, "--inh-caps", dropped]
        for names in (["seedbed.db"], ["seedbed.db", "seedbed.db-wal", "seedbed.db-shm", "seedbed.db.lock"]):
            for name in names:
                (self.data / name).chmod(0o444)
            for command, code in ((["list"], 0), (["show", "1"], 0), (["eval", "1", "--episodes", "1"], 0),
                                  (["edit", "1", "--name", "x"], 1), (["train", *SMALL], 1),
                                  (["resume", "1", "--steps", "2500"], 1)):
                with self.subTest(f"{names}: {command[0]}"):
                    run = subprocess.run([*run_as, PROGRAM, *command], capture_output=True, text=True,
                                         env=self.env, timeout=120)
                    self.assertEqual(run.returncode, code, run.stderr)
                    if code:
                        self.assertRegex(
                            run.stderr, "seedbed.db(.lock)?' (cannot be written|failed: Permission denied)")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
