"""The server in front of the app: many threads, one process, closed on request."""

from __future__ import annotations

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
        try:
            self._server = create_server(
                app,
                host=host,
                port=port,
                threads=THREADS,
                ident=None,
                clear_untrusted_proxy_headers=True,
            )
        except OSError as error:
            raise BadInput(
                f"cannot serve pages at {host}:{port} ({error.strerror}); "
                "stop what runs there or choose another port"
            ) from error
        self._app = app
        self.port = int(self._server.effective_port)
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)

    def start(self) -> Server:
        """Begin to answer; returns at once."""
        self._thread.start()
        return self

    def close(self) -> None:
        """End all streams and stop; closing twice does no harm."""
        self._app.extensions["house"].streams.close()
        self._server.close()
        self._thread.join(timeout=5)

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()
