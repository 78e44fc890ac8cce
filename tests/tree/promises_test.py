#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that every test named in docs/promises.md, docs/r2d2.md and docs/algorithm-tests.md exists, and that
every kept promise names one.

usage: promises_test.py    compares with the sources: TEST macros, Python methods and names given to add_test
"""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATUSES = ("kept", "partly", "not kept", "later")


def rows():
    """Number, status and names of tests of each promise."""
    for line in (ROOT / "docs" / "promises.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[0].isdigit():
            yield int(cells[0]), cells[2], re.findall(r"`([^`]+)`", cells[3])


def known_tests():
    names = set()
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix == ".cpp":
            macros = re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", path.read_text(encoding="utf-8"),
                                flags=re.MULTILINE)
            names |= {f"{suite}.{name}" for suite, name in macros}
            if path.stem.startswith("fuzz_"):
                names.add("fuzz." + path.stem.removeprefix("fuzz_"))
        elif path.suffix == ".py":
            names |= set(re.findall(r"^    def (test_\w+)", path.read_text(encoding="utf-8"),
                                    flags=re.MULTILINE))
        elif path.name == "CMakeLists.txt":
            names |= set(re.findall(r"add_test\(\s*NAME ([\w.]+)", path.read_text(encoding="utf-8")))
    return names


class Promises(unittest.TestCase):
    def test_all_forty_have_a_status(self):
        self.assertEqual([number for number, _, _ in rows()], list(range(1, 41)))
        for number, status, _ in rows():
            self.assertTrue(status.startswith(STATUSES), f"promise {number}: {status}")

    def test_kept_promises_name_tests(self):
        for number, status, tests in rows():
            if status.startswith("kept"):
                self.assertTrue(tests, f"promise {number} names no test")

    def test_named_tests_exist(self):
        known = known_tests()
        self.assertGreater(len(known), 500)
        missing = {(number, name) for number, _, tests in rows() for name in tests if name not in known}
        self.assertEqual(missing, set())

    def test_tests_named_by_the_page_on_r2d2_exist(self):
        text = (ROOT / "docs" / "r2d2.md").read_text(encoding="utf-8")
        names = set(re.findall(r"`(\w+\.[A-Z]\w+|test_\w+)`", text))
        self.assertGreater(len(names), 25)
        self.assertEqual(names - known_tests(), set())

    def test_named_tests_of_algorithms_exist(self):
        page = (ROOT / "docs" / "algorithm-tests.md").read_text(encoding="utf-8")
        rows = [line.split("|") for line in page.splitlines() if re.match(r"\|(?! feature|--)", line)]
        named = {name for row in rows for name in re.findall(r"`([^`]+)`", row[3])}
        self.assertGreater(len(named), 20)
        self.assertEqual(named - known_tests(), set())


if __name__ == "__main__":
    unittest.main()
