# SPDX-License-Identifier: Apache-2.0
"""Measures which engine is fastest for which network: the recorded benchmark behind run.engine=auto.

    engines.py SEEDBED [--rounds 3] [--seconds 0.5]    measures and records results/engines.json
    engines.py SEEDBED --nets impala-deep              measures some networks and keeps the other rows
    engines.py SEEDBED --check                         checks that auto picks the fastest engine

Measures training: forward, backward and Adam on minibatches of 256 rows (64 for the deep network), two
threads, engines alternating, medians. --check measures nothing.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results" / "engines.json"
NETS = [
    "mlp64", "mlp64x2", "mlp128", "mlp2048", "lstm", "gru", "minatar", "minatar-mlp", "nature", "impala",
    "impala-deep"
]
ENGINES = ["native", "torch", "reference"]
# Not measured with the reference engine, whose plain loops take seconds.
LARGE = ["mlp2048", "nature", "impala", "impala-deep"]
ROWS_OF = {"impala-deep": 64}
TOLERANCE = 0.95  # the choice of auto may be up to 5 % slower than the best
# LibTorch is ahead with layers too wide for the cache; auto keeps native, which every build contains.
TOLERANCE_OF = {"mlp2048": 0.7}


def document(program, *arguments):
    return json.loads(
        subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, check=True).stdout)


def processor():
    fields = {}
    for line in open("/proc/cpuinfo"):
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    return f"{fields.get('model name')}, family {fields.get('cpu family')}, model {fields.get('model')}"


def measure(program, rounds, seconds, nets):
    document_before = json.loads(RESULTS.read_text()) if set(nets) != set(NETS) else {"rows": {}}
    rows = document_before["rows"]
    for net in nets:
        rates = {engine: [] for engine in ENGINES if engine != "reference" or net not in LARGE}
        for _ in range(rounds):
            for engine in rates:
                batch = str(ROWS_OF.get(net, 256))
                command = [
                    "bench", "learner", "--net", net, "--engine", engine, "--batch", batch, "--threads", "2",
                    "--seconds",
                    str(seconds)
                ]
                rates[engine].append(document(program, *command)["sps"])
        rows[net] = {
            engine: {"sps": statistics.median(values), "range": [min(values), max(values)]}
            for engine, values in rates.items()
        }
        print(net, {engine: round(row["sps"]) for engine, row in rows[net].items()}, flush=True)
        rows[net]["measured"] = {"cpu": processor(), "rounds": rounds, "seconds": seconds}
    results = {**document_before, "cores": os.cpu_count(), "rows": rows}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


def check(program):
    rows, behind = json.loads(RESULTS.read_text())["rows"], []
    doctor = document(program, "doctor")
    available = [engine["id"] for engine in doctor["engines"] if engine["available"]]
    for net, choice in doctor["auto_engine"].items():
        rates = {engine: row["sps"] for engine, row in rows[net].items() if engine in available}
        if rates[choice["engine"]] < TOLERANCE_OF.get(net, TOLERANCE) * max(rates.values()):
            behind.append(f"{net}: auto takes {choice['engine']}, recorded are {rates}")
    if behind:
        sys.exit("auto does not choose the fastest engine:\n" + "\n".join(behind))
    kinds = len(doctor["auto_engine"]) - len(TOLERANCE_OF)
    print(f"auto chooses the fastest engine for {kinds} kinds of networks")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--nets", nargs="+", choices=NETS, default=NETS)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    if options.check:
        check(program)
    else:
        measure(program, options.rounds, options.seconds, options.nets)


if __name__ == "__main__":
    main()
