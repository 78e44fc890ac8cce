#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names kept inputs after the parser's outcome and drops inputs with equal outcomes.

usage: name_corpus.py FOLDER_OF_FUZZERS [NAME ...]    for example name_corpus.py build/release/bin

Files with libFuzzer's names (40 hexadecimal digits) get the text of the parser's error and a number, such as
manifest-bad-hash-02. Of inputs with the same error and about the same size the smallest is kept; accepted
inputs and inputs with other names all stay. FOLDER_OF_FUZZERS contains the fuzz_<name> programs of a build
without libFuzzer.
"""
import pathlib
import re
import subprocess
import sys

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
LONGEST = 60  # characters of a name


def slug(outcome):
    """The words of an outcome without quoted parts, numbers and paths."""
    words = re.sub(r"'[^']*'|\"[^\"]*\"|\S*/\S*|\S*\d\S*", " ", outcome.lower())
    name = ""
    for word in re.findall(r"[a-z]+", words):
        if len(name) + 1 + len(word) > LONGEST - 3:
            break
        name += ("-" if name else "") + word
    return name


def name_inputs(fuzzer, folder):
    inputs = sorted(file for file in folder.iterdir() if re.fullmatch("[0-9a-f]{40}", file.name))
    if not inputs:
        return
    done = subprocess.run([fuzzer, "--outcomes", *inputs],
                          capture_output=True,
                          text=True,
                          errors="replace",
                          check=True)
    outcomes = done.stdout.splitlines()
    if len(outcomes) != len(inputs):
        sys.exit(f"{fuzzer}: {len(outcomes)} outcomes of {len(inputs)} inputs")
    by_name = {}
    for file, outcome in zip(inputs, outcomes):
        by_name.setdefault(slug(outcome), []).append((file.stat().st_size, outcome, file))
    for name, files in sorted(by_name.items()):
        seen, number = set(), 0
        for size, outcome, file in sorted(files):
            path = (outcome, size.bit_length())
            if path in seen and not outcome.endswith(": accepted"):
                file.unlink()
                continue
            seen.add(path)
            target = None
            while target is None or target.exists():
                number += 1
                target = folder / f"{name}-{number:02}"
            file.rename(target)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folders = [CORPUS / name for name in sys.argv[2:]] or sorted(CORPUS.iterdir())
    for folder in folders:
        before = len(list(folder.iterdir()))
        name_inputs(pathlib.Path(sys.argv[1]).resolve() / f"fuzz_{folder.name}", folder)
        print(f"{folder.name}: {before} inputs, {len(list(folder.iterdir()))} kept")


if __name__ == "__main__":
    main()
