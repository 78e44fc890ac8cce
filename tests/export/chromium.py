# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, controlled through its debugging pipe (Chrome DevTools Protocol)."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One page. Messages end with a zero byte; file descriptor 3 is the browser's input, 4 its output."""

    def __init__(self, width=1280, height=860):
        self.profile = tempfile.mkdtemp(prefix="seedbed-chromium-")
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()
        command = [
            find(), "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "--remote-debugging-pipe"
        ]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{from_write}', "bash", *command],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.rest, self.session, self.events = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.source], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self.source, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("Chromium did not answer")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            message = self.message(deadline)
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=url)

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, script, seconds=120):
        """Waits until the expression is true and returns its value."""
        deadline = time.monotonic() + seconds
        while True:
            value = self.value(script)
            if value:
                return value
            assert time.monotonic() < deadline, f"not within {seconds} s: {script}"
            time.sleep(0.05)

    def key(self, key, kind):
        self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def press(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(image))

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def problems(self):
        """Uncaught errors and messages that the browser logged."""
        return [event["params"] for event in self.events
                if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
