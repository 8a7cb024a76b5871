"""The club's pages of what was played: players, their games and ratings, search, what can be taken
away."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from flask import Flask, Response, abort, render_template, request

from companion.club.copies import Copies
from companion.club.results import ClubGame, Results, head_to_head, players, ratings, sought
from companion.club.store import ClubTable
from companion.games import find_game, games
from companion.journal import Journal
from companion.referee.export import plain
from companion.rules import BadInput, Game, tell
from web.access.request_fields import whole
from web.language import current, translator
from web.routes.archive import Shown, exports, followed_in, pictured, taken, written
from web.wording import named

SHOWN = 100
"""Games of one page at most, the newest first."""
COLUMNS = ("begun", "over", "game", "table", "players", "result", "winners", "actions", "link")


def register(app: Flask, copies: Copies, results: Results) -> None:
    """Add the pages to ``app``."""

    @app.get("/players")
    def all_players() -> str:
        every = results.games()
        return render_template(
            "club/players.html", players=players(every), ratings=_titled(ratings(every))
        )

    @app.get("/players/<path:name>")
    def one_player(name: str) -> str:
        every = results.games()
        played = [game for game in every if game.seats(name)]
        if not played:
            abort(404)
        called = played[0].past.players[played[0].seats(name)[0]]
        rated = {
            game: (place, one)
            for game, ranked in _titled(ratings(every)).items()
            for place, one in enumerate(ranked, start=1)
            if one.player.casefold() == name.casefold()
        }
        return render_template(
            "club/player.html", name=called, ratings=rated, score=players(played).get(called),
            others=head_to_head(played, name), **_listed(played),
        )  # fmt: skip

    _sought(app, results)
    _one_game(app, copies, results)
    _photographs(app, copies)


def _sought(app: Flask, results: Results) -> None:
    @app.get("/games")
    def all_games() -> str:
        found, asked = _asked(results)
        kinds = sorted({game.past.header.name for game in results.games()})
        titles = {kind: _title(kind) for kind in kinds}
        return render_template("club/games.html", asked=asked, kinds=titles, **_listed(found))

    @app.get("/games.csv")
    def games_csv() -> Response:
        out = io.StringIO()
        rows = csv.writer(out)
        rows.writerow(COLUMNS)
        for one in map(told, _asked(results)[0]):
            names = ", ".join(f"{seat}: {name}" for seat, name in one["players"].items())
            line = one | {"players": names, "winners": ", ".join(one["winners"])}
            rows.writerow([plain(str(line[column])) for column in COLUMNS])
        return taken(out.getvalue(), "games.csv")

    @app.get("/games.json")
    def games_json() -> Response:
        found = [told(game) for game in _asked(results)[0]]
        return taken(json.dumps({"v": 1, "games": found}, ensure_ascii=False), "games.json")


def _one_game(app: Flask, copies: Copies, results: Results) -> None:
    @contextmanager
    def found(
        table: str, journal: str, number: int
    ) -> Iterator[tuple[ClubGame, Shown, Journal, ClubTable]]:
        game = next(
            (
                one
                for one in results.told()
                if (one.table, one.journal, one.past.number) == (table, journal, number)
            ),
            None,
        )
        told = _told_by(copies, table, journal)
        if game is None:
            abort(404)
        with copies.read(told) as kept:
            yield game, followed_in(kept, game.past, find_game), kept, told

    @app.get("/games/<table>/<journal>/<int:number>")
    def one_game(table: str, journal: str, number: int) -> str:
        """A game after any of its actions."""
        with found(table, journal, number) as (game, shown, _, told):
            past, picture = pictured(shown, whole(request.args.get("at")))
        return render_template(
            "club/game.html", one=game, past=past, picture=picture, begun=_day(game.past.begun),
            photographs=copies.store.photographs(told, number),
        )  # fmt: skip

    @app.get("/games/<table>/<journal>/<int:number>/<name>")
    def export(table: str, journal: str, number: int, name: str) -> Response:
        """A game to take away."""
        with found(table, journal, number) as (_, shown, kept, _):
            game = shown.followed.game
            if name not in exports(game):
                abort(404)
            made = written(shown, name, kept, find_game)
        return taken(made, f"{game.name}-{number}.{name.rpartition('.')[2]}")


def _photographs(app: Flask, copies: Copies) -> None:
    @app.get("/games/<table>/<journal>/photographs/<int:seq>/<moment>.jpg")
    def photograph(table: str, journal: str, seq: int, moment: str) -> Response:
        """A photograph that the table's host lets the club have."""
        jpeg = copies.store.photograph(_told_by(copies, table, journal), seq, moment)
        if jpeg is None:
            abort(404)
        return Response(jpeg, mimetype="image/jpeg")


def _told_by(copies: Copies, table: str, journal: str) -> ClubTable:
    """Return this journal of a table; there is no page where there is none."""
    every = copies.journals()
    told = next((one for one in every if (one.table, one.journal) == (table, journal)), None)
    if told is None:
        abort(404)
    return told


def told(game: ClubGame) -> dict[str, Any]:
    """Return a game as exports tell it: times by ISO 8601, ``result`` is ``won``, ``drawn``,
    ``broken off`` or ``open``."""
    past = game.past
    if past.outcome is None:
        result = "open"
    elif past.aborted:
        result = "broken off"
    else:
        result = "won" if game.winners else "drawn"
    return {
        "begun": _iso(past.begun),
        "over": _iso(past.over) if past.over else "",
        "game": past.header.name,
        "table": game.name,
        "players": {seat: past.players.get(seat, "") for seat in past.header.seats},
        "result": result,
        "winners": list(game.winners),
        "actions": past.actions,
        "link": link(game),
    }


def link(game: ClubGame) -> str:
    """Return the address of a game's page."""
    return f"/games/{game.table}/{game.journal}/{game.past.number}"


def _asked(results: Results) -> tuple[list[ClubGame], Mapping[str, str]]:
    """Return the games for which the request asks, and how it did."""
    asked = {name: request.args.get(name, "")[:200] for name in ("words", "game")}
    return sought(results.games(), asked["words"], asked["game"]), asked


def _listed(found: Sequence[ClubGame]) -> dict[str, Any]:
    """Return what a list of games shows."""
    translate = translator(current())
    lines = [
        {
            "link": link(game),
            "day": _day(game.past.begun),
            "title": _title(game.past.header.name),
            "table": game.name,
            "players": [
                (
                    tell(named(seat), translate),
                    game.past.players.get(seat, ""),
                    seat in game.winners,
                )
                for seat in game.past.header.seats
            ],
            "result": told(game)["result"],
        }
        for game in found[:SHOWN]
    ]
    return {"games": lines, "count": len(found)}


def _titled(by_game: Mapping[str, Any]) -> dict[str, Any]:
    return {_title(name): one for name, one in by_game.items()}


def _title(name: str) -> str:
    """Return what a game is called; one of a newer companion by its name."""
    try:
        game: Game[Any] = find_game(name)
    except BadInput:
        return name
    return tell(game.title, translator(current()))


def titled_games() -> dict[str, str]:
    """Return what every game that is known here is called, by its name."""
    return {name: _title(name) for name in games()}


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds")


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).date().isoformat()
