# SPDX-License-Identifier: Apache-2.0
"""Data echoing with slow environments: how much sooner V-trace reaches a score if learner.echo is automatic
than if it learns once from each rollout. Acting takes four times as long as one pass over a rollout.

    python3 tests/learning/echo.py build/release/bin/seedbed      result in tests/learning/results/echo.json

The score is the mean return of 100 consecutive training episodes, and the time is that since the run began
to act. env.wrap.step_ms slows the environments down; a short run measures how long learning takes. Each pair
of runs begins with such a measurement, because other programs may slow the machine down.
"""
import argparse
import json
import pathlib
import sqlite3
import statistics
import sys
import tempfile

from provenance import commit_to_record, settings_hash
from suite import RESULTS, document

SEEDS = [1, 2, 3]
RATIO = 4  # acting time / time of a pass
SPEED_UP = 1.8
EPISODES = 100
COMMON = {
    "algo.id": "vtrace", "algo.rollout_length": "20", "algo.learning_rate": "0.0006",
    "algo.entropy_cost": "0.005", "network.hidden": "256,256", "network.activation": "tanh",
    "network.separate_critic": "true", "optimiser.max_grad_norm": "40", "actor.num_envs": "16",
    "actor.groups": "2", "actor.threads": "2", "run.schedule": "async", "run.inference": "inline",
    "run.threads": "1", "eval.final_episodes": "0", "eval.every_steps": "1000000000"
}
# The thresholds of Gymnasium's registry.
TASKS = {
    "cartpole": {"score": 475, "steps": 600_000, "settings": {"env.wrap.reward_scale": "0.1"}},
    "acrobot": {"score": -100, "steps": 600_000, "settings": {"env.wrap.reward_scale": "0.1"}},
}
PHASES = ["gather", "targets", "forward", "loss", "backward", "optimiser"]


def train(program, folder, task, seed, steps, extra):
    settings = {**COMMON, **TASKS[task]["settings"], **extra, "run.steps": str(steps)}
    options = [word for key, value in settings.items() for word in ("--" + key, value)]
    lines = document(program, "train", task, "--preset", "none", "--seed", str(seed), "--data", folder,
                     *options).splitlines()
    return str(json.loads(lines[0])["id"])


def metric(program, folder, run, *names):
    curves = json.loads(document(program, "metrics", run, *names, "--data", folder))
    return {name: curves[name]["values"] for name in names}


def pass_seconds(program, folder, run, passes):
    """Seconds that one thread needs for a pass over a rollout."""
    times = metric(program, folder, run, *[f"time/{phase}" for phase in PHASES])
    return sum(sum(values) for values in times.values()) / passes


def step_ms(program, folder, task, seed):
    """The delay with which acting takes RATIO times as long as a pass."""
    delay = 0.2
    for _ in range(2):
        run = train(program, folder, task, seed, 16_000, {"env.wrap.step_ms": str(delay)})
        speeds = metric(program, folder, run, "speed/updates_per_s")["speed/updates_per_s"]
        acting_s = statistics.median(1 / speed for speed in speeds)
        wanted_s = RATIO * pass_seconds(program, folder, run, len(speeds))
        # 20 steps of 8 environments, which sleep one after another.
        delay = max(0.01, delay + (wanted_s - acting_s) * 1000 / 160)
    return round(delay, 4)


def time_to_score(folder, run, score):
    """Seconds until EPISODES consecutive episodes have the mean `score`, and the decisions; or None."""
    database = sqlite3.connect(f"file:{folder}/seedbed.db?mode=ro", uri=True)
    begin = database.execute("SELECT min(time) FROM metric_points WHERE run_id = ?", (run,)).fetchone()[0]
    episodes = database.execute(
        "SELECT time, step, episode_return FROM episodes WHERE run_id = ? ORDER BY number", (run,)).fetchall()
    total = 0
    for index, (time, step, value) in enumerate(episodes):
        total += value - (episodes[index - EPISODES][2] if index >= EPISODES else 0)
        if index + 1 >= EPISODES and total / EPISODES >= score:
            return round(time - begin, 2), step
    return None, None


def measure(program, task, seed, folder):
    delay = step_ms(program, folder, task, seed)
    row = {"task": task, "seed": seed, "step_ms": delay}
    for echo in ("1", "0"):
        run = train(program, folder, task, seed, TASKS[task]["steps"],
                    {"env.wrap.step_ms": str(delay), "learner.echo": echo})
        speeds = metric(program, folder, run, "speed/updates_per_s")["speed/updates_per_s"]
        seconds, decisions = time_to_score(folder, run, TASKS[task]["score"])
        result = {"seconds_to_score": seconds, "decisions_to_score": decisions,
                  "seconds_per_rollout": statistics.median(1 / speed for speed in speeds)}
        if echo == "1":
            result["acting_to_learning"] = round(
                result["seconds_per_rollout"] / pass_seconds(program, folder, run, len(speeds)), 2)
        else:
            factors = metric(program, folder, run, "async/echo")["async/echo"]
            result["echo"] = [round(factor, 2) for factor in factors[::max(1, len(factors) // 20)]]
        row["automatic" if echo == "0" else "once"] = result
    print(json.dumps(row), flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--tasks", nargs="*", default=list(TASKS), choices=list(TASKS))
    parser.add_argument("--seeds", nargs="*", type=int, default=SEEDS)
    parser.add_argument("--try", dest="attempt", action="store_true", help="record nothing")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    commit = "" if options.attempt else commit_to_record()
    rows = []
    for task in options.tasks:
        for seed in options.seeds:
            with tempfile.TemporaryDirectory(prefix="seedbed-echo-") as folder:
                rows.append(measure(program, task, seed, folder))
    speed_up, failed = {}, []
    for task in options.tasks:
        times = [(row["once"]["seconds_to_score"], row["automatic"]["seconds_to_score"]) for row in rows
                 if row["task"] == task]
        reached = all(once and automatic for once, automatic in times)
        # The ratio of mean times, so that a slow seed is not hidden.
        speed_up[task] = round(sum(t[0] for t in times) / sum(t[1] for t in times), 2) if reached else None
        print(f"{task}: {speed_up[task] or 'not reached'} times as fast", flush=True)
        if (speed_up[task] or 0) < SPEED_UP:
            failed.append(task)
    if not options.attempt:
        result = {
            "command": "python3 tests/learning/echo.py build/release/bin/seedbed", "commit": commit,
            "ratio": RATIO, "required": SPEED_UP, "episodes": EPISODES, "settings": COMMON, "tasks": TASKS,
            "speed_up": speed_up, "rows": rows
        }
        result["settings_sha256"] = settings_hash(result)
        (RESULTS / "echo.json").write_text(json.dumps(result) + "\n")
    if failed:
        sys.exit(f"echoing is less than {SPEED_UP} times as fast on: " + ", ".join(failed))


if __name__ == "__main__":
    main()
