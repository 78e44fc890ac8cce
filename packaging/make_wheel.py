# SPDX-License-Identifier: Apache-2.0
"""Makes the Python wheel of core/embed/python with libseedbed and the presets of built-in environments.

    make_wheel.py LIBRARY FOLDER      writes FOLDER/seedbed-VERSION-py3-none-linux_MACHINE.whl

The same inputs give the same bytes.
"""

import base64
import hashlib
import json
import pathlib
import platform
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "core" / "embed" / "python" / "seedbed"
EPOCH = (1980, 1, 1, 0, 0, 0)


def contents(library, version, tag):
    files = {}
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".typed"):
            files[f"seedbed/{path.relative_to(PACKAGE).as_posix()}"] = path.read_bytes()
    for path in sorted((ROOT / "resources" / "presets").glob("*.json")):
        if ":" not in json.loads(path.read_text())["env"]:
            files[f"seedbed/presets/{path.name}"] = path.read_bytes()
    files["seedbed/lib/libseedbed.so"] = library.read_bytes()
    info = f"seedbed-{version}.dist-info"
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSES" / "Apache-2.0.txt").read_bytes()
    metadata = f"""Metadata-Version: 2.1
Name: seedbed
Version: {version}
Summary: Fast vector environments and a trainer for reinforcement learning
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy
Requires-Dist: gymnasium >=1.1
Description-Content-Type: text/markdown

{(ROOT / "docs" / "python.md").read_text()}"""
    files[f"{info}/METADATA"] = metadata.encode()
    wheel = f"Wheel-Version: 1.0\nGenerator: seedbed\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files[f"{info}/WHEEL"] = wheel.encode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return files


def digest(data):
    """The form in which RECORD states a hash."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    library, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    version = re.search(r'__version__ = "([^"]+)"', (PACKAGE / "__init__.py").read_text()).group(1)
    tag = f"py3-none-linux_{platform.machine()}"
    path = folder / f"seedbed-{version}-{tag}.whl"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in contents(library, version, tag).items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, data)
    print(path)


if __name__ == "__main__":
    main()
