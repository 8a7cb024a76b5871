"""Boards that know their pieces: the published serial protocol of DGT's electronic chessboards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from vision.frames import Sensed
from vision.sensing.sensor_source import received

BAUD = 9600
RESET, SEND_BOARD, SEND_UPDATES = b"\x40", b"\x42", b"\x44"
"""Commands: be silent; tell the whole board; tell the board's changes from now on."""
DUMP, UPDATE = 0x86, 0x8E
"""Messages: the whole board (67 bytes), one field (5 bytes). The first byte alone has its highest
bit set; two bytes with seven bits each tell the length, head included."""
HEAD, FIELDS = 3, 64
ASK = 1.0
"""Seconds after which a silent board is asked to tell itself whole."""
KINDS = "PRNBKQ"
"""Codes 1 to 6 are white pieces in this order, 7 to 12 black ones."""


def piece(code: int) -> str | None:
    """Return the token that a code stands for; None for an empty field, and for pieces by which
    players tell a clock or a result."""
    if not 1 <= code <= 2 * len(KINDS):
        return None
    colour, kind = divmod(code - 1, len(KINDS))
    return f"{('white', 'black')[colour]} {KINDS[kind]}"


def square(field: int, *, turned: bool) -> str:
    """Return the name of a field, 0 to 63: row by row from a8, or from h1 where the board stands
    ``turned``."""
    field = FIELDS - 1 - field if turned else field
    return f"{'abcdefgh'[field % 8]}{8 - field // 8}"


class DgtWire:
    """An open line to such a board, on a serial ``port`` of the package pyserial."""

    def __init__(
        self, port: Any, *, turned: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._port, self._turned, self._clock = port, turned, clock
        self._rest = b""
        self._tokens: dict[str | int, str] | None = None
        self._asked = clock()
        port.write(RESET + SEND_BOARD + SEND_UPDATES)

    def receive(self, seconds: float) -> Sequence[Sensed]:
        """Return the positions that the board sent within ``seconds``, the oldest first."""
        self._rest += received(self._port, seconds)
        found = [sensed for kind, body in self._messages() if (sensed := self._take(kind, body))]
        now = self._clock()
        if found:
            self._asked = now
        elif now - self._asked > ASK:
            self._asked = now
            self._port.write(SEND_BOARD)
        return found

    def close(self) -> None:
        """Give the port back."""
        self._port.close()

    def _messages(self) -> Iterator[tuple[int, bytes]]:
        """Yield the kind and the body of each whole message; what is none is passed over."""
        while True:
            start = next((at for at, byte in enumerate(self._rest) if byte & 0x80), None)
            self._rest = b"" if start is None else self._rest[start:]
            if len(self._rest) < HEAD:
                return
            size = self._rest[1] << 7 | self._rest[2]
            body = self._rest[HEAD:size]
            if not HEAD <= size <= HEAD + FIELDS or any(byte & 0x80 for byte in body):
                self._rest = self._rest[1:]
                continue
            if len(self._rest) < size:
                return
            kind, self._rest = self._rest[0], self._rest[size:]
            yield kind, body

    def _take(self, kind: int, body: bytes) -> Sensed | None:
        """Return how the board stands after a message; None before it has told itself whole."""
        left: frozenset[str | int] = frozenset()
        if kind == DUMP and len(body) == FIELDS:
            self._tokens = {
                square(field, turned=self._turned): token
                for field, code in enumerate(body)
                if (token := piece(code)) is not None
            }
        elif kind == UPDATE and len(body) == 2 and body[0] < FIELDS and self._tokens is not None:
            name, token = square(body[0], turned=self._turned), piece(body[1])
            before = self._tokens.get(name)
            self._tokens = {at: t for at, t in self._tokens.items() if at != name}
            if token is not None:
                self._tokens[name] = token
            # A piece that takes another's place may come before that has gone.
            left = frozenset([name]) if before not in (None, token) else frozenset()
        else:
            return None
        return Sensed(frozenset(self._tokens), left, self._tokens)
