# SPDX-License-Identifier: Apache-2.0
"""Measures what shards and ranks cost; medians and ranges as JSON in tests/bench/results/ranks.json.

    python3 tests/bench/ranks_bench.py BUILD [--repeats 5]

1. CPU-seconds per million steps of CartPole in one process with learner.shards=1 and 4, alternating.
2. Time of an update of the Nature network (Pong in pixels, V-trace) in one process, and the time of the
   sum of its gradients between two ranks on the loopback interface (bench_rank_sums). From these parts: the
   time of an update with two ranks on two machines with 10 Gbit/s, relative to the ideal, in which only
   the bytes of the gradient take time on the wire.
3. The time of an update of two ranks on this machine, for comparison; they share its cores.

Not a test: it does not fail on a slow machine. Run it on an otherwise idle machine; it records the load.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
GIGABITS = 10
NATURE_FLOATS = 1_693_362
COMMON = ["--preset", "none", "--engine", "native", "--run.inference", "inline", "--run.threads", "1",
          "--eval.final_episodes", "0", "--eval.every_steps", "1000000000", "--quiet"]
NATURE = ["pong_pixels", "--algo", "vtrace", "--network.encoder", "nature", "--network.hidden", "512",
          "--network.separate_critic", "false", "--actor.num_envs", "16", "--algo.rollout_length", "20",
          "--steps", "2240", "--learner.shards", "2"]


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "unknown"


def train(program, *arguments):
    """Trains in a new data folder; returns the CPU-seconds of all processes, and the values of metrics."""
    with tempfile.TemporaryDirectory(prefix="seedbed-ranks-") as folder:
        env = {**os.environ, "SEEDBED_DATA": folder, "HOME": folder}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "train", *arguments, *COMMON], check=True, capture_output=True, env=env)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        csv = subprocess.run([program, "metrics", "1", "--to", "csv"], check=True, capture_output=True,
                             text=True, env=env).stdout
        metrics = {}
        for line in csv.splitlines()[1:]:
            name, _, _, value = line.split(",")
            metrics.setdefault(name, []).append(float(value))
        return cpu, metrics


def spread(values, digits=4):
    return {"median": round(statistics.median(values), digits),
            "range": [round(min(values), digits), round(max(values), digits)]}


def shards_in_one_process(program, repeats):
    """CPU-seconds per million steps, without the start of the process."""
    seconds = {1: [], 4: []}
    for _ in range(repeats):
        for shards, values in seconds.items():
            setting = ["--learner.shards", str(shards)]
            long, short = (train(program, "cartpole", "--actor.num_envs", "8", "--steps", steps, *setting)[0]
                           for steps in ("420000", "20000"))
            values.append((long - short) / 0.4)
    ratios = [four / one for one, four in zip(seconds[1], seconds[4])]
    return {"cpu_s_per_million_steps": {f"shards={s}": spread(v, 3) for s, v in seconds.items()},
            "shards=4 / shards=1": spread(ratios, 3)}


def update_seconds(program, repeats):
    """Seconds per update, and of its optimiser step with the sum of gradients, by number of ranks."""
    result = {}
    for _ in range(repeats):
        for ranks in (1, 2):
            metrics = train(program, *NATURE, "--ranks", str(ranks))[1]
            # The first update warms up.
            walls = [1 / speed for speed in metrics["speed/updates_per_s"][1:]]
            row = result.setdefault(ranks, {"update": [], "optimiser": []})
            row["update"].append(statistics.median(walls))
            row["optimiser"].append(statistics.median(metrics["time/optimiser"][1:]))
    return result


def exchange_seconds(program):
    """Seconds of the sum of gradients and of a small gather between two ranks on this machine."""
    rows = json.loads(subprocess.run([program, "--benchmark_format=json", "--benchmark_repetitions=5"],
                                     check=True, capture_output=True, text=True).stdout)["benchmarks"]
    unit = {"ms": 1e-3, "us": 1e-6, "ns": 1e-9}
    return {name: statistics.median(row["real_time"] * unit[row["time_unit"]] for row in rows
                                    if row["name"].startswith(name) and row["run_type"] == "iteration")
            for name in ("sumGradients", "gatherNumbers")}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--note", default="", help="circumstances, such as other work on the machine")
    options = parser.parse_args()
    program = options.build / "bin" / "seedbed"
    load = os.getloadavg()
    one_process = shards_in_one_process(program, options.repeats)
    updates = update_seconds(program, options.repeats)
    exchange = exchange_seconds(options.build / "bin" / "bench_rank_sums")
    alone, optimiser = (statistics.median(updates[1][part]) for part in ("update", "optimiser"))
    wire = NATURE_FLOATS * 32 / (GIGABITS * 1e9)
    # One minibatch per update; every rank steps the whole optimiser. V-trace needs two small gathers per
    # minibatch and four per update.
    ideal = (alone - optimiser) / 2 + optimiser + wire
    modelled = ideal + exchange["sumGradients"] + 6 * exchange["gatherNumbers"]
    result = {
        "command": "python3 tests/bench/ranks_bench.py BUILD --repeats " + str(options.repeats),
        "cpu": cpu_name(), "cores": os.cpu_count(), "note": options.note,
        "load": {"before": load, "after": os.getloadavg()},
        "shards_in_one_process": one_process,
        "nature": {
            "settings": NATURE,
            "seconds_per_update": {f"{r} ranks here": spread(v["update"]) for r, v in updates.items()},
            "seconds_of_optimiser": spread(updates[1]["optimiser"]),
            "seconds_of_gradient_sum_on_loopback": round(exchange["sumGradients"], 5),
            "seconds_of_small_gather_on_loopback": round(exchange["gatherNumbers"], 7),
            "seconds_of_gradient_on_wire": round(wire, 5), "gigabits_per_s": GIGABITS,
            "two_machines": {"ideal_s": round(ideal, 4), "modelled_s": round(modelled, 4),
                             "modelled / ideal": round(modelled / ideal, 3)}
        }
    }
    RESULTS.joinpath("ranks.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
