# SPDX-License-Identifier: Apache-2.0
"""The provenance of a recorded result: the commit of the program and a hash of the preset or settings.

A result names a commit, or, if it is one of UNKNOWN, has "commit": null and a note. A commit that is not in
this repository's history, for example because it was rebased, is a finding. The hash is that of the preset
("preset_hash") or of the settings in the result ("settings_sha256").
"""
import hashlib
import json
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# Results recorded before 22 November 2026 at commits that are not in this repository. Never add a name:
# a result that is recorded again names its commit and is removed from this list.
UNKNOWN = frozenset("""
engines
""".split())


def git(*arguments):
    return subprocess.run(["git", "-C", SOURCE, *arguments], capture_output=True, text=True, check=False)


def commit_to_record():
    """The commit of the sources, for a result. Exits if the working tree differs from it."""
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".",
                  ":!tests/learning/results").stdout.strip()
    if changed:
        sys.exit("commit all changes first, since a result names its commit:\n" + changed)
    return git("rev-parse", "HEAD").stdout.strip()


def settings_hash(result):
    """SHA-256 of a result's settings: everything except the measurements, the program and the machine."""
    measured = ("rows", "curves", "commit", "commit_note", "program_sha256", "settings_sha256")

    def settings(value):
        if not isinstance(value, dict):
            return value
        return {key: settings(member) for key, member in value.items() if key not in measured}

    return hashlib.sha256(json.dumps(settings(result), sort_keys=True).encode()).hexdigest()


def why_not_checkable():
    """The reason why commits cannot be looked up here, or None."""
    if git("rev-parse", "--git-dir").returncode != 0:
        return "not a git checkout"
    if git("rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        return "a shallow clone lacks old commits"
    return None


def provenance_problem(name, result):
    """Why the result's provenance is not acceptable, or None."""
    if "preset_hash" in result:
        if not any(row.get("params_sha256") for row in result["rows"]):
            return "no hash of the trained parameters"
    elif result.get("settings_sha256") != settings_hash(result):
        return "settings_sha256 is not the hash of its settings"
    commit = result.get("commit")
    if commit is None:
        if name not in UNKNOWN:
            return "names no commit"
        return None if result.get("commit_note") else "has neither a commit nor a commit_note"
    if name in UNKNOWN:
        return "names a commit; remove it from UNKNOWN in provenance.py"
    return None


def provenance_finding(result):
    """A remark about the result's commit, or None. Needs a checkout whose commits can be looked up."""
    commit = result.get("commit")
    if commit and git("merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
        return f"its commit {commit} is not in the history of this repository"
    return None
