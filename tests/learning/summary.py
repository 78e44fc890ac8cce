#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes resources/learning.json: for each solved preset with a recorded result, the steps after which each
seed first reached the goal in an evaluation. The program converts them to minutes with the speed
measured on the user's computer.

usage: summary.py [--check]        --check: exit code 1 if the file differs from the results
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "tests/learning/results"
PRESETS = ROOT / "resources/presets"
TARGET = ROOT / "resources/learning.json"


def summary():
    presets = {}
    for path in sorted(RESULTS.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        if "expected_score" not in result:
            continue
        # Goals may have changed after the result was recorded.
        expects = json.loads((PRESETS / path.name).read_text(encoding="utf-8"))["expects"]
        if not expects.get("solved", True):
            continue
        reached = []
        for row in result["rows"]:
            evaluations = row.get("evaluations") or {"steps": [], "values": []}
            steps = [
                s for s, v in zip(evaluations["steps"], evaluations["values"])
                if v >= expects["score"]
            ]
            if steps:
                reached.append(steps[0])
        presets[result["preset"]] = {"seeds": result["seeds"], "steps_to_goal": sorted(reached)}
    return json.dumps({"presets": presets}, indent=1) + "\n"


def main():
    text = summary()
    if "--check" in sys.argv:
        if TARGET.read_text(encoding="utf-8") != text:
            print(f"{TARGET} differs from the recorded results; run {__file__}")
            return 1
        return 0
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
