"""A program elsewhere that is told what happens at a table, by HTTP on a port of this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hook(ThreadingHTTPServer):
    """A program elsewhere: answers with ``status``, after ``free`` is set."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.heard, self.status, self.free = [], 200, threading.Event()
        self.free.set()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/hook?who=me"

    @property
    def told(self):
        return [json.loads(body)["type"] for _, _, body in self.heard]


class Answering(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, dict(self.headers), body))
        self.server.free.wait(30)
        self.send_response(self.server.status)
        self.send_header("Location", self.server.address.replace("/hook", "/elsewhere"))
        self.end_headers()


@contextmanager
def listening() -> Iterator[Hook]:
    """Serve a :class:`Hook` meanwhile."""
    with Hook() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.free.set()
            server.shutdown()
            thread.join()
