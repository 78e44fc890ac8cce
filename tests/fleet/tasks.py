# SPDX-License-Identifier: Apache-2.0
"""The presets that the tests with a real Slurm and Ray train to their goals, with two actors."""

import json
from pathlib import Path

PRESETS = Path(__file__).resolve().parents[2] / "resources" / "presets"
TASKS = ("cartpole_vtrace", "minatar_breakout_vtrace")
ACTORS = 2


def start_options(name, steps=None):
    """Options of 'fleet start': the environments and steps of the preset, or `steps`."""
    preset = json.loads((PRESETS / f"{name}.json").read_text(encoding="utf-8"))
    return [name, "--actors", str(ACTORS), "--envs", str(preset["config"]["actor"]["num_envs"] // ACTORS),
            "--steps", str(steps or preset["budget"]["steps"])]


def outcome(name, run, steps=None):
    """The facts of a finished run, from 'seedbed show --json'. Fails below the preset's goal, unless `steps`
    replaced its budget."""
    goal = json.loads((PRESETS / f"{name}.json").read_text(encoding="utf-8"))["expects"]["score"]
    facts = {"steps": run["steps"], "goal": goal, "return": run["evaluations"][-1]["mean"]}
    assert steps or facts["return"] >= goal, facts
    return facts
