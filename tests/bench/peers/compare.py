# SPDX-License-Identifier: Apache-2.0
"""Our figure beside a peer's, alternated in one run: medians, ranges and their ratio; rows in tests/bench/results/peers.json.

    python3 tests/bench/peers/compare.py build/release/bin/seedbed [ROW...] [--peers ~/peers] [--rounds 5] [--seconds 5] [--keep]

--keep adds the rounds to those that the results file already has for the row, so that a row may be measured in several sittings; what was
measured with another program (its SHA-256) is left out of the summary. setup.sh makes the Python environments. Nothing fails when a machine is
slow: run it on an otherwise idle one, the load before each round is recorded.
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
# row: (our command, figure, whether more is better, Python environment, the peer's command)
ROWS = {
    "cartpole-8x128": (train("cartpole-ppo4-8x128"), "sps", True, "jax", "rejax_peer.py cartpole-8env"),
    "cartpole-8x128-sb3": (train("cartpole-ppo4-8x128"), "sps", True, "torch", "sb3_peer.py cartpole-ppo4"),
    "cartpole-8x128-envpool": (train("cartpole-ppo4-8x128"), "sps", True, "torch", "torch_peer.py cartpole"),
    "cartpole-512x32": (train("cartpole-ppo4-512x32"), "sps", True, "jax", "rejax_peer.py cartpole-512env"),
    "cartpole-puffer": (train("cartpole-puffer"), "sps", True, "puffer", "puffer_peer.py 1024 64 16384 0"),
    "cartpole-puffer-lstm": (train("cartpole-puffer-lstm"), "sps", True, "puffer", "puffer_peer.py 4096 64 32768 1"),
    "cartpole-solve": (train("cartpole-solve"), "solve_s", False, "jax", "rejax_peer.py cartpole-64env"),
    "minatar-breakout-conv": (train("minatar-breakout-conv"), "sps", True, "torch", "torch_peer.py minatar-breakout"),
    "minatar-breakout-mlp": (train("minatar-breakout-mlp"), "sps", True, "jax", "rejax_peer.py minatar-breakout-mlp"),
    "minatar-space_invaders-mlp": (train("minatar-space_invaders-mlp"), "sps", True, "jax", "rejax_peer.py minatar-space_invaders-mlp"),
    "infer-mlp64-1": (infer("mlp64", 1, 1), "median_us", False, "torch", "infer_peer.py onnxruntime forward mlp64 1 1"),
    "infer-mlp64-64": (infer("mlp64", 64, 1), "median_us", False, "torch", "infer_peer.py onnxruntime forward mlp64 64 1"),
    "infer-mlp64-256": (infer("mlp64", 256, 1), "median_us", False, "torch", "infer_peer.py onnxruntime forward mlp64 256 1"),
    "infer-nature-1": (infer("nature", 1, 2), "median_us", False, "torch", "infer_peer.py onnxruntime forward nature 1 2"),
    "infer-nature-256": (infer("nature", 256, 2), "median_us", False, "torch", "infer_peer.py onnxruntime forward nature 256 2"),
    "learner-nature-256": (LEARNER, "sps", True, "torch", "infer_peer.py torch-channels-last train nature 256 2"),
    "learner-nature-256-torch-engine": (LEARNER + ["--engine", "torch"], "sps", True, "torch", "infer_peer.py torch-channels-last train nature 256 2"),
}


def last_json_line(command, environment):
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
    if run.returncode != 0 or not lines:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{run.stderr[-2000:]}")
    return json.loads(lines[-1])


def measure(row, options, seed):
    ours, figure, _, environment, peer = ROWS[row]
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    variables = {**os.environ, "BENCH_SEED": str(seed), "BENCH_SECONDS": str(options.seconds), "PYTHONWARNINGS": "ignore",
                 "BENCH_BEGAN": repr(time.time()), "BENCH_UNTIL_SOLVED": "1" if figure == "solve_s" else "0"}
    if figure == "solve_s":
        variables["BENCH_SECONDS"] = "120"
    theirs = last_json_line([options.peers / environment / "bin" / "python", HERE / peer.split()[0], *peer.split()[1:]], variables)
    mine = last_json_line([options.program, *ours, "--seconds", "120" if figure == "solve_s" else str(options.seconds), "--json"]
                          + (["--seed", str(seed)] if "train" in ours else []), os.environ)
    if figure == "median_us":
        theirs.setdefault("median_us", None)
    return {"seed": seed, "load": load, "ours": mine[figure], "theirs": theirs.get(figure), "our_score": mine.get("score"),
            "their_score": theirs.get("score"), "our_cpu_s_per_million": mine.get("cpu_s_per_million_steps"), "engine": mine.get("engine"),
            "fma_fraction": mine.get("fma_fraction"), "thread_s": mine.get("thread_s"), "peer_version": theirs.get("version")}


def summary(row, rounds):
    _, figure, more_is_better, _, peer = ROWS[row]
    ours = [r["ours"] for r in rounds if r["ours"] is not None]
    theirs = [r["theirs"] for r in rounds if r["theirs"] is not None]
    if not ours or not theirs:
        return {"row": row, "figure": figure, "peer": peer, "rounds": len(rounds), "ratio": None}
    a, b = statistics.median(ours), statistics.median(theirs)
    return {"row": row, "figure": figure, "peer": peer, "rounds": len(rounds), "ours": a, "ours_range": [min(ours), max(ours)], "ours_failed": len(rounds) - len(ours),
            "theirs": b, "theirs_range": [min(theirs), max(theirs)], "theirs_failed": len(rounds) - len(theirs), "ratio": a / b if more_is_better else b / a}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--peers", type=pathlib.Path, default=pathlib.Path.home() / "peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown:
        parser.error(f"unknown row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    program = hashlib.sha256(options.program.read_bytes()).hexdigest()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"rows": {}}
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    results.update({"cpu": cpu, "cores": os.cpu_count()})
    for row in options.rows or ROWS:
        kept = [r for r in results["rows"].get(row, {}).get("rounds", []) if options.keep and r["program"] == program]
        for _ in range(options.rounds):
            kept.append({"program": program, **measure(row, options, len(kept) + 1)})
            results["rows"][row] = {"summary": summary(row, kept), "rounds": kept}
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        print(json.dumps(results["rows"][row]["summary"]), flush=True)


if __name__ == "__main__":
    main()
