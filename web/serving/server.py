"""The server in front of the app: many connections, one process, closed on request."""

from __future__ import annotations

import errno
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments

from companion.rules import BadInput
from web.serving.channel import Acceptor, Bounds

try:
    import resource
except ImportError:  # Windows, where nothing limits the files that are open
    resource = None  # type: ignore[assignment]

_log = logging.getLogger(__name__)

THREADS = 32
"""Threads besides those of the open streams, each of which takes one."""

HEADER_LIMIT = 16 * 1024
"""Bytes of a request without its body."""

FILES = 256
"""Files that the companion has open besides connections: journal, camera, scripts being sent."""

Begin = Callable[[Callable[[], bool], threading.Event], threading.Thread]
"""Starts a thread that does a step again and again while it returns True and the event is not
set."""

ROUND = 0.25
"""Seconds after which an idle server checks whether it is to stop."""


class Server:
    """Serves ``app`` in a thread of its own until closed."""

    def __init__(
        self,
        app: Flask,
        host: str = "127.0.0.1",
        port: int = 8000,
        bounds: Bounds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Bind the address; port 0 takes a free one. ``bounds`` says what connections may take,
        ``clock`` gives the seconds that it counts in.

        Raises:
            BadInput: the address is taken or not ours.
        """
        self._sockets: dict[int, Any] = {}
        context = app.extensions["context"]
        bound = _bound(host, port)
        settings = Adjustments(
            sockets=[bound],
            ident=None,
            # Nothing believes them; but what a proxy passes on does not come from this machine.
            clear_untrusted_proxy_headers=False,
            # A phone that goes away while it is answered is noticed at once.
            channel_request_lookahead=1,
            max_request_header_size=HEADER_LIMIT,
            # Each route has a limit of its own.
            max_request_body_size=1 << 60,
            log_socket_errors=False,
        )
        self._server = Acceptor(
            app,
            self._sockets,
            bound,
            settings,
            THREADS,
            _fitting(bounds or Bounds()),
            context.body_limit,
            context.came_in,
            clock,
        )
        self._app = app
        self.port = int(self._server.effective_port)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, begin: Begin | None = None) -> Server:
        """Begin to answer, in a thread that ``begin`` starts; returns at once."""
        self._thread = (begin or _begin)(self._serve, self._stopping)
        return self

    def close(self) -> None:
        """End all streams and stop; closing twice does no harm."""
        self._app.extensions["context"].streams.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=5)
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
        for channel in tuple(self._server.active_channels.values()):
            channel.handle_close()
        wasyncore.close_all(self._sockets)

    def _serve(self) -> bool:
        """Pass bytes once. The sockets are closed only after all that, lest somebody write to a
        number that means something else by then."""
        try:
            wasyncore.loop(timeout=ROUND, use_poll=True, map=self._sockets, count=1)
            self._server.look()
        except Exception:
            # One socket that is closed already would fail all the others again and again.
            for number in tuple(self._sockets):
                if not _open(number):
                    self._sockets.pop(number, None)
            raise
        return True

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


def _begin(step: Callable[[], bool], stop: threading.Event) -> threading.Thread:
    """Do ``step`` in a thread until ``stop`` is set."""

    def run() -> None:
        while not stop.is_set() and step():
            pass

    thread = threading.Thread(target=run, name="pages", daemon=True)
    thread.start()
    return thread


def _fitting(bounds: Bounds) -> Bounds:
    """Return ``bounds`` with no more places than files may be open; as many are allowed as can."""
    if resource is None:
        return bounds
    wanted = bounds.places + FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft < wanted:
            places = max(64, soft - FILES)
            _log.warning(
                "this system lets the companion open %d files at once; %d connections are kept "
                "instead of %d (raise LimitNOFILE, or ulimit -n, to %d)",
                soft, places, bounds.places, wanted,
            )  # fmt: skip
            return bounds._replace(places=places)
    return bounds


def _open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket at the address, before the server makes its threads.

    Raises:
        BadInput: the address is taken or not ours.
    """
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen()
    except (OSError, UnicodeError) as error:
        bound.close()
        cure = "choose another address or port"
        if isinstance(error, PermissionError):
            cure = "ports below 1024 are for root and the installed service; choose another"
        elif isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            cure = f"stop what runs there or choose another, as with --port {port + 1}"
        why = getattr(error, "strerror", None) or "no such address"
        raise BadInput(f"cannot serve pages at {host}:{port} ({why}); {cure}") from error
    return bound
