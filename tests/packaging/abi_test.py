#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The binary interface of libseedbed and libseedbed_policy is the stored one, and changes to it are found.

usage: abi_test.py BUILD
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
HEADERS = ("core/embed/seedbed.h", "core/embed/seedbed_env.h", "core/policy/runtime/seedbed_policy.h")


def compare(*words):
    return subprocess.run([sys.executable, ROOT / "packaging/abi.py", *words], capture_output=True, text=True)


class Interface(unittest.TestCase):
    def after(self, header, pattern, replacement):
        """What the comparison prints if a header is changed."""
        with tempfile.TemporaryDirectory(prefix="seedbed-abi-") as folder:
            for path in HEADERS:
                shutil.copy(ROOT / path, folder)
            path = pathlib.Path(folder, header)
            text, count = re.subn(pattern, replacement, path.read_text(), count=1)
            self.assertEqual(count, 1, pattern)
            path.write_text(text)
            done = compare("--include", folder)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done.stdout

    def test_it_is_the_stored_one_and_the_libraries_export_it(self):
        done = compare(BUILD)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_removed_function_breaks_programs(self):
        out = self.after("seedbed_policy.h", r"SEEDBED_POLICY_API int seedbed_actor_sample\([^;]*;", "")
        self.assertIn("breaks existing programs", out)
        self.assertIn("seedbed_actor_sample", out)

    def test_a_moved_member_is_found(self):
        out = self.after("seedbed.h", r"( +int64_t resume;)([^\n]*)\n( +uint64_t memory_bytes;)", r"\3\2\n\1")
        self.assertIn("seedbed_options", out)

    def test_a_changed_argument_of_a_callback_is_found(self):
        out = self.after("seedbed_env.h", r"int column, uint64_t seed", "int column, uint32_t seed")
        self.assertIn("seedbed_environment", out)

    def test_a_changed_code_is_found(self):
        out = self.after("seedbed.h", r"SEEDBED_DIVERGED = 15", "SEEDBED_DIVERGED = 25")
        self.assertIn("SEEDBED_DIVERGED", out)


if __name__ == "__main__":
    for tool in ("abidiff", "cc", "nm"):
        if shutil.which(tool) is None:
            print(f"[  SKIPPED ] {tool} was not found (packaging/packages.txt)")
            sys.exit(0)
    unittest.main()
