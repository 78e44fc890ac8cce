# SPDX-License-Identifier: Apache-2.0
"""Imports `seedbed` from a wheel with the library that the first argument names, in a new folder."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(sys.argv.pop(1)).resolve()

try:
    import gymnasium
    import numpy
    import pandas
    import polars
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()


def install(folder):
    """Installs a wheel with the library into a folder, which can be imported from."""
    made = subprocess.run(
        [sys.executable, ROOT / "packaging" / "make_wheel.py", LIBRARY, folder / "dist"],
        capture_output=True,
        text=True,
        check=True,
    )
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target"]
    subprocess.run([*command, folder / "site", made.stdout.strip()], check=True)
    return folder / "site"


FOLDER = tempfile.TemporaryDirectory(prefix="seedbed wheel ")
SITE = install(pathlib.Path(FOLDER.name))
sys.path.insert(0, str(SITE))
import seedbed
