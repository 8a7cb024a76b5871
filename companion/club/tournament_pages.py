"""The club's pages of its events: leagues, Swiss and round robin, and what their host does."""

from __future__ import annotations

from flask import Flask, Response, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.club.results import Results
from companion.club.results_pages import link, titled_games
from companion.club.store import Store
from companion.club.tournaments import KINDS, Course, HostKey, Tournaments
from web.access.request_fields import whole

COOKIE = "companion_club_host"
A_YEAR = 366 * 86_400


def register(app: Flask, store: Store, results: Results) -> None:
    """Add the pages to ``app``."""
    tournaments, key = Tournaments(store), HostKey(store)

    @app.context_processor
    def hosting() -> dict[str, object]:
        return {"hosting": lambda: _hosts(key), "game_link": link}

    @app.get("/host")
    def host() -> ResponseReturnValue:
        """The link of the club's host: whoever has it is let in on this device."""
        given = request.args.get("key", "")
        if not key.fits(given):
            abort(404)
        answer = redirect("/events")
        answer.set_cookie(
            COOKIE,
            given,
            max_age=A_YEAR,
            httponly=True,
            samesite="Strict",
            secure=request.is_secure,
        )
        return answer

    @app.get("/events")
    def events() -> str:
        return render_template(
            "club/events.html", events=tournaments.every(), kinds=KINDS, titles=titled_games()
        )

    @app.get("/events/<int:number>")
    def event(number: int) -> str:
        course = tournaments.course(number, results.games())
        return render_template("club/event.html", course=course, titles=titled_games())

    _hosted(app, tournaments, results, key)


def _hosted(app: Flask, tournaments: Tournaments, results: Results, key: HostKey) -> None:
    """Add what the host alone may do."""

    @app.before_request
    def guarded() -> None:
        if request.method == "POST" and not _hosts(key):
            abort(403)

    def course(number: int) -> Course:
        return tournaments.course(number, results.games())

    @app.post("/events")
    def begin() -> Response:
        form = request.form
        number = tournaments.begin(
            form.get("kind", ""), form.get("name", ""), form.get("game", ""),
            form.get("players", "").splitlines(),
        )  # fmt: skip
        return _to(number)

    @app.post("/events/<int:number>/enter")
    def enter(number: int) -> Response:
        tournaments.enter(number, request.form.get("players", "").splitlines())
        return _to(number)

    @app.post("/events/<int:number>/leave")
    def leave(number: int) -> Response:
        entrant = whole(request.form.get("entrant")) or 0
        tournaments.leave(number, entrant, request.form.get("gone") == "yes")
        return _to(number)

    @app.post("/events/<int:number>/pair")
    def pair(number: int) -> Response:
        tournaments.pair(course(number))
        return _to(number)

    @app.post("/events/<int:number>/result")
    def result(number: int) -> Response:
        turn, board = (whole(request.form.get(name)) or 0 for name in ("round", "board"))
        tournaments.tell(number, turn, board, request.form.get("result", ""))
        return _to(number)

    @app.post("/events/<int:number>/end")
    def end(number: int) -> Response:
        tournaments.end(course(number))
        return _to(number)


def _hosts(key: HostKey) -> bool:
    given = request.cookies.get(COOKIE, "")
    return bool(given) and key.fits(given)


def _to(number: int) -> Response:
    answer = redirect(f"/events/{number}", 303)
    assert isinstance(answer, Response)
    return answer
