# SPDX-License-Identifier: Apache-2.0
"""Proves that packaging/check_tree.py accepts a clean tree and names each kind of violation."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "packaging" / "check_tree.py"
APACHE = "// SPDX-License-Identifier: Apache-2.0\n"
GPL = "// SPDX-License-Identifier: GPL-3.0-or-later\n"

CLEAN = {
    "ARCHITECTURE.md": "| folder | what |\n|---|---|\n| `core/base` | errors |\n",
    "core/base/CMakeLists.txt": "seedbed_library()\n",
    "core/base/error.hpp": APACHE + "#pragma once\nstruct Error {};\n",
    "core/base/error.cpp": APACHE + '#include "core/base/error.hpp"\n#include <string>\nint one() { return 1; }\n',
    "core/store/store.cpp": APACHE + '#include <sqlite3.h>\n#include "core/base/error.hpp"\nint two() { return 2; }\n',
    "core/nn/engines/torch/net.hpp": APACHE + "#pragma once\n#include <torch/torch.h>\nstruct Net {};\n",
    "core/run/run.cpp": APACHE + '#include "core/base/error.hpp"\nint three() { return 3; }\n',
    "ui/view.hpp": GPL + "#pragma once\n#include <QWidget>\nstruct View {};\n",
    "app/gui/main.cpp": GPL + '#include "ui/view.hpp"\nint main() {}\n',
    "tests/unit/base/error_test.cpp": APACHE + '#include "core/base/error.hpp"\n#include <torch/torch.h>\nint x;\n',
}


def check(extra):
    """Runs the checker on the clean tree with `extra` files; returns exit code and output."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {**CLEAN, **extra}.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, str(CHECKER), folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


class CheckTree(unittest.TestCase):
    def assert_violation(self, path, text, message, count=1):
        code, output = check({path: text})
        self.assertEqual(code, 1, output)
        self.assertIn(message, output)
        self.assertIn(f", {count} violations", output)

    def test_clean_tree_passes(self):
        code, output = check({})
        self.assertEqual(code, 0, output)

    def test_lower_folder_including_a_higher_one_fails(self):
        extra = {"core/run/run.hpp": APACHE + "#pragma once\nstruct Run {};\n",
                 "core/base/bad.cpp": APACHE + '#include "core/run/run.hpp"\nint bad;\n',
                 "core/run/run.cpp": APACHE + '#include "core/run/run.hpp"\nint three() { return 3; }\n'}
        code, output = check(extra)
        self.assertEqual(code, 1)
        self.assertIn("core/base/bad.cpp:2: core/base may not include core/run", output)

    def test_angle_brackets_do_not_hide_a_direction(self):
        self.assert_violation("core/base/bad.cpp", APACHE + "#include <core/store/store.hpp>\nint bad;\n",
                              "core/base may not include core/store")

    def test_core_including_ui_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + '#include "ui/view.hpp"\nint bad;\n',
                              "core/run may not include ui")

    def test_including_app_fails(self):
        self.assert_violation("ui/bad.cpp", GPL + "#include <app/commands.hpp>\nint bad;\n", "ui may not include app")

    def test_envs_including_gpu_fails(self):
        self.assert_violation("envs/bad.cpp", APACHE + "#include <gpu/device.hpp>\nint bad;\n",
                              "envs may not include gpu")

    def test_climbing_include_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + '#include "../base/error.hpp"\nint bad;\n', "climbing include")

    def test_quoted_include_that_is_not_ours_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + '#include "error.hpp"\nint bad;\n', "is no file of the repository")

    def test_unknown_core_folder_fails(self):
        self.assert_violation("core/extra/new.cpp", APACHE + "int extra;\n", "not in the list of folders")

    def test_qt_outside_ui_and_app_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + "#include <QString>\nint bad;\n", "Qt may only be included")

    def test_vulkan_outside_gpu_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + "#include <vulkan/vulkan.h>\nint bad;\n",
                              "Vulkan may only be included")

    def test_torch_outside_its_engine_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + "#include <ATen/Parallel.h>\nint bad;\n",
                              "LibTorch may only be included")

    def test_sqlite_outside_store_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + "#include <sqlite3.h>\nint bad;\n",
                              "SQLite may only be included")

    def test_qt_and_torch_in_one_unit_fails_through_headers_too(self):
        text = APACHE + '#include "core/nn/engines/torch/net.hpp"\n#include "ui/view.hpp"\nint bad;\n'
        self.assert_violation("tests/unit/bad.cpp", text, "includes Qt and LibTorch")

    def test_something_before_the_own_header_fails(self):
        text = APACHE + '#include <string>\n#include "core/base/error.hpp"\nint one() { return 1; }\n'
        self.assert_violation("core/base/error.cpp", text, "before its own header")

    def test_missing_licence_line_fails(self):
        self.assert_violation("core/run/bad.cpp", "int bad;\n", "SPDX-License-Identifier: Apache-2.0")

    def test_wrong_licence_in_the_desktop_application_fails(self):
        self.assert_violation("ui/bad.cpp", APACHE + "int bad;\n", "SPDX-License-Identifier: GPL-3.0-or-later")

    def test_long_file_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + "int x();\n" * 700, "701 lines")

    def test_header_without_pragma_once_fails(self):
        self.assert_violation("core/run/bad.hpp", APACHE + "struct Bad {};\n", "without #pragma once")

    def test_folder_without_a_source_fails(self):
        self.assert_violation("core/base/more/CMakeLists.txt", "", "folder without a real source", count=2)

    def test_folder_that_architecture_does_not_name_fails(self):
        code, output = check({"gpu/CMakeLists.txt": "seedbed_library()\n", "gpu/device.cpp": APACHE + "int x;\n"})
        self.assertEqual(code, 1, output)
        self.assertIn("folder gpu is missing in the folder table", output)

    def test_folder_that_only_architecture_names_fails(self):
        self.assert_violation("ARCHITECTURE.md", "| `core/base` | errors |\n| `core/ipc` | sockets |\n",
                              "folder core/ipc of the folder table has no CMakeLists.txt")

    def test_folder_with_only_comments_fails(self):
        code, output = check({"gpu/CMakeLists.txt": "seedbed_library()\n",
                              "gpu/device.cpp": APACHE + "#include <string>\n/* nothing\n yet */\n"})
        self.assertEqual(code, 1, output)
        self.assertIn("gpu/CMakeLists.txt: folder without a real source", output)


if __name__ == "__main__":
    unittest.main()
