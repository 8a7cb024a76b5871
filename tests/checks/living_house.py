"""A whole table in a process of its own, and phones at it, for tests that let anything happen.

The process is ``evening_house.py``; what is done to it goes over a pipe, what people do
goes over HTTP as from any phone. Every answer is looked at: nothing but sentences may come back.
"""

from __future__ import annotations

import http.client
import json
import re
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CHILD = "tests.checks.evening_house"
ROOT = Path(__file__).parents[2]
CODE_NAME = re.compile(r"Traceback|\w+(Error|Exception)\b|<\w+ object|\bNone\b|\w_\w")
"""What no sentence for people holds."""

PATH = re.compile(r"/\S+")
HASTE = 30.0
"""Seconds within which a phone that asked too fast is answered again."""


class Broken(AssertionError):
    """Something happened that must never happen; the evening's steps are in the message."""


class Phone:
    """A browser's side of one phone: its cookie, and what it asks from an ``address`` of its own:
    who asks from the table's own machine may do everything."""

    def __init__(self, house: LivingHouse, name: str, address: str) -> None:
        self.house, self.name, self.cookie = house, name, ""
        self._from = (address, 0)

    def get(self, path: str) -> tuple[int, Any]:
        """Ask for a page or for JSON; return the status and the text, or the JSON."""
        return self._ask("GET", path, None)

    def post(self, path: str, **body: Any) -> tuple[int, Any]:
        """Send a request with a key of its own."""
        return self._ask("POST", path, {"key": secrets.token_hex(12), **body})

    def state(self) -> Mapping[str, Any]:
        """Return what this phone shows."""
        status, state = self.get("/api/state")
        if status != 200:
            raise Broken(f"the state was answered with {status}: {state}")
        return state

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, Any]:
        end = time.monotonic() + HASTE
        while (answer := self._asked(method, path, body))[0] == 429 and time.monotonic() < end:
            # No hands are as fast as a test.
            time.sleep(0.5)
        return answer

    def _asked(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, Any]:
        line = http.client.HTTPConnection(
            "127.0.0.1", self.house.port, timeout=60, source_address=self._from
        )
        headers = {"Cookie": self.cookie} if self.cookie else {}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers |= {"Content-Type": "application/json"}
        try:
            line.request(method, path, data, headers)
            answer = line.getresponse()
            raw = answer.read()
            for name, value in answer.getheaders():
                if name == "Set-Cookie" and value.startswith("companion_phone="):
                    self.cookie = value.partition(";")[0]
        finally:
            line.close()
        told = json.loads(raw) if answer.headers.get_content_type() == "application/json" else raw
        self.house.heard(method, path, body, answer.status, told)
        return answer.status, told


class LivingHouse:
    """The process, and what has been seen of it so far. ``folder`` holds its journal."""

    def __init__(self, folder: Path, game: str) -> None:
        self._folder, self._game = folder, game
        self.counts: Counter[str] = Counter()
        self.news: list[list[Any]] = []
        """Every event so far: seq, kind, actor, action."""
        self.trouble = False
        """Whether the disk is full or something is unplugged: then 503 and a sentence are due."""
        self._process: subprocess.Popen[str] | None = None
        self.port = 0
        self.start()

    # -- the process -----------------------------------------------------------------

    def start(self) -> None:
        """Start the process on the journal that is there, and check that nothing was lost."""
        before = self.news
        command = [sys.executable, "-m", CHILD, str(self._folder / "game.sqlite3"), self._game]
        with (self._folder / "log.txt").open("a") as log:
            self._process = subprocess.Popen(
                command + ([str(self.port)] if self.port else []),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                cwd=ROOT,
            )  # fmt: skip
        facts = self._line()
        self.port, self.host_code, self.code = facts["port"], facts["host"], facts["code"]
        routes = self.world("routes")
        self.reads, self.writes = routes["GET"], routes["POST"]
        self.news = []
        self.catch_up()
        if self.news[: len(before)] != before:
            lost = [event for event in before if event not in self.news]
            raise Broken(f"after a restart the journal lacks {lost[:5]}")

    def world(self, do: str, **more: Any) -> Any:
        """Do something to the world round the table; return what the process answers."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            log = (self._folder / "log.txt").read_text()[-3000:]
            raise Broken(f"the process ended by itself with {self._process.wait()}:\n{log}")
        return json.loads(line)

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Pull the machine's plug."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        # The pipes are closed with it.
        self._process.communicate()

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    # -- what is seen of it ----------------------------------------------------------

    def heard(
        self, method: str, path: str, body: Mapping[str, Any] | None, status: int, told: Any
    ) -> None:
        """Look at an answer: only what people can read may come, and never a fault of ours."""
        self.counts[f"{method} {status}"] += 1
        # A camera that has only just begun to look has no picture to show.
        early = "/calibrate/" in path or path == "/api/virtual/picture"
        excused = status == 503 and (self.trouble or early)
        if status >= 500 and not excused:
            raise Broken(f"{method} {path} {body} was answered with {status}: {str(told)[:500]}")
        if status >= 400 and isinstance(told, dict):
            message = told.get("error", {}).get("message", "")
            if not message or CODE_NAME.search(PATH.sub("", message)):
                raise Broken(f"{method} {path} {body} was told {message!r}")

    def catch_up(self) -> list[list[Any]]:
        """Return the events since the last call; they are :attr:`news` from now on."""
        after = self.news[-1][0] if self.news else 0
        fresh: list[list[Any]] = self.world("news", after=after)
        self.news += fresh
        return fresh
