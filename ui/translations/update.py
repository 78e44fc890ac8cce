#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the window's texts into ui/translations/*.ts by Qt's lupdate, with those that the program `seedbed` says of itself: settings,
environments, presets, findings (context "core", ui/models/core_text.hpp). Plural forms of English are filled in here; other languages are
translated in Qt Linguist, or any editor. A new language: touch ui/translations/seedbed_<language>.ts and run this.

usage: update.py [--check] [SEEDBED]   SEEDBED: the program just built (build/release/bin/seedbed)
                                       --check: exit 1 when a text is missing in a .ts file, is not translated, or has lost a marker like %1
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CORE = "core"
# Sentences whose verb changes with the number.
SINGULAR = [(r"(?<=run )(train|wait|go|rest)\b", r"\1s"), (r"\bwere\b", "was"), (r"\bthey had\b", "it had"), (r"\bthey have\b", "it has"),
            (r"\btheir\b", "its"), (r"\bthey can\b", "it can"),
            (r"\bcheckpoints\b", "checkpoint"), (r"\brun gos\b", "run goes"), (r"\bare\b", "is"), (r"\bhave\b", "has"),
            (r"\bthem back\b", "it back")]


def lupdate():
    found = shutil.which("lupdate", path="/usr/lib/qt6/bin:/usr/lib/qt6/libexec") or shutil.which("lupdate")
    if not found:
        print("[  SKIPPED ] lupdate was not found (Debian: qt6-l10n-tools)")
        sys.exit(0 if "--check" in sys.argv else 1)
    return found


def readable(name):
    """As readableName in ui/models/core_text.cpp."""
    name = name.replace("_", " ").replace(".", ": ")
    return name[:1].upper() + name[1:]


def core_texts(program, home):
    """What the program says of itself, in a fixed order. home: an empty folder, since presets of the user's own are nobody else's."""
    environment = dict(os.environ, SEEDBED_DATA=str(home), XDG_CONFIG_HOME=str(home), XDG_STATE_HOME=str(home))

    def ask(*arguments):
        reply = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, env=environment)
        return json.loads(reply.stdout) if reply.returncode == 0 else sys.exit(f"{' '.join(arguments)}: {reply.stderr}")

    texts = {}
    envs = ask("env", "list")
    for env in envs:
        labels = [label for action in env["spaces"]["actions"] for label in action["labels"]]
        for text in [env["title"], env["sentence"], *labels]:
            texts[text] = None
    # Every environment's settings, and those that an algorithm brings along.
    configs = [(env["id"], "ppo") for env in envs] + [("cartpole", algo["id"]) for algo in ask("algos")]
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda c: ask("config", c[0], "--algo", c[1], "--preset", "none", "--fields"), configs))
    for field in [field for reply in replies for field in reply["fields"]]:
        for text in [readable(field["key"].partition(".")[2]), field["unit"], field["help"], *(s["means"] for s in field["special"])]:
            texts[text] = None
    for preset in ask("presets"):
        texts[preset["title"]] = texts[preset["when_to_use"]] = texts[preset["source"]] = None
    # Findings and verdicts: what is marked in the sources.
    for source in sorted((ROOT / "core/analysis").glob("*.cpp")):
        for call in re.findall(r'SEEDBED_TEXT\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', source.read_text(encoding="utf-8")):
            texts["".join(json.loads(literal) for literal in re.findall(r'"(?:[^"\\]|\\.)*"', call))] = None
    texts.pop("", None)
    return list(texts)


def english_forms(source):
    plural = source.replace("(s)", "s")
    first, dot, rest = source.replace("(s)", "").partition(".")
    head = first + dot + rest
    singular = head
    for pattern, replacement in SINGULAR:
        singular = re.sub(pattern, replacement, singular, count=1)
    return singular, plural


def write(path, tree):
    text = ET.tostring(tree.getroot(), encoding="unicode")
    path.write_text('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n' + text.rstrip() + "\n", encoding="utf-8")


def write_for_lupdate(path, texts):
    lines = [f"QT_TRANSLATE_NOOP({json.dumps(CORE)}, {json.dumps(text, ensure_ascii=False)})" for text in texts]
    path.write_text("const char* texts[] = {\n" + ",\n".join(lines) + "};\n", encoding="utf-8")


def update(folder, core_source):
    for path in sorted(folder.glob("*.ts")):
        if not path.read_text(encoding="utf-8").strip():  # a new language
            path.write_text(f'<!DOCTYPE TS><TS version="2.1" language="{path.stem.split("_", 1)[1]}"/>', encoding="utf-8")
        english = path.stem.endswith("_en")
        command = [lupdate(), "-silent", "-locations", "none", "-no-obsolete", "-I", ".", *(["-pluralonly"] if english else []),
                   "-target-language", path.stem.split("_", 1)[1], "ui", "app/gui", str(core_source), "-ts", str(path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        tree = ET.parse(path)
        for message in tree.getroot().iter("message") if english else []:
            forms = english_forms(message.find("source").text)
            translation = message.find("translation")
            translation.attrib.pop("type", None)
            for form, text in zip(translation.findall("numerusform"), forms):
                form.text = form.text or text
        write(path, tree)


def markers(text):
    return sorted(re.findall(r"%[0-9n]", text))


# Sentences about what is wrong with a translation: open, or without the markers of its source. A form of a plural may leave out the number.
def problems(path):
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            source, translation = message.find("source").text, message.find("translation")
            where = f"{path.name}: {context.find('name').text}: {source}"
            forms = [form.text or "" for form in translation.findall("numerusform")] or [translation.text or ""]
            if translation.get("type") == "unfinished" or not all(forms):
                yield f"{where}: not translated yet"
                continue
            for form in forms:
                wanted = [m for m in markers(source) if m != "%n"] if message.get("numerus") else markers(source)
                if [m for m in markers(form) if m != "%n"] != [m for m in wanted if m != "%n"] or (not message.get("numerus") and "%n" in form):
                    yield f"{where}: other markers in: {form}"


def main():
    programs = [argument for argument in sys.argv[1:] if argument != "--check"]
    program = Path(programs[0] if programs else ROOT / "build/release/bin/seedbed").resolve()
    if not program.exists():
        sys.exit(f"{program} is not there: build it, or name it (see the head of {Path(__file__).name})")
    lupdate()
    with tempfile.TemporaryDirectory() as sources_folder, tempfile.TemporaryDirectory() as folder:
        core_source = Path(sources_folder) / "core_texts.cpp"
        write_for_lupdate(core_source, core_texts(program, Path(sources_folder) / "home"))
        if "--check" not in sys.argv:
            update(HERE, core_source)
            return 0
        for path in HERE.glob("*.ts"):
            shutil.copy(path, folder)
        update(Path(folder), core_source)
        sources = {}
        for name, place in (("kept", HERE), ("now", Path(folder))):
            for path in place.glob("*.ts"):
                texts = {(context.find("name").text, message.find("source").text)
                         for context in ET.parse(path).getroot().iter("context") for message in context.iter("message")}
                sources[path.name, name] = texts
    wrong = 0
    for (name, which), texts in sources.items():
        for context, text in sorted(texts - sources[name, "kept"]) if which == "now" else []:
            print(f"{name}: {context}: not there yet: {text}")
            wrong += 1
    for path in sorted(HERE.glob("*.ts")):
        for problem in problems(path):
            print(problem)
            wrong += 1
    if wrong:
        print(f"{wrong} texts to look at; {Path(__file__).name} collects them, then translate them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
