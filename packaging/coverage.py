#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints line coverage of core by folder, and of each parser, from the files that a --coverage build wrote.

usage: coverage.py BUILD_FOLDER [--parsers] [--result FILE]    --parsers: only the parsers
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
# The files that each fuzzer tests.
PARSERS = {
    "checkpoint": ["core/policy/manifest.cpp", "core/policy/networks.cpp",
                   "core/checkpoint/checkpoint_folder.cpp"],
    "safetensors (import)": ["core/policy/tensor_file.cpp"],
    "network description (import)": ["core/nn/net_spec.cpp", "core/nn/net_plan.cpp"],
    "imported folder (bundle)": ["core/export/bundle_files.cpp", "core/policy/acting_plan.cpp"],
    "onnx": ["core/export/onnx/decode.cpp", "core/export/onnx/interpreter.cpp"],
    "config": ["core/config/json_text.cpp", "core/config/config_schema.cpp", "core/config/presets.cpp"],
    "strict JSON": ["core/base/strict_json.cpp"],
    "database (import)": ["core/store/import.cpp", "core/store/import_staged.cpp",
                          "core/store/staged_runs.cpp"],
    "metric blocks": ["core/store/metric_block.cpp"],
    "replay": ["core/policy/replay_file.cpp"],
    "frames of players": ["core/control/player_frame.cpp"],
    "control messages": ["core/control/control_server.cpp", "core/ipc/json_socket.cpp",
                         "core/run/run_control.cpp"],
    "TensorBoard events": ["core/tensorboard/event_log.cpp", "core/tensorboard/events.cpp",
                           "core/tensorboard/records.cpp"],
    "session archives": ["core/base/archive.cpp", "core/run/run_counters.cpp"],
}
# Parsers that are functions named `archive` in files with other tasks: by the beginning of the path.
LOADERS = {
    "states of environments": ("envs/", "core/env/"),
    "states of sessions": ("core/algo/", "core/infer/", "core/learn/", "core/nn/", "core/rollout/",
                           "core/session/"),
}
LOADER = re.compile(r"::archive\w*(<.*>)?\(")  # archive(), archiveParts(), archiveEpisodes() ...


def covered_lines(build):
    """{line: executed} for each source file of core and envs, and for each function that loads states."""
    lines, loaders = collections.defaultdict(dict), collections.defaultdict(dict)
    data = sorted(build.rglob("*.gcda"))
    with tempfile.TemporaryDirectory() as folder:
        for file in data:
            made = subprocess.run(["gcov", "--json-format", "--stdout", str(file)], cwd=folder,
                                  capture_output=True, text=True)
            for text in made.stdout.splitlines():
                for source in json.loads(text)["files"]:
                    path = pathlib.Path(source["file"])
                    path = path if path.is_absolute() else build / path
                    try:
                        name = str(path.resolve().relative_to(ROOT))
                    except ValueError:
                        continue
                    if not name.startswith(("core/", "envs/")):
                        continue
                    loading = {function["name"] for function in source["functions"]
                               if LOADER.search(function["demangled_name"])}
                    for line in source["lines"]:
                        number = line["line_number"]
                        for known in ([lines[name], loaders[name]]
                                      if line.get("function_name") in loading else [lines[name]]):
                            known[number] = known.get(number, False) or line["count"] > 0
    return lines, loaders


def share(files, lines):
    found = [executed for file in files for executed in lines.get(file, {}).values()]
    return {"lines": len(found), "covered": sum(found),
            "percent": round(100 * sum(found) / len(found), 1) if found else None}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--parsers", action="store_true")
    parser.add_argument("--result", type=pathlib.Path)
    options = parser.parse_args()
    lines, loaders = covered_lines(options.build.resolve())
    if not lines:
        sys.exit("no coverage data; build with --coverage and run tests first")
    folders = collections.defaultdict(list)
    core = [file for file in lines if file.startswith("core/")]
    for file in core:
        folders["/".join(file.split("/")[:2])].append(file)
    result = {"date": time.strftime("%Y-%m-%d"),
              "parsers": {name: {"files": files, **share(files, lines)} for name, files in PARSERS.items()}}
    for name, begins in LOADERS.items():
        files = sorted(file for file in loaders if file.startswith(begins))
        result["parsers"][name] = {"files": files, "functions": "archive*", **share(files, loaders)}
    if options.parsers:
        result["command"] = "packaging/coverage.sh --parsers --result tests/fuzz/coverage.json"
    else:
        result |= {"folders": {name: share(files, lines) for name, files in sorted(folders.items())},
                   "core": share(core, lines)}
    for part in ("folders", "parsers"):
        for name, numbers in result.get(part, {}).items():
            percent = "  none" if numbers["percent"] is None else f"{numbers['percent']:5.1f}%"
            print(f"{percent}  {numbers['covered']:6} of {numbers['lines']:6} lines  {name}")
        print()
    if "core" in result:
        print(f"core: {result['core']['percent']}% of {result['core']['lines']} lines")
    if options.result:
        options.result.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
