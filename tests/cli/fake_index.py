# SPDX-License-Identifier: Apache-2.0
"""Wheels and a package index for tests of packs. Not a test."""
import base64
import hashlib
import http.server
import threading
import zipfile


def make_wheel(folder, name, version, files):
    """Writes a wheel of pure Python and returns its path."""
    info = f"{name}-{version}.dist-info"
    contents = {
        **files, f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    }
    record = ""
    for path, text in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text.encode())}\n"
    contents[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in contents.items():
            archive.writestr(path, text)
    return wheel


class StallingIndex(http.server.ThreadingHTTPServer):
    """A package index on this machine that sends half of each wheel and then nothing."""

    def __init__(self, folder):
        self.folder = folder
        self.stalled, self.release = threading.Event(), threading.Event()
        super().__init__(("127.0.0.1", 0), StallingHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_port}/simple"


class StallingHandler(http.server.BaseHTTPRequestHandler):

    def do_GET(self):
        name = self.path.rstrip("/").rsplit("/", 1)[-1]
        if name.endswith(".whl"):
            data = (self.server.folder / name).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[:len(data) // 2])
            self.wfile.flush()
            self.server.stalled.set()
            self.server.release.wait()
            return
        links = "".join(f'<a href="/{file.name}">{file.name}</a>' for file in self.server.folder.glob("*.whl")
                        if file.name.startswith(name.replace("-", "_")))
        page = f"<!DOCTYPE html><html><body>{links}</body></html>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass
