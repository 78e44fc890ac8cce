# SPDX-License-Identifier: Apache-2.0
"""A relay that models a slow, lossy or interrupted network between the actors and the learner of a fleet."""

import math
import queue
import random
import socket
import struct
import threading
import time
import weakref

FIRST_RETRY_S, FIRST_CONNECT_RETRY_S = 0.2, 1  # of TCP; each further pause is twice as long
ABORT = struct.pack("ii", 1, 0)  # SO_LINGER: close() resets the connection


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Link:
    """Relays TCP connections to a port. Bytes arrive half a round trip later; a lost segment of 1,460 bytes
    delays itself and all later bytes by a round trip (fast retransmission; the window does not shrink).
    cut() interrupts the network until heal()."""

    def __init__(self, port, round_trip_s=0, loss=0, host="127.0.0.1"):
        self.port_behind, self.round_trip_s, self.loss = port, round_trip_s, loss
        self.random = random.Random(1)
        self.is_cut = self.resets = False
        self.sockets = weakref.WeakSet()
        self.listener = socket.create_server((host, 0))
        self.port = self.listener.getsockname()[1]
        self.start(self.accept)

    def cut(self, resets):
        """`resets`: connections are reset and new ones refused. Otherwise packets are dropped: no side
        notices, and TCP sends them again with increasing pauses."""
        self.is_cut, self.resets = True, resets
        if resets:
            for each in list(self.sockets):
                self.abort(each)

    def heal(self):
        self.is_cut = False

    def close(self):
        self.cut(True)
        self.listener.close()

    @staticmethod
    def abort(connection):
        try:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
            connection.shutdown(socket.SHUT_RDWR)  # wakes up its threads
        except OSError:
            pass
        connection.close()

    @staticmethod
    def start(target, *arguments):
        threading.Thread(target=target, args=arguments, daemon=True).start()

    def wait_for_network(self, pause_s):
        while self.is_cut:
            time.sleep(pause_s)
            pause_s *= 2

    def accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            if self.is_cut and self.resets:
                self.abort(near)
            else:
                self.start(self.connect, near)

    def connect(self, near):
        self.wait_for_network(FIRST_CONNECT_RETRY_S)
        try:
            far = socket.create_connection(("127.0.0.1", self.port_behind))
        except OSError:  # the learner does not listen
            self.abort(near)
            return
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.sockets.add(one)
            waiting = queue.SimpleQueue()
            self.start(self.read, one, waiting)
            self.start(self.write, other, waiting)

    def read(self, source, waiting):
        due = 0
        while True:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            due = max(due, time.monotonic() + self.round_trip_s / 2)
            if self.random.random() > (1 - self.loss) ** math.ceil(len(data) / 1460):
                due += self.round_trip_s
            waiting.put((due, data))
            if not data:
                return

    def write(self, target, waiting):
        while True:
            due, data = waiting.get()
            time.sleep(max(0, due - time.monotonic()))
            self.wait_for_network(FIRST_RETRY_S)
            try:
                if data:
                    target.sendall(data)
                    continue
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            return
