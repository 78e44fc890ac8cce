#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pins the Python packages of packs (resources/packs): resolves "requirements" with their dependencies and
"alone" without them, and writes "packages" (versions, sizes, hashes of wheels) and "platforms" (the machines
and Python versions for which every package has a wheel). Needs a network and pip; run it with Python 3.11.

usage: pin_packs.py [NAME...]               pin the named packs (default: all)
       pin_packs.py --sizes DATA [NAME...]  write "installed_bytes" from the packs installed in a data folder
"""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from pip._internal.models.index import PyPI
from pip._vendor.packaging.markers import default_environment
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.specifiers import SpecifierSet
from pip._vendor.packaging.tags import compatible_tags, cpython_tags
from pip._vendor.packaging.utils import canonicalize_name, parse_wheel_filename

PACKS = Path(__file__).resolve().parent.parent / "resources" / "packs"
RESOLVED_FOR = "3.11"
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
MACHINES = ["x86_64", "aarch64"]
GLIBC = 35  # 2.35: Ubuntu 22.04; Debian 12 has 2.36


def resolve(requirements, *options):
    """{name: (version, metadata)} of the packages that pip would install."""
    if not requirements:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run([
            sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed",
            "--only-binary=:all:", "--report", str(report), *options, *requirements
        ], check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {
        canonicalize_name(item["metadata"]["name"]): (item["metadata"]["version"], item["metadata"])
        for item in found
    }


def platform_tags(machine):
    """The platform tags of a machine, best first."""
    legacy = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}
    tags = []
    for minor in range(GLIBC, 4, -1):
        tags.append(f"manylinux_2_{minor}_{machine}")
        if minor in legacy:
            tags.append(f"{legacy[minor]}_{machine}")
    return [*tags, f"linux_{machine}"]


def tags_for(python, machine):
    version = tuple(int(part) for part in python.split("."))
    platforms = platform_tags(machine)
    return [
        *cpython_tags(version, platforms=platforms),
        *compatible_tags(version, interpreter=f"cp{version[0]}{version[1]}", platforms=platforms)
    ]


def wheels_of(name, version):
    """[(tags, file)] of the package index for one version of a package."""
    request = urllib.request.Request(f"{PyPI.simple_url}/{name}/",
                                     headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        files = json.load(answer)["files"]
    wheels = []
    for file in files:
        if file["filename"].endswith(".whl") and not file.get("yanked"):
            _, found, _, tags = parse_wheel_filename(file["filename"])
            if str(found) == version:
                wheels.append((tags, file))
    return wheels


def best_wheel(wheels, python, machine):
    """The file that pip would choose, or None."""
    order = {tag: rank for rank, tag in enumerate(tags_for(python, machine))}
    ranked = [(min((order[tag] for tag in tags if tag in order), default=None), file["filename"], file)
              for tags, file in wheels
              if SpecifierSet(file.get("requires-python") or "").contains(python + ".9")]
    ranked = [entry for entry in ranked if entry[0] is not None]
    return min(ranked)[2] if ranked else None


def is_complete(resolved, with_dependencies, python, machine):
    """Whether the packages resolved for RESOLVED_FOR are all that another Python needs."""
    environment = {**default_environment(), "python_version": python, "python_full_version": python + ".9",
                   "platform_machine": machine, "extra": ""}
    for name in with_dependencies:
        for text in resolved[name][1].get("requires_dist", []):
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate(environment):
                entry = resolved.get(canonicalize_name(needed.name))
                if entry is None or not needed.specifier.contains(entry[0], prereleases=True):
                    return False
    return True


def pin(document):
    main = resolve(document.get("requirements", []))
    resolved = {**main, **resolve(document.get("alone", []), "--no-deps")}
    wheels = {name: wheels_of(name, version) for name, (version, _) in resolved.items()}
    platforms, chosen = {}, {name: {} for name in resolved}
    for machine in MACHINES:
        for python in PYTHONS:
            best = {name: best_wheel(wheels[name], python, machine) for name in resolved}
            if all(best.values()) and is_complete(resolved, main, python, machine):
                platforms.setdefault(machine, []).append(python)
                for name, file in best.items():
                    chosen[name][file["hashes"]["sha256"]] = file["size"]
    if RESOLVED_FOR not in platforms.get("x86_64", []):
        without = [name for name in resolved if not best_wheel(wheels[name], RESOLVED_FOR, "x86_64")]
        sys.exit(f"{document['name']}: no wheels for Python {RESOLVED_FOR}: {', '.join(without)}")
    document["platforms"] = platforms
    document["packages"] = [{
        "name": name, "version": resolved[name][0], "bytes": max(chosen[name].values()),
        "sha256": sorted(chosen[name])
    } for name in sorted(resolved)]


def measure(document, data):
    manifest = data / "packs" / document["name"] / "pack.json"
    if manifest.exists():
        installed = json.loads(manifest.read_text(encoding="utf-8"))["bytes"]
        document["installed_bytes"] = round(installed / 1e6 + 0.5) * 1_000_000


def main():
    parser = argparse.ArgumentParser(description="Pins the Python packages of packs.")
    parser.add_argument("--sizes", type=Path, metavar="DATA")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if not arguments.sizes and "{}.{}".format(*sys.version_info) != RESOLVED_FOR:
        sys.exit(f"run this with Python {RESOLVED_FOR}")
    for name in arguments.names or sorted(path.stem for path in PACKS.glob("*.json")):
        path = PACKS / f"{name}.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        if arguments.sizes:
            measure(document, arguments.sizes)
        elif "instructions" not in document:
            pin(document)
            packages = document["packages"]
            total = sum(package["bytes"] for package in packages)
            print(f"{name}: {len(packages)} packages, {total / 1e6:.0f} MB, {document['platforms']}")
        path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
