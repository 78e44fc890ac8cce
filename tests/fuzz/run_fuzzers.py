#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the fuzzers of tests/fuzz with Clang and runs each one on its seeds, its kept inputs, then for some seconds on new inputs.

usage: run_fuzzers.py [--seconds 60] [--only NAME ...] [--jobs 2] [--seed N] [--grow] [--result FILE]
       run_fuzzers.py --build    builds them and ends
       run_fuzzers.py --built    runs those that are built; continuous integration does the two as tests of their own

A finding is an input that makes a parser crash, leak, take 2 GiB or 20 seconds of the processor; what only happened once beside other
programs (a clock that ran out, say) is told and is none. Its input lies in build/fuzz/found and belongs into tests/fuzz/corpus/NAME together
with the fix: every build replays what lies there. New inputs stay in build/fuzz/new for the next time; --grow keeps the smallest few that
reach what all of them reach. With --seed the search begins with the kept inputs alone and repeats itself, as far as it gets in its time:
continuous integration fails for what a change brought, not by chance; without it each search is another. Without Clang, its libFuzzer, or
where sanitizers do not run, it says so and ends well.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
NAMES = sorted(path.stem.removeprefix("fuzz_") for path in CORPUS.parent.rglob("fuzz_*.cpp"))
LONGEST = {"database": 262144}     # bytes of an input, where libFuzzer's choice is too short
KEPT_BYTES, KEPT_INPUTS = 4096, 40  # no longer input is kept for every build, and no more of them for each parser
SLOW_S = 20                        # seconds of the processor that no input may take
SURE = re.compile(r"ERROR: (AddressSanitizer|LeakSanitizer)|runtime error:")
PROBE = """#include <stdlib.h>
int LLVMFuzzerTestOneInput(const unsigned char* data, unsigned long size) { free(malloc(size + 1)); return data == 0 && size != 0; }
"""


class Skip(Exception):
    """Why there is nothing to run here; no failure."""


def run(*command, **options):
    return subprocess.run([str(part) for part in command],
                          cwd=ROOT,
                          text=True,
                          errors="replace",
                          stdin=subprocess.DEVNULL,
                          **options)


def probe():
    """What a sanitized program needs here: words before its command, and options of the sanitizer. Skip: it does not run at all."""
    compiler = shutil.which("clang-16")
    if not compiler or not shutil.which("clang++-16"):
        raise Skip("Clang 16 was not found (Debian packages clang-16, libclang-rt-16-dev)")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "probe.c", pathlib.Path(folder) / "probe"
        source.write_text(PROBE)
        if run(compiler, "-fsanitize=fuzzer,address", source, "-o", program,
               stderr=subprocess.DEVNULL).returncode:
            raise Skip("libFuzzer was not found (Debian package libclang-rt-16-dev)")
        # Some kernels place memory where this sanitizer has its own, some of the time; some containers forbid looking for leaks.
        said = ""
        for before in ([], ["setarch", "-R"]):
            if before and not shutil.which(before[0]):
                continue
            for leaks in ("1", "0"):
                tries = [
                    run(*before,
                        program,
                        "-runs=100",
                        capture_output=True,
                        env={**os.environ, "ASAN_OPTIONS": f"detect_leaks={leaks}"}) for _ in range(8)
                ]
                if all(done.returncode == 0 for done in tries):
                    if leaks == "0":
                        print("LeakSanitizer does not run here: leaks are not looked for", flush=True)
                    return before, f"detect_leaks={leaks}:quarantine_size_mb=64:allocator_may_return_null=0"
                said = next(done.stderr for done in tries if done.returncode != 0)
        raise Skip("the address sanitizer does not run here: " +
                   (said.strip().splitlines() or ["it says nothing"])[-1])


def build(names):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    jobs = max(1, min(os.cpu_count() or 1, memory >> 30))
    # Two files that are compiled together may define one name; by themselves they are right.
    for together in ("ON", "OFF"):
        for command in (("cmake", "--preset", "fuzz", f"-DSEEDBED_TOGETHER={together}"),
                        ("cmake", "--build", BUILD, "--parallel", jobs, "--target",
                         *[f"fuzz_{name}" for name in names])):
            made = run(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if made.returncode:
                break
        else:
            return True
    print(made.stdout[-6000:])
    return False


def reproduces(command, environment, file):
    """Whether the input alone is a finding: it fails, or takes too long by the processor's own measure."""
    alone = subprocess.Popen([str(part) for part in (*command, "-timeout=300", file)],
                             cwd=ROOT,
                             env=environment,
                             stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(alone.pid, 0)
    alone.returncode = os.waitstatus_to_exitcode(status)
    return alone.returncode != 0 or used.ru_utime > SLOW_S


def fuzz(name, seconds, seed, before, sanitizer):
    """What came of it, and what there is to tell."""
    kept, new, found, seeds = CORPUS / name, BUILD / "new" / name, BUILD / "found" / name, BUILD / "seeds" / name
    for folder in (new, found, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    # Files of a fuzzer lie in memory where that is offered: thousands of them are synced.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory, prefix=f"fuzz-{name}-") as scratch:
        environment = {**os.environ, "SEEDBED_LOG": "off", "TMPDIR": scratch, "ASAN_OPTIONS": sanitizer}
        command = [*before, BUILD / "bin" / f"fuzz_{name}"]
        made = run(*command, env={**environment, "SEEDBED_FUZZ_SEEDS": str(seeds)}, capture_output=True)
        if made.returncode or not any(seeds.iterdir()):
            return {"ok": False}, "its seeds could not be made:\n" + made.stderr[-4000:]
        limits = [
            "-rss_limit_mb=2048", "-malloc_limit_mb=512", "-timeout=100", "-report_slow_units=100",
            "-print_final_stats=1", "-reload=0", f"-artifact_prefix={found}/", f"-max_total_time={seconds}"
        ]
        if name in LONGEST:
            limits += [f"-max_len={LONGEST[name]}", "-len_control=0"]
        folders = [folder for folder in (new, seeds, kept) if folder.is_dir()]
        if seed is not None:  # the order in which a folder lists its files differs between machines
            inputs = sorted(file for folder in (seeds, kept) if folder.is_dir() for file in folder.iterdir())
            listed, grown = pathlib.Path(scratch) / "inputs", pathlib.Path(scratch) / "new"
            listed.write_text(",".join(map(str, inputs)))
            grown.mkdir()
            limits += [f"-seed={seed}", f"-seed_inputs=@{listed}"]
            folders = [grown]
        known, begin = set(found.iterdir()), time.monotonic()
        done = run(*command, *limits, *folders, capture_output=True, env=environment)
        took = time.monotonic() - begin
        inputs = [
            file for file in found.iterdir() if file not in known and not file.name.startswith("slow-unit")
        ]
        findings = [file.name for file in inputs if reproduces(command, environment, file)]
    sure = SURE.search(done.stderr) is not None and "libFuzzer: timeout" not in done.stderr
    numbers = {
        what: int((re.findall(pattern, done.stderr) or [0])[-1])
        for what, pattern in (("executions", r"number_of_executed_units: (\d+)"), ("edges", r"cov: (\d+)"),
                              ("features", r"ft: (\d+)"))
    }
    result = {
        "ok": not findings and not sure,
        **numbers, "kept_inputs": len(list(kept.iterdir())) if kept.is_dir() else 0, "findings": findings
        or ([file.name for file in inputs] if sure else []), "seconds": round(took, 1)
    }
    if not result["ok"]:
        return result, done.stderr[-6000:] + f"\nThe input lies in {found}"
    if done.returncode:
        return result, f"it ended early with {done.returncode}, but nothing of it can be repeated:\n" + done.stderr[
            -1500:]
    return result, ""


def grow(name, before, sanitizer):
    """The fewest short inputs that reach what all of them reach; what has a name of its own is a failure of the past and stays."""
    kept, new = CORPUS / name, BUILD / "new" / name
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run(*before,
            BUILD / "bin" / f"fuzz_{name}",
            "-merge=1",
            f"-max_len={KEPT_BYTES}",
            folder,
            BUILD / "seeds" / name,
            kept,
            new,
            capture_output=True,
            env={**os.environ, "SEEDBED_LOG": "off", "ASAN_OPTIONS": sanitizer})
        seeds = {file.read_bytes() for file in (BUILD / "seeds" / name).iterdir()
                 } | {file.read_bytes() for file in kept.iterdir()}
        fresh = sorted((file for file in pathlib.Path(folder).iterdir() if file.read_bytes() not in seeds),
                       key=lambda file: file.stat().st_size)
        room = max(0, KEPT_INPUTS - len(list(kept.iterdir())))
        for file in fresh[::max(1,
                                len(fresh) // max(1, room)
                                )][:room]:  # short ones and long ones: what is short is soon refused
            shutil.copy(file, kept / file.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", nargs="*", default=NAMES, choices=NAMES)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--grow", action="store_true")
    parser.add_argument("--result")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--built", action="store_true")
    options = parser.parse_args()
    try:
        before, sanitizer = probe()
        if options.built and not all((BUILD / "bin" / f"fuzz_{name}").is_file() for name in options.only):
            raise Skip("it was not built")
    except Skip as reason:
        print("[  SKIPPED ] " + str(reason).replace(
            ".", ","))  # packaging/test.sh takes a line with a full stop for the name of a test
        return 0
    begin = time.monotonic()
    if not options.built and not build(options.only):
        return 1
    if not options.built:
        print(f"built in {time.monotonic() - begin:.0f} s", flush=True)
    if options.build:
        return 0
    results = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = pool.map(lambda name: fuzz(name, options.seconds, options.seed, before, sanitizer),
                        options.only)
        for name, (result, said) in zip(options.only, done):
            results[name] = result
            print(name, json.dumps(result), said, sep="\n", flush=True)
            if result["ok"] and options.grow:
                grow(name, before, sanitizer)
    if options.result:
        pathlib.Path(options.result).write_text(
            json.dumps(
                {
                    "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(),
                    "compiler": "clang 16, address and undefined-behaviour sanitizers",
                    "seconds": options.seconds, "fuzzers": results
                },
                indent=1) + "\n")
    return 0 if all(result["ok"] for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
