"""The club's pages: a wall of all tables, each table to look at, and what every player has to
show. They only show; what they know is what the club has stored."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, Response, abort, render_template
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.club.store import ClubTable, Store
from companion.games import find_game
from companion.journal import Journal
from companion.journal.copying import append_rows
from companion.rules import BadInput, CompanionError, HardwareFault, picture_of, tell
from companion.table.past_games import PastGame, past_games, standings
from web import drawing
from web.language import current, install, translator
from web.routes.archive import followed_in, past
from web.wording import named

_log = logging.getLogger(__name__)

LINES = 40
"""The newest lines of a game that a table's page shows; on the wall there are two."""


class Copies:
    """Copies of all tables' journals in ``folder``, brought up to date when somebody looks. May be
    used from any thread."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._known: dict[str, ClubTable] = {}
        self._guard = threading.RLock()

    def tables(self) -> list[ClubTable]:
        """Return every table of the club, those first that play."""
        with self._guard:
            found = self._store.tables()
        return sorted(found, key=lambda one: (not _plays(one), _name(one).casefold(), one.table))

    def journal(self, table: ClubTable) -> Path:
        """Return the copy of the table's journal.

        Raises:
            HardwareFault: the database or the disk fails.
        """
        path = self._folder / f"{table.table}.sqlite3"
        with self._guard:
            known = self._known.get(table.table)
            same = (
                known is not None
                and (known.epoch, known.rewritten) == (table.epoch, table.rewritten)
                and known.seq <= table.seq
            )
            after = known.seq if known is not None and same else 0
            if after == table.seq and same:
                return path
            rows = [
                row
                for row in self._store.every_event(table.table, table.epoch, after)
                if row.seq <= table.seq
            ]
            if not same or any(row.kind == "deleted" for row in rows):
                self._forget(path)
                rows = list(self._store.every_event(table.table, table.epoch))
            append_rows(path, rows)
            last = rows[-1].seq if rows else after
            self._known[table.table] = table._replace(seq=max(last, table.seq))
        return path

    @staticmethod
    def _forget(path: Path) -> None:
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)


class WallTable(NamedTuple):
    """A table as the pages show it: ``past`` tells its game as a page of past games does (None
    where it cannot be followed: ``trouble`` says why), ``picture`` is its board."""

    table: str
    name: str
    state: str
    key: str
    past: Mapping[str, Any] | None = None
    picture: drawing.Picture | None = None
    turn: str = ""
    trouble: str = ""


class Wall:
    """All tables as the pages show them, each made anew only when something has happened there."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._made: dict[tuple[str, str], WallTable] = {}

    def tables(self) -> list[WallTable]:
        """Return every table, those first that play."""
        return [self._shown(table) for table in self._copies.tables()]

    def table(self, name: str) -> WallTable | None:
        """Return the table with this id, None where there is none."""
        return next((one for one in self.tables() if one.table == name), None)

    def games(self) -> list[PastGame]:
        """Return the games of all tables."""
        found: list[PastGame] = []
        for table in self._copies.tables():
            with Journal.read(self._copies.journal(table)) as journal:
                found += past_games(journal)
        return found

    def _shown(self, table: ClubTable) -> WallTable:
        language, state = current(), table.state.state if table.state else "offline"
        key = f"{table.epoch}-{table.seq}-{table.rewritten}-{state}-{_name(table)}-{language}"
        known = self._made.get((table.table, language))
        if known is None or known.key != key:
            known = self._made[table.table, language] = self._make(table, state, key)
        return known

    def _make(self, table: ClubTable, state: str, key: str) -> WallTable:
        bare = WallTable(table.table, _name(table), state, key)
        try:
            with Journal.read(self._copies.journal(table)) as journal:
                games = past_games(journal)
                if not games:
                    return bare
                shown = followed_in(journal, games[0], find_game)
                told = past(shown, None)
        except HardwareFault:
            raise
        except CompanionError as error:
            _log.warning("table %s: %s", table.table, error)
            return bare._replace(trouble=tell(error.sentence, translator(current())))
        game, setup = shown.followed.game, shown.followed.setup
        tokens = sorted({*told["position"].values()})
        told["symbols"] = {t: drawing.symbol(t, picture_of(game, setup, t)) for t in tokens}
        told["moves"] = told["moves"][-LINES:]
        seat = game.to_move(shown.followed.states[-1]) if told["outcome"] is None else None
        turn = tell(named(seat), translator(current())) if seat else ""
        picture = drawing.picture(game.board(setup))
        return bare._replace(past=told, picture=picture, turn=turn)


def create_wall(store: Store, folder: Path) -> Flask:
    """Return the club's pages; ``folder`` is theirs for copies of journals."""
    app = Flask("web")
    install(app)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    wall = Wall(Copies(store, folder))
    _pages(app, wall)

    @app.errorhandler(HardwareFault)
    def failed(fault: HardwareFault) -> ResponseReturnValue:
        return render_template("club/trouble.html", words=fault.sentence), 503

    @app.errorhandler(BadInput)
    def wrong(error: BadInput) -> ResponseReturnValue:
        return render_template("club/trouble.html", words=error.sentence), 400

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> ResponseReturnValue:
        return render_template("club/trouble.html", words=""), error.code or 500

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
        return render_template("club/wall.html", tables=wall.tables())

    @app.get("/api/wall")
    def tiles() -> Mapping[str, Any]:
        """Every table with its tile; a page replaces those whose key is another."""
        tables = [(one, render_template("club/tile.html", one=one)) for one in wall.tables()]
        told = [{"table": one.table, "key": one.key, "html": html} for one, html in tables]
        return {"ok": True, "tables": told}

    @app.get("/tables/<name>")
    def one_table(name: str) -> str:
        found = wall.table(name)
        if found is None:
            abort(404)
        return render_template("club/table.html", one=found)

    @app.get("/players")
    def players() -> str:
        return render_template("club/players.html", players=standings(wall.games()))


def serving(app: Flask, host: str, port: int) -> tuple[Callable[[], None], Callable[[], None], int]:
    """Return what serves ``app`` until it is closed, what closes it, and its port.

    Raises:
        BadInput: the address is taken or not ours.
    """
    from waitress import create_server

    try:
        server = create_server(app, host=host, port=port, threads=8)
    except OSError as error:
        raise BadInput(f"{host}:{port} cannot be listened at: {error.strerror}") from error
    return server.run, server.close, int(server.effective_port)


def _plays(table: ClubTable) -> bool:
    return table.state is not None and table.state.state == "playing"


def _name(table: ClubTable) -> str:
    return (table.state.name if table.state else "") or table.table
