# SPDX-License-Identifier: Apache-2.0
"""Proves that packaging/check_prose.py finds unidiomatic phrases in prose, and nowhere else."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))
import check_prose  # noqa: E402

RULES = check_prose.compiled()


def phrases(path, text):
    return [(line, phrase) for line, phrase, _ in check_prose.findings_in(path, check_prose.prose_in(path, text), RULES)]


class CheckProse(unittest.TestCase):
    def test_comments_are_checked_across_line_breaks(self):
        self.assertEqual(
            phrases("a.cpp", "int x;\n// The run is not stopped: it goes\n// on later.\n"), [(2, "goes on")]
        )

    def test_trailing_comments_are_checked(self):
        self.assertEqual(phrases("a.cpp", "int x;  // nobody reads it\n"), [(1, "nobody")])

    def test_string_literals_are_checked(self):
        self.assertEqual(phrases("a.cpp", 'f("the run goes on");\n'), [(1, "goes on")])

    def test_adjacent_string_literals_are_one_text(self):
        self.assertEqual(phrases("a.cpp", 'f("the run goes "\n  "on");\n'), [(1, "goes on")])

    def test_code_is_not_prose(self):
        self.assertEqual(phrases("a.cpp", "int nobody = 1;  // the count\nauto mood = told(nobody);\n"), [])

    def test_queries_are_not_prose(self):
        self.assertEqual(phrases("a.cpp", 'f("SELECT mood FROM runs");\n'), [])

    def test_single_words_are_not_prose(self):
        self.assertEqual(phrases("a.cpp", 'f("nobody");\n'), [])

    def test_python_comments_and_strings_are_checked(self):
        self.assertEqual(
            phrases("a.py", '"""Files are mended."""\nx = 1  # nobody\n'), [(1, "mended"), (2, "nobody")]
        )

    def test_markdown_is_checked_outside_of_code(self):
        self.assertEqual(phrases("a.md", "It is saved anew. `nobody`\n```\nnobody\n```\n"), [(1, "anew")])

    def test_a_header_comment_does_not_begin_with_what(self):
        self.assertEqual(phrases("a.hpp", "// What the queue does.\nint x;\n"), [(1, "What")])

    def test_a_header_after_the_licence_line_is_checked(self):
        text = "// SPDX-License-Identifier: Apache-2.0\n// The queue goes on.\n#pragma once\n"
        self.assertEqual(phrases("a.hpp", text), [(2, "goes on")])

    def test_names_of_tests_are_checked(self):
        text = "int x;\nTEST_F(Runs, ARunGoesOnAfterAKill) {\n}\nTEST(Runs, WhatIsSaved) {\n}\n"
        self.assertEqual(phrases("a.cpp", text), [(2, "goes on"), (4, "What")])

    def test_literal_translations_are_found(self):
        for text, phrase in (
            ("It has another size than the file.", "another size than"),
            ("An input from elsewhere.", "from elsewhere"),
            ("It waits for some seconds.", "some seconds"),
            ("The gradient is not wanted.", "not wanted"),
            ("A file mistaken or taken for a checkpoint.", "taken for"),
            ("A newer one takes the place of it.", "takes the place of"),
            ("The rows must still live.", "still live"),
            ("Names without blanks.", "blanks"),
        ):
            self.assertEqual([found for _, found in phrases("a.cpp", "// " + text)], [phrase])

    def test_plain_english_passes(self):
        text = (
            "// Returns the newest checkpoint, or nullopt when the run has none. Thread: any.\n"
            "// Fails if the file is missing; the caller retries after kRetryInterval.\n"
            "// NaN is written as null. `obs` is [T, B, A] f32 and must outlive the batch.\n"
            "// Another run exists. A blank line ends the block.\n"
            "// There is no limit. The name stands for the whole group; x lies in [0, 1).\n"
        )
        self.assertEqual(phrases("a.hpp", text), [])

    def test_every_phrase_of_the_list_compiles_and_matches_no_empty_text(self):
        for first, rule, advice in RULES:
            self.assertIsNone(rule.fullmatch(""), rule.pattern)
            self.assertNotRegex(first.pattern, r"(?<!\\)[A-Z]", "the filter searches text in lower case")
            self.assertTrue(advice)


if __name__ == "__main__":
    unittest.main()
