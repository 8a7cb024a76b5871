"""A house whose connections are made, watched and timed by hand."""

import json
import re
import select
import socket
import time

import web
import web.serving.server
from web.serving.channel import Bounds

PATIENCE = 60.0


class Hands:
    """A clock that is turned by hand."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class House:
    """A server with everything that a test asks of it."""

    def __init__(self, app, **bounds):
        self.app, self.hands, self.open = app, Hands(), []
        self.bounds = Bounds(**bounds)
        self.server = web.Server(app, port=0, bounds=self.bounds, clock=self.hands).start()

    def connect(self, address="127.0.0.2", receives=0):
        link = socket.socket()
        self.open.append(link)
        if receives:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        link.settimeout(PATIENCE)
        link.bind((address, 0))
        link.connect(("127.0.0.1", self.server.port))
        self.wait(lambda: self.channel(link) is not None)
        return link

    def channel(self, link):
        """Return the server's end of ``link``, None where it is closed."""
        mine = link.getsockname()
        ends = tuple(self.server._server.active_channels.values())
        return next((end for end in ends if end.addr == mine), None)

    def wait(self, done):
        until = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < until, "waited in vain"
            select.select([], [], [], 0.005)

    def turn(self, seconds):
        """Turn the clock on, and wait until the server has looked at it."""
        self.hands.now += seconds
        self.wait(lambda: self.server._server.looked == self.hands.now)

    def ask(self, link, path="/healthz", cookie=""):
        """Send a whole request over ``link``; return status, headers and body."""
        link.sendall(request(path, cookie))
        return answer(link)

    def close(self):
        for link in self.open:
            link.close()
        self.server.close()


def request(path, cookie="", method="GET", more="", host="127.0.0.1"):
    cookie = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{cookie}{more}\r\n".encode()


def answer(link):
    text = b""
    while b"\r\n\r\n" not in text:
        more = link.recv(65536)
        assert more, f"closed after {text!r}"
        text += more
    head, _, body = text.partition(b"\r\n\r\n")
    length = int(re.search(rb"Content-Length: (\d+)", head)[1])
    while len(body) < length:
        body += link.recv(65536)
    return int(head.split()[1]), head.decode(), body


def ended(link):
    """Tell whether the other end is closed, without reading what came before."""
    seen, _, _ = select.select([link], [], [], PATIENCE)
    try:
        return bool(seen) and link.recv(1 << 20) == b""
    except ConnectionError:
        return True


def join(house, link):
    """Have the phone behind ``link`` come in; return its cookie."""
    body = json.dumps({"key": "a-key-of-its-own-1", "code": code(house.app)})
    more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    link.sendall(request("/api/join", method="POST", more=more) + body.encode())
    status, head, _ = answer(link)
    assert status == 200
    return re.search(r"Set-Cookie: ([^;]+)", head)[1]


def code(app):
    return web.invitation(app).partition("#")[2]


def houses(app):
    """Give a way to open houses of ``app``, and close them all in the end."""
    opened = []

    def build(**bounds):
        opened.append(House(app, **bounds))
        return opened[-1]

    yield build
    for house in opened:
        house.close()
