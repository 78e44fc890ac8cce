# SPDX-License-Identifier: Apache-2.0
"""Shared by tests that measure time, memory or speed, which other programs disturb. Not a test."""
import os
import unittest

MEASURING = bool(os.environ.get("SEEDBED_LONG"))

# Decorates classes and methods of tests.
measures = unittest.skipUnless(MEASURING, "it measures; set SEEDBED_LONG=1")


def limit(seconds):
    """`seconds` where time is measured; otherwise a minute, which only a test that hangs reaches."""
    return seconds if MEASURING else 60
