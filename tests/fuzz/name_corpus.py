#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names stored inputs after the parser's outcome.

usage: name_corpus.py FOLDER_OF_FUZZERS [NAME ...]    for example name_corpus.py build/release/bin

Files with libFuzzer's names (40 hexadecimal digits) get the words of the parser's error and a number, such as
manifest-damaged-no-json-object-hash-02; shorter inputs have lower numbers. Inputs with equal outcomes all
stay, since libFuzzer keeps an input only if it reaches code that the others do not. FOLDER_OF_FUZZERS
contains the fuzz_<name> programs of a build without libFuzzer.
"""
import pathlib
import re
import subprocess
import sys

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
LONGEST = 60  # longest name in characters
FRAMES = r"cannot be (imported|used|played|allowed)"  # how errors begin
FILLERS = set("a an and as at be for fuzz has in is it its line column of or own that the this to was while "
              "with".split())


def slug(outcome):
    """The significant words of an outcome: without quoted parts, numbers, paths and fillers."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\S*/\S*|\S*\d\S*", " ", re.sub(FRAMES, " ", outcome.lower()))
    name = ""
    for word in re.findall(r"[a-z]+", text):
        if word in FILLERS:
            continue
        if len(name) + 1 + len(word) > LONGEST - 3:
            break
        name += ("-" if name else "") + word
    return name


def name_inputs(fuzzer, folder):
    inputs = sorted((file for file in folder.iterdir() if re.fullmatch("[0-9a-f]{40}", file.name)),
                    key=lambda file: (file.stat().st_size, file.name))
    if not inputs:
        return 0
    done = subprocess.run([fuzzer, "--outcomes", *inputs], capture_output=True, text=True, errors="replace",
                          check=True)
    outcomes = done.stdout.splitlines()
    if len(outcomes) != len(inputs):
        sys.exit(f"{fuzzer}: {len(outcomes)} outcomes of {len(inputs)} inputs")
    for file, outcome in zip(inputs, outcomes):
        name, number = slug(outcome), 1
        while (folder / f"{name}-{number:02}").exists():
            number += 1
        file.rename(folder / f"{name}-{number:02}")
    return len(inputs)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for folder in [CORPUS / name for name in sys.argv[2:]] or sorted(CORPUS.iterdir()):
        named = name_inputs(pathlib.Path(sys.argv[1]).resolve() / f"fuzz_{folder.name}", folder)
        print(f"{folder.name}: {named} named")


if __name__ == "__main__":
    main()
