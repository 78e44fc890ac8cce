#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Creates program resources with one pack, "tiny", in FOLDER/resources, and its wheel in FOLDER/wheels.
The pack contains tests/python/envs/corridor.py as the module tiny_corridor and takes NumPy from SITE.

usage: fake_pack.py FOLDER SITE [--stall]

  --stall  then serves a package index that sends half of the wheel; prints its address
"""
import hashlib
import json
import pathlib
import platform
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/cli"))

from fake_index import StallingIndex, make_wheel  # noqa: E402


def main():
    folder, site = pathlib.Path(sys.argv[1]), sys.argv[2]
    wheels, resources = folder / "wheels", folder / "resources"
    if not wheels.exists():
        wheels.mkdir()
        (resources / "packs").mkdir(parents=True)
        for name in ("gallery", "presets", "learning.json"):
            (resources / name).symlink_to(SOURCE / "resources" / name)
        (resources / "python").symlink_to(SOURCE / "envs/python")
        corridor = (SOURCE / "tests/python/envs/corridor.py").read_text(encoding="utf-8")
        wheel = make_wheel(wheels, "tiny_corridor", "1.0", {"tiny_corridor/__init__.py": corridor})
        data = wheel.read_bytes()
        document = {
            "name": "tiny", "title": "Tiny", "sentence": "A corridor.",
            "licences": [{"part": "tiny", "licence": "MIT"}, {"part": "its data", "licence": "CC0-1.0"}],
            "schemes": ["tiny"], "envs": ["gym:tiny_corridor:Corridor"], "modules": ["tiny_corridor"],
            "platforms": {platform.machine(): ["{}.{}".format(*sys.version_info)]},
            "packages": [{
                "name": "tiny_corridor", "version": "1.0", "bytes": len(data),
                "sha256": [hashlib.sha256(data).hexdigest()]
            }],
            "files": {"numpy.pth": site + "\n"}, "installed_bytes": 5000
        }
        (resources / "packs/tiny.json").write_text(json.dumps(document), encoding="utf-8")
    if "--stall" in sys.argv:
        print(StallingIndex(wheels).url(), flush=True)
        while True:
            time.sleep(60)


main()
