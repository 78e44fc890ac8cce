#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the fuzzers with Clang and runs each one on its kept corpus, then for some seconds on new inputs.

usage: run_fuzzers.py [--seconds 60] [--only NAME ...] [--corpus-only] [--result FILE]

What is found lies in build/fuzz/found and is to be added to tests/fuzz/files/corpus/NAME with its fix. New inputs that reach new code are
merged into the kept corpus by --grow.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
NAMES = ["metric_block", "config", "checkpoint", "database", "archive", "import", "onnx", "replay"]


def run(*command, **options):
    return subprocess.run(command, cwd=ROOT, **options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", nargs="*", default=NAMES)
    parser.add_argument("--corpus-only", action="store_true")
    parser.add_argument("--grow", action="store_true")
    parser.add_argument("--result")
    options = parser.parse_args()
    if not any(shutil.which(f"clang++{end}") for end in ("-16", "-17", "-18", "")):
        print("[  SKIPPED ] clang++ was not found; the packages are listed in packaging/packages.txt")
        return 0
    if run("cmake", "--preset", "fuzz", stdout=subprocess.DEVNULL).returncode != 0:
        print("[  SKIPPED ] the preset fuzz cannot be configured here (is libclang-rt there?)")
        return 0
    built = run("cmake", "--build", str(BUILD), "--target", *[f"fuzz_{name}" for name in options.only], stdout=subprocess.DEVNULL)
    if built.returncode != 0:
        return 1
    found = BUILD / "found"
    found.mkdir(exist_ok=True)
    results, failed = {}, False
    for name in options.only:
        kept, new = CORPUS / name, BUILD / "new" / name
        new.mkdir(parents=True, exist_ok=True)
        kept.mkdir(parents=True, exist_ok=True)
        limits = ["-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=512", f"-artifact_prefix={found}/{name}-", "-print_final_stats=1"]
        limits += ["-runs=0"] if options.corpus_only else [f"-max_total_time={options.seconds}"]
        if name == "database":
            limits += ["-max_len=262144", "-len_control=0"]
        begin = time.monotonic()
        fuzz = run(str(BUILD / "bin" / f"fuzz_{name}"), *limits, str(new), str(kept), stderr=subprocess.PIPE, text=True, errors="replace",
                   env={**os.environ, "SEEDBED_LOG": "off"})
        executions = re.search(r"number_of_executed_units: (\d+)", fuzz.stderr)
        results[name] = {"ok": fuzz.returncode == 0, "executions": int(executions[1]) if executions else 0,
                         "seconds": round(time.monotonic() - begin, 1), "kept": len(list(kept.iterdir()))}
        print(name, results[name], flush=True)
        if fuzz.returncode != 0:
            failed = True
            print(fuzz.stderr[-6000:])
        elif options.grow:
            run(str(BUILD / "bin" / f"fuzz_{name}"), "-merge=1", "-max_len=65536", str(kept), str(new), stderr=subprocess.DEVNULL)
    if options.result:
        pathlib.Path(options.result).write_text(json.dumps({"date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(),
                                                            "fuzzers": results}, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
