"""The club's pages: a wall of all tables, and each table to look at. What they know is what the
club has stored."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, Response, abort, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.club import results_pages, tournament_pages
from companion.club.copies import Copies
from companion.club.news import News
from companion.club.results import Results
from companion.club.store import ClubTable, Store
from companion.games import find_game
from companion.journal import Damaged
from companion.rules import BadInput, CompanionError, HardwareFault, say, tell
from companion.table.past_games import past_games
from web import drawing
from web.access.guard import SENTENCES
from web.language import current, install, translator
from web.routes.archive import Shown, followed_in, pictured
from web.wording import named

_log = logging.getLogger(__name__)

LINES = 40
"""The newest lines of a game that a table's page shows; on the wall there are two."""
FOLLOWED = 100
"""Tables whose games are gone on with, not followed anew, when something happens there."""
AT_ONCE = 24
"""Tables that a page is told at once at most: it asks for those in sight."""
THREADS, HELD = 64, 48
"""Requests that are answered at once, and how many of them may wait for news."""
HOLD = 20.0
"""Seconds for which a page that waits for news is answered at the latest."""
SOON, LATER = 50, 1000
"""Milliseconds until a page asks again that was let wait, and one for which there was no room."""
MOST_SENT = 64 * 1024
"""Bytes of what a page may send."""


class WallTable(NamedTuple):
    """A table as the pages show it: ``past`` tells its game as a page of past games does (None
    where it cannot be followed: ``trouble`` says why), ``picture`` is its board; ``seq`` is the
    last event that is in it."""

    table: str
    name: str
    state: str
    key: str
    seq: int
    past: Mapping[str, Any] | None = None
    picture: drawing.Picture | None = None
    turn: str = ""
    trouble: str = ""


class Wall:
    """All tables as the pages show them, each made anew only when something has happened there."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._made: dict[tuple[str, str], WallTable] = {}
        self._followed: dict[str, tuple[ClubTable, Shown]] = {}
        self._guard = threading.Lock()

    def every(self) -> list[str]:
        """Return the id of every table, those first that play."""
        return [table.table for table in self._copies.tables()]

    def tables(self, wanted: Sequence[str]) -> list[WallTable]:
        """Return those ``wanted`` that there are, those first that play."""
        with self._guard:
            return [self._shown(table) for table in self._copies.tables(wanted)]

    def _shown(self, table: ClubTable) -> WallTable:
        language, state = current(), table.state.state if table.state else "offline"
        told = (table.epoch, table.seq, table.rewritten, state, table.name, language)
        key = hashlib.sha256(repr(told).encode()).hexdigest()[:16]
        known = self._made.get((table.table, language))
        if known is None or known.key != key:
            known = self._made[table.table, language] = self._make(table, state, key)
        return known

    def _make(self, table: ClubTable, state: str, key: str) -> WallTable:
        bare = WallTable(table.table, table.name, state, key, table.seq)
        try:
            with self._copies.read(table) as journal:
                games = past_games(journal)
                if not games:
                    return bare
                shown = followed_in(journal, games[0], find_game, self._before(table))
                told, picture = pictured(shown, None, LINES)
        except CompanionError as error:
            if isinstance(error, HardwareFault) and not isinstance(error, Damaged):
                raise
            _log.warning("table %s: %s", table.table, error)
            return bare._replace(trouble=tell(error.sentence, translator(current())))
        self._followed.pop(table.table, None)
        self._followed[table.table] = table, shown
        if len(self._followed) > FOLLOWED:
            del self._followed[next(iter(self._followed))]
        game = shown.followed.game
        seat = game.to_move(shown.followed.states[-1]) if told["outcome"] is None else None
        turn = tell(named(seat), translator(current())) if seat else ""
        return bare._replace(past=told, picture=picture, turn=turn)

    def _before(self, table: ClubTable) -> Shown | None:
        """Return how far the game at ``table`` was followed before, where nothing was taken out of
        its journal since."""
        before, shown = self._followed.get(table.table, (table, None))
        same = (before.epoch, before.rewritten) == (table.epoch, table.rewritten)
        return shown if same else None


def create_wall(store: Store, folder: Path) -> Flask:
    """Return the club's pages; ``folder`` is theirs for copies of journals."""
    app = Flask("web")
    install(app)
    drawing.install(app)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.config["MAX_CONTENT_LENGTH"] = MOST_SENT
    copies = Copies(store, folder)
    results = Results(copies)
    wall = Wall(copies)
    _pages(app, wall)
    _tiles(app, wall, News(store))
    results_pages.register(app, copies, results)
    tournament_pages.register(app, store, results)

    @app.errorhandler(HardwareFault)
    def failed(fault: HardwareFault) -> ResponseReturnValue:
        return render_template("club/trouble.html", words=fault.sentence), 503

    @app.errorhandler(BadInput)
    def wrong(error: BadInput) -> ResponseReturnValue:
        words = tell(error.sentence, translator(current()))
        return render_template("club/trouble.html", words=words), 400

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> ResponseReturnValue:
        code = error.code or 500
        # What is not here has words of its own.
        said = {**SENTENCES, 403: say("the host alone may do this"), 404: ""}.get(code, "")
        words = tell(said, translator(current()))
        return render_template("club/trouble.html", words=words), code

    @app.after_request
    def guarded(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = (
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
        )
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cache-Control"] = response.headers.get("Cache-Control", "no-cache")
        return response

    return app


def _pages(app: Flask, wall: Wall) -> None:
    @app.get("/")
    def all_tables() -> str:
        every = wall.every()
        there = {one.table: one for one in wall.tables(every[:AT_ONCE])}
        return render_template("club/wall.html", every=every, there=there)

    @app.get("/tables/<name>")
    def one_table(name: str) -> str:
        found = wall.tables([name])
        if not found:
            abort(404)
        return render_template("club/table.html", one=found[0])


def _tiles(app: Flask, wall: Wall, news: News) -> None:
    room = threading.BoundedSemaphore(HELD)

    @app.get("/api/wall")
    def tiles() -> Mapping[str, Any]:
        """All tables in their order; or, of those that the page has in sight (``ID.KEY``, …), the
        tiles of those whose key is another: with ``wait`` as soon as there is one. It says after
        how many milliseconds to ask again."""
        asked = request.args.get("tables")
        if asked is None:
            return {"ok": True, "tables": wall.every()}
        known = dict(one.partition(".")[::2] for one in asked.split(",")[:AT_ONCE])
        held = "wait" in request.args and room.acquire(blocking=False)
        try:
            changed = awaited(known, HOLD if held else 0.0)
        finally:
            if held:
                room.release()
        tables = [(one, render_template("club/tile.html", one=one)) for one in changed]
        told = [
            {"table": one.table, "key": one.key, "seq": one.seq, "html": html}
            for one, html in tables
        ]
        return {"ok": True, "tables": told, "again": SOON if held else LATER}

    def awaited(known: Mapping[str, str], seconds: float) -> list[WallTable]:
        gone = request.environ.get("waitress.client_disconnected", bool)
        end = time.monotonic() + seconds
        while True:
            seen = news.edition
            changed = [one for one in wall.tables(list(known)) if one.key != known[one.table]]
            left = end - time.monotonic()
            if changed or left <= 0 or not news.wait(known, seen, left, gone):
                return changed


def serving(app: Flask, host: str, port: int) -> tuple[Callable[[], None], Callable[[], None], int]:
    """Return what serves ``app`` until it is closed, what closes it, and its port.

    Raises:
        BadInput: the address is taken or not ours.
    """
    from waitress import create_server

    try:
        # A page that goes away while it waits is noticed by what it would have asked next.
        server = create_server(
            app, host=host, port=port, threads=THREADS, channel_request_lookahead=1
        )
    except OSError as error:
        raise BadInput(f"{host}:{port} cannot be listened at: {error.strerror}") from error
    return server.run, server.close, int(server.effective_port)
