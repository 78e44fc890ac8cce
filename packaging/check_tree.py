#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the source tree follows its own rules: allowed includes, where third-party libraries may be
included, licence lines, sizes of files and folders, headers paired with sources, one statement per line,
short comments, and an ARCHITECTURE.md with the same folders and includes. Prints one line per violation and
exits 1 if there is any.

usage: check_tree.py [--findings] [ROOT]

  --findings   also print findings about lengths, layout and wording; exit code 78 if there are only those
"""

import argparse
import re
import sys
from pathlib import Path

import check_prose

# Folder -> folders it may include in addition to itself. The longest matching folder counts; a folder with
# code that is not named here is a violation. "*" is everything, "core" everything below core.
ALLOWED = {
    "app": ["*"],
    "tests": ["*"],
    "ui": ["core/control", "core/neighbour", "core/store", "core/analysis", "core/config", "core/env", "core/base"],
    "ui/live": ["ui", "core/base"],
    "gpu": ["core/nn", "core/base"],
    "envs": ["core/env", "core/base"],
    "web": ["core/export", "core/policy", "core/nn", "core/env", "core/rollout", "core/base"],
    "core/worker": ["core/env", "core/rollout", "core/ipc", "core/config", "core/base"],
    "core/fleet": ["core/session", "core/infer", "core/env", "core/nn", "core/rollout", "core/ipc", "core/config", "core/base"],
    "core/embed": [
        "core/run",
        "core/session",
        "core/export",
        "core/checkpoint",
        "core/policy",
        "core/store",
        "core/learn",
        "core/nn",
        "core/env",
        "core/config",
        "core/base",
    ],
    "core/jobs": [
        "core/run",
        "core/play",
        "core/session",
        "core/control",
        "core/checkpoint",
        "core/policy",
        "core/store",
        "core/analysis",
        "core/ipc",
        "core/config",
        "core/base",
    ],
    "core/fleet/collective": ["core/learn", "core/ipc", "core/base"],
    "core/run": [
        "core/play",
        "core/session",
        "core/control",
        "core/neighbour",
        "core/checkpoint",
        "core/policy",
        "core/store",
        "core/analysis",
        "core/tensorboard",
        "core/learn",
        "core/infer",
        "core/algo",
        "core/env",
        "core/nn",
        "core/rollout",
        "core/ipc",
        "core/config",
        "core/base",
    ],
    "core/play": [
        "core/session",
        "core/control",
        "core/checkpoint",
        "core/policy",
        "core/store",
        "core/analysis",
        "core/infer",
        "core/env",
        "core/nn",
        "core/rollout",
        "core/ipc",
        "core/config",
        "core/base",
    ],
    "core/session": [
        "core/learn",
        "core/infer",
        "core/algo",
        "core/policy",
        "core/analysis",
        "core/env",
        "core/nn",
        "core/rollout",
        "core/ipc",
        "core/config",
        "core/base",
    ],
    "core/control": ["core/ipc", "core/config", "core/base"],
    "core/analysis": ["core/store", "core/config", "core/base"],
    "core/store": ["core/config", "core/base"],
    "core/export": [
        "core/checkpoint",
        "core/policy",
        "core/infer",
        "core/env",
        "core/rollout",
        "core/ipc",
        "core/nn",
        "core/config",
        "core/base",
    ],
    "core/checkpoint": ["core/policy", "core/nn", "core/config", "core/base"],
    "core/policy": ["core/nn", "core/env", "core/rollout", "core/config", "core/base"],
    "core/learn": ["core/algo", "core/nn", "core/rollout", "core/base"],
    "core/infer": ["core/nn", "core/rollout", "core/ipc", "core/base"],
    "core/algo": ["core/nn", "core/rollout", "core/base"],
    "core/env": ["core/rollout", "core/ipc", "core/config", "core/base"],
    "core/rollout": ["core/base"],
    "core/nn": ["core/config", "core/base"],
    "core/tensorboard": ["core/base"],
    "core/ipc": ["core/base"],
    "core/neighbour": ["core/base"],
    "core/config": ["core/base"],
    "core/base": [],
}

# Only these may include the folder, even if ALLOWED has more ("tests" may include everything).
ONLY_FROM = {"app": [], "ui": ["app"], "core/nn/engines": ["app"]}

# Library -> (pattern of its include paths, folders that may name it). Tests may name all of them.
FOREIGN = {
    "Qt": (re.compile(r"^(Q[A-Z]\w*|Qt\w*/.*|q\w+\.h|qcustomplot\.h)$"), ["ui", "app"]),
    "Vulkan": (re.compile(r"^(vulkan/|vk_|volk|shaderc/)"), ["gpu", "ui/live"]),
    "Dear ImGui": (re.compile(r"^(imgui|backends/imgui)"), ["ui/live"]),
    "Qt's Vulkan": (re.compile(r"^(Qt\w+/)?QVulkan\w*$"), ["ui/live"]),
    "LibTorch": (re.compile(r"^(torch|ATen|c10|caffe2)/"), ["core/nn/engines/torch"]),
    "gRPC": (re.compile(r"^(grpc|grpcpp)/"), ["core/fleet/grpc"]),
    "SQLite": (re.compile(r"^sqlite3(ext)?\.h$"), ["core/store"]),
}

CODE_ROOTS = ["app", "core", "envs", "gpu", "ui", "web", "tests"]
CXX = {".cpp", ".hpp", ".inl", ".h", ".c", ".cc"}
LICENSED = CXX | {".comp", ".glsl", ".vert", ".frag", ".py", ".sh", ".cmake"}
GPL_FOLDERS = ["ui", "app/gui"]
MAX_LINES = 600
MAX_COLUMNS = 110
MAX_FOLDER_FILES = 40  # headers and sources; envs has one file per environment
MAX_COMMENT_WORDS = 60  # per comment block in a header; longer ones belong in ARCHITECTURE.md or a README
# Rules about lengths, layout and wording: reported, but not failures.
FINDINGS = {"lines", "columns", "folder size", "comment", "comma", "pairing", "prose"}
SKIPPED = {"build", ".git", ".cache", "__pycache__", "LICENSES"}

# Registrations of environments, algorithms, encoders, engines, targets, commands and pages; main functions;
# the kernels of one instruction set; entry points of modules.
REGISTERS = re.compile(r"SEEDBED_REGISTER|\bregistered\w*\b|\bint main\(|kernels\.inl|visibility\(.default")
STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'')
OWN_COLOUR = re.compile(r"QColor\((?:0x|\d|QStringLiteral|\")|fromRgb\w*\((?:0x|\d)|setStyleSheet")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def inside(path, folder):
    return path == folder or path.startswith(folder + "/")


def source_files(root):
    """All files that belong to the sources, as paths relative to root."""
    found = []
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.is_file() and not SKIPPED.intersection(relative.parts):
            found.append(relative.as_posix())
    return found


def folder_of(path):
    """The longest folder of ALLOWED that contains the file, or None."""
    holders = [folder for folder in ALLOWED if inside(path, folder)]
    return max(holders, key=len) if holders else None


def includes_of(text):
    """(line number, quoted, path) of each include directive."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            found.append((number, match.group(1) == '"', match.group(2)))
    return found


def raw_string_lines(text):
    """The lines of raw string literals, such as the database schema: their layout is part of their value."""
    numbers = set()
    for match in re.finditer(r'R"([^(\s"]*)\(.*?\)\1"', text, flags=re.DOTALL):
        first = text.count("\n", 0, match.start()) + 1
        numbers.update(range(first, first + match.group(0).count("\n") + 1))
    return numbers


def joins_statements(code):
    """Whether a line is like "a = x, b = y;". False for declarations, initialisers and commas in brackets."""
    previous = None
    while previous != code:
        previous = code
        code = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", "@", code)
    code = re.sub(r"^(?:(?:if(?: constexpr)?|for|while|else if|else) ?@? |case [^:]+: |default: )+", "", code)
    if (
        not code.endswith(";")
        or re.search(r"[(){}\[\]]", code)
        or re.match(r"(?:return|using|throw|co_\w+)\b", code)
    ):
        return False
    parts = [part.strip() for part in code[:-1].split(",")]
    changes = [re.search(r"[^=!<>]=(?!=)|\+\+|--|@$", part) for part in parts]
    # "T a = 1": a type in front of the name.
    declaration = re.match(
        r"(?:const |static |constexpr |[\w:]+(?:<.*>)?[&*]* (?=[&*]*\w))+[&*]*\w+@? ?(?:=|,|$)",
        parts[0] + ",",
    )
    return len(parts) > 1 and all(changes) and not declaration


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = source_files(root)
        self.text = {
            f: (root / f).read_text(encoding="utf-8", errors="replace")
            for f in self.files
            if Path(f).suffix in LICENSED or f.endswith("CMakeLists.txt") or f == ".ci/run"
        }
        self.includes = {f: includes_of(t) for f, t in self.text.items() if Path(f).suffix in CXX}
        self.violations = []
        self.findings = []

    def report(self, path, line, message, rule=None):
        found = self.findings if rule in FINDINGS else self.violations
        found.append(f"{path}:{line}: {message}" if line else f"{path}: {message}")

    def check_colours(self):
        """The pages of the window take their colours from one table."""
        for path, text in self.text.items():
            is_page = inside(path, "ui/views") and not inside(path, "ui/views/style")
            if not is_page or Path(path).suffix not in CXX:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if OWN_COLOUR.search(line):
                    self.report(path, number, "a page states a colour; take it from ui/views/style/tokens.hpp")

    def check_include_directions(self):
        for path, includes in self.includes.items():
            source = folder_of(path)
            if source is None:
                if inside(path, "core"):
                    self.report(
                        path, 1, "folder is not in the list of folders (ARCHITECTURE.md, check_tree.py)"
                    )
                continue
            for line, quoted, target in includes:
                if ".." in target.split("/"):
                    self.report(path, line, f"include with '..', not from the repository root: {target}")
                elif quoted and target not in self.includes and not target.endswith(".moc"):  # made by moc
                    self.report(
                        path,
                        line,
                        f'"{target}" is not a file of the repository; write <> around third-party headers',
                    )
                elif target in self.includes or any(inside(target, root) for root in CODE_ROOTS):
                    self.check_direction(path, line, source, target)

    def check_direction(self, path, line, source, target):
        for folder, holders in ONLY_FROM.items():
            if inside(target, folder) and source != "tests" and not inside(path, folder):
                if not any(inside(path, holder) for holder in holders):
                    self.report(path, line, f"{source} may not include {folder}: {target}")
                    return
        goal = folder_of(target)
        allowed = ALLOWED[source]
        if goal == source or "*" in allowed:
            return
        if goal is None or not any(inside(goal, folder) for folder in allowed):
            self.report(path, line, f"{source} may not include {goal or 'unknown folder'}: {target}")

    def check_third_party_libraries(self):
        for path, includes in self.includes.items():
            for line, _, target in includes:
                for library, (pattern, folders) in FOREIGN.items():
                    if target in self.includes or not pattern.match(target) or inside(path, "tests"):
                        continue
                    if not any(inside(path, folder) for folder in folders):
                        self.report(
                            path, line, f"{library} may only be included in {', '.join(folders)}: {target}"
                        )

    def check_qt_apart_from_torch(self):
        for path in self.includes:
            if Path(path).suffix == ".hpp":
                continue
            reached = self.libraries_reached(path)
            if "Qt" in reached and "LibTorch" in reached:
                self.report(
                    path,
                    0,
                    "includes Qt and LibTorch (directly or through headers); no process may contain both",
                )

    def libraries_reached(self, path):
        """The third-party libraries that a translation unit includes, directly or through other headers."""
        seen, waiting, libraries = set(), [path], set()
        while waiting:
            current = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            for _, _, target in self.includes[current]:
                if target in self.includes:
                    waiting.append(target)
                libraries.update(name for name, (pattern, _) in FOREIGN.items() if pattern.match(target))
        return libraries

    def check_own_header_first(self):
        for path, includes in self.includes.items():
            header = str(Path(path).with_suffix(".hpp"))
            if (
                Path(path).suffix == ".cpp"
                and header in self.includes
                and (not includes or includes[0][2] != header)
            ):
                self.report(
                    path,
                    includes[0][0] if includes else 1,
                    f"includes something before its own header {header}",
                )

    def check_files(self):
        for path, text in self.text.items():
            lines = text.splitlines()
            if Path(path).suffix in LICENSED or path == ".ci/run":
                licence = "GPL-3.0-or-later" if any(inside(path, f) for f in GPL_FOLDERS) else "Apache-2.0"
                if not any(f"SPDX-License-Identifier: {licence}" in line for line in lines[:2]):
                    self.report(path, 1, f"first line must be // SPDX-License-Identifier: {licence}")
            if len(lines) > MAX_LINES:
                self.report(
                    path, len(lines), f"{len(lines)} lines; split files over {MAX_LINES} lines", "lines"
                )
            literal = raw_string_lines(text) if Path(path).suffix in CXX else set()
            for number, line in enumerate(lines, 1):
                if len(line) > MAX_COLUMNS and number not in literal and "https://" not in line:
                    self.report(path, number, f"{len(line)} columns; at most {MAX_COLUMNS}", "columns")
            if Path(path).suffix == ".hpp" and "#pragma once" not in text:
                self.report(path, 1, "header without #pragma once")

    def check_pairs(self):
        """Every source has a header with its name, unless its file registers itself or has a main
        function."""
        headers = {f for f in self.includes if f.endswith(".hpp") or f.endswith(".h")}
        for path in self.includes:
            if not path.endswith(".cpp") or inside(path, "tests") or inside(path, "envs"):
                continue
            text = self.text[path]
            if str(Path(path).with_suffix(".hpp")) in headers or str(Path(path).with_suffix(".h")) in headers:
                continue
            if not REGISTERS.search(text):
                self.report(path, 0, "source without a header of the same name in its folder", "pairing")

    def check_folder_sizes(self):
        counts = {}
        for path in self.includes:
            folder = str(Path(path).parent)
            counts[folder] = counts.get(folder, 0) + 1
        for folder, count in sorted(counts.items()):
            if count > MAX_FOLDER_FILES and folder != "envs":
                self.report(
                    folder, 0, f"{count} headers and sources; at most {MAX_FOLDER_FILES}", "folder size"
                )

    def check_statements(self):
        """No two statements joined by a comma operator."""
        for path in self.includes:
            begins = True  # whether the line begins a statement
            for number, line in enumerate(self.text[path].splitlines(), 1):
                code = re.sub(r"//.*", "", STRING.sub('""', line)).strip()
                if begins and joins_statements(code):
                    self.report(path, number, "two statements joined by a comma", "comma")
                begins = not code or code[-1] in ";{}:" or code.startswith("#")

    def check_comments(self):
        """No long comment blocks in headers."""
        for path in self.includes:
            if Path(path).suffix not in (".hpp", ".h"):
                continue
            words, begin = 0, 0
            for number, line in enumerate(self.text[path].splitlines() + [""], 1):
                comment = re.match(r"\s*//(?! SPDX)(.*)", line)
                if comment:
                    begin = begin or number
                    words += len(comment.group(1).split())
                else:
                    if words > MAX_COMMENT_WORDS:
                        self.report(
                            path, begin, f"comment of {words} words; at most {MAX_COMMENT_WORDS}", "comment"
                        )
                    words, begin = 0, 0

    def check_english(self):
        for path, line, phrase, advice in check_prose.check(self.root)[0]:
            self.report(path, line, f'"{phrase}": write {advice}', "prose")

    def check_architecture_includes(self):
        """The column "includes" of ARCHITECTURE.md names the folders of ALLOWED."""
        page = self.root / "ARCHITECTURE.md"
        rows = re.findall(
            r"^\| `([\w/]+)` \|.*\| ([^|]*)\|$",
            page.read_text(encoding="utf-8") if page.exists() else "",
            flags=re.MULTILINE,
        )
        for folder, includes in rows:
            words = includes.strip()
            if folder not in ALLOWED or words.startswith("everything") or "and what it may include" in words:
                continue
            listed = {self.full_name(word.strip(" `")) for word in words.split(",") if word.strip()}
            allowed = set(ALLOWED[folder])
            for missing in sorted(allowed - listed):
                self.report(
                    "ARCHITECTURE.md", 0, f"{folder} may include {missing}, which its row does not name"
                )
            for extra in sorted(listed - allowed):
                self.report(
                    "ARCHITECTURE.md", 0, f"the row of {folder} names {extra}, which it may not include"
                )

    @staticmethod
    def full_name(word):
        return word if word in ALLOWED or "/" in word else "core/" + word

    def check_folders_have_sources(self):
        for path in self.text:
            folder = path[: -len("/CMakeLists.txt")] if path.endswith("/CMakeLists.txt") else None
            if (
                folder
                and not inside(folder, "cmake")
                and not any(self.is_real_source(f) for f in self.files if inside(f, folder))
            ):
                self.report(path, 0, "folder without a real source")

    def check_architecture_page(self):
        """The folder table of ARCHITECTURE.md names the folders that are targets; `tests` is one row."""
        page = self.root / "ARCHITECTURE.md"
        if not page.exists():
            self.report("ARCHITECTURE.md", 0, "is missing")
            return
        listed = set(re.findall(r"^\| `([\w/]+)` \|", page.read_text(encoding="utf-8"), flags=re.MULTILINE))
        targets = {path[: -len("/CMakeLists.txt")] for path in self.files if path.endswith("/CMakeLists.txt")}
        targets = {"tests" if inside(folder, "tests") else folder for folder in targets}
        for folder in sorted(targets - listed):
            self.report("ARCHITECTURE.md", 0, f"folder {folder} is missing in the folder table")
        for folder in sorted(listed - targets):
            self.report("ARCHITECTURE.md", 0, f"folder {folder} of the folder table has no CMakeLists.txt")

    def is_real_source(self, path):
        """True for code with at least one line that is neither blank nor a comment nor an include."""
        if Path(path).suffix not in CXX | {".py", ".comp"}:
            return False
        text = re.sub(r"/\*.*?\*/", "", self.text[path], flags=re.DOTALL)
        return any(not re.match(r"\s*(//.*|#.*)?$", line) for line in text.splitlines())

    def check(self):
        self.check_colours()
        self.check_include_directions()
        self.check_third_party_libraries()
        self.check_qt_apart_from_torch()
        self.check_own_header_first()
        self.check_files()
        self.check_folders_have_sources()
        self.check_architecture_page()
        self.check_architecture_includes()
        self.check_pairs()
        self.check_folder_sizes()
        self.check_statements()
        self.check_comments()
        self.check_english()
        return self.violations


def main():
    parser = argparse.ArgumentParser(description="Checks that the source tree follows its own rules.")
    parser.add_argument(
        "--findings", action="store_true", help="also print findings about lengths, layout and wording"
    )
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    violations = tree.check()
    for violation in violations:
        print(violation)
    findings = tree.findings if arguments.findings else []
    for finding in findings:
        print(f"finding: {finding}")
    print(f"{len(tree.text)} files checked, {len(violations)} violations, {len(findings)} findings")
    return 1 if violations else 78 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
