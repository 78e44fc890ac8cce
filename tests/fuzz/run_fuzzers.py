#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the fuzzers of tests/fuzz with Clang and runs each on its seeds, its stored inputs and then on new
inputs.

usage: run_fuzzers.py [--seconds 60] [--only NAME ...] [--jobs 2] [--seed N] [--grow] [--result FILE]
       run_fuzzers.py --build    builds them and exits
       run_fuzzers.py --built    runs fuzzers that are already built

--seconds is CPU time per fuzzer; wall-clock time is limited to five times as much. --result updates the
entries of these fuzzers in FILE.

A finding is an input that makes a parser crash, leak, use 2 GiB or take 20 s of CPU time. A failure that
does not repeat (for example a timeout caused by other programs) is reported but is not a finding. The input
of a finding is in build/fuzz/found; copy it to tests/fuzz/corpus/NAME together with the fix, since every
build replays that folder. New inputs stay in build/fuzz/new for the next run; --grow stores the smallest few
that together reach the same code (name_corpus.py then names them). With --seed the search starts
from the stored inputs only and is reproducible within its time limit, so that a check fails because of a
change, not by chance; without it each search differs. Without Clang or libFuzzer, or where sanitizers do
not run, it prints the reason and exits with 0.
"""
import argparse
import concurrent.futures
import json
import math
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
LONGEST = {"database": 262144}  # largest input in bytes where libFuzzer's default is too small
KEPT_BYTES, KEPT_INPUTS = 4096, 40  # limits of the corpus: bytes per input, inputs per parser
SLOW_S = 20  # limit of CPU seconds per input
SURE = re.compile(r"ERROR: (AddressSanitizer|LeakSanitizer)|runtime error:")
REASON = re.compile(r"ERROR: |runtime error:|check failed|terminate called|what\(\):")
PROBE = """#include <stdlib.h>
int LLVMFuzzerTestOneInput(const unsigned char* data, unsigned long size) {
    free(malloc(size + 1));
    return data == 0 && size != 0;
}
"""


class Skip(Exception):
    """The reason why fuzzers cannot run on this machine. Not a failure."""


def run(*command, **options):
    return subprocess.run([str(part) for part in command],
                          cwd=ROOT,
                          text=True,
                          errors="replace",
                          stdin=subprocess.DEVNULL,
                          **options)


def probe():
    """Finds out how sanitized programs run on this machine: returns words to put before a command and the
    sanitizer's options. Raises Skip if they do not run."""
    compiler = shutil.which("clang-16")
    if not compiler or not shutil.which("clang++-16"):
        raise Skip("Clang 16 was not found (Debian packages clang-16, libclang-rt-16-dev)")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "probe.c", pathlib.Path(folder) / "probe"
        source.write_text(PROBE)
        if run(compiler, "-fsanitize=fuzzer,address", source, "-o", program,
               stderr=subprocess.DEVNULL).returncode:
            raise Skip("libFuzzer was not found (Debian package libclang-rt-16-dev)")
        # On some kernels, address randomization conflicts with the sanitizer; some containers forbid leak
        # detection.
        errors = ""
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
                        print("LeakSanitizer does not run here: leaks are not detected", flush=True)
                    return before, f"detect_leaks={leaks}:quarantine_size_mb=64:allocator_may_return_null=0"
                errors = next(done.stderr for done in tries if done.returncode != 0)
        raise Skip("the address sanitizer does not run here: " +
                   (errors.strip().splitlines() or ["no message"])[-1])


def build(names):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    jobs = max(1, min(os.cpu_count() or 1, memory >> 30))
    # Unity builds may fail because two files define the same name; each file compiles by itself.
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


def measured(command, environment):
    """Runs a command; returns its exit code, its CPU seconds and its error output."""
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        process = subprocess.Popen([str(part) for part in command],
                                   cwd=ROOT,
                                   env=environment,
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL,
                                   stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, used.ru_utime + used.ru_stime, errors.read()


def reproduces(command, environment, file):
    """Whether the input alone is a finding: it fails or takes too much CPU time."""
    code, cpu, _ = measured([*command, "-timeout=300", file], environment)
    return code != 0 or cpu > SLOW_S


def reason(output):
    """The lines that name the cause of an early exit. The stack traces and the input after them may be longer
    than the part of the output that is printed."""
    return "".join(line + "\n" for line in output.splitlines() if REASON.search(line))[:1000]


def fuzz(name, seconds, seed, before, sanitizer):
    """Runs a fuzzer; returns its result and a text for the log."""
    kept, new, found, seeds = CORPUS / name, *(BUILD / part / name for part in ("new", "found", "seeds"))
    for folder in (new, found, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    # In memory where possible, since fuzzers sync thousands of files.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory, prefix=f"fuzz-{name}-") as scratch:
        environment = {**os.environ, "SEEDBED_LOG": "off", "TMPDIR": scratch, "ASAN_OPTIONS": sanitizer}
        command = [*before, BUILD / "bin" / f"fuzz_{name}"]
        made = run(*command, env={**environment, "SEEDBED_FUZZ_SEEDS": str(seeds)}, capture_output=True)
        if made.returncode or not any(seeds.iterdir()):
            return {"ok": False}, "its seeds could not be created:\n" + made.stderr[-4000:]
        limits = [
            "-rss_limit_mb=2048", "-malloc_limit_mb=512", "-timeout=100", "-report_slow_units=100",
            "-print_final_stats=1", "-reload=0", f"-artifact_prefix={found}/"
        ]
        if name in LONGEST:
            limits += [f"-max_len={LONGEST[name]}", "-len_control=0"]
        folders = [folder for folder in (new, seeds, kept) if folder.is_dir()]
        if seed is not None:  # the order in which a folder lists its files differs between machines
            inputs = sorted(file for folder in (seeds, kept) if folder.is_dir() for file in folder.iterdir())
            listed, grown = pathlib.Path(scratch) / "inputs", pathlib.Path(scratch) / "new"
            listed.write_text(",".join(map(str, inputs)))
            grown.mkdir()
            limits += [f"-seed_inputs=@{listed}"]
            folders = [grown]
        known, begin, cpu, outputs = set(found.iterdir()), time.monotonic(), 0.0, []
        # libFuzzer only limits wall-clock time.
        while cpu < seconds and time.monotonic() - begin < 5 * seconds:
            again = [f"-max_total_time={math.ceil(seconds - cpu)}"]
            if seed is not None:
                again.append(f"-seed={seed + len(outputs)}")
            code, used, output = measured([*command, *limits, *again, *folders], environment)
            cpu += used
            outputs.append(output)
            if code:
                break
        took = time.monotonic() - begin
        inputs = [
            file for file in found.iterdir() if file not in known and not file.name.startswith("slow-unit")
        ]
        findings = [file.name for file in inputs if reproduces(command, environment, file)]
    sure = SURE.search(output) is not None and "libFuzzer: timeout" not in output
    numbers = [[int(number) for number in re.findall(pattern, "\n".join(outputs))] or [0]
               for pattern in (r"number_of_executed_units: (\d+)", r"cov: (\d+)", r"ft: (\d+)")]
    result = {
        "date": time.strftime("%Y-%m-%d"), "ok": not findings and not sure, "executions": sum(numbers[0]),
        "edges": max(numbers[1]), "features": max(numbers[2]),
        "kept_inputs": len(list(kept.iterdir())) if kept.is_dir() else 0,
        "findings": findings or ([file.name for file in inputs] if sure else []), "seconds": round(took, 1),
        "cpu_seconds": round(cpu, 1)
    }
    if not result["ok"]:
        return result, reason(output) + output[-6000:] + f"\nThe input is in {found}"
    if code:
        result["early_exit"] = reason(output) or f"exit code {code}"
        return result, f"exited early with {code}, not repeatable:\n" + reason(output) + output[-1500:]
    return result, ""


def grow(name, before, sanitizer):
    """Adds the fewest short inputs that reach the same code as all inputs; existing inputs stay."""
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
        known = {file.read_bytes() for known_folder in (BUILD / "seeds" / name, kept)
                 for file in known_folder.iterdir()}
        fresh = sorted((file for file in pathlib.Path(folder).iterdir() if file.read_bytes() not in known),
                       key=lambda file: file.stat().st_size)
        room = max(0, KEPT_INPUTS - len(list(kept.iterdir())))
        # A mix of sizes, since short inputs are rejected early.
        for file in fresh[::max(1, len(fresh) // max(1, room))][:room]:
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
            raise Skip("the fuzzers were not built")
    except Skip as reason:
        # packaging/test.sh mistakes a line with a full stop for the name of a test.
        print("[  SKIPPED ] " + str(reason).replace(".", ","))
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
        for name, (result, log) in zip(options.only, done):
            results[name] = result
            print(name, json.dumps(result), log, sep="\n", flush=True)
            if result["ok"] and options.grow:
                grow(name, before, sanitizer)
    if options.result:
        file = pathlib.Path(options.result)
        record = json.loads(file.read_text()) if file.exists() else {"fuzzers": {}}
        record |= {
            "cores": os.cpu_count(), "compiler": "clang 16, address and undefined-behaviour sanitizers",
            "seconds": options.seconds
        }
        record["fuzzers"] = dict(sorted({**record["fuzzers"], **results}.items()))
        file.write_text(json.dumps(record, indent=1) + "\n")
    return 0 if all(result["ok"] for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
