"""How fast a page comes while a full house of phones is there and some of them mean no good.

    python tests/bench/bench_phones.py [--phones 64] [--idle 100] [--slow 100] [--seconds 20]
                                       [--hotspot]

Every phone has what a browser has: six kept connections, a live stream, a page now and then with
its scripts. Beside them idle sockets, and slow ones: headers byte by byte, bodies byte by byte,
answers that nobody reads, opened anew whenever they are closed. Each phone has an address of its
own on the loopback; with ``--hotspot`` all have one, and those that mean no good have it too.
Printed: the page at the 95th percentile, beside a quiet house's (one phone); who was shut out;
threads and memory of the server. Ends with 1 if anybody was shut out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import threading
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from bench_web import Child, percentile

KEPT = 6
PATIENCE = 10.0
"""Seconds after which somebody who got no answer was shut out."""
MOVES = 1.0
"""Seconds between two moves."""
TURN = 0.15
"""Seconds between two measured pages."""


def serve() -> None:
    """Serve a game; each line on standard input plays a move, and tells threads and memory."""
    import web
    from companion.games import find_game
    from companion.journal import Journal
    from companion.table import Table
    from companion.table.evening import Evening

    game, chance = find_game("victorus"), random.Random(7)
    setup = game.setup(["red", "purple"])
    with tempfile.TemporaryDirectory() as folder:
        table = Table.create(Journal(Path(folder) / "bench.sqlite3"), game, setup)
        app = web.create_app(Evening(table), config=web.Config())
        with web.Server(app, port=0) as server:
            codes = [web.invitation(app).partition("#")[2] for _ in range(80)]
            print(json.dumps({"port": server.port, "codes": codes}), flush=True)
            for _ in sys.stdin:
                legal = game.legal(table.state)
                moves = [action for action in legal if action.origin and action.target]
                if legal:
                    table.play(chance.choice(moves or list(legal)), "camera")
                else:
                    table.undo(len(table.actions), "host")
                told = {"at": threading.active_count(), "id": table.state_id}
                print(json.dumps(told), flush=True)


def resident(process: int) -> float:
    """Return the megabytes that a process holds in memory."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


@dataclass
class Found:
    """What was measured and counted."""

    pages: list[float] = field(default_factory=list)
    shut_out: list[str] = field(default_factory=list)
    closed: int = 0
    """How often a slow or idle socket was closed by the server."""
    threads: int = 0


class Link:
    """One kept connection of a browser, opened anew where the server closed it meanwhile."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._ends is None:
            self._ends = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._address, 0)
            )
        return self._ends

    async def ask(self, request: bytes) -> tuple[int, bytes, bytes]:
        """Return status, head and body; a kept connection that was closed is tried once more."""
        fresh = self._ends is None
        try:
            return await asyncio.wait_for(self._asked(request), PATIENCE)
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            if fresh:
                raise
        return await asyncio.wait_for(self._asked(request), PATIENCE)

    async def _asked(self, request: bytes) -> tuple[int, bytes, bytes]:
        reader, writer = await self.open()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        body = await reader.readexactly(int(length[1])) if length else b""
        if b"Connection: close" in head:
            self.close()
        return int(head.split()[1]), head, body

    def close(self) -> None:
        if self._ends:
            self._ends[1].close()
        self._ends = None


class Phone:
    """A browser on a phone that has joined."""

    def __init__(self, port: int, number: int, address: str, found: Found) -> None:
        self.port, self.number, self.address, self.found = port, number, address, found
        self.links = [Link(port, address) for _ in range(KEPT)]
        self.cookie, self.heard = "", 0
        self.statics: list[str] = []

    def request(self, path: str, body: str = "", more: str = "") -> bytes:
        head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        head += f"Accept-Encoding: gzip\r\n{self.cookie}{more}"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{head}\r\n{body}".encode()

    async def join(self, code: str) -> None:
        body = json.dumps(
            {"key": f"bench-key-number-{self.number:04}", "code": code, "name": f"P{self.number}"}
        )
        status, head, _ = await self.links[0].ask(self.request("/api/join", body))
        assert status == 200, status
        found = re.search(rb"Set-Cookie: ([^;]+)", head)
        assert found
        self.cookie = f"Cookie: {found[1].decode()}\r\n"

    async def load(self, first: bool = False) -> None:
        """Load the page, and all else as browsers do: over six connections at once."""
        began = time.monotonic()
        try:
            status, _, _ = await self.links[0].ask(self.request("/"))
            if status != 200:
                raise ConnectionError(f"the page came with {status}")
            self.found.pages.append(1000 * (time.monotonic() - began))
            if first:
                names = ("style.css", "app.js", "live.js", "board.js", "device.js", "icon.svg")
                asked = [
                    link.ask(self.request(f"/static/{name}"))
                    for link, name in zip(self.links, names, strict=True)
                ]
                for answer in await asyncio.gather(*asked):
                    if answer[0] != 200:
                        raise ConnectionError(f"a script came with {answer[0]}")
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            self.found.shut_out.append(f"phone {self.number}: page: {error!r}")

    async def listen(self) -> None:
        """Hold the live stream as an EventSource does: opened again when it ends."""
        path = f"/api/events?html=1&client=bench-{self.number:04}"
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 22
                )
                writer.write(self.request(path))
                await self._hear(reader)
            except OSError:
                pass
            finally:
                if writer:
                    writer.close()
            await asyncio.sleep(0.5)

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        """Note what the stream tells until it ends, unpacked as it comes."""
        head = await reader.readuntil(b"\r\n\r\n")
        unpack = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress
        if b"Content-Encoding: gzip" not in head:
            raise ConnectionError("the stream is not compressed")
        rest = b""
        while size := int(await reader.readline() or b"0", 16):
            rest += unpack((await reader.readexactly(size + 2))[:-2])
            *lines, rest = rest.split(b"\n")
            numbers = [int(line[4:]) for line in lines if line.startswith(b"id: ")]
            self.heard = max(self.heard, *numbers, 0)


async def idle(port: int, address: str, found: Found) -> None:
    """Hold a socket and say nothing."""
    while True:
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0)
            )
            await reader.read(1)
            found.closed += 1
            writer.close()
        except OSError:
            pass
        await asyncio.sleep(0.5)


async def slow(port: int, number: int, address: str, found: Found) -> None:
    """Send a header or a body byte by byte, or do not read what was asked for."""
    head = f"HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()
    body = head + b"Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n"
    while True:
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0), limit=1024
            )
            if number % 3 == 0:
                writer.write(b"GET /?" + b"x" * 9 + b" " + head)
            elif number % 3 == 1:
                writer.write(b"POST /api/join " + body)
            else:
                writer.write((b"GET /rules " + head + b"\r\n") * 20)
            while not reader.at_eof():
                if number % 3 != 2:
                    writer.write(b"a")
                    await writer.drain()
                await asyncio.sleep(1.0)
                if number % 3 != 2 and reader._buffer:  # type: ignore[attr-defined]
                    break
            found.closed += 1
            writer.close()
        except OSError:
            found.closed += 1
        await asyncio.sleep(0.5)


async def evening(child: Child, chosen: argparse.Namespace, count: int, bad: bool) -> Found:
    """Have ``count`` phones in the house for some seconds; return what was found."""
    found, shared = Found(), chosen.hotspot
    codes = [child.codes.pop() for _ in range(count)]
    phones = [
        Phone(child.port, n, "127.0.0.2" if shared else f"127.0.0.{2 + n}", found)
        for n in range(count)
    ]
    for phone, code in zip(phones, codes, strict=True):
        await phone.join(code)
        await asyncio.sleep(0.2)
    tasks = []
    if bad:
        where = ["127.0.0.2"] * 2 if shared else ["127.0.1.1", "127.0.1.2"]
        wrong = [idle(child.port, where[n % 2], found) for n in range(chosen.idle)]
        wrong += [slow(child.port, n, where[n % 2], found) for n in range(chosen.slow)]
        tasks += map(asyncio.create_task, wrong)
        await asyncio.sleep(1.0)
    for phone in phones:
        await phone.load(first=True)
        tasks.append(asyncio.create_task(phone.listen()))
    found.pages.clear()
    ends, move, turn = time.monotonic() + chosen.seconds, 0.0, 0
    while (now := time.monotonic()) < ends:
        if now > move:
            at, number = await asyncio.to_thread(child.publish)
            found.threads, move = max(found.threads, int(at)), now + MOVES
        if len(found.shut_out) > count // 4:
            break
        await phones[turn % count].load()
        turn += 1
        await asyncio.sleep(TURN)
    _, number = await asyncio.to_thread(child.publish)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and any(phone.heard < number for phone in phones):
        await asyncio.sleep(0.1)
    found.shut_out += [f"phone {p.number}: stream" for p in phones if p.heard < number]
    for task in tasks:
        task.cancel()
    for phone in phones:
        for link in phone.links:
            link.close()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


def told(name: str, found: Found, memory: float) -> str:
    pages = found.pages or [float("nan")]
    return (
        f"{name:12} page p50 {statistics.median(pages):6.1f} ms   "
        f"p95 {percentile(pages, 0.95):6.1f} ms   worst {max(pages):6.1f} ms   "
        f"{found.threads} threads, {memory:.0f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--phones", type=int, default=64)
    parser.add_argument("--idle", type=int, default=100)
    parser.add_argument("--slow", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--hotspot", action="store_true", help="one address for everybody")
    chosen = parser.parse_args()
    if chosen.serve:
        return serve()
    results = []
    for name, count, bad in (("quiet house", 1, False), ("full house", chosen.phones, True)):
        child = Child("--serve")
        started = resident(child.process.pid)
        found = asyncio.run(evening(child, chosen, count, bad))
        print(told(name, found, resident(child.process.pid)), f"(at start {started:.0f} MB)")
        child.close()
        results.append(found)
    ratio = percentile(results[1].pages, 0.95) / percentile(results[0].pages, 0.95)
    print(f"ratio p95 {ratio:.2f}; {results[1].closed} idle or slow sockets were closed")
    shut_out = results[0].shut_out + results[1].shut_out
    if shut_out:
        sys.exit(f"{len(shut_out)} were shut out, such as {shut_out[:3]}")
    return None


if __name__ == "__main__":
    main()
