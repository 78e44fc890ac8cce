#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes all generated files of the source tree: the pages of docs/reference, the summary of learning results
(resources/learning.json) and the strings for translators (ui/translations/*.ts).

usage: generate.py BUILD_DIR [--no-translations]   write the files
       generate.py BUILD_DIR --check               compare the files and exit with 1 if they differ
       generate.py BUILD_DIR --check-translations  print a warning if translations are missing or outdated

BUILD_DIR is a build folder that contains bin/seedbed, for example build/release.
"""

import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
OPTIONS = {"--check", "--check-translations", "--no-translations"}


def seedbed(program, home, *arguments):
    """Output of the program with an empty data folder and without the user's own presets."""
    folders = dict.fromkeys(("SEEDBED_DATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(home))
    environment = {**os.environ, **folders}
    environment.pop("SEEDBED_RESOURCES", None)
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, env=environment,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"seedbed {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout


def reference_pages(program):
    """{path: content} of the reference pages."""
    with tempfile.TemporaryDirectory() as home:
        names = seedbed(program, home, "reference").split()
        return {REFERENCE / f"{name}.md": seedbed(program, home, "reference", name) for name in names}


def differences(pages):
    """Unified diffs of the tree's pages against the generated ones."""
    for path in sorted(set(pages) | set(REFERENCE.glob("*.md"))):
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        new = pages.get(path, "")
        if old == new:
            continue
        name = str(path.relative_to(ROOT))
        yield "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, "generated"))


def write(pages):
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for path in set(REFERENCE.glob("*.md")) - set(pages):
        path.unlink()
    for path, content in pages.items():
        path.write_text(content, encoding="utf-8")
    print(f"wrote {len(pages)} pages to {REFERENCE.relative_to(ROOT)}")


def translations(program, *arguments):
    command = [sys.executable, str(ROOT / "ui/translations/update.py"), *arguments, str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check_translations(program):
    done = translations(program, "--check")
    if done.returncode == 0:
        print(done.stdout, end="")
        return
    lines = (done.stdout + done.stderr).strip().splitlines()
    print("\n".join(lines[-20:]))
    print("warning: translations are missing or outdated (not an error); update them with "
          "'packaging/generate.py BUILD_DIR', then translate")


def main():
    options = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(folders) != 1 or options - OPTIONS:
        print(__doc__.strip())
        return 0 if "--help" in options else 2
    program = Path(folders[0]).resolve() / "bin" / "seedbed"
    if not program.exists():
        sys.exit(f"{program} does not exist: build it first, for example with packaging/run.sh --help")
    if "--check-translations" in options:
        check_translations(program)
        return 0
    pages = reference_pages(program)
    summary = [sys.executable, str(ROOT / "tests/learning/summary.py")]
    if "--check" in options:
        found = list(differences(pages))
        done = subprocess.run([*summary, "--check"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            found.append(done.stdout + done.stderr)
        for difference in found:
            print(difference)
        if found:
            print("Generated files are outdated. Update them with: "
                  f"packaging/generate.py {folders[0]} --no-translations")
        return 1 if found else 0
    write(pages)
    subprocess.run(summary, check=True)
    if "--no-translations" not in options:
        done = translations(program)
        print((done.stdout + done.stderr).strip() or "updated ui/translations")
        return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
