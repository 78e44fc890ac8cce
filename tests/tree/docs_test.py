# SPDX-License-Identifier: Apache-2.0
"""Proves that all links in Markdown pages are valid, and that commands shown in the guide exist.

usage: docs_test.py SEEDBED
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop() if len(sys.argv) > 1 else None
GUIDE = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# Commands of two words begin with one of these.
GROUPS = {"queue", "db", "env", "bench", "pack", "league", "population", "fleet"}


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).exists()]
    return [p for p in ROOT.rglob("*.md") if "build" not in p.relative_to(ROOT).parts]


def anchors(page):
    """The anchors that forges create from a page's headings."""
    found = set()
    for title in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", title.lower().replace("`", ""))
        found.add(plain.strip().replace(" ", "-"))
    return found


def shown_commands():
    """(page, command line) for each line of a code block that starts with "seedbed "."""
    for page in GUIDE:
        for block in re.findall(r"```\w*\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
            for line in block.splitlines():
                if line.startswith("seedbed "):
                    yield page.name, line.split("#")[0].strip()


class Docs(unittest.TestCase):
    def test_relative_links_lead_to_files_and_headings(self):
        for page in pages():
            text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", link):
                    continue
                path, _, anchor = link.partition("#")
                target = (page.parent / path).resolve() if path else page
                with self.subTest(page=str(page.relative_to(ROOT)), link=link):
                    self.assertTrue(target.exists(), "the link leads nowhere")
                    if anchor and target.suffix == ".md":
                        self.assertIn(anchor, anchors(target))

    def test_commands_of_the_guide_exist_with_their_options(self):
        if PROGRAM is None:
            self.skipTest("no program was given")
        settings = subprocess.run([PROGRAM, "config"], capture_output=True, text=True, check=True).stdout
        shown = list(shown_commands())
        self.assertGreater(len(shown), 20)
        helps = {}
        for page, line in shown:
            words = line.split()[1:]
            command = words[:1]
            if len(words) > 1 and words[0] in GROUPS:
                command = words[:2]
            key = tuple(command)
            if key not in helps:
                done = subprocess.run(
                    [PROGRAM, *command, "--help"], capture_output=True, text=True, check=False
                )
                helps[key] = done.stdout if done.returncode == 0 else None
            with self.subTest(page=page, command=line):
                self.assertIsNotNone(helps[key], "there is no such command")
                for option in re.findall(r"(?<=\s)--([a-z][\w.-]*)", line):
                    if "." in option:
                        section, name = option.split(".", 1)
                        known = section == "env" or re.search(rf"\b{re.escape(name)}\b", settings)
                        self.assertTrue(known, f"there is no setting {option}")
                    else:
                        self.assertIn(f"--{option}", helps[key])


if __name__ == "__main__":
    unittest.main()
