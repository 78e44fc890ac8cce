# SPDX-License-Identifier: Apache-2.0
"""Checks the recorded results of shipped presets. Exit code 1 if a preset has no result and is not marked as
unmeasured, if the result belongs to a different version of the preset or lacks its commit or the hash of its
settings, if it is below the preset's score, or if it differs from the best score of a preset that is not
solved.
"""
import json
import pathlib
import subprocess
import sys

from provenance import UNKNOWN, provenance_finding, provenance_problem, why_not_checkable
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
        return "the recorded result belongs to a different version of the preset; run tests/learning/suite.py"
    unfinished = not preset["solved"] and "incomplete" in result
    if (result["seeds"] < 3 and not unfinished) or len(result["rows"]) != result["seeds"]:
        return "fewer than 3 seeds, and not marked as incomplete"
    reached = sum(
        sum(row["returns"]) / len(row["returns"]) >= preset["expected_score"] for row in result["rows"])
    if not preset["solved"]:
        best = sum(row["mean"] for row in result["rows"]) / result["seeds"]
        if reached >= required(result["seeds"]):
            return "the recorded result reaches the goal: remove \"solved\": false"
        if abs(best - preset["best_score"]) > 0.005 * max(1, abs(best)):
            return f"the recorded mean is {best:.4g}, the preset's best score {preset['best_score']:.4g}"
        return None
    if reached < required(result["seeds"]):
        return f"only {reached} of {result['seeds']} seeds reach {preset['expected_score']}"
    return None


def main():
    presets = json.loads(
        subprocess.run([sys.argv[1], "presets", "--json"], capture_output=True, text=True, check=True).stdout)
    problems = [(preset["name"], problem(preset)) for preset in presets]
    for name, text in problems:
        print(f"{name}: {text or 'ok'}")
    reason = why_not_checkable()
    if reason:
        print(f"commits are not checked: {reason}")
    files = {path.stem: json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))}
    wrong = {name: provenance_problem(name, result) for name, result in files.items()}
    findings = {name: provenance_finding(result) for name, result in files.items()} if reason is None else {}
    for name, text in findings.items():
        if text:
            print(f"finding: {name}: {text}")
    wrong |= {name: "is in UNKNOWN but has no result" for name in UNKNOWN - files.keys()}
    for name, text in wrong.items():
        if text:
            print(f"{name}: {text}")
    if not presets or any(text for _, text in problems) or any(wrong.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
