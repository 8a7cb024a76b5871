"""Live events to the phones: server-sent events with bounded memory.

Every message tells the present state, so a listener's queue is a single flag: *something is new*. A
slow phone skips the states in between.
"""

from __future__ import annotations

import struct
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing
from typing import NamedTuple

from companion.rules import say
from web.access.refusal import Refusal

SOON = 0.02
"""Seconds after which it is checked first whether a slow phone has read what it was sent."""

LONG = 2048
"""Bytes of a piece of the stream from which on it is compressed; what a move changes is shorter."""
_GZIP = b"\x1f\x8b\x08" + bytes(6) + b"\xff"


class Whose(NamedTuple):
    """Who listens: a person who ``joined``, or the guests of an address."""

    name: str
    joined: bool


Key = tuple[Whose, str]


class Message(NamedTuple):
    """What a stream tells: of which ``state_id``, and as JSON the ``whole`` snapshot or what
    changed."""

    whole: bool
    number: int
    text: str


class Listener:
    """One open stream. :meth:`wait` returns why it woke: ``changed``, ``closed`` or ``beat``."""

    def __init__(self, streams: Streams, key: Key) -> None:
        self.key = key
        self._streams = streams
        self._wake = threading.Condition()
        self._changed, self._closed = True, False

    def wait(self, seconds: float) -> str:
        """Wait until something changes, the stream is closed, or ``seconds`` have passed."""
        with self._wake:
            self._wake.wait_for(lambda: self._changed or self._closed, seconds)
            changed, self._changed = self._changed, False
            if self._closed:
                return "closed"
            return "changed" if changed else "beat"

    def touch(self) -> None:
        """Note that something is new; never waits for a slow reader."""
        with self._wake:
            self._changed = True
            self._wake.notify_all()

    def close(self) -> None:
        """End the stream and give its place back; closing twice does no harm."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        self._streams.drop(self)


class Streams:
    """All open streams: a limit for the house, one for each person or address of guests, one stream
    for a client."""

    def __init__(self, limit: int, per_address: int) -> None:
        self._limit, self._per_address = limit, per_address
        self._guard = threading.Lock()
        self._open: dict[Key, Listener] = {}
        self.edition = 0
        """Grows with everything that is published."""

    def __len__(self) -> int:
        return len(self._open)

    def open(self, address: str, client: str, person: str = "") -> Listener:
        """Open a stream for the ``client`` of a guest at an address, or of a ``person`` who joined.

        An older stream of the same client is closed; so is the oldest one of a person, or of the
        guests of an address, that has as many as it may, because reloading phones leave streams
        behind that nobody reads. If the house is full, guests make room for those who joined.

        Raises:
            Refusal: too many are open; the page tries again and asks for the state meanwhile.
        """
        whose = Whose(person or address, bool(person))
        key = (whose, client)
        with self._guard:
            old = [key] if key in self._open else []
            own = [other for other in self._open if other[0] == whose and other != key]
            old += own[: max(0, len(own) - self._per_address + 1)]
            if not old and len(self._open) >= self._limit:
                old = self._guest(whose)
            closing = [self._open.pop(other) for other in old]
            full = len(self._open) >= self._limit
            if not full:
                listener = self._open[key] = Listener(self, key)
        for done in closing:
            done.close()
        if full:
            raise Refusal(503, "full", say("too many phones are listening; this one tries again"))
        return listener

    def _guest(self, whose: Whose) -> list[Key]:
        """Return the oldest stream of the address with the most guests, if it makes room for
        ``whose``: for everybody who joined, and for guests of an address that has fewer."""
        guests = Counter(other for other, _ in self._open if not other.joined)
        crowd, most = max(guests.items(), key=lambda item: item[1], default=(whose, 0))
        if not most or not (whose.joined or most > guests[whose] + 1):
            return []
        return [next(key for key in self._open if key[0] == crowd)]

    def keep(self, persons: Collection[str]) -> None:
        """End the streams of all who joined and are not among ``persons`` any more."""
        with self._guard:
            gone = [
                listener
                for (whose, _), listener in self._open.items()
                if whose.joined and whose.name not in persons
            ]
        for listener in gone:
            listener.close()

    def drop(self, listener: Listener) -> None:
        """Forget ``listener`` unless its client has opened another stream since."""
        with self._guard:
            if self._open.get(listener.key) is listener:
                del self._open[listener.key]

    def publish(self) -> None:
        """Tell every listener that something is new."""
        with self._guard:
            self.edition += 1
            listeners = tuple(self._open.values())
        for listener in listeners:
            listener.touch()

    def close(self) -> None:
        """End all streams."""
        with self._guard:
            listeners = tuple(self._open.values())
        for listener in listeners:
            listener.close()


def messages(
    listener: Listener,
    tell: Callable[[], Message],
    heartbeat: float,
    behind: Callable[[], bool] = lambda: False,
) -> Generator[str, None, None]:
    """Yield the text of the stream: what ``tell`` returns at first and after every change, and a
    sign of life every ``heartbeat`` seconds between.

    Nothing is made for a phone that is ``behind``, which means that it has not read what it was
    sent; once it has, it is told the present state.
    """
    changed, pause = False, 0.0
    try:
        yield "retry: 1000\n\n"
        while (why := listener.wait(pause or heartbeat)) != "closed":
            changed = changed or why == "changed"
            if behind():
                pause = min(2 * pause or SOON, heartbeat or SOON)
                continue
            pause = 0.0
            if not changed:
                yield "event: beat\ndata: {}\n\n"
                continue
            changed = False
            told = tell()
            event = "event: snapshot\n" if told.whole else "event: update\n"
            yield f"{event}id: {told.number}\ndata: {told.text}\n\n"
        yield "event: closed\ndata: {}\n\n"
    finally:
        listener.close()


def packed(lines: Generator[str, None, None]) -> Iterator[bytes]:
    """Yield the text of a stream in gzip's format, so that each piece can be read when it comes.

    A long piece is compressed by itself and a short one put into the format as it is: no phone has
    a compressor of its own, which would hold a quarter of a megabyte for as long as it listens.
    """
    checksum, length = 0, 0
    # Who stops reading ends the stream inside as well.
    with closing(lines) as pieces:
        for number, piece in enumerate(pieces):
            data = piece.encode()
            checksum, length = zlib.crc32(data, checksum), length + len(data)
            yield (b"" if number else _GZIP) + _block(data)
    yield b"\x03\x00" + struct.pack("<II", checksum, length % (1 << 32))


def _block(data: bytes) -> bytes:
    """Return ``data`` as blocks of deflate that end with a whole byte and refer to none before."""
    if len(data) < LONG:
        return struct.pack("<BHH", 0, len(data), len(data) ^ 0xFFFF) + data
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)
