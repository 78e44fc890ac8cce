#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the binary interface of libseedbed and libseedbed_policy with the stored descriptions.

usage: abi.py [--update] [--include FOLDER] [BUILD]

Compiles each function that the headers declare, with an empty body and debug information, and compares the
result by abidiff (libabigail) with packaging/abi/NAME.abi. BUILD: the build whose libraries must export
exactly these functions. --include: the headers in this folder instead of those of the source tree.
--update: stores the descriptions, after a change that keeps existing programs working. Exit status: 0 no
difference, 1 difference, 2 error.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORED = ROOT / "packaging/abi"
FOLDERS = (ROOT / "core/embed", ROOT / "core/policy/runtime")
LIBRARIES = {"seedbed": ("seedbed.h", "seedbed_policy.h"), "seedbed_policy": ("seedbed_policy.h",)}
INCLUDED = {"seedbed": ("seedbed_env.h",), "seedbed_policy": ()}
DECLARATION = re.compile(r"SEEDBED_POLICY_API\s+([^;{}]*?\b(seedbed_\w+)\s*\([^;{}]*\))\s*;")


def run(*words, allowed=(0,)):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.stderr.write(f"{words[0]} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
        sys.exit(2)
    return done


def header(folders, name):
    return next(folder / name for folder in folders if (folder / name).exists())


def declared(folders, library):
    """The declarations of the functions of a library, by name."""
    found = {}
    for name in LIBRARIES[library]:
        text = re.sub(r"/\*.*?\*/", "", header(folders, name).read_text(), flags=re.DOTALL)
        found.update({function: text for text, function in DECLARATION.findall(text)})
    return found


def compiled(folders, library, folder):
    """A shared library with the functions of the headers, which do nothing."""
    lines = [f"#include <{name}>" for name in LIBRARIES[library]]
    # Variables, because functions return codes as int.
    text = "".join(header(folders, name).read_text() for name in (*LIBRARIES[library], *INCLUDED[library]))
    lines += [f'__attribute__((visibility("default"))) enum {name} abi_{name};'
              for name in re.findall(r"^enum (seedbed_\w+) {", text, re.MULTILINE)]
    for function, text in sorted(declared(folders, library).items()):
        returned = text[:text.index(function)].strip()
        value = "" if returned == "void" else f"return ({returned})0;"
        lines.append(f"{text} {{ {value} }}")
    source, out = folder / f"{library}.c", folder / f"lib{library}.so.1"
    source.write_text("\n".join(lines) + "\n")
    run("cc", "-std=c99", "-g", "-O0", "-w", "-shared", "-fPIC", "-fvisibility=hidden",
        f"-fdebug-prefix-map={folder}=.",
        *(f"-I{folder}" for folder in folders), f"-Wl,-soname,lib{library}.so.1", source, "-o", out)
    return out


def compare_symbols(folders, library, build):
    """Whether the library of a build exports the declared functions and nothing else."""
    listed = run("nm", "-D", "--defined-only", build / f"bin/lib{library}.so").stdout.splitlines()
    exported = {line.split()[-1].split("@")[0] for line in listed}
    functions = set(declared(folders, library))
    for name in sorted(exported ^ functions):
        where = "exported but not declared" if name in exported else "declared but not exported"
        print(f"lib{library}: {name} is {where}")
    return exported == functions


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--include", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    arguments = parser.parse_args()
    folders = (arguments.include,) if arguments.include else FOLDERS
    same = True
    with tempfile.TemporaryDirectory(prefix="seedbed-abi-") as scratch:
        for library in LIBRARIES:
            stored = STORED / f"{library}.abi"
            made = compiled(folders, library, pathlib.Path(scratch))
            if arguments.update:
                STORED.mkdir(exist_ok=True)
                run("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-architecture",
                    "--no-elf-needed", "--no-parameter-names", "--type-id-style", "hash", "--out-file",
                    stored, made)
                continue
            # Bits of the status: 4 a difference, 8 one that breaks programs.
            done = run("abidiff", "--no-architecture", stored, made, allowed=(0, 4, 12))
            if done.returncode != 0:
                same = False
                kind = "breaks existing programs" if done.returncode & 8 else "may break existing programs"
                print(f"The interface of lib{library} has changed: the change {kind}.\n{done.stdout}")
            if arguments.build:
                same = compare_symbols(folders, library, arguments.build) and same
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
