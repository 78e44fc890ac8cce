# SPDX-License-Identifier: Apache-2.0
"""Makes an archive of an installed build that runs where it is unpacked, on every Linux with the same kind of
processor whose glibc is at least that of this system.

    make_archive.py BUILD FOLDER     writes FOLDER/seedbed-VERSION-MACHINE.tar.xz and .spdx.json

Libraries are copied to lib/, Qt's plugins to lib/qt6/plugins, and the copyright files of their Debian
packages to share/doc. Programs and libraries find each other by relative run paths.
"""

import datetime
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Those of glibc belong to the system's loader.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|mvec|nss_.*))\.so")
PLUGINS = (
    "iconengines/libqsvgicon.so",
    "imageformats/libqsvg.so",
    "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
    "platforms/libqoffscreen.so",
    "platforms/libqxcb.so",
    "xcbglintegrations/libqxcb-egl-integration.so",
    "xcbglintegrations/libqxcb-glx-integration.so",
)
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")  # used if the system has no fonts
HEADERS = ("libcli11-dev", "nlohmann-json3-dev", "libexpected-dev")  # compiled into the programs
MODULES = ("seedbed_grpc.so",)  # of lib/seedbed: those with libraries that no program has
CANVAS = ("libimgui-dev", "libstb-dev")  # linked into the live canvas


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"seedbed: {words[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def libraries_of(path):
    """The libraries that a program or library needs, by name, as ldd finds them."""
    found = {}
    for line in run("ldd", path).splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if SYSTEM.match(name) or not arrow:
            continue
        if rest.startswith("not found"):
            sys.exit(f"seedbed: {name}, which {path} needs, was not found")
        found[name] = pathlib.Path(rest.split(" (")[0])
    return found


def install(build, folder):
    for component in ("seedbed", "gui"):
        run("cmake", "--install", build, "--strip", "--component", component, "--prefix", folder)


def copy_libraries(folder):
    """Copies plugins, libraries and fonts, sets run paths, and returns the copied files by place."""
    plugins = pathlib.Path(run("qmake6", "-query", "QT_INSTALL_PLUGINS").strip())
    copied = {}
    for name in PLUGINS:
        if (plugins / name).exists():
            copied[folder / "lib/qt6/plugins" / name] = plugins / name
    programs = [*sorted((folder / "bin").iterdir()), *(folder / "lib/seedbed" / name for name in MODULES)]
    for path in [*programs, *copied.values()]:
        copied.update({folder / "lib" / name: source for name, source in libraries_of(path).items()})
    binaries = [*programs, *copied]
    fonts = pathlib.Path("/usr/share/fonts/truetype/dejavu")
    copied.update({folder / "share/seedbed/fonts" / name: fonts / name for name in FONTS})
    for target, source in copied.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source.resolve(), target)
        target.chmod(0o755 if target.parent.name == "bin" else 0o644)
    for path in binaries:
        up = os.path.relpath(folder / "lib", path.parent)
        run("patchelf", "--set-rpath", "$ORIGIN" if up == "." else f"$ORIGIN/{up}", path)
    (folder / "bin/qt.conf").write_text("[Paths]\nPrefix=..\nPlugins=lib/qt6/plugins\n")
    return copied


def packages_of(files, compiled_in):
    """Debian's package, its version, and the files from it, for each of the files and of the packages in
    `compiled_in`."""
    packages = {}
    for target, source in files.items():
        # The names of files in a merged /usr may be registered with or without it.
        names = {str(source), str(source.resolve())}
        names |= {name.removeprefix("/usr") for name in names}
        owners = subprocess.run(["dpkg-query", "-S", *sorted(names)], capture_output=True, text=True).stdout
        package = owners.split(":")[0].split(",")[0]
        if not package:
            sys.exit(f"seedbed: no Debian package contains {source}")
        packages.setdefault(package, []).append(target)
    for package in compiled_in:
        packages[package] = []
    return {name: (version_of(name), sorted(packages[name])) for name in sorted(packages)}


def version_of(package):
    return run("dpkg-query", "-W", "-f", "${Version}\n", package).split("\n")[0]


def copy_copyrights(packages, folder):
    for package in packages:
        source = pathlib.Path("/usr/share/doc") / package / "copyright"
        target = folder / "share/doc/seedbed/libraries" / package / "copyright"
        target.parent.mkdir(parents=True)
        shutil.copyfile(source, target)


def bill_of_materials(name, version, packages, folder, epoch):
    """The contents as SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/)."""
    unknown = {"downloadLocation": "NOASSERTION", "licenseConcluded": "NOASSERTION",
               "copyrightText": "NOASSERTION", "filesAnalyzed": False}
    entries = [{"SPDXID": "SPDXRef-seedbed", "name": "seedbed", "versionInfo": version,
                "licenseDeclared": "GPL-3.0-or-later AND Apache-2.0", "supplier": "NOASSERTION", **unknown}]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-seedbed")]
    for package, (package_version, files) in packages.items():
        identifier = "SPDXRef-" + re.sub(r"[^a-zA-Z0-9.-]", "-", package)
        hashes = [f"{path.relative_to(folder)} sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}"
                  for path in files]
        entries.append({"SPDXID": identifier, "name": package, "versionInfo": package_version,
                        "licenseDeclared": "NOASSERTION", "supplier": "Organization: Debian",
                        "comment": "\n".join(hashes) or "compiled into the programs",
                        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                          "referenceLocator": f"pkg:deb/debian/{package}@{package_version}"}],
                        **unknown})
        relations.append(("SPDXRef-seedbed", "CONTAINS" if files else "STATIC_LINK", identifier))
    digest = hashlib.sha256(json.dumps(entries).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": f"urn:sha256:{digest}",
            "creationInfo": {"created": created, "creators": ["Tool: seedbed-make_archive"]},
            "packages": entries,
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                              for a, kind, b in relations]}


def main():
    build, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    cache = (build / "CMakeCache.txt").read_text()
    version = re.search(r"CMAKE_PROJECT_VERSION:STATIC=(.+)", cache).group(1)
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    name = f"seedbed-{version}-{platform.machine()}"
    work = build / "archive"
    shutil.rmtree(work, ignore_errors=True)
    folder = work / name
    install(build, folder)
    canvas = (folder / "lib/seedbed/seedbed_live.so").exists()
    packages = packages_of(copy_libraries(folder), HEADERS + (CANVAS if canvas else ()))
    copy_copyrights(packages, folder)
    document = json.dumps(bill_of_materials(name, version, packages, folder, epoch), indent=1) + "\n"
    (out / f"{name}.spdx.json").write_text(document)
    packed = work / f"{name}.tar.xz"
    run("tar", "--sort=name", f"--mtime=@{epoch}", "--owner=0", "--group=0", "--numeric-owner",
        "--mode=u+rwX,go+rX,go-w", "-C", work, "-I", "xz -9 -T1", "-cf", packed, name)
    shutil.move(packed, out)
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
