"""A line to a broker that loses, delays and reorders what is published over it, and is cut."""

from __future__ import annotations

import random
import socket
import threading
import time
from contextlib import suppress

PUBLISH = 3


class UnsteadyLine:
    """A proxy to the broker at ``port``, packet by packet of MQTT: of messages, shares of ``lost``
    never arrive and of ``late`` ones come after the next, or up to ``delay`` seconds later. As it
    begins it loses nothing, and may be cut."""

    def __init__(
        self,
        port: int,
        chance: random.Random | None = None,
        lost: float = 0.0,
        late: float = 0.0,
        delay: float = 0.0,
    ):
        self._target, self._chance = port, chance or random.Random(0)
        self.lost, self.late, self.delay = lost, late, delay
        self.counts = {"lost": 0, "late": 0, "passed": 0, "cut": 0}
        self.cut = False
        self._lines: list[socket.socket] = []
        self._guard = threading.Lock()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            try:
                far = None if self.cut else socket.create_connection(("127.0.0.1", self._target), 5)
            except OSError:
                far = None
            if far is None:
                near.close()
                continue
            with self._guard:
                self._lines += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        kept = b""
        with suppress(OSError, EOFError):
            while True:
                packet = _packet(one)
                if packet[0] >> 4 == PUBLISH:
                    if self._chance.random() < self.lost:
                        self.counts["lost"] += 1
                        continue
                    if not kept and self._chance.random() < self.late:
                        self.counts["late"] += 1
                        kept = packet
                        continue
                    if self.delay:
                        time.sleep(self._chance.random() * self.delay)
                self.counts["passed"] += 1
                other.sendall(packet + kept)
                kept = b""
        with self._guard:
            for line in (one, other):
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
            one.close()
            self._lines = [line for line in self._lines if line is not one]

    def break_off(self) -> None:
        """Cut every line, and let none through until :meth:`mend`."""
        self.cut = True
        self.counts["cut"] += 1
        with self._guard:
            for line in self._lines:
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
                line.close()
            self._lines = []

    def mend(self) -> None:
        """Let lines through again."""
        self.cut = False

    def close(self) -> None:
        """End it."""
        self._server.close()
        self.break_off()


def _packet(line: socket.socket) -> bytes:
    """Return the next packet of MQTT; raises EOFError at the end."""
    head, length, shift = _exactly(line, 1), 0, 0
    while True:
        byte = _exactly(line, 1)
        head += byte
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if not byte[0] & 0x80:
            return head + _exactly(line, length)


def _exactly(line: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = line.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data
