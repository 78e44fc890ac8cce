#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a Python environment with onnxruntime, onnx, safetensors, Gymnasium, TensorBoard, pandas and polars in
FOLDER, unless it exists.
Without a package index it reports that and removes the folder, so the tests that need it are skipped. With
SEEDBED_NEED_PYTHON=1 that is a failure, and those tests fail as well.

usage: make_python.py FOLDER
"""

import os
import pathlib
import shutil
import subprocess
import sys

PACKAGES = ["onnxruntime==1.31.1", "onnx==1.23.2", "safetensors==0.8.0", "numpy==2.4.6", "gymnasium==1.4.0",
            "tensorboard==2.21.0", "pandas==3.1.1", "polars==2.1.0"]


def main():
    folder = pathlib.Path(sys.argv[1])
    done = folder / "complete"
    if done.exists() and done.read_text() == "\n".join(PACKAGES):
        return
    shutil.rmtree(folder, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, text=True)
    if made.returncode == 0:
        pip = [
            folder / "bin" / "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--retries",
            "1",
            "--timeout",
            "20",
        ]
        made = subprocess.run([*pip, *PACKAGES], capture_output=True, text=True)
    if made.returncode == 0:
        done.write_text("\n".join(PACKAGES))
        return
    shutil.rmtree(folder, ignore_errors=True)
    reason = (made.stderr or made.stdout).strip().splitlines()
    print("no Python with onnxruntime:", reason[-1] if reason else "unknown reason")
    sys.exit(1 if os.environ.get("SEEDBED_NEED_PYTHON") == "1" else 0)


main()
