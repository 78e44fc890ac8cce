# SPDX-License-Identifier: Apache-2.0
"""Hosts Python environments for Seedbed; the protocol is in core/worker/README.md. Needs NumPy and the
package of the environment."""
