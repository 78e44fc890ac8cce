#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the strings of the window and of the program (context "core": settings, environments, presets,
findings) into ui/translations/*.ts with Qt's lupdate. English plural forms are generated here; other
languages are translated in Qt Linguist or a text editor. To add a language: touch
ui/translations/seedbed_<language>.ts and run this.

usage: update.py [--check] [--reworded FILE] [SEEDBED]

SEEDBED          the program (build/release/bin/seedbed)
--check          changes nothing; lists strings that are missing in a .ts file, are not translated, or lack a
                 marker such as %1. Exits with 0: outdated translations are warnings.
--reworded FILE  keeps the translations of reworded English strings. FILE: a line "old => new" per string.
"""

import argparse
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
LITERAL = r'"(?:[^"\\]|\\.)*"'  # a string literal of C++
# Abbreviations in the names of settings.
WORDS = [
    ("lr", "learning-rate"),
    ("num envs", "number of environments"),
    ("every (steps|s)", "interval"),
    ("stall s", "stall timeout"),
    ("deadline ms", "deadline"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("obs", "observations"),
    ("grad", "gradient"),
    ("std", "standard deviation"),
    ("kl", "KL"),
    ("noop", "no-op"),
    ("wrap", "wrapper"),
]
# Words that differ in the singular.
SINGULAR = [
    (r"\bwere\b", "was"),
    (r"\bthey had\b", "it had"),
    (r"\bthey have\b", "it has"),
    (r"\bTheir\b", "Its"),
    (r"\btheir scores are means\b", "its score is a mean"),
    (r"\btheir\b", "its"),
    (r"\bthey can\b", "it can"),
    (r"\bcheckpoints\b", "checkpoint"),
    (r"\bare\b", "is"),
    (r"\bhave\b", "has"),
    (r"\bdo not\b", "does not"),
    (r"\bgroup do not\b", "group does not"),
    (r"\blists them\b", "lists it"),
    (r"\bstop them\b", "stop it"),
    (r"\brestores them\b", "restores it"),
    (r"\bset how many run\b", "sets how many run"),
]


def lupdate():
    qt_folders = "/usr/lib/qt6/bin:/usr/lib/qt6/libexec"
    found = shutil.which("lupdate", path=qt_folders) or shutil.which("lupdate")
    if not found:
        print("[  SKIPPED ] lupdate was not found (Debian: qt6-l10n-tools)")
        sys.exit(0 if "--check" in sys.argv else 1)
    return found


def readable(name):
    """The same as readableName in ui/models/text/core_text.cpp."""
    name = name.replace("_", " ").replace(".", ": ")
    for word, full in WORDS:
        name = re.sub(rf"\b{word}\b", full, name)
    return name[:1].upper() + name[1:]


def core_texts(program, home):
    """Strings of the program in a fixed order. home: an empty folder, to exclude the user's own presets."""
    folders = dict.fromkeys(["SEEDBED_DATA", "XDG_CONFIG_HOME", "XDG_STATE_HOME"], str(home))
    environment = {**os.environ, **folders}

    def ask(*arguments):
        command = [program, *arguments, "--json"]
        reply = subprocess.run(command, capture_output=True, text=True, env=environment)
        if reply.returncode != 0:
            sys.exit(f"{' '.join(arguments)}: {reply.stderr}")
        return json.loads(reply.stdout)

    def settings_of(config):
        env, algo = config
        return ask("config", env, "--algo", algo, "--preset", "none", "--fields")

    texts = {}
    envs = ask("env", "list")
    for env in envs:
        labels = [label for action in env["spaces"]["actions"] for label in action["labels"]]
        for text in [env["title"], env["sentence"], *labels]:
            texts[text] = None
    # The settings of all environments and all algorithms.
    configs = [(env["id"], "ppo") for env in envs] + [("cartpole", algo["id"]) for algo in ask("algos")]
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(settings_of, configs))
    for field in [field for reply in replies for field in reply["fields"]]:
        name = readable(field["key"].partition(".")[2])
        for text in [name, field["unit"], field["help"], *(special["means"] for special in field["special"])]:
            texts[text] = None
    for preset in ask("presets"):
        texts[preset["title"]] = texts[preset["when_to_use"]] = texts[preset["source"]] = None
    for pack in ask("pack", "list"):
        texts[pack["title"]] = texts[pack["sentence"]] = texts[pack["instructions"]] = None
    for restriction in ask("doctor", "--workers")["restrictions"]:
        texts[restriction["sentence"]] = None
    for target in ask("export", "--list"):
        for text in [target["title"], target["sentence"]]:
            texts[text] = None
        for option in target["options"]:
            choices = [choice["title"] for choice in option.get("choices", [])]
            for text in [option["title"], option["help"], *choices]:
                texts[text] = None
    # Findings and verdicts: strings marked in the sources.
    for source in sorted([*(ROOT / "core/analysis").rglob("*.cpp"), ROOT / "core/neighbour/decision.cpp"]):
        code = source.read_text(encoding="utf-8")
        for call in re.findall(rf"SEEDBED_TEXT\(\s*((?:{LITERAL}\s*)+)\)", code):
            texts["".join(json.loads(literal) for literal in re.findall(LITERAL, call))] = None
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
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    path.write_text(head + text.rstrip() + "\n", encoding="utf-8")


def write_for_lupdate(path, texts):
    literals = [json.dumps(text, ensure_ascii=False) for text in texts]
    lines = [f"QT_TRANSLATE_NOOP({json.dumps(CORE)}, {literal})" for literal in literals]
    path.write_text("const char* texts[] = {\n" + ",\n".join(lines) + "};\n", encoding="utf-8")


def update(folder, core_source):
    for path in sorted(folder.glob("*.ts")):
        language = path.stem.split("_", 1)[1]
        if not path.read_text(encoding="utf-8").strip():  # a new language
            path.write_text(f'<!DOCTYPE TS><TS version="2.1" language="{language}"/>', encoding="utf-8")
        english = path.stem.endswith("_en")
        command = [lupdate(), "-silent", "-locations", "none", "-no-obsolete", "-I", "."]
        command += ["-pluralonly"] if english else []
        command += ["-target-language", language, "ui", "app/gui", str(core_source), "-ts", str(path)]
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


def reword(folder, file):
    """Replaces English source strings, so that lupdate keeps their translations."""
    lines = file.read_text(encoding="utf-8").splitlines()
    reworded = dict(line.split(" => ", 1) for line in lines if " => " in line)
    for path in folder.glob("*.ts"):
        tree = ET.parse(path)
        for message in tree.getroot().iter("message"):
            source = message.find("source")
            if source.text not in reworded:
                continue
            source.text = reworded[source.text]
            if path.stem.endswith("_en"):  # generated again
                for form in message.iter("numerusform"):
                    form.text = None
        write(path, tree)


def markers(text):
    """The numbered markers. %n is excluded: a plural form may omit the number."""
    return sorted(re.findall(r"%[0-9]", text))


def problems(path):
    """Messages about missing translations and wrong markers."""
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            source, translation = message.find("source").text, message.find("translation")
            where = f"{path.name}: {context.find('name').text}: {source}"
            forms = [form.text or "" for form in translation.findall("numerusform")]
            forms = forms or [translation.text or ""]
            if translation.get("type") == "unfinished" or not all(forms):
                yield f"{where}: not translated yet"
                continue
            for form in forms:
                counts_without_plural = not message.get("numerus") and "%n" in form
                if markers(form) != markers(source) or counts_without_plural:
                    yield f"{where}: other markers in: {form}"


def missing(kept, now):
    """Strings of the sources `now` that are not in the files `kept`."""

    def texts(path):
        return {
            (context.find("name").text, message.find("source").text)
            for context in ET.parse(path).getroot().iter("context")
            for message in context.iter("message")
        }

    for path in sorted(now.glob("*.ts")):
        for context, text in sorted(texts(path) - texts(kept / path.name)):
            yield f"{path.name}: {context}: missing: {text}"


def main():
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("program", nargs="?", type=Path, default=ROOT / "build/release/bin/seedbed")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--reworded", type=Path)
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    if not program.exists():
        sys.exit(f"{program} does not exist: build it, or specify another program (see --help)")
    lupdate()
    with tempfile.TemporaryDirectory() as sources_folder, tempfile.TemporaryDirectory() as folder:
        core_source = Path(sources_folder) / "core_texts.cpp"
        write_for_lupdate(core_source, core_texts(program, Path(sources_folder) / "home"))
        if not arguments.check:
            if arguments.reworded:
                reword(HERE, arguments.reworded)
            update(HERE, core_source)
            return
        for path in HERE.glob("*.ts"):
            shutil.copy(path, folder)
        update(Path(folder), core_source)
        warnings = list(missing(HERE, Path(folder)))
    for path in sorted(HERE.glob("*.ts")):
        warnings += problems(path)
    for warning in warnings:
        print(f"warning: {warning}")
    advice = f"; run {Path(__file__).name}" if warnings else ""
    print(f"{len(warnings)} outdated or missing translations{advice}")


if __name__ == "__main__":
    main()
