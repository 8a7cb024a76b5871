"""A chess server with the Board API, written from its published description: streams of lines of
JSON, moves, draws, resigning, aborting. It can be told to fail in every way a line fails."""

from __future__ import annotations

import json
import random
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from companion.games import find_game

CHESS: Any = find_game("chess")
TOKEN = "lip_of_the_owner"
SIDES = ("white", "black")
FAULTS = ("cut", "lost", "unheard", "garbage", "illegal", "twice", "failing")
"""What can go wrong: a stream is cut; a request is lost on its way, or its answer; a line is no
JSON; a move is told that the rules do not know; a line comes twice; the server fails."""

WRONG = ("e2e5", "a1a1", "h7h8q", "e1g1")


class ServerGame:
    """A game on the server. The opponent of ``colour`` moves when :meth:`move_foe` is called."""

    def __init__(self, number: str, colour: str) -> None:
        self.number, self.colour = number, colour
        self.foe = SIDES[1 - SIDES.index(colour)]
        self.state = CHESS.start(CHESS.setup())
        self.moves: list[str] = []
        self.status, self.winner = "started", ""
        self.draws: set[str] = set()
        self.asked: list[str] = []
        self.skew = 0

    @property
    def to_move(self) -> str:
        return SIDES[len(self.moves) % 2]

    @property
    def over(self) -> bool:
        return self.status != "started"

    def play(self, text: str) -> bool:
        action = CHESS.uci_action(self.state, text)
        if self.over or action is None:
            return False
        self.state = CHESS.advance(self.state, action)
        self.moves.append(text)
        self.draws.discard(SIDES[1 - (len(self.moves) - 1) % 2])
        if (ended := CHESS.outcome(self.state)) is not None:
            status = (
                "mate" if ended.winners else "stalemate" if ended.rule == "CH-5.2.1" else "draw"
            )
            self.end(status, ended.winners[0] if ended.winners else "")
        return True

    def end(self, status: str, winner: str = "") -> None:
        self.status, self.winner = status, winner

    def told(self) -> dict[str, Any]:
        left = max(0, 600_000 - 1000 * len(self.moves) + self.skew)
        told: dict[str, Any] = {
            "type": "gameState", "moves": " ".join(self.moves), "wtime": left, "btime": left,
            "winc": 0, "binc": 0, "status": self.status,
        }  # fmt: skip
        told |= {"winner": self.winner} if self.winner else {}
        return told | {"wdraw": "white" in self.draws, "bdraw": "black" in self.draws}

    def full(self) -> dict[str, Any]:
        return {
            "type": "gameFull", "id": self.number, "variant": {"key": "standard"},
            "speed": "rapid", "initialFen": "startpos", "clock": {"initial": 600_000},
            "white": {"name": "Anna"}, "black": {"name": "Bert"}, "state": self.told(),
        }  # fmt: skip


class BoardServer(ThreadingHTTPServer):
    """The server. ``faults`` are those that may happen, each with the probability ``often``."""

    daemon_threads = True

    def __init__(self, seed: int = 1, faults: tuple[str, ...] = (), often: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), Board)
        self.chance, self.faults, self.often = random.Random(seed), faults, often
        self.news = threading.Condition()
        self.edition = 0
        self.game: ServerGame | None = None
        self.closed = False
        self.happened: dict[str, int] = {}
        self.strangers = 0
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> BoardServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True
        self.tell()
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A line that was cut is what is tried here."""

    def fault(self, *kinds: str) -> str:
        """Return which of ``kinds`` happens now, mostly none."""
        with self.news:
            able = [kind for kind in kinds if kind in self.faults]
            if not able or self.chance.random() >= self.often:
                return ""
            kind = self.chance.choice(able)
            self.happened[kind] = self.happened.get(kind, 0) + 1
            return kind

    def begin(self, colour: str) -> ServerGame:
        with self.news:
            self.game = ServerGame(f"game{self.edition:04}", colour)
        self.tell()
        return self.game

    def tell(self) -> None:
        with self.news:
            self.edition += 1
            self.news.notify_all()

    def move_foe(self, text: str = "") -> None:
        game = self.game
        assert game is not None
        with self.news:
            if not text:
                action = self.chance.choice(list(CHESS.legal(game.state)))
                text = f"{action.origin}{action.target}{(action.detail or '').lower()}"
            assert game.play(text)
        self.tell()


class Board(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: BoardServer

    def log_message(self, *args: Any) -> None:
        pass

    def _let_in(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self.server.strangers += 1
        self._answer(401, {"error": "No such token"})
        return False

    def do_GET(self) -> None:
        if not self._let_in():
            return
        if self.server.fault("failing"):
            self._answer(502, {"error": "down"})
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with suppress(OSError):
            if self.path == "/api/stream/event":
                self._events()
            else:
                self._game(self.path.rpartition("/")[2])
        self.close_connection = True

    def _events(self) -> None:
        told: set[str] = set()
        while not self.server.closed:
            game, seen = self.server.game, self.server.edition
            if game is not None and not game.over and game.number not in told:
                told.add(game.number)
                number = {"gameId": game.number, "fullId": f"{game.number}abcd"}
                about = {**number, "color": game.colour, "compat": {"bot": False, "board": True}}
                self._line({"type": "gameStart", "game": about})
            if not self._rest(seen):
                return

    def _game(self, number: str) -> None:
        game = self.server.game
        if game is None or game.number != number:
            return
        self._line(game.full())
        while not self.server.closed:
            seen = self.server.edition
            self._line(game.told())
            if game.over or not self._rest(seen):
                return

    def _rest(self, seen: int) -> bool:
        """Wait for news; return False where the line is to be cut."""
        if self.server.fault("cut"):
            return False
        with self.server.news:
            self.server.news.wait_for(lambda: self.server.edition != seen, 0.5)
        self._send(b"\n")
        return True

    def _line(self, told: dict[str, Any]) -> None:
        text = json.dumps(told).encode() + b"\n"
        kind = self.server.fault("garbage", "illegal", "twice")
        if kind == "garbage":
            text = self.server.chance.choice(
                (b"{\n", b"[]\n", b'{"type": 7}\n', b"\xff\n", text[:9])
            )
        if kind == "illegal" and told["type"] == "gameState":
            state = self.server.game.state
            wrong = [one for one in WRONG if CHESS.uci_action(state, one) is None]
            moves = f"{told['moves']} {self.server.chance.choice(wrong)}"
            text = json.dumps({**told, "moves": moves.strip()}).encode() + b"\n"
        self._send(text * (2 if kind == "twice" else 1))

    def _send(self, text: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
        self.wfile.flush()

    def do_POST(self) -> None:
        if not self._let_in():
            return
        kind = self.server.fault("lost", "unheard", "failing")
        if kind == "failing":
            self._answer(500, {"error": "down"})
            return
        if kind == "lost":
            self._hang_up()
            return
        status, told = self._do(self.path.split("/")[4:])
        self.server.tell()
        if kind == "unheard":
            self._hang_up()
        else:
            self._answer(status, told)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.close()

    def _do(self, words: list[str]) -> tuple[int, dict[str, Any]]:
        game = self.server.game
        if game is None or words[0] != game.number or game.over:
            return 400, {"error": "This game cannot be played"}
        with self.server.news:
            game.asked.append("/".join(words[1:]))
            if words[1] == "move":
                good = game.to_move == game.colour and game.play(words[2])
                return (200, {"ok": True}) if good else (400, {"error": "Not a valid move"})
            if words[1] == "resign":
                game.end("resign", game.foe)
            elif words[1] == "abort":
                if len(game.moves) >= 2:
                    return 400, {"error": "It is too late to abort"}
                game.end("aborted")
            elif words[1:] == ["draw", "yes"]:
                game.draws.add(game.colour)
                if game.foe in game.draws:
                    game.end("draw")
            elif words[1:] == ["draw", "no"]:
                game.draws.discard(game.foe)
        return 200, {"ok": True}

    def _answer(self, status: int, told: dict[str, Any]) -> None:
        text = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


class FastClock:
    """Time that passes faster than it does."""

    def __init__(self, times: float) -> None:
        self._times, self._begun = times, time.monotonic()

    def __call__(self) -> float:
        return self._times * (time.monotonic() - self._begun)
