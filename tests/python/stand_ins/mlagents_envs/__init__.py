# SPDX-License-Identifier: Apache-2.0
"""The part of mlagents_envs 0.28 that the adapter uses, for tests without the package."""

__version__ = "0.28.0"
