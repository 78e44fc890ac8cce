# SPDX-License-Identifier: Apache-2.0
"""Checks the training doctor: 39 runs that are broken on purpose, and 35 that train well.

    python3 tests/learning/doctor.py SEEDBED               all runs; records results/doctor.json
    python3 tests/learning/doctor.py SEEDBED --short       CI: a few runs of each kind, records nothing; with
                                                           SEEDBED_LONG=1 one more of each kind
    python3 tests/learning/doctor.py SEEDBED clip memory   the runs whose names contain one of these words

For a broken run the first finding must blame the setting that is broken (or be the rule named here), and
running the suggested command must reach a goal that the broken run missed. A suggested command is
never killed. A run that trains well must have no finding that is a warning or a problem. The doctor does
not read this file: its input is that of `seedbed doctor RUN`. With --short, runs with the same settings,
which give the same results, are trained once.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

from provenance import SOURCE, commit_to_record, settings_hash

RESULT = SOURCE / "tests/learning/results/doctor.json"
TIMEOUT_S = 300
BARS = {"blamed": 36, "repaired": 32, "silent": 35}  # of 39, 39 and 35: at least 90 %, 80 % and all
KILLED = "killed "  # before a command: its process is killed soon after its first update

# (name, settings or rules, one of which the first finding must name, command lines that create the run)
BROKEN = [
    ("learning rate x 1000", ["algo.learning_rate"], ["train cartpole --algo.learning_rate 5"]),
    ("learning rate / 1000", ["algo.learning_rate"], ["train cartpole --algo.learning_rate 5e-6"]),
    ("learning rate x 1000, sparse reward", ["algo.learning_rate"],
     ["train acrobot --algo.learning_rate 0.3"]),
    ("learning rate x 600, V-trace", ["algo.learning_rate"],
     ["train cartpole --preset cartpole_vtrace --algo.learning_rate 3"]),
    ("dead network of rectifiers", ["algo.learning_rate"],
     ["train cartpole --network.activation relu --algo.learning_rate 1"]),
    ("saturated actions", ["algo.learning_rate"],
     ["train pendulum --algo.learning_rate 1"]),
    ("not a number", ["algo.learning_rate"], ["train mountain_car_continuous --algo.learning_rate 10"]),
    ("not a number, other harmless changes", ["env.wrap.reward_scale"],
     ["train pendulum --env.wrap.reward_scale 1e30 --actor.num_envs 32"]),
    ("actions without spread", ["network.initial_log_std"],
     ["train pendulum --network.initial_log_std -15"]),
    ("no exploration", ["algo.entropy_cost"],
     ["train minigrid_dynamic_obstacles_5x5 --algo.entropy_cost 0"]),
    ("entropy far too high", ["algo.entropy_cost"], ["train cartpole --algo.entropy_cost 10"]),
    ("exhausted schedule", ["algo.lr_horizon"], ["train cartpole --algo.lr_horizon 8000"]),
    ("exhausted schedule of a resumed run", ["algo.lr_horizon"],
     ["train cartpole --steps 8000 --algo.lr_horizon 8000", "resume 1 --steps 60000"]),
    ("no discounted future", ["algo.gamma"], ["train cartpole --algo.gamma 0"]),
    ("discount of 0.3 in a long task", ["algo.gamma"], ["train deep_sea --algo.gamma 0.3"]),
    ("no discounted future, sparse reward", ["algo.gamma"], ["train minigrid_empty_5x5 --algo.gamma 0"]),
    ("clipped rewards", ["env.wrap.reward_clip"], ["train pendulum --env.wrap.reward_clip 0.01"]),
    ("rewards reversed", ["env.wrap.reward_scale"], ["train cartpole --env.wrap.reward_scale -1"]),
    ("reward scale huge", ["env.wrap.reward_scale"], ["train cartpole --env.wrap.reward_scale 1e6"]),
    ("no normaliser", ["network.normalise_obs"], ["train mountain_car --network.normalise_obs false"]),
    ("memory switched off", ["network.core"], ["train memory_chain --network.core none"]),
    ("memory switched off, other harmless changes", ["network.core"],
     ["train repeat_first_easy --network.core none --algo.gamma 0.98 --network.hidden 48"]),
    ("velocities hidden", ["env.hide_velocities"], ["train cartpole --env.hide_velocities true"]),
    ("too few environments", ["actor.num_envs"], ["train deep_sea --actor.num_envs 1"]),
    ("too many environments", ["actor.num_envs"], ["train cartpole --actor.num_envs 512"]),
    ("too few epochs", ["algo.epochs"], ["train cartpole --algo.epochs 1"]),
    ("no limit of the policy's change", ["algo.clip"], ["train catch --algo.clip 1"]),
    ("critic switched off", ["algo.value_cost"], ["train cartpole --algo.value_cost 0"]),
    ("gradients cut to nothing", ["optimiser.max_grad_norm"],
     ["train cartpole --optimiser.max_grad_norm 1e-8"]),
    ("optimiser of another kind", ["optimiser.kind"], ["train cartpole --optimiser.kind sgd"]),
    ("minibatches of one decision", ["algo.minibatches"], ["train two_state --algo.minibatches 512"]),
    ("minibatches too large", ["algo.minibatches"],
     ["train mountain_car_continuous --algo.minibatches 1"]),
    ("process that keeps dying", ["process_ends"],
     [KILLED + "train cartpole", KILLED + "resume 1", KILLED + "resume 1", KILLED + "resume 1"]),
    ("weights decay", ["optimiser.weight_decay"], ["train cartpole --optimiser.weight_decay 10"]),
    ("learning rate x 100, replay", ["algo.learning_rate"],
     ["train cartpole --preset cartpole_dqn --algo.learning_rate 0.05"]),
    ("target network that never changes", ["algo.target_period"],
     ["train cartpole --preset cartpole_dqn --algo.target_period 100000"]),
    ("random actions throughout", ["algo.epsilon_end"],
     ["train cartpole --preset cartpole_dqn --algo.epsilon_end 0.9"]),
    ("no random actions at first, continuous", ["algo.random_steps"],
     ["train mountain_car_continuous --preset mountain_car_continuous_sac --algo.random_steps 0 "
      "--algo.replay_start 300"]),
    ("temperature that learns too fast", ["algo.temperature_learning_rate"],
     ["train pendulum --preset pendulum_sac --algo.temperature_learning_rate 0.3"]),
]

# Command lines of runs that train well: presets, other seeds, and harmless changes.
HEALTHY = [
    "cartpole", "cartpole --seed 2", "cartpole --seed 3", "cartpole --preset cartpole_vtrace",
    "cartpole --preset cartpole_zoo", "cartpole --algo.epochs 20", "cartpole --actor.num_envs 16",
    "cartpole --algo.gamma 0.99 --network.hidden 128,128", "deep_sea --seed 2",
    "acrobot", "acrobot --seed 2", "acrobot --network.normalise_obs false", "acrobot --algo.lambda 0",
    "catch", "catch --seed 2", "deep_sea", "deep_sea --algo.entropy_cost 0", "two_state",
    "two_state --seed 2", "pendulum", "mountain_car_continuous", "memory_chain",
    "memory_chain --algo.lambda 0", "repeat_first_easy", "minigrid_empty_5x5",
    "minigrid_empty_5x5 --seed 2", "minigrid_empty_6x6", "minigrid_empty_random_5x5",
    "minigrid_door_key_5x5", "minigrid_dynamic_obstacles_5x5", "cartpole --preset cartpole_dqn",
    "cartpole --preset cartpole_pqn", "cartpole --preset cartpole_vmpo", "cartpole --preset cartpole_awr",
    "mountain_car_continuous --preset mountain_car_continuous_sac",
]

SHORT = {"exhausted schedule", "no discounted future",
         "target network that never changes",
         "not a number", "memory switched off", "gradients cut to nothing",
         "process that keeps dying"}
SHORT_HEALTHY = {"cartpole", "two_state", "memory_chain", "cartpole --preset cartpole_dqn"}
if os.environ.get("SEEDBED_LONG"):
    SHORT.add("learning rate x 1000")  # half of the time; cli_test.py has a shorter run with that fault
    SHORT_HEALTHY.add("cartpole --actor.num_envs 16")  # also the preset of cartpole


class Folder:
    """One data folder, and the program that works on it with one thread."""

    def __init__(self, program, path, known=None):
        """known: maps the settings of runs to (score, findings); None: every run is trained."""
        self.program, self.path, self.known = program, path, known

    def call(self, arguments, check=True):
        done = subprocess.run([self.program, *arguments, "--data", self.path, "--json"],
                              capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        if check and done.returncode != 0:
            sys.exit(f"seedbed {shlex.join(arguments)}: {done.stderr}")
        return done.stdout

    def run_and_kill(self, words):
        with subprocess.Popen([self.program, *words, "--data", self.path, "--json"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if json.loads(line)["event"] == "status":
                    break
            process.kill()
        return "".join(lines)

    def run(self, line):
        """Trains or resumes; a run that fails is also a result. Returns the id of the run."""
        words = shlex.split(line.removeprefix(KILLED))
        if line.startswith(KILLED):
            out = self.run_and_kill([*words, "--threads", "1"])
        else:
            out = self.call([*words, "--threads", "1", "--quiet"], check=False)
        return words[1] if words[0] == "resume" else str(json.loads(out.splitlines()[0])["id"])

    def score(self, run):
        """Mean of the last evaluation; None if there is none."""
        evaluations = json.loads(self.call(["show", run]))["evaluations"]
        return evaluations[-1]["mean"] if evaluations else None

    def findings(self, run):
        return json.loads(self.call(["doctor", run]))["findings"]

    def result(self, line):
        """Score and findings of a new run."""
        settings = None
        if self.known is not None and line.startswith("train "):
            settings = json.loads(self.call([*shlex.split(line), "--threads", "1", "--dry-run"]))["config"]
            settings = json.dumps(settings, sort_keys=True)
            if settings in self.known:
                return self.known[settings]
        run = self.run(line)
        result = self.score(run), self.findings(run)
        if settings is not None:
            self.known[settings] = result
        return result


def reaches(score, goal):
    return score is not None and score >= goal


def goal_of(presets, line):
    """The score of the preset that a command line starts from."""
    words = shlex.split(line.removeprefix(KILLED))
    name = words[words.index("--preset") + 1] if "--preset" in words else words[1]
    return presets[name]["expected_score"]


def examine_broken(folder, presets, name, blamed, lines):
    run = None
    for line in lines:
        run = folder.run(line)
    goal = goal_of(presets, lines[0])
    score = folder.score(run)
    findings = folder.findings(run)
    first = findings[0] if findings else {"rule": "", "blames": [], "command": ""}
    result = {"name": name, "commands": lines, "goal": goal, "score": score,
              "missed": not reaches(score, goal), "first": first["rule"], "blames": first["blames"],
              "right": any(key in (first["rule"], *first["blames"]) for key in blamed),
              "remedy": first["command"],
              "repaired_score": None, "repaired": False}
    if first["command"]:
        result["repaired_score"], _ = folder.result(first["command"].removeprefix("seedbed "))
        result["repaired"] = reaches(result["repaired_score"], goal)
    return result


def examine_healthy(folder, presets, line):
    score, findings = folder.result("train " + line)
    goal = goal_of(presets, "train " + line)
    alarms = [f["rule"] for f in findings if f["severity"] != "note"]
    return {"command": "train " + line, "goal": goal, "score": score, "trained": reaches(score, goal),
            "alarms": alarms, "silent": not alarms}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--short", action="store_true")
    options = parser.parse_intermixed_args()
    program = str(pathlib.Path(options.program).resolve())
    listed = subprocess.run([program, "presets", "--json"], capture_output=True, text=True, check=True)
    presets = {p["name"]: p for p in json.loads(listed.stdout)}

    def chosen(name, short):
        return name in short if options.short else (not options.words or
                                                    any(word in name for word in options.words))

    record = not options.short and not options.words
    commit = commit_to_record() if record else None
    begin = time.monotonic()
    broken, healthy = [], []
    known = {} if options.short else None
    for name, blamed, lines in BROKEN:
        if not chosen(name, SHORT):
            continue
        with tempfile.TemporaryDirectory(prefix="seedbed-doctor-") as path:
            r = examine_broken(Folder(program, path, known), presets, name, blamed, lines)
        broken.append(r)
        print(f"{'ok' if r['missed'] and r['right'] and r['repaired'] else 'NO':3}{name}: "
              f"{r['score']} of {r['goal']}, {r['first']} {r['blames']}, then {r['repaired_score']}",
              flush=True)
        if not r["missed"]:
            print("   it is not broken: it reaches its goal")
        elif not r["repaired"]:
            print(f"   not repaired by: {r['remedy']}")
    for line in HEALTHY:
        if not chosen(line, SHORT_HEALTHY):
            continue
        with tempfile.TemporaryDirectory(prefix="seedbed-doctor-") as path:
            r = examine_healthy(Folder(program, path, known), presets, line)
        healthy.append(r)
        print(f"{'ok' if r['trained'] and r['silent'] else 'NO':3}{line}: {r['score']} of {r['goal']} "
              f"{r['alarms']}", flush=True)
    counts = {"blamed": sum(r["missed"] and r["right"] for r in broken),
              "repaired": sum(r["missed"] and r["right"] and r["repaired"] for r in broken),
              "silent": sum(r["trained"] and r["silent"] for r in healthy)}
    print(f"{counts['blamed']} of {len(broken)} broken runs blamed correctly, {counts['repaired']} repaired; "
          f"{counts['silent']} of {len(healthy)} healthy runs silent; {time.monotonic() - begin:.0f} s")
    if options.short:
        sys.exit(counts != {"blamed": len(broken), "repaired": len(broken), "silent": len(healthy)})
    if not record:
        return
    result = {
        "command": "python3 tests/learning/doctor.py SEEDBED", "commit": commit,
        "program_sha256": hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest(), "bars": BARS,
        "broken": {name: lines for name, _, lines in BROKEN}, "healthy": HEALTHY,
        "rows": {"counts": counts, "broken": broken, "healthy": healthy}
    }
    result["settings_sha256"] = settings_hash(result)
    RESULT.write_text(json.dumps(result, indent=1) + "\n")
    sys.exit(any(counts[name] < bar for name, bar in BARS.items()))


if __name__ == "__main__":
    main()
