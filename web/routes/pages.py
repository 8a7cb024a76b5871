"""The pages a person looks at. All of them can be read without JavaScript."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import Action, say, tell, told_options
from web import board_view
from web.access.refusal import Refusal
from web.access.request_fields import whole
from web.access.seats import Person, joined
from web.context import Context, qr
from web.judging import ask, line_before
from web.language import current, in_words, introduced, rules_in, translator
from web.moments import listed, moment
from web.wording import Entries


def register(app: Flask, context: Context) -> None:
    """Add the pages to ``app``."""
    board_view.register(app, context)
    _play(app, context)
    _record(app, context)
    _door(app, context)


def _play(app: Flask, context: Context) -> None:
    """The phone page, a question to the referee, the rules."""

    @app.get("/")
    def phone() -> ResponseReturnValue:
        """The phone page."""
        return render_template("phone.html", view=context.snapshot())

    @app.get("/allowed")
    def allowed() -> ResponseReturnValue:
        """Was that allowed? A form that needs no script."""
        view = context.snapshot()
        origin, target = request.args.get("from", ""), request.args.get("to", "")
        at, answer = whole(request.args.get("at")), None
        if origin and target:
            action = Action("move", _spot(context, origin), _spot(context, target))
            answer = ask(
                context,
                action,
                at,
                piece=request.args.get("piece") or None,
                turn=request.args.get("turn") or None,
            )
        told = _listed(context)
        if at is not None and told["moves"][0]["seq"] > at:
            told = _listed(context, at + 1)
        return render_template(
            "allowed.html", view=view, answer=answer, origin=origin, target=target,
            then=_then(context, at), moves=told["moves"],
        )  # fmt: skip

    @app.get("/rules")
    def rules() -> ResponseReturnValue:
        """The introduction and the rules, in the order of the book; or what a search finds."""
        from web.rule_search import passages, search

        wanted = request.args.get("q", "").strip()[:100]
        view, game, language = context.snapshot(), context.shown.game, current()
        among = passages(rules_in(game, language).values(), introduced(game, language), language)
        return render_template(
            "rules.html",
            view=view,
            found=search(among, wanted),
            options=in_words(_options(context), translator(language)),
            q=wanted,
        )


def _options(context: Context) -> str:
    """Return the options of the game that is shown, as one line."""
    return told_options(context.shown.game.options, context.shown.setup.options)


def _invited(context: Context) -> dict[str, Any]:
    """Return what a page shows that lets others in: a QR code for those who are in."""
    person = context.person()
    # In an open house everybody is shown a code.
    known = person.host or not context.config.open_house
    address = context.invitation(known=known, shown_to=person.person) if person.joined else ""
    return {
        "view": context.snapshot(),
        "address": address,
        "local": f"{context.config.local}/join" if context.config.local else "",
        "code": address.partition("#")[2],
        "qr": qr(address) if address else "",
        "friends": _friends(context, person),
    }


def _friends(context: Context, person: Person) -> dict[str, Any] | None:
    """Return the link by which friends look on, for the host who may withdraw it."""
    link = context.friends.link
    if link is None or not person.host:
        return None
    address = context.friends_address(link)
    return {"address": address, "qr": qr(address), **link._asdict()}


def _spot(context: Context, written: str) -> str:
    """Return the spot that somebody has ``written``: a phone's keyboard begins with a capital, and
    some games have capitals in the names of their spots."""
    shown, spot = context.shown, written.strip()
    alike = (one for one in shown.game.board(shown.setup).spots if one.lower() == spot.lower())
    return next(alike, spot)


def _then(context: Context, at: int | None) -> dict[str, Any]:
    """Return the point of the game that is asked about: ``at`` (None for now), ``position`` and
    ``to_move`` as they were before that event, ``text`` of it, and the points ``earlier`` and
    ``later`` (each None where there is none; ``later`` 0 means now).

    Raises:
        BadInput: there is no such event.
    """
    table = context.shown
    state = line_before(table, at).state
    line = table.line
    before = line if at is None else line.until(at - 1)
    after = 0 if at is None else line.until(at).length
    event = None if at is None else table.events().find(at)
    return {
        "at": at,
        "position": table.game.expect(state),
        "to_move": table.game.to_move(state),
        "text": tell(Entries(table).entry(event)["text"], translator(current())) if event else "",
        "number": before.length + 1,
        "earlier": before.seq if before.length else None,
        "later": None if at is None else line.seqs[after] if after < line.length else 0,
    }


def _entries(context: Context) -> Entries:
    return Entries(context.shown, rules_in(context.shown.game, current()))


def _listed(context: Context, before: int | None = None) -> dict[str, Any]:
    """Return the list of moves in the language of the request: see :func:`web.moments.listed`."""
    told: dict[str, Any] = in_words(
        listed(context.shown, _entries(context), before), translator(current())
    )
    return told


def _record(app: Flask, context: Context) -> None:
    """What happened, with its photographs."""

    @app.get("/history")
    def history() -> ResponseReturnValue:
        """Everything that happened, the refused too, newest first, a page at a time."""
        view = context.snapshot()
        told = _listed(context, whole(request.args.get("before")))
        length = context.shown.line.length
        return render_template(
            "history.html",
            view=view,
            entries=told["moves"][::-1],
            older=told["older"],
            backs={
                one["seq"]: length + 1 - one["number"] for one in told["moves"] if one["number"]
            },
        )

    @app.get("/api/moves")
    def moves() -> ResponseReturnValue:
        """The list of moves, a page at a time; with ``html`` as the pages show it."""
        told = _listed(context, whole(request.args.get("before")))
        if request.args.get("html"):
            told = {
                "older": told["older"],
                "html": render_template("movelist.html", view=context.snapshot(), **told),
            }
        return {"ok": True, "state_id": context.shown.state_id, **told}

    @app.get("/api/moves/<int:seq>")
    def then(seq: int) -> ResponseReturnValue:
        """How it stood after an event, whatever has happened since."""
        told: dict[str, Any] = in_words(
            moment(context.shown, _entries(context), seq), translator(current())
        )
        lying = {"props": told.pop("props")}
        return {**told, "html": {"props": render_template("parts/props.html", view=lying)}}

    @app.get("/evidence/<int:seq>/<moment>.jpg")
    def evidence(seq: int, moment: str) -> ResponseReturnValue:
        """A replay photograph, for those at the table: only what the journal keeps, by number
        and moment; of the ``game`` that is named, else of this one."""
        joined(context.person())
        game = whole(request.args.get("game")) or context.shown.game_id
        photographs = context.evening.journal.shown(game, seq)
        if moment not in photographs:
            raise Refusal(404, "not_found", say("no such photograph is kept"))
        return Response(photographs[moment], mimetype="image/jpeg")


def _door(app: Flask, context: Context) -> None:
    """The way in, and what watchdogs and browsers ask for."""

    @app.get("/join")
    def join() -> ResponseReturnValue:
        """The way in: a QR code for those who are in, a field for the code for all others."""
        return render_template("join.html", **_invited(context))

    @app.get("/view")
    def view() -> ResponseReturnValue:
        """The table view, for a laptop or a television."""
        return render_template("view.html", **_invited(context))

    @app.get("/healthz")
    def healthz() -> ResponseReturnValue:
        """Whether the house stands, for a watchdog."""
        return {"ok": True, "state_id": context.table.state_id, "streams": len(context.streams)}

    @app.get("/favicon.ico")
    def favicon() -> ResponseReturnValue:
        """The icon, for browsers that ask here whatever the page says."""
        return app.send_static_file("icon.svg")
