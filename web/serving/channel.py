"""Waitress with deadlines: how long a phone may take to send a header, to send a body, to read an
answer, and how long an idle connection is kept.

Waitress reads requests and writes answers of all connections in one thread. A request gets a thread
of its own only once it has arrived completely.
"""

from __future__ import annotations

import logging
import math
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import BadRequest

from web.serving.connection import CONNECTION
from web.serving.connection_limits import Doing, leavers
from web.serving.turns import Dispatcher, RequestTurn

_log = logging.getLogger(__name__)

_BURST = 64
"""New connections that are accepted before the existing ones get their turn."""
_LOOK = 1.0
"""Seconds between two looks at the deadlines."""
_SAID = {
    400: "This is no request that a browser sends. Open the table's address in a browser.",
    413: "This is more than is taken here. Open the table's address in a browser.",
    431: "This request's headers are too long. Clear the cookies of this address and try again.",
    501: "This request is sent in a way that is not known here. Open the address in a browser.",
}
_FAILED = "Something went wrong here. Try again; if it stays so, start the companion anew."


class Bounds(NamedTuple):
    """What connections may take: places, seconds, bytes a second.

    ``header``, ``body``: how long a phone may send each, the first header counted from when it
    connects; ``idle``: how long a connection is kept on which nothing happens after that;
    ``answer``: after this an unread answer must be read at ``pace``.
    """

    places: int = 1024
    guests: int = 128
    """Connections that the guests of one address may have."""
    header: float = 10.0
    body: float = 30.0
    idle: float = 60.0
    answer: float = 30.0
    pace: float = 1024.0
    at_once: int = 4
    """Requests of guests that are answered at the same time; phones that joined do not wait."""
    linger: float = 2.0
    """Seconds for which the rest of a refused body is read and discarded, so that the phone reads
    the answer."""


class RequestParser(HTTPRequestParser):  # type: ignore[misc]
    """A request. A body that is too long is refused by its length, before any of it is kept; the
    app then says so, as it does with whatever else it refuses."""

    def __init__(
        self,
        adj: Any,
        limit: Callable[[str], int],
        came: Callable[[Mapping[str, str]], None],
        deaf: Callable[[], None],
    ) -> None:
        super().__init__(adj)
        self._limit, self._came, self._deaf = limit, came, deaf

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers; whose cookie comes in is served before others."""
        super().parse_header(header_plus)
        # Another server of this machine may have left a cookie in any alphabet, and browsers send
        # it here as well.
        cookies = self.headers.get("COOKIE", "").encode("latin-1")
        if cookies:
            readable = cookies.decode("utf-8", "replace")
            self.headers["COOKIE"] = readable.encode().decode("latin-1")
        # Names are the same in capitals.
        if host := self.headers.get("HOST"):
            self.headers["HOST"] = host.lower()
        self._came(self.headers)

    def received(self, data: bytes) -> int:
        """Take ``data`` in; return how many bytes were this request's."""
        try:
            consumed: int = super().received(data)
        except ValueError as error:
            # Waitress reads numbers and addresses of its own without asking what they are.
            self.error, self.completed = BadRequest(str(error)), True
            return len(data)
        if self.headers_finished and not self.error and not self.empty:
            length = max(self.content_length, self.body_bytes_received)
            # The app sees a path with one slash before it, however many there are.
            if length > self._limit("/" + self.path.lstrip("/")):
                self._refuse(length)
                return len(data)
        return consumed

    def _refuse(self, length: int) -> None:
        self.close()
        self.body_rcv, self.expect_continue = None, False
        self.headers.update(CONTENT_LENGTH=str(length), CONNECTION="close")
        self.completed = True
        self._deaf()


class Task(WSGITask):  # type: ignore[misc]
    """Hands the app the connection together with the request."""

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment."""
        environ: dict[str, Any] = super().get_environment()
        environ[CONNECTION] = self.channel
        return environ

    def write(self, data: bytes) -> None:
        """Send ``data``, the headers in one piece with the first of it: a browser that has headers
        and no more when the machine falls keeps an empty page for ever."""
        if self.wrote_header:
            super().write(data)
            return
        with self.channel.in_one_piece():
            super().write(data)


class Sorry(ErrorTask):  # type: ignore[misc]
    """Answers in one sentence what is no HTTP request."""

    def execute(self) -> None:
        """Send it."""
        error = self.request.error
        self.status = f"{error.code} {error.reason}"
        text = _SAID.get(error.code, _FAILED).encode()
        self.response_headers.append(("Content-Type", "text/plain; charset=utf-8"))
        self.response_headers.append(("X-Content-Type-Options", "nosniff"))
        self.set_close_on_finish()
        self.content_length = len(text)
        self.write(text)


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection. Times are seconds of the server's clock."""

    task_class = Task
    error_task_class = Sorry
    close_when_flushed: bool
    will_close: bool

    def __init__(
        self, server: Acceptor, sock: socket.socket, addr: tuple[str, int], adj: Any, map: Any
    ) -> None:
        self.address, self.joined = addr[0], False
        self.since = server.clock()
        self._taken = 0
        self._behind: tuple[float, int] | None = None
        # Whether what the phone goes on sending is thrown away, and until when it may.
        self._deaf, self._lingers = False, math.inf
        self._asked = self._live = False
        self._turn: RequestTurn | None = None
        # Whether the next request waits until the phone has taken the answer to the one before.
        self._held, self._holding = False, threading.Lock()
        self._gone: Callable[[], None] | None = None
        self._pieces: list[bytes] | None = None
        super().__init__(server, sock, addr, adj, map=map)

    def parser_class(self, adj: Any) -> RequestParser:
        """Return a parser for the next request."""
        return RequestParser(adj, self.server.body_limit, self._came, self._go_deaf)

    def _came(self, headers: Mapping[str, str]) -> None:
        self.joined = self.joined or self.server.came_in(headers.get("COOKIE", ""))

    def _go_deaf(self) -> None:
        self._deaf = True

    @contextmanager
    def in_one_piece(self) -> Iterator[None]:
        """Pass on what is written within this context when it ends, all at once."""
        pieces: list[bytes] = []
        self._pieces = pieces
        try:
            yield
        finally:
            self._pieces = None
        self.write_soon(b"".join(pieces))

    def write_soon(self, data: Any) -> int:
        """Pass ``data`` to the phone as soon as it takes it; return how many bytes that were."""
        if self._pieces is None:
            written: int = super().write_soon(data) or 0
            return written
        self._pieces.append(data)
        return len(data)

    # -- for the app -------------------------------------------------------------------

    def behind(self) -> bool:
        """Tell whether something that was sent still waits here to be taken."""
        return bool(self.total_outbufs_len)

    def live(self, close: Callable[[], None]) -> None:
        """Say that the present answer goes on until ``close`` is called, which happens once when
        the connection is closed."""
        self._live, self._gone = True, close
        if self._turn is not None:
            self._turn.leave()
        self.server.task_dispatcher.lend(1)
        if not self.connected:
            self._tell_gone()

    def _tell_gone(self) -> None:
        call, self._gone = self._gone, None
        if call is not None:
            call()

    def hold(self) -> bool:
        """Tell whether the next request has to wait: until the phone has taken the answer to the
        one before, lest it asks for answers by the thousand that it never takes."""
        self._held = True
        return not self._go_on()

    def _go_on(self) -> bool:
        """Tell, once, that a request that was held may be served."""
        with self._holding:
            going = self._held and not self.behind()
            self._held = self._held and not going
        return going

    # -- for who looks after the places ------------------------------------------------

    @property
    def doing(self) -> Doing:
        """Return what the connection is at."""
        if self.requests and not self._held:
            return Doing.SERVED
        if self.total_outbufs_len or self._deaf:
            return Doing.READING
        return Doing.NOTHING if self.request is None else Doing.SENDING

    def late(self, now: float, bounds: Bounds) -> bool:
        """Tell whether the phone has taken longer than ``bounds`` allow."""
        if now > self._lingers:
            return True
        if self.request is not None:
            allowed = bounds.body if self.request.headers_finished else bounds.header
            return now > self.since + allowed
        if self._too_slow(now, bounds):
            return True
        allowed = bounds.idle if self._asked else bounds.header
        return self.doing is Doing.NOTHING and now > self.since + allowed

    def _too_slow(self, now: float, bounds: Bounds) -> bool:
        """Tell whether an answer is read slower than can be waited for."""
        if not self.total_outbufs_len:
            self._behind = None
            return False
        if self._behind is None:
            self._behind = now, self._taken
        waited = now - self._behind[0]
        return waited > bounds.answer and self._taken - self._behind[1] < waited * bounds.pace

    # -- what Waitress calls -----------------------------------------------------------

    def received(self, data: bytes) -> bool:
        """Take in what the phone sent."""
        if self._deaf:
            return False
        before = self.request
        done: bool = super().received(data)
        if self.request is not None and self.request is not before:
            self.since = self.server.clock()
        return done

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Pass ``data`` to the phone; return how many bytes it took."""
        self.since = self.server.clock()
        taken: int = super().send(data, do_close)
        self._taken += taken
        return taken

    def service(self, turn: RequestTurn | None = None) -> None:
        """Answer one request in its ``turn``."""
        self.since, self._asked, self._turn = self.server.clock(), True, turn
        try:
            super().service()
        finally:
            if self._live:
                self._live = False
                self.server.task_dispatcher.lend(-1)

    def readable(self) -> bool:
        """Tell whether there is anything to wait for from the phone."""
        return self._deaf or bool(super().readable())

    def handle_write(self) -> None:
        """Send what waits. Where a body was refused, end our side and hear the phone out: closed
        at once, many a system throws the answer away."""
        if not self._deaf:
            if not self._held:
                super().handle_write()
                return
            # Waitress would wait for more to send, as there are requests; nobody makes more now.
            self._flush_exception(self._flush_some)
            if self.will_close:
                self.handle_close()
            elif self._go_on():
                self.server.serve(self)
            return
        if self.total_outbufs_len:
            self._flush_exception(self._flush_some_if_lockable)
        elif self.close_when_flushed:
            self.close_when_flushed = False
            self._lingers = self.server.clock() + self.server.bounds.linger
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                self.will_close = True
        if self.will_close:
            self.handle_close()

    def handle_close(self) -> None:
        """Close the connection, with what waits in files, and tell whoever waits for that."""
        super().handle_close()
        if self.request is not None:
            self.request.close()
        if self._held:
            self.cancel()
        self._tell_gone()

    def cancel(self) -> None:
        """Answer none of the requests that wait."""
        waiting = self.requests
        super().cancel()
        for request in waiting:
            request.close()


class Acceptor(TcpWSGIServer):  # type: ignore[misc]
    """Accepts new connections, makes room for them, and closes those that take too long."""

    def __init__(
        self,
        app: Any,
        map: dict[int, Any],
        sock: socket.socket,
        adj: Any,
        threads: int,
        bounds: Bounds,
        body_limit: Callable[[str], int],
        came_in: Callable[[str], bool],
        clock: Callable[[], float],
    ) -> None:
        self.bounds, self.body_limit, self.came_in = bounds, body_limit, came_in
        self.clock = clock
        self.looked = clock()
        info = (sock.family, sock.type, sock.proto, sock.getsockname())
        super().__init__(
            app, map, _sock=sock, dispatcher=Dispatcher(threads, bounds.at_once), adj=adj,
            sockinfo=info, bind_socket=False,
        )  # fmt: skip

    def add_task(self, task: Channel) -> None:
        """Have the next request of a connection answered, unless it has to wait."""
        if not task.hold():
            self.serve(task)

    def serve(self, channel: Channel) -> None:
        """Have the next request of ``channel`` answered."""
        self.task_dispatcher.add_task(channel)

    def readable(self) -> bool:
        """Tell whether connections are taken: always, there is room to be made."""
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Take the connections that wait."""
        found: list[tuple[socket.socket, tuple[str, int]]] = []
        try:
            while len(found) < _BURST and (taken := self.accept()) is not None:
                found.append(taken)
        except OSError as error:
            # No more files may be open: whoever is idle makes room.
            _log.warning("a connection could not be taken: %s", error.strerror)
            self._make_room([""], len(self.active_channels))
        # Nobody is closed before all are taken: a new one would get the number of a closed one,
        # of which this round may still have something to tell.
        self._make_room([addr[0] for _, addr in found], self.bounds.places)
        for sock, addr in found:
            self._admit(sock, addr)

    def _make_room(self, newcomers: list[str], places: int) -> None:
        """Close whoever has to go for connections from the addresses of ``newcomers``."""
        channels = self.active_channels.values()
        for channel in leavers(channels, newcomers, places, self.bounds.guests):
            channel.handle_close()

    def _admit(self, sock: socket.socket, addr: tuple[str, int]) -> None:
        if len(self.active_channels) >= self.bounds.places:
            sock.close()
            return
        try:
            self.set_socket_options(sock)
        except OSError:  # It is gone already.
            sock.close()
            return
        Channel(self, sock, addr, self.adj, self._map)

    def set_socket_options(self, sock: socket.socket) -> None:
        """Keep what a sleeping phone has not read out of the kernel, where nobody can drop it."""
        super().set_socket_options(sock)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, 16 * 1024)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            seconds = self.bounds.answer
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * seconds))

    def look(self) -> None:
        """Close the connections that took too long; done once a second."""
        now = self.clock()
        if now < self.looked + _LOOK:
            return
        for channel in tuple(self.active_channels.values()):
            if channel.late(now, self.bounds):
                channel.handle_close()
        self.looked = now
