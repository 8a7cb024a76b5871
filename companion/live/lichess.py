"""The Board API that lichess publishes: its addresses, and what of its answers is believed."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from companion.rules import BadInput, HardwareFault, quoted

SERVER = "https://lichess.org"
PATIENCE = 20.0
"""Seconds in which a stream says at least that it is alive; the server does so every seven."""
LONGEST = 64 * 1024
"""Bytes of a line of a stream at most."""
RESTS = 60.0
"""Seconds for which nothing is asked after the server has said that it was too much."""
_GAME = re.compile(r"[A-Za-z0-9]{4,16}")
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
GOES_ON = ("created", "started")


class Refused(Exception):
    """The server does not do what it was asked; the text says why."""


class Busy(HardwareFault):
    """The server was asked too much, and wants to be left alone for :data:`RESTS` seconds."""


class ServerGameBegun(NamedTuple):
    """A game that begins, or goes on, on the server: its number, and which colour is ours."""

    game: str
    colour: str


class ServerStanding(NamedTuple):
    """How a game stands on the server: the ``moves`` in its notation, its ``status``, who won, the
    seconds left on the clocks (white, black; None without), and which colours offer a draw."""

    moves: tuple[str, ...] = ()
    status: str = "created"
    winner: str = ""
    clocks: tuple[float, float] | None = None
    draws: frozenset[str] = frozenset()

    @property
    def over(self) -> bool:
        """Tell whether the game has ended there."""
        return self.status not in GOES_ON


class Lichess:
    """A line to the server at ``address``, for the owner of ``token``. Nobody else is ever asked:
    an answer that leads elsewhere is an error."""

    def __init__(self, address: str, token: str, patience: float = PATIENCE) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise BadInput(f"{quoted(address)} is no server; write {SERVER}")
        self._host, self._port, self._path = parts.hostname, parts.port, parts.path.rstrip("/")
        self._secure, self._patience = parts.scheme == "https", patience
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "tabletop-companion"}
        self._guard = threading.Lock()
        self._streaming: socket.socket | None = None
        self._closed = False

    def post(self, path: str) -> None:
        """Ask for something to be done.

        Raises:
            Refused: the server does not want to.
            HardwareFault: it cannot be reached, or is busy.
        """
        line = self._line()
        try:
            with self._asked(line, "POST", path) as answer:
                answer.read(LONGEST)
        finally:
            line.close()

    def events(self) -> Iterator[ServerGameBegun | None]:
        """Yield the games that begin; None for a sign of life, and for whatever else happens there.

        Raises:
            HardwareFault: the line is cut, or what comes is not understood.
        """
        for told in self._stream("/api/stream/event"):
            yield _beginning(told)

    def game(self, number: str) -> Iterator[ServerStanding | None]:
        """Yield how a game stands, whenever that changes; raises as :meth:`events`."""
        for told in self._stream(f"/api/board/game/stream/{number}"):
            yield _standing(told)

    def close(self) -> None:
        """End all lines for good: who reads a stream, or is about to, is told that it is cut."""
        with self._guard:
            self._closed = True
            if self._streaming is not None:
                with suppress(OSError):
                    self._streaming.shutdown(socket.SHUT_RDWR)

    def _line(self) -> http.client.HTTPConnection:
        if self._closed:
            raise HardwareFault("the table closes")
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=self._patience)

    def _asked(
        self, line: http.client.HTTPConnection, method: str, path: str
    ) -> http.client.HTTPResponse:
        try:
            line.request(method, self._path + path, headers=self._headers)
            answer = line.getresponse()
            if answer.status == 200:
                return answer
            why = _said(answer.read(LONGEST))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise HardwareFault(f"{self._host} cannot be reached: {error}") from error
        if answer.status == 429:
            raise Busy(f"{self._host} is asked too much; it is left alone for a minute")
        if 400 <= answer.status < 500:
            raise Refused(why or f"status {answer.status}")
        raise HardwareFault(f"{self._host} answers with status {answer.status}")

    def _stream(self, path: str) -> Iterator[Any]:
        line = self._line()
        try:
            line.connect()
            with self._guard:
                if self._closed:
                    raise HardwareFault("the table closes")
                self._streaming = line.sock
            with self._asked(line, "GET", path) as answer:
                while text := answer.readline(LONGEST):
                    if not text.endswith(b"\n"):
                        raise HardwareFault(f"{self._host} was cut off, or says too much at once")
                    yield json.loads(text) if text.strip() else None
        except Refused as error:
            raise HardwareFault(f"{self._host} does not let the table in: {error}") from error
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            raise HardwareFault(f"the line to {self._host} is cut: {error}") from error
        finally:
            with self._guard:
                self._streaming = None
            line.close()


def _said(text: bytes) -> str:
    """Return why the server refuses, as far as it says so."""
    try:
        why = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return why[:200] if isinstance(why, str) else ""


def _beginning(told: Any) -> ServerGameBegun | None:
    """Return the game that an event tells of, if it is one that can be played at this table."""
    if told is None or _member(told, "type", str) != "gameStart":
        return None
    game = _member(told, "game", dict)
    number, colour = _member(game, "gameId", str), _member(game, "color", str)
    variant = game.get("variant", {"key": "standard"})
    fits = not isinstance(variant, Mapping) or variant.get("key") == "standard"
    playable = game.get("compat", {}).get("board", True) if fits else False
    if not _GAME.fullmatch(number) or colour not in ("white", "black"):
        raise HardwareFault("the server tells of a game that is none")
    return ServerGameBegun(number, colour) if playable else None


def _standing(told: Any) -> ServerStanding | None:
    """Return how the game stands after a line of its stream; None where it does not tell."""
    if told is None:
        return None
    kind = _member(told, "type", str)
    if kind not in ("gameFull", "gameState"):
        return None
    state = _member(told, "state", dict) if kind == "gameFull" else told
    if kind == "gameFull" and told.get("initialFen", "startpos") != "startpos":
        raise HardwareFault("the server's game begins from a position of its own")
    moves = tuple(_member(state, "moves", str).split())
    status = _member(state, "status", str)
    if not all(map(_MOVE.fullmatch, moves)) or len(moves) > 2000:
        raise HardwareFault("the server tells of moves that are none")
    winner = state.get("winner", "")
    if winner not in ("", "white", "black"):
        raise HardwareFault("the server tells of a winner who does not play")
    times = state.get("wtime"), state.get("btime")
    white, black = (one / 1000 if type(one) in (int, float) else None for one in times)
    clocks = None if white is None or black is None else (max(0.0, white), max(0.0, black))
    offers = {"white": state.get("wdraw"), "black": state.get("bdraw")}
    draws = frozenset(colour for colour, offer in offers.items() if offer is True)
    return ServerStanding(moves, status, winner, clocks, draws)


def _member(told: Any, name: str, kind: type) -> Any:
    """Return the member ``name`` of a JSON object.

    Raises:
        HardwareFault: it is missing, or of another kind.
    """
    value = told.get(name) if isinstance(told, Mapping) else None
    if not isinstance(value, kind):
        raise HardwareFault("the server says something that is not understood")
    return value
