# SPDX-License-Identifier: Apache-2.0
"""Compares the figures of Seedbed and its peers, which alternate in one run: medians, ranges and ratios; rows
in tests/bench/results/peers.json.

    compare.py SEEDBED [ROW...] [--peers ~/peers] [--rounds 5] [--seconds 5] [--keep]

--keep adds the rounds to those in the results file, so that a row may be measured on several occasions; the
summary excludes rounds of other builds of Seedbed (by SHA-256). setup.sh creates the Python environments.
It never fails because a machine is slow, but run it on an otherwise idle one. It records the load before each
round.
"""
import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parent / "results" / "peers.json"


def train(task):
    return ["bench", "train", "--task", task]


def infer(net, batch, threads):
    return ["bench", "infer", "--net", net, "--batch", str(batch), "--threads", str(threads)]


LEARNER = ["bench", "learner", "--net", "nature", "--batch", "256", "--threads", "2"]
CHEETAH_SAC = [
    "bench", "train", f"gym:{HERE / 'cheetah_sizes.py'}:CheetahSizes", "--preset", "none", "--algo.id", "sac",
    "--network.hidden", "256,256", "--network.activation", "relu", "--actor.num_envs", "8",
    "--algo.rollout_length", "8", "--algo.replay_size", "100000", "--algo.replay_start", "1000",
    "--algo.batch_size", "256", "--algo.replay_ratio", "256"
]
STEPS = "optimiser_steps_per_s"
# row: (Seedbed's command, figure, whether more is better, Python environment, the peer's command)
ROWS = {
    "cartpole-8x128": (train("cartpole-ppo4-8x128"), "sps", True, "jax", "rejax_peer.py cartpole-8env"),
    "cartpole-8x128-sb3": (train("cartpole-ppo4-8x128"), "sps", True, "torch", "sb3_peer.py cartpole-ppo4"),
    "cartpole-8x128-envpool": (train("cartpole-ppo4-8x128"), "sps", True, "torch", "torch_peer.py cartpole"),
    "cartpole-512x32": (train("cartpole-ppo4-512x32"), "sps", True, "jax", "rejax_peer.py cartpole-512env"),
    "cartpole-puffer": (train("cartpole-puffer"), "sps", True, "puffer", "puffer_peer.py 1024 64 16384 0"),
    "cartpole-puffer-lstm": (train("cartpole-puffer-lstm"), "sps", True, "puffer",
                             "puffer_peer.py 4096 64 32768 1"),
    "cartpole-solve": (train("cartpole-solve"), "solve_s", False, "jax", "rejax_peer.py cartpole-64env"),
    "minatar-breakout-conv": (train("minatar-breakout-conv"), "sps", True, "torch",
                              "torch_peer.py minatar-breakout"),
    "minatar-breakout-mlp": (train("minatar-breakout-mlp"), "sps", True, "jax",
                             "rejax_peer.py minatar-breakout-mlp"),
    "minatar-space_invaders-mlp": (train("minatar-space_invaders-mlp"), "sps", True, "jax",
                                   "rejax_peer.py minatar-space_invaders-mlp"),
    "cartpole-dqn": (train("cartpole-dqn"), STEPS, True, "torch", "sb3_replay_peer.py cartpole-dqn"),
    "minatar-breakout-dqn": (train("minatar-breakout-dqn"), STEPS, True, "torch",
                             "sb3_replay_peer.py minatar-breakout-dqn"),
    "cheetah-sizes-sac": (CHEETAH_SAC, STEPS, True, "torch", "sb3_replay_peer.py cheetah-sizes-sac"),
    "infer-mlp64-1": (infer("mlp64", 1,
                            1), "median_us", False, "torch", "infer_peer.py onnxruntime forward mlp64 1 1"),
    "infer-mlp64-64": (infer("mlp64", 64,
                             1), "median_us", False, "torch", "infer_peer.py onnxruntime forward mlp64 64 1"),
    "infer-mlp64-256": (infer("mlp64", 256, 1), "median_us", False, "torch",
                        "infer_peer.py onnxruntime forward mlp64 256 1"),
    "infer-nature-1": (infer("nature", 1,
                             2), "median_us", False, "torch", "infer_peer.py onnxruntime forward nature 1 2"),
    "infer-nature-256": (infer("nature", 256, 2), "median_us", False, "torch",
                         "infer_peer.py onnxruntime forward nature 256 2"),
    "learner-nature-256": (LEARNER, "sps", True, "torch",
                           "infer_peer.py torch-channels-last train nature 256 2"),
    "learner-nature-256-torch-engine": (LEARNER + ["--engine", "torch"], "sps", True, "torch",
                                        "infer_peer.py torch-channels-last train nature 256 2"),
}


class Peer:
    """A peer's process, which measures on request."""

    def __init__(self, row, options):
        _, _, _, environment, peer = ROWS[row]
        variables = {
            **os.environ, "BENCH_SEED": "1", "PYTHONWARNINGS": "ignore", "BENCH_BEGAN": repr(time.time())
        }
        command = [options.peers / environment / "bin" / "python", HERE / peer.split()[0], *peer.split()[1:]]
        self.row = row
        self.process = subprocess.Popen(command,
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL,
                                        text=True,
                                        env=variables)

    def line(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        command = " ".join(map(str, self.process.args))
        sys.exit(f"the peer of {self.row} exited without a figure; run it by hand: {command}")

    def measure(self, seconds):
        print(seconds, file=self.process.stdin, flush=True)
        return self.line()

    def end(self):
        self.process.terminate()
        self.process.wait()


def ours(row, options, seed):
    command = [
        options.program, *ROWS[row][0], "--seconds",
        str(options.seconds if ROWS[row][1] != "solve_s" else 120), "--json"
    ]
    run = subprocess.run(command + (["--seed", str(seed)] if "train" in command else []),
                         capture_output=True,
                         text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {run.stderr}")
    return json.loads(run.stdout)


def peer_solves(row, options, seed):
    _, _, _, environment, peer = ROWS[row]
    variables = {
        **os.environ, "BENCH_SEED": str(seed), "PYTHONWARNINGS": "ignore", "BENCH_UNTIL_SOLVED": "1",
        "BENCH_BEGAN": repr(time.time())
    }
    command = [options.peers / environment / "bin" / "python", HERE / peer.split()[0], *peer.split()[1:]]
    run = subprocess.run(command, capture_output=True, text=True, env=variables)
    return next(json.loads(line) for line in reversed(run.stdout.splitlines()) if line.startswith("{"))


def measure(row, options, seed, peer):
    figure = ROWS[row][1]
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    theirs = peer.measure(options.seconds) if peer else peer_solves(row, options, seed)
    mine = ours(row, options, seed)
    names = ("score", "cpu_s_per_million_steps", "engine", "fma_fraction", "thread_s", "bottleneck",
             "first_update_s", "peak_memory_bytes")
    return {
        "seed": seed, "load": load, "ours": mine[figure], "theirs": theirs.get(figure),
        "their_score": theirs.get("score"),
        "their_cpu_s_per_million_steps": theirs.get("cpu_s_per_million_steps"),
        **{name: mine[name] for name in names if mine.get(name) is not None}
    }


def summary(row, rounds):
    _, figure, more_is_better, _, peer = ROWS[row]
    ours = [r["ours"] for r in rounds if r["ours"] is not None]
    theirs = [r["theirs"] for r in rounds if r["theirs"] is not None]
    if not ours or not theirs:
        return {"row": row, "figure": figure, "peer": peer, "rounds": len(rounds), "ratio": None}
    a, b = statistics.median(ours), statistics.median(theirs)
    return {
        "row": row, "figure": figure, "peer": peer, "rounds": len(rounds), "ours": a,
        "ours_range": [min(ours), max(ours)], "ours_failed": len(rounds) - len(ours), "theirs": b,
        "theirs_range": [min(theirs), max(theirs)], "theirs_failed": len(rounds) - len(theirs),
        "ratio": a / b if more_is_better else b / a
    }


def table(results):
    """The rows as Markdown, for README.md."""
    def number(value):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"

    print("| row | figure | ours | peer | ratio | FMA peak used | next bottleneck |")
    print("|---|---|---|---|---|---|---|")
    for row, entry in results["rows"].items():
        s, rounds = entry["summary"], entry["rounds"]
        if s.get("ratio") is None:
            continue
        fractions = [r["fma_fraction"] for r in rounds if "fma_fraction" in r]
        used = f"{100 * statistics.median(fractions):.0f} %" if fractions else ""
        low_high = {who: [number(end) for end in s[who + "_range"]] for who in ("ours", "theirs")}
        ours, theirs = (f"{number(s[who])} [{low} – {high}]" for who, (low, high) in low_high.items())
        peer, bottleneck = s["peer"].replace("_peer.py", ""), rounds[-1].get("bottleneck", "")
        print(f"| {row} | {s['figure']} | {ours} | {peer}: {theirs} | {s['ratio']:.2f} | {used} "
              f"| {bottleneck} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--peers", type=pathlib.Path, default=pathlib.Path.home() / "peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--table", action="store_true", help="print the recorded rows as a table and exit")
    parser.add_argument("--hold",
                        help="a command that keeps the machine idle: prints a line when it is idle, exits at "
                        "the end of its input")
    options = parser.parse_intermixed_args()
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown:
        parser.error(f"unknown row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    if options.table:
        return table(json.loads(RESULTS.read_text()))
    program = hashlib.sha256(options.program.read_bytes()).hexdigest()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"rows": {}}
    cpu = next((line.split(":")[1].strip()
                for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    results.update({"cpu": cpu, "cores": os.cpu_count()})
    rows = options.rows or list(ROWS)
    peers = {row: Peer(row, options) for row in rows if ROWS[row][1] != "solve_s"}
    versions = {row: peer.line().get("version") for row, peer in peers.items()}
    hold = None
    if options.hold:
        hold = subprocess.Popen(options.hold,
                                shell=True,
                                stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE,
                                text=True)
        hold.stdout.readline()
    for row in rows:
        if row in peers:
            peers[row].measure(min(1, options.seconds))  # warms up the peer; Seedbed's program also warms up
        kept = [
            r for r in results["rows"].get(row, {}).get("rounds", [])
            if options.keep and r["program"] == program
        ]
        for _ in range(options.rounds):
            kept.append({"program": program, **measure(row, options, len(kept) + 1, peers.get(row))})
            results["rows"][row] = {
                "summary": {**summary(row, kept), "peer_version": versions.get(row)}, "rounds": kept
            }
        print(json.dumps(results["rows"][row]["summary"]), flush=True)
    if hold:
        hold.stdin.close()
        hold.wait()
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    for peer in peers.values():
        peer.end()


if __name__ == "__main__":
    main()
