#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates the manifests that 'fleet start --on kubernetes' writes against the published schemas of two
versions of Kubernetes, strictly. Installs kubernetes-validate from PyPI into a temporary folder; prints the
reason and exits with 0 if that is not possible.

usage: kubernetes_test.py PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PACKAGE = "kubernetes-validate==1.37.0"
VERSIONS = ("1.25.0", "1.37.0")
KINDS = ["Service", "Endpoints", "Job"]


def manifests(program, data):
    command = [program, "fleet", "start", "cartpole_vtrace", "--on", "kubernetes", "--image",
               "example/seedbed:1", "--address", "10.0.0.5", "--actors", "3", "--dry-run", "--json"]
    plan = subprocess.run(command, env={**os.environ, "SEEDBED_DATA": str(data)}, check=True,
                          capture_output=True, text=True)
    return json.loads(json.loads(plan.stdout)["files"]["kubernetes.json"])["items"]


def validate(folder, version, manifest):
    """The output if the manifest is not valid, otherwise ""."""
    file = folder / "manifest.json"
    file.write_text(json.dumps(manifest))
    run = subprocess.run([folder / "python/bin/kubernetes-validate", "--strict", "-k", version, file],
                         capture_output=True, text=True)
    output = run.stdout + run.stderr
    # Kinds without a schema are only reported.
    return "" if run.returncode == 0 and "passed for resource" in output else output or "no output"


def main():
    with tempfile.TemporaryDirectory(prefix="seedbed-kubernetes-") as name:
        folder = pathlib.Path(name)
        made = subprocess.run([sys.executable, "-m", "venv", folder / "python"], capture_output=True,
                              text=True)
        if made.returncode == 0:
            made = subprocess.run([folder / "python/bin/pip", "install", "--quiet", "--retries", "1",
                                   "--timeout", "20", PACKAGE], capture_output=True, text=True)
        if made.returncode != 0:
            reason = (made.stderr or made.stdout).strip().splitlines() or ["unknown reason"]
            print(f"[  SKIPPED ] {PACKAGE} cannot be installed: {reason[-1]}")
            return
        items = manifests(sys.argv[1], folder / "data")
        assert [item["kind"] for item in items] == KINDS, items
        for version in VERSIONS:
            for item in items:
                problem = validate(folder, version, item)
                assert not problem, problem
                print(f"Kubernetes {version}: {item['kind']} is valid")
            wrong = json.loads(json.dumps(items[-1]).replace("backoffLimit", "backofLimit"))
            assert "backofLimit" in validate(folder, version, wrong), "a misspelt field is not noticed"


if __name__ == "__main__":
    main()
