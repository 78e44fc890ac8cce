# SPDX-License-Identifier: Apache-2.0
"""The address on which a worker listens for games that the user starts. The socket is created before the
worker restricts itself; afterwards the worker can neither listen on other addresses nor connect.
"""

import errno
import socket
import threading
import time

POLL_SECONDS = 0.2
BIND_SECONDS = 50


class Server:
    """open() and close() may be called several times; other workers listen on the same address in between."""

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.socket = self.error = None

    def bind(self, seconds):
        """Fails if another program still listens there after `seconds`."""
        end = time.monotonic() + seconds
        while self.socket is None:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            family, kind, protocol, _, place = found[0]
            server = socket.socket(family, kind, protocol)
            try:
                server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                server.bind(place)
                self.socket = server
            except OSError as error:
                server.close()
                pause(error, end)

    def prepare(self):
        """Called before the restrictions are applied. open() raises errors later, when the host can receive
        them."""
        try:
            self.bind(BIND_SECONDS)
        except OSError as error:
            self.error = error
        return self

    def release(self):
        if self.socket is not None:
            self.socket.close()

    def open(self, seconds):
        """Listens; returns the socket."""
        if self.error is not None:
            raise self.error
        self.bind(seconds)
        end = time.monotonic() + seconds
        while True:
            try:
                self.socket.listen(1)
                return self.socket
            except OSError as error:
                pause(error, end)

    def close(self):
        """Stops listening; the address remains bound."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except (AttributeError, OSError):  # the socket was not open
            pass


def pause(error, end):
    if error.errno != errno.EADDRINUSE or time.monotonic() > end:
        raise error
    time.sleep(POLL_SECONDS)


def relay(server, port, seconds):
    """Forwards connections to a port of the worker's own network, which may be opened up to `seconds`
    later."""

    def run():
        while True:
            try:
                outer, _ = listening.accept()
            except OSError:  # the socket was closed
                return
            threading.Thread(target=connect, args=(outer,), daemon=True).start()

    def connect(outer):
        end = time.monotonic() + seconds
        while True:
            try:
                inner = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                if time.monotonic() > end:
                    outer.close()
                    return
                time.sleep(POLL_SECONDS)
        threading.Thread(target=copy, args=(outer, inner), daemon=True).start()
        copy(inner, outer)

    listening = server.open(seconds)
    threading.Thread(target=run, daemon=True).start()


def copy(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for stream in (source, target):
        try:
            stream.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
