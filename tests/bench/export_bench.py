#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures exported policies: the time of a verified export, of one decision by the C header and by
libseedbed_policy, and from process start to the first action; and the size of the library. Nothing else
should run on the machine.

usage: export_bench.py BUILD_FOLDER [--python PYTHON] [--result FILE] [--prepare FOLDER | --prepared FOLDER]

--prepare only trains and compiles, and --prepared only measures, so that the machine must be idle only for
the second part.
"""
import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ROUNDS = 7
RUNS = {
    "mlp": ["cartpole", "--preset", "none", "--network.hidden", "64,64", "--steps", "60000"],
    "cnn": ["minatar_breakout", "--preset", "none", "--network.encoder", "minatar_conv", "--steps", "60000"],
}
# Arguments of the export, by row of the result.
EXPORTS = {
    "cnn to onnx": ("cnn", ["--to", "onnx"]), "cnn to c": ("cnn", ["--to", "c"]),
    "mlp to onnx, safetensors and c": ("mlp", ["--to", "onnx,safetensors,c"])
}


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True,
                          **options).stdout


def prepare(build, work):
    program = build / "bin" / "seedbed"
    for name, arguments in RUNS.items():
        run(program, "train", *arguments, "--name", name, "--quiet", "--data", work / "data",
            "--eval.final_episodes", "100")
    run(program, "export", "mlp", "--to", "c,onnx", "--executor", "interpreter", "--no-replay", "--out",
        work / "mlp", "--data", work / "data")
    compiler = os.environ.get("CC", "cc")
    run(compiler, "-std=c99", "-O3", "-march=native", "-I", work / "mlp", "-o", work / "c_native",
        SOURCE / "tests/export/decision_time.c", "-lm")
    run(compiler, "-std=c99", "-O2", "-I", work / "mlp", "-o", work / "c_plain",
        SOURCE / "tests/export/decision_time.c", "-lm")
    run("cmake", "--install", build, "--component", "seedbed_policy", "--prefix", work / "prefix")
    run("cmake", "-S", SOURCE / "tests/export/embed/host", "-B", work / "host", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_PREFIX_PATH={work / 'prefix'}")
    run("cmake", "--build", work / "host")


def spread(values):
    return {
        "median": round(statistics.median(values), 4), "low": round(min(values), 4),
        "high": round(max(values), 4), "rounds": len(values)
    }


def measure(build, work, python):
    environment = {**os.environ, **({"SEEDBED_PYTHON": str(python)} if python else {})}
    host, figures = work / "host" / "host", {"c_header_us": {}, "export_s": {}}
    for name, program in (("cc -O2", "c_plain"), ("cc -O3 -march=native", "c_native")):
        figures["c_header_us"][name] = spread(
            [json.loads(run(work / program))["us_per_decision"] for _ in range(ROUNDS)])
    figures["libseedbed_policy_us"] = spread(
        [json.loads(run(host, work / "mlp", "--time"))["us_per_decision"] for _ in range(ROUNDS)])
    starts = []
    for _ in range(5 * ROUNDS):
        child = subprocess.Popen(
            [host, work / "mlp", "--first", repr(time.monotonic())], stdout=subprocess.PIPE, text=True)
        starts.append(json.loads(child.communicate()[0])["start_to_first_action_ms"])
    figures["start_to_first_action_ms"] = spread(starts)
    for name, (policy, arguments) in EXPORTS.items():
        seconds, proofs = [], None
        for _ in range(3):
            out = work / "out"
            shutil.rmtree(out, ignore_errors=True)
            begin = time.monotonic()
            reported = json.loads(
                run(build / "bin" / "seedbed",
                    "export",
                    policy,
                    *arguments,
                    "--out",
                    out,
                    "--data",
                    work / "data",
                    "--json",
                    env=environment))
            seconds.append(time.monotonic() - begin)
            proofs = {
                t["target"]: {
                    "executor": t["executor"]["id"], "closed_loop": t["closed_loop_passed"],
                    "episodes": t["closed_loop"]["episodes"]
                } for t in reported["parity"]["targets"]
            }
        figures["export_s"][name] = {**spread(seconds), "proof": proofs}
    (library,) = [p for p in (work / "prefix").rglob("libseedbed_policy.so.*") if not p.is_symlink()]
    run("strip", "-o", work / "stripped.so", library)
    figures["library_stripped_bytes"] = (work / "stripped.so").stat().st_size
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--result", type=pathlib.Path, default=SOURCE / "tests/bench/results/export.json")
    parser.add_argument("--prepare", type=pathlib.Path)
    parser.add_argument("--prepared", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    if options.prepare:
        options.prepare.mkdir(parents=True, exist_ok=True)
        return prepare(build, options.prepare.resolve())
    with tempfile.TemporaryDirectory() as folder:
        work = options.prepared.resolve() if options.prepared else pathlib.Path(folder)
        if not options.prepared:
            prepare(build, work)
        python = options.python or build / "export_python" / "bin" / "python"
        figures = measure(build, work, python.absolute() if python.exists() else None)
    compiler = run(os.environ.get("CC", "cc"), "--version").splitlines()[0]
    result = {
        "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "kernel": platform.release(),
        "compiler": compiler, **figures
    }
    options.result.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
