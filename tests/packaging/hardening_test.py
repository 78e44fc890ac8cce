#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks with readelf that the built programs are hardened: position-independent, with
all symbols bound at the start and with stack protectors.

usage: hardening_test.py PROGRAM...
"""

import shutil
import subprocess
import sys
import unittest

PROGRAMS = sys.argv[1:]
del sys.argv[1:]


def readelf(option, program):
    done = subprocess.run(["readelf", "-W", option, program], capture_output=True, text=True, check=True)
    return done.stdout


class Hardening(unittest.TestCase):
    def test_programs_are_position_independent(self):
        for program in PROGRAMS:
            self.assertRegex(readelf("--file-header", program), r"Type:\s+DYN", program)

    def test_relocations_are_read_only_after_the_start(self):
        for program in PROGRAMS:
            self.assertIn("GNU_RELRO", readelf("--program-headers", program), program)
            self.assertRegex(readelf("--dynamic", program), r"BIND_NOW|\bNOW\b", program)

    def test_functions_have_stack_protectors(self):
        for program in PROGRAMS:
            self.assertIn("__stack_chk_fail", readelf("--dyn-syms", program), program)


if __name__ == "__main__":
    if shutil.which("readelf") is None:
        print("[  SKIPPED ] readelf was not found")
        sys.exit(0)
    unittest.main()
