#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each process contains exactly one SQLite: two copies would not respect each other's locks.

usage: one_sqlite_test.py SEEDBED [SEEDBED_GUI]

Lists the files mapped into a training process (and the window, without a display) and counts those that
define sqlite3_libversion.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SYMBOL = "sqlite3_libversion"


def defines(path):
    symbols = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True).stdout
    symbols += subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True).stdout
    return any(line.split()[-1].split("@")[0] == SYMBOL for line in symbols.splitlines() if line.split())


def mapped_files(pid):
    lines = pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines()
    files = {line.split(maxsplit=5)[5] for line in lines if len(line.split(maxsplit=5)) == 6}
    return sorted(file for file in files if file.startswith("/") and pathlib.Path(file).is_file())


def copies(pid):
    return [file for file in mapped_files(pid) if (file.endswith(".so") or ".so." in file or
                                                  os.access(file, os.X_OK)) and defines(file)]


def main():
    if subprocess.run(["nm", "--version"], capture_output=True).returncode != 0:
        print("[  SKIPPED ] nm was not found")
        return 0
    failed = False
    with tempfile.TemporaryDirectory(prefix="seedbed-sqlite-") as folder:
        env = {**os.environ, "SEEDBED_DATA": f"{folder}/data", "HOME": folder, "QT_QPA_PLATFORM": "offscreen",
               "XDG_RUNTIME_DIR": folder}
        commands = [[sys.argv[1], "train", "cartpole", "--preset", "none", "--minutes", "5", "--quiet"]]
        commands += [[program] for program in sys.argv[2:] if pathlib.Path(program).exists()]
        for command in commands:
            process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            deadline = time.monotonic() + 60
            # The database is open once its shared memory is mapped.
            while not any(file.endswith("-shm") for file in mapped_files(process.pid)):
                if process.poll() is not None or time.monotonic() > deadline:
                    sys.exit(f"{command[0]} did not open the database")
                time.sleep(0.1)
            found = copies(process.pid)
            process.kill()
            process.wait()
            print(pathlib.Path(command[0]).name, "uses", ", ".join(found) or "no SQLite")
            failed = failed or len(found) != 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
