"""How fast a move reaches the phones, beside a bare Flask server of events, and how fast pages
answer meanwhile. Real HTTP over loopback; a process for each server, run in turn.

    python tests/bench/bench_web.py [--phones 12 50] [--moves 60] [--joined]
"""

from __future__ import annotations

import argparse
import http.client
import json
import queue
import random
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SLICE = 5
"""Moves of one server before it is the other's turn."""
RELOADS, GAP = 50, 0.05
BARE = (650, 1_100)
"""Bytes of an event: those of the published measurements, and as many as ours."""
STREAM = "/api/events?html=1&client=bench-{:04}"


def serve_companion() -> None:
    """Serve a game; each line on standard input plays a move and prints when it was committed."""
    import web
    from companion.games import find_game
    from companion.journal import Journal
    from companion.table import Table
    from companion.table.evening import Evening

    game, chance = find_game("victorus"), random.Random(7)
    setup = game.setup(["red", "purple"])
    with tempfile.TemporaryDirectory() as folder:
        table = Table.create(Journal(Path(folder) / "bench.sqlite3"), game, setup)
        config = web.Config(streams=80, streams_per_address=80)
        app = web.create_app(Evening(table), config=config)
        app.extensions["context"].reads._limit = 1_000_000
        committed: list[float] = []
        # The first to hear of an event hears it right after its commit.
        table._listeners._listeners = (
            lambda event: committed.append(time.monotonic()),
            *table._listeners._listeners,
        )
        with web.Server(app, port=0) as server:
            codes = [web.invitation(app).partition("#")[2] for _ in range(80)]
            print(json.dumps({"port": server.port, "codes": codes}), flush=True)
            for _ in sys.stdin:
                moves = [a for a in game.legal(table.state) if a.origin and a.target]
                table.play(chance.choice(moves or game.legal(table.state)), "camera")
                print(json.dumps({"at": committed[-1], "id": table.state_id}), flush=True)


def serve_bare(size: int) -> None:
    """Serve ``size`` bytes to every listener for each line on standard input."""
    import logging

    from flask import Flask, Response
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)

    app, listeners = Flask("bare"), []

    @app.get("/api/events")
    def events() -> Response:
        mine: queue.Queue[str] = queue.Queue()
        listeners.append(mine)
        mine.put("id: 0\ndata: {}\n\n")
        return Response(iter(mine.get, None), mimetype="text/event-stream")

    server = make_server("127.0.0.1", 0, app, threaded=True)
    print(json.dumps({"port": server.server_port, "codes": []}), flush=True)
    import threading

    threading.Thread(target=server.serve_forever, daemon=True).start()
    for number, _ in enumerate(sys.stdin, start=1):
        at = time.monotonic()
        text = f"id: {number}\ndata: {json.dumps({'fill': 'x' * size})}\n\n"
        for mine in tuple(listeners):
            mine.put(text)
        print(json.dumps({"at": at, "id": number}), flush=True)


class Child:
    """A server in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, sys.argv[0], *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        facts = self._line()
        self.port, self.codes = int(facts["port"]), facts["codes"]

    def _line(self) -> dict[str, Any]:
        assert self.process.stdout
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def publish(self) -> tuple[float, int]:
        """Have something happen; return when it was committed, and its number."""
        assert self.process.stdin
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        told = self._line()
        return told["at"], told["id"]

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class Phones:
    """Streams that listen, all read in one thread."""

    def __init__(self, child: Child, count: int, cookies: list[str]) -> None:
        self.selector = selectors.DefaultSelector()
        self.rest = {}
        for number in range(count):
            link = socket.create_connection(("127.0.0.1", child.port))
            cookie = f"Cookie: {cookies[number]}\r\n" if cookies else ""
            link.sendall(
                f"GET {STREAM.format(number)} HTTP/1.1\r\nHost: 127.0.0.1:{child.port}\r\n"
                f"{cookie}\r\n".encode()
            )
            self.selector.register(link, selectors.EVENT_READ, number)
            self.rest[number] = b""
        self.bytes = 0

    def wait(self, wanted: int, timeout: float = 10.0) -> float:
        """Return when the last phone had read event ``wanted`` whole."""
        missing, until = set(self.rest), time.monotonic() + timeout
        while missing:
            if time.monotonic() > until:
                raise TimeoutError(f"{len(missing)} phones heard nothing of {wanted}")
            for key, _ in self.selector.select(0.1):
                data = key.fileobj.recv(1 << 18)  # type: ignore[union-attr]
                self.bytes += len(data)
                text = self.rest[key.data] + data
                # Chunked transfer puts sizes between; an event ends with an empty line.
                start = text.rfind(b"id: %d\n" % wanted)
                if start >= 0 and b"\n\n" in text[start:]:
                    missing.discard(key.data)
                self.rest[key.data] = text[-200_000:] if key.data in missing else b""
        return time.monotonic()

    def drain(self) -> None:
        """Read what comes within a moment, first snapshots and the like."""
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            for key, _ in self.selector.select(0.1):
                key.fileobj.recv(1 << 18)  # type: ignore[union-attr]
        self.rest = dict.fromkeys(self.rest, b"")

    def close(self) -> None:
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()


def slices(child: Child, phones: Phones, moves: int) -> Iterator[float]:
    """Yield how long each of ``moves`` moves took to the last phone, in milliseconds."""
    for _ in range(moves):
        at, number = child.publish()
        yield 1000 * (phones.wait(number) - at)
        time.sleep(GAP)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def told(name: str, values: list[float]) -> str:
    return (
        f"{name:28} last phone p50 {statistics.median(values):6.1f} ms   "
        f"p95 {percentile(values, 0.95):6.1f} ms   worst {max(values):6.1f} ms"
    )


def cookies_of(child: Child, count: int) -> list[str]:
    """Have ``count`` phones join and take names; return their cookies."""
    found = []
    for number, code in enumerate(child.codes[:count]):
        link = http.client.HTTPConnection("127.0.0.1", child.port)
        body = {"key": f"bench-key-number-{number:04}", "code": code, "name": f"Phone {number}"}
        link.request("POST", "/api/join", json.dumps(body), {"Content-Type": "application/json"})
        answer = link.getresponse()
        found.append(str(answer.headers["Set-Cookie"]).partition(";")[0])
        link.close()
        time.sleep(0.2)  # as many as the house lets one address send
    return found


def compare(phones: int, moves: int, joined: bool) -> None:
    """Print how the servers do with ``phones`` phones, and the ratios."""
    children = {"companion": Child("--serve", "companion")}
    for size in BARE:
        children[f"bare Flask, {size} bytes"] = Child("--serve", "bare", "--size", str(size))
    ours = children["companion"]
    cookies = cookies_of(ours, phones) if joined else []
    listening = [Phones(child, phones, cookies) for child in children.values()]
    times: list[list[float]] = [[] for _ in children]
    for each in listening:
        each.drain()
    for _ in range(max(1, moves // SLICE)):
        for child, each, found in zip(children.values(), listening, times, strict=True):
            found += slices(child, each, SLICE)
    print(f"-- {phones} phones{', all joined and named' if joined else ''}")
    for name, found in zip(children, times, strict=True):
        print(told(name, found), end="")
        middle = statistics.median(times[0]) / statistics.median(found)
        ratio = percentile(times[0], 0.95) / percentile(found, 0.95)
        print(f"   ratio p50 {middle:.2f}, p95 {ratio:.2f}")
    print(f"{listening[0].bytes // (phones * len(times[0]))} bytes a move and phone")
    reload_pages(ours)
    for each in listening:
        each.close()
    for child in children.values():
        child.close()


def reload_pages(child: Child) -> None:
    """Print how long the page takes while phones listen and one reloads and drops streams."""
    found = []
    for number in range(RELOADS):
        stray = socket.create_connection(("127.0.0.1", child.port))
        stray.sendall(
            f"GET {STREAM.format(900 + number % 3)} HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{child.port}\r\n\r\n".encode()
        )
        began = time.monotonic()
        link = http.client.HTTPConnection("127.0.0.1", child.port)
        link.request("GET", "/", headers={"Accept-Encoding": "gzip"})
        answer = link.getresponse()
        answer.read()
        found.append(1000 * (time.monotonic() - began))
        assert answer.status == 200, answer.status
        link.close()
        stray.close()
    print(told(f"{RELOADS} reloads of the page", found).replace("last phone ", ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", choices=("companion", "bare"))
    parser.add_argument("--size", type=int, default=650)
    parser.add_argument("--phones", type=int, nargs="+", default=[12, 50])
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--joined", action="store_true", help="every phone is somebody else")
    chosen = parser.parse_args()
    if chosen.serve == "companion":
        serve_companion()
    elif chosen.serve == "bare":
        serve_bare(chosen.size)
    else:
        for phones in chosen.phones:
            compare(phones, chosen.moves, chosen.joined)


if __name__ == "__main__":
    main()
