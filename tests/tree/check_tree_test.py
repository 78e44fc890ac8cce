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
    "ARCHITECTURE.md": "| folder | what | includes |\n|---|---|---|\n| `core/base` | errors | |\n",
    "core/base/CMakeLists.txt": "seedbed_library()\n",
    "core/base/error.hpp": APACHE + "#pragma once\nstruct Error {};\n",
    "core/base/error.cpp": APACHE
    + '#include "core/base/error.hpp"\n#include <string>\nint one() { return 1; }\n',
    "core/store/store.hpp": APACHE + "#pragma once\n",
    "core/store/store.cpp": APACHE
    + '#include "core/store/store.hpp"\n#include <sqlite3.h>\nint two() { return 2; }\n',
    "core/nn/engines/torch/net.hpp": APACHE + "#pragma once\n#include <torch/torch.h>\nstruct Net {};\n",
    "core/run/run.cpp": APACHE + '#include "core/base/error.hpp"\nint main() { return 3; }\n',
    "ui/view.hpp": GPL + "#pragma once\n#include <QWidget>\nstruct View {};\n",
    "app/gui/main.cpp": GPL + '#include "ui/view.hpp"\nint main() {}\n',
    "tests/unit/base/error_test.cpp": APACHE
    + '#include "core/base/error.hpp"\n#include <torch/torch.h>\nint x;\n',
}


def check(extra, options=("--findings",)):
    """Runs the checker on the clean tree with `extra` files; returns exit code and output."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {**CLEAN, **extra}.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(CHECKER), *options, folder], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout


class CheckTree(unittest.TestCase):
    def assert_violation(self, path, text, message, count=1):
        code, output = check({path: text})
        self.assertIn(code, (1, 78), output)
        self.assertIn(message, output)
        found = "1 violations" if code == 1 else "1 findings"
        self.assertIn(found.replace("1", str(count)), output)

    def test_clean_tree_passes(self):
        code, output = check({})
        self.assertEqual(code, 0, output)

    def test_findings_fail_only_if_asked_for(self):
        long = {"core/run/bad.hpp": APACHE + "#pragma once\n//" + 110 * "x" + "\n"}
        self.assertEqual(check(long, ())[0], 0)
        self.assertEqual(check(long)[0], 78)
        wrong = {"core/run/bad.cpp": APACHE + "#include <QString>\nint main();\n"}
        self.assertEqual(check(wrong, ())[0], 1)

    def test_lower_folder_including_a_higher_one_fails(self):
        extra = {
            "core/run/run.hpp": APACHE + "#pragma once\nstruct Run {};\n",
            "core/base/bad.cpp": APACHE + '#include "core/run/run.hpp"\nint main();\n',
            "core/run/run.cpp": APACHE + '#include "core/run/run.hpp"\nint three() { return 3; }\n',
        }
        code, output = check(extra)
        self.assertEqual(code, 1)
        self.assertIn("core/base/bad.cpp:2: core/base may not include core/run", output)

    def test_angle_brackets_do_not_hide_a_direction(self):
        self.assert_violation(
            "core/base/bad.cpp",
            APACHE + "#include <core/store/store.hpp>\nint main();\n",
            "core/base may not include core/store",
        )

    def test_core_including_ui_fails(self):
        self.assert_violation(
            "core/run/bad.cpp",
            APACHE + '#include "ui/view.hpp"\nint main();\n',
            "core/run may not include ui",
        )

    def test_including_app_fails(self):
        self.assert_violation(
            "ui/bad.cpp", GPL + "#include <app/commands.hpp>\nint main();\n", "ui may not include app"
        )

    def test_envs_including_gpu_fails(self):
        self.assert_violation(
            "envs/bad.cpp", APACHE + "#include <gpu/device.hpp>\nint main();\n", "envs may not include gpu"
        )

    def test_climbing_include_fails(self):
        self.assert_violation(
            "core/run/bad.cpp", APACHE + '#include "../base/error.hpp"\nint main();\n', "include with '..'"
        )

    def test_quoted_include_that_is_not_ours_fails(self):
        self.assert_violation(
            "core/run/bad.cpp",
            APACHE + '#include "error.hpp"\nint main();\n',
            "is not a file of the repository",
        )

    def test_unknown_core_folder_fails(self):
        self.assert_violation("core/extra/new.cpp", APACHE + "int main();\n", "not in the list of folders")

    def test_qt_outside_ui_and_app_fails(self):
        self.assert_violation(
            "core/run/bad.cpp", APACHE + "#include <QString>\nint main();\n", "Qt may only be included"
        )

    def test_vulkan_outside_gpu_fails(self):
        self.assert_violation(
            "core/run/bad.cpp",
            APACHE + "#include <vulkan/vulkan.h>\nint main();\n",
            "Vulkan may only be included",
        )

    def test_the_canvas_library_outside_its_module_fails(self):
        for header in ("imgui/imgui.h", "QVulkanWindow", "vulkan/vulkan.h"):
            self.assert_violation(
                "ui/views/bad.cpp", GPL + f"#include <{header}>\nint main();\n", "may only be included in"
            )

    def test_a_page_that_states_a_colour_fails(self):
        for code in ("QColor(12, 40, 3)", "QColor(0xff0000)", "QColor::fromRgb(1)", "w->setStyleSheet(s)"):
            self.assert_violation(
                "ui/views/bad.cpp", GPL + f"void f() {{ {code}; }}\n", "a page states a colour"
            )

    def test_torch_outside_its_engine_fails(self):
        self.assert_violation(
            "core/run/bad.cpp",
            APACHE + "#include <ATen/Parallel.h>\nint main();\n",
            "LibTorch may only be included",
        )

    def test_sqlite_outside_store_fails(self):
        self.assert_violation(
            "core/run/bad.cpp", APACHE + "#include <sqlite3.h>\nint main();\n", "SQLite may only be included"
        )

    def test_qt_and_torch_in_one_unit_fails_through_headers_too(self):
        text = APACHE + '#include "core/nn/engines/torch/net.hpp"\n#include "ui/view.hpp"\nint main();\n'
        self.assert_violation("tests/unit/bad.cpp", text, "includes Qt and LibTorch")

    def test_something_before_the_own_header_fails(self):
        text = APACHE + '#include <string>\n#include "core/base/error.hpp"\nint one() { return 1; }\n'
        self.assert_violation("core/base/error.cpp", text, "before its own header")

    def test_missing_licence_line_fails(self):
        self.assert_violation("core/run/bad.cpp", "int main();\n", "SPDX-License-Identifier: Apache-2.0")

    def test_wrong_licence_in_the_desktop_application_fails(self):
        self.assert_violation(
            "ui/bad.cpp", APACHE + "int main();\n", "SPDX-License-Identifier: GPL-3.0-or-later"
        )

    def test_long_file_fails(self):
        self.assert_violation("core/run/bad.cpp", APACHE + "int main();\n" * 600, "601 lines")

    def test_long_line_fails(self):
        self.assert_violation(
            "core/run/bad.hpp", APACHE + "#pragma once\n//" + 110 * "x" + "\n", "112 columns"
        )
        self.assert_violation(
            "core/run/bad.py", APACHE.replace("//", "#") + "x = '" + 110 * "x" + "'\n", "116 columns"
        )

    def test_source_without_its_header_fails(self):
        self.assert_violation(
            "core/run/bad.cpp", APACHE + "int bad;\n", "source without a header of the same name"
        )

    def test_source_that_registers_itself_needs_no_header(self):
        code, output = check(
            {"core/run/own.cpp": APACHE + "static const Registered<int> registered(own());\n"}
        )
        self.assertEqual(code, 0, output)

    def test_full_folder_fails(self):
        extra = {f"core/ipc/h{i}.hpp": APACHE + "#pragma once\n" for i in range(41)}
        code, output = check(extra)
        self.assertEqual(code, 78, output)
        self.assertIn("core/ipc: 41 headers and sources", output)

    def test_statements_joined_by_a_comma_fail(self):
        for statement in (
            "a = 1, b = 2;",
            "if (a) a = 1, b = 2;",
            "a.clear(), ++b;",
            "else b.clear(), a.push_back({1, 2});",
        ):
            text = APACHE + "#pragma once\nvoid f() {\n    " + statement + "\n}\n"
            self.assert_violation("core/run/bad.hpp", text, "bad.hpp:4: two statements joined by a comma")

    def test_other_commas_pass(self):
        for statement in (
            "int a = 1, b = 2;",
            "f(a = 1, b = 2);",
            "const Value &x = y, &z = y;",
            "std::map<int, int> m;",
            "for (int i = 0, n = 3; i < n; ++i) ++a;",
            "return f(a), b;",
            "T x{1, 2}, y = {3, 4};",
        ):
            code, output = check(
                {"core/run/good.hpp": APACHE + "#pragma once\nvoid f() {\n    " + statement + "\n}\n"}
            )
            self.assertEqual(code, 0, output)

    def test_long_comment_in_a_header_fails(self):
        text = APACHE + "#pragma once\n" + "// ten words are in each line of this long comment\n" * 7
        self.assert_violation("core/run/bad.hpp", text, "comment of 70 words")

    def test_unidiomatic_phrase_fails(self):
        phrase = "no" + "body"
        text = APACHE + f"#pragma once\n// Removes runs that {phrase} reads.\n"
        self.assert_violation("core/run/bad.hpp", text, f'bad.hpp:3: "{phrase}"')

    def test_architecture_with_other_includes_fails(self):
        page = "| `core/base` | errors | |\n| `core/ipc` | sockets | config, store |\n"
        code, output = check(
            {
                "ARCHITECTURE.md": page,
                "core/ipc/CMakeLists.txt": "seedbed_library()\n",
                "core/ipc/socket.hpp": APACHE + "#pragma once\nstruct Socket {};\n",
            }
        )
        self.assertEqual(code, 1, output)
        self.assertIn("core/ipc may include core/base, which its row does not name", output)
        self.assertIn("the row of core/ipc names core/store, which it may not include", output)

    def test_header_without_pragma_once_fails(self):
        self.assert_violation("core/run/bad.hpp", APACHE + "struct Bad {};\n", "without #pragma once")

    def test_folder_without_a_source_fails(self):
        self.assert_violation("core/base/more/CMakeLists.txt", "", "folder without a real source", count=2)

    def test_folder_that_architecture_does_not_name_fails(self):
        code, output = check(
            {"gpu/CMakeLists.txt": "seedbed_library()\n", "gpu/device.cpp": APACHE + "int main();\n"}
        )
        self.assertEqual(code, 1, output)
        self.assertIn("folder gpu is missing in the folder table", output)

    def test_folder_that_only_architecture_names_fails(self):
        self.assert_violation(
            "ARCHITECTURE.md",
            "| `core/base` | errors | |\n| `core/ipc` | sockets | base |\n",
            "folder core/ipc of the folder table has no CMakeLists.txt",
        )

    def test_folder_with_only_comments_fails(self):
        code, output = check(
            {
                "gpu/CMakeLists.txt": "seedbed_library()\n",
                "gpu/device.cpp": APACHE + "#include <string>\n/* nothing\n yet */\n",
            }
        )
        self.assertEqual(code, 1, output)
        self.assertIn("gpu/CMakeLists.txt: folder without a real source", output)


if __name__ == "__main__":
    unittest.main()
