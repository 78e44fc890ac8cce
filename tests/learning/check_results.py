# SPDX-License-Identifier: Apache-2.0
"""Checks the recorded results of shipped presets: exit code 1 if a preset has no result and is not marked as
unmeasured, if the result belongs to another version of the preset, or if it is below the preset's score.
"""
import json
import pathlib
import subprocess
import sys

from suite import NOT_MEASURED, required

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def problem(preset):
    path = RESULTS / f"{preset['name']}.json"
    unmeasured = preset["source"].startswith(NOT_MEASURED)
    if unmeasured and not path.exists():
        return None
    if unmeasured:
        return "a result exists although the preset is marked as not yet measured"
    if not path.exists():
        return "no recorded result; run tests/learning/suite.py"
    result = json.loads(path.read_text())
    if result["preset_hash"] != preset["hash"]:
        return "the recorded result belongs to another version of the preset; run tests/learning/suite.py"
    if result["seeds"] < 3 or len(result["rows"]) != result["seeds"]:
        return "fewer than 3 seeds"
    reached = sum(
        sum(row["returns"]) / len(row["returns"]) >= preset["expected_score"] for row in result["rows"])
    if reached < required(result["seeds"]):
        return f"only {reached} of {result['seeds']} seeds reach {preset['expected_score']}"
    return None


def main():
    presets = json.loads(
        subprocess.run([sys.argv[1], "presets", "--json"], capture_output=True, text=True, check=True).stdout)
    problems = [(preset["name"], problem(preset)) for preset in presets]
    for name, text in problems:
        print(f"{name}: {text or 'ok'}")
    if not presets or any(text for _, text in problems):
        sys.exit(1)


if __name__ == "__main__":
    main()
