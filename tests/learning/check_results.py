# SPDX-License-Identifier: Apache-2.0
"""Fails when a shipped preset has no recorded result, or one of another version of the preset, or one below its expected score."""
import json
import pathlib
import subprocess
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def problem(preset):
    path = RESULTS / f"{preset['name']}.json"
    if not path.exists():
        return "no recorded result; run tests/learning/suite.py"
    result = json.loads(path.read_text())
    if result["preset_hash"] != preset["hash"]:
        return "the recorded result belongs to another version of the preset; run tests/learning/suite.py"
    if result["seeds"] < 3 or len(result["rows"]) != result["seeds"]:
        return "fewer than 3 seeds"
    reached = sum(sum(row["returns"]) / len(row["returns"]) >= preset["expected_score"] for row in result["rows"])
    if reached < result["seeds"] - result["seeds"] // 10:
        return f"only {reached} of {result['seeds']} seeds reach {preset['expected_score']}"
    return None


def main():
    presets = json.loads(subprocess.run([sys.argv[1], "presets", "--json"], capture_output=True, text=True, check=True).stdout)
    problems = [(preset["name"], problem(preset)) for preset in presets]
    for name, text in problems:
        print(f"{name}: {text or 'ok'}")
    if not presets or any(text for _, text in problems):
        sys.exit(1)


if __name__ == "__main__":
    main()
