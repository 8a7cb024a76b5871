"""The server in front of the app: many threads, one process, closed on request."""

from __future__ import annotations

import socket
import threading

from flask import Flask
from waitress.server import create_server

from companion.rules import BadInput

THREADS = 32
"""Each open stream holds one; fewer than 32 and a reloading phone starves the others."""


class Server:
    """Serves ``app`` in a thread of its own until closed."""

    def __init__(self, app: Flask, host: str = "127.0.0.1", port: int = 8000) -> None:
        """Bind the address; port 0 takes a free one.

        Raises:
            BadInput: the address is taken or not ours.
        """
        self._server = create_server(
            app,
            sockets=[_bound(host, port)],
            threads=THREADS,
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
        self._app = app
        self.port = int(self._server.effective_port)
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)

    def start(self) -> Server:
        """Begin to answer; returns at once."""
        self._thread.start()
        return self

    def close(self) -> None:
        """End all streams and stop; closing twice does no harm."""
        if not self._thread.is_alive():
            return
        self._app.extensions["house"].streams.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=5)
        # The sockets belong to the serving thread: it has to close them between two rounds.
        self._server.trigger.pull_trigger(self._hang_up)
        self._thread.join(timeout=5)

    def _hang_up(self) -> None:
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


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
    except OSError as error:
        bound.close()
        raise BadInput(
            f"cannot serve pages at {host}:{port} ({error.strerror}); "
            "stop what runs there or choose another port"
        ) from error
    return bound
