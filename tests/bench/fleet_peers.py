# SPDX-License-Identifier: Apache-2.0
"""Compares Seedbed's V-trace with IMPALA of Ray RLlib on the same two cores: environment steps per second,
and CPU seconds of all their processes per million steps. Medians, ranges and ratios as JSON.

    python3 tests/bench/fleet_peers.py SEEDBED [ROW...] [--peers ~/peers] [--rounds 3] [--seconds 5]
        [--result FILE]

Rows: cartpole; catch_pixels (pictures of 84 x 84, the last four stacked). `peers/setup.sh ray` creates the
Python environment. Three programs alternate and never run at the same time: Seedbed with two local groups,
Seedbed as a fleet of two local actors that choose the actions (actor.fleet_form=windows), and RLlib with two
env runners (peers/rllib_peer.py). All have 2 x 16 environments, rollouts of 20 decisions, updates with 640
rows, and the same networks. Starting and the first two seconds of training are not measured. Steps of Seedbed
are those that were learned from, those of RLlib all that were sampled.
"""
import argparse
import ctypes
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CORES, ENVS, WARM_UP_S, END_S = 2, 16, 2, 60
SET_CHILD_SUBREAPER = 36  # prctl: processes whose parents exit become children of this one
COMMON = ["--preset", "none", "--algo", "vtrace", "--engine", "native", "--algo.rollout_length", "20",
          "--algo.learning_rate", "0.0006", "--algo.entropy_cost", "0.005", "--optimiser.max_grad_norm", "40",
          "--steps", "100000000000", "--eval.every_steps", "0", "--checkpoint.every_s", "10000", "--json"]
ROWS = {
    "cartpole": ["cartpole", "--network.hidden", "64,64", "--network.activation", "tanh"],
    "catch_pixels": ["catch_pixels", "--network.encoder", "nature", "--network.hidden", "[]",
                     "--network.activation", "relu", "--network.separate_critic", "false"],
}
FORMS = {
    "local": ["train", "--schedule", "async", "--actor.groups", str(CORES), "--actor.num_envs",
              str(CORES * ENVS)],
    "fleet": ["fleet", "start", "--actors", str(CORES), "--envs", str(ENVS), "--actor.fleet_form", "windows"],
}


def descendants():
    """The fields of /proc/PID/stat after the name, by process."""
    stats, children = {}, {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            stats[int(entry.name)] = fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, unread = {}, list(children.get(os.getpid(), []))
    while unread:
        pid = unread.pop()
        found[pid] = stats[pid]
        unread += children.get(pid, [])
    return found


def cpu_seconds():
    ticks = sum(int(fields[11]) + int(fields[12]) for fields in descendants().values())
    return ticks / os.sysconf("SC_CLK_TCK")


def end_all():
    deadline = time.monotonic() + END_S
    while (left := [pid for pid, fields in descendants().items() if fields[0] != "Z"]):
        for pid in left:
            try:
                os.kill(pid, signal.SIGTERM if time.monotonic() < deadline else signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.2)
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def figures(steps, seconds, cpu_s):
    return {"steps_per_s": round(steps / seconds), "cpu_s_per_million_steps": round(1e6 * cpu_s / steps, 2)}


def ours(program, row, form, seconds, folder):
    command = [program, *FORMS[form], *ROWS[row], *COMMON, "--data", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        warm = first = None
        for line in run.stdout:
            steps, now = json.loads(line).get("steps", 0), time.monotonic()
            if steps == 0:
                continue
            warm = warm or now
            if first is None and now - warm >= WARM_UP_S:
                first = (steps, now, cpu_seconds())
            elif first and now - first[1] >= seconds:
                break
        else:
            sys.exit(f"{' '.join(map(str, command))}: {run.stderr.read()}")
        measured = figures(steps - first[0], now - first[1], cpu_seconds() - first[2])
        run.terminate()
        run.communicate()
    return measured


def theirs(python, row, seconds, folder):
    command = [python, HERE / "peers/rllib_peer.py", row]
    environment = {**os.environ, "RAY_TMPDIR": folder, "PYTHONWARNINGS": "ignore"}
    with open(f"{folder}/log", "w+", encoding="utf-8") as log:
        run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                               env=environment)

        def answer():
            for line in run.stdout:
                if line.startswith("{"):
                    return json.loads(line)
            log.seek(0)
            sys.exit(f"{' '.join(map(str, command))}: {log.read()[-3000:]}")

        version = answer()["version"]
        for wanted in (WARM_UP_S, seconds):
            before = cpu_seconds()
            print(wanted, file=run.stdin, flush=True)
            measured = answer()
        measured = figures(measured["steps"], measured["seconds"], cpu_seconds() - before)
        run.stdin.close()
        run.wait(END_S)
    return measured, version


def summary(rounds):
    figure_names = ("steps_per_s", "cpu_s_per_million_steps")
    rows = {}
    for who in ("local", "fleet", "rllib"):
        rows[who] = {}
        for name in figure_names:
            values = [each[who][name] for each in rounds]
            rows[who][name] = {"median": statistics.median(values), "least": min(values),
                               "greatest": max(values)}
    for who in ("local", "fleet"):
        speed, cpu = ([rows[other][name]["median"] for other in (who, "rllib")] for name in figure_names)
        rows[who]["speed_ratio"] = round(speed[0] / speed[1], 2)
        rows[who]["cpu_ratio"] = round(cpu[1] / cpu[0], 2)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--peers", type=pathlib.Path, default=pathlib.Path.home() / "peers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    if unknown := set(options.rows) - set(ROWS):
        parser.error(f"unknown row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    python = options.peers / "ray/bin/python"
    info = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    result = {
        "command": "python3 tests/bench/fleet_peers.py SEEDBED " + " ".join(sys.argv[2:]),
        "date": time.strftime("%Y-%m-%d"), "cores": CORES,
        "processor": next((line.split(":")[1].strip() for line in info if "model name" in line), ""),
        "load_before": pathlib.Path("/proc/loadavg").read_text().split()[0], "rows": {}}
    for row in options.rows or ROWS:
        rounds = []
        for _ in range(options.rounds):
            measured = {}
            for who in ("local", "fleet", "rllib"):
                with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
                    try:
                        if who == "rllib":
                            measured[who], result["peer"] = theirs(python, row, options.seconds, folder)
                        else:
                            measured[who] = ours(options.program, row, who, options.seconds, folder)
                    finally:
                        end_all()
            rounds.append(measured)
            print(row, json.dumps(measured), flush=True)
        result["rows"][row] = {**summary(rounds), "rounds": rounds}
        print(row, json.dumps(summary(rounds)), flush=True)
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
