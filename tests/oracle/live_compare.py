#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the native environments with the Python originals: records fresh traces with make_traces.py and
replays them.

usage: live_compare.py TEST_ORACLE RESULT.json [--offset N] [--multiple M] [--folder DIR [--recorded]]

TEST_ORACLE is the built test program (build/.../bin/test_oracle). The interpreter that runs this script
needs the originals:
    python3 -m venv originals && originals/bin/pip install gymnasium minatar minigrid popgym mpe2 numpy==1.24.2
With NumPy 2, Pendulum-v1 is compared instead of MountainCarContinuous-v0.
The offset changes the seeds, so that runs with different offsets record different traces. The exit code is 1
if a trace differs.
"""
import argparse
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = ["numpy", "gymnasium", "minatar", "minigrid", "popgym", "mpe2"]
LINE = re.compile(r"^TRACE (\S+) transitions (\d+) drawn (\d+)$", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] All/Trace\.ReplaysWithoutADifference/(\w+), where", re.MULTILINE)


def missing_packages():
    missing = []
    for package in PACKAGES:
        try:
            importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    return missing


def compare(program, folder, offset, multiple, recorded):
    """Records traces in `folder` unless `recorded`, replays them and returns the result as a dictionary."""
    if not recorded:
        command = [sys.executable, HERE / "make_traces.py", folder, offset, multiple]
        subprocess.run([str(word) for word in command], check=True)
    replay = subprocess.run([program, "--gtest_filter=*Trace*"],
                            env={**os.environ, "SEEDBED_TRACES": str(folder)},
                            capture_output=True,
                            text=True,
                            check=False)
    traces = {
        name: {"transitions": int(count), "drawn": int(drawn)}
        for name, count, drawn in LINE.findall(replay.stdout)
    }
    different = sorted(set(FAILED.findall(replay.stdout)))
    if replay.returncode != 0:
        print(replay.stdout, replay.stderr, file=sys.stderr)
    return {
        "originals": {package: importlib.metadata.version(package) for package in PACKAGES},
        "seed_offset": offset,
        "multiple": multiple,
        "transitions": sum(trace["transitions"] for trace in traces.values()),
        "different": different,
        "traces": traces,
        "equal": replay.returncode == 0 and not different,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("result")
    parser.add_argument("--offset", type=int, default=1_000_003)
    parser.add_argument("--multiple", type=int, default=14)
    parser.add_argument("--folder", help="keep the traces here instead of in a temporary folder")
    parser.add_argument("--recorded",
                        action="store_true",
                        help="replay the traces of an earlier run with the same options in --folder")
    options = parser.parse_args()
    if options.recorded and not options.folder:
        parser.error("--recorded needs --folder")
    missing = missing_packages()
    if missing:
        print("skipped: not installed here: " + ", ".join(missing))
        return 0
    if options.folder:
        Path(options.folder).mkdir(parents=True, exist_ok=True)
        result = compare(options.program, options.folder, options.offset, options.multiple, options.recorded)
    else:
        with tempfile.TemporaryDirectory() as folder:
            result = compare(options.program, folder, options.offset, options.multiple, options.recorded)
    Path(options.result).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    verdict = "no difference" if result["equal"] else "DIFFERENT: " + ", ".join(result["different"])
    print(f"{result['transitions']} transitions, {verdict}")
    return 0 if result["equal"] else 1


if __name__ == "__main__":
    sys.exit(main())
