"""What a machine would do for the seat to move, and what others could take next, as pages and for
programs."""

from __future__ import annotations

from typing import Any

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import Armies, BadInput, say, tell
from companion.rules.unknown import unknown_seat
from web.access.refusal import Refusal
from web.access.request_fields import Body, whole, words
from web.access.seats import Person, joined
from web.board_view import pointed_out
from web.context import Answer, Context
from web.language import current, in_words, translator
from web.routes.api import post
from web.wording import phrase

GLANCE = 0.15
"""Seconds that a page waits for ideas; later ones come to it by themselves."""
MOST = 1000
"""Spots that are pointed at together; no board has more."""


def register(app: Flask, context: Context) -> None:
    """Add the pages and their routes to ``app``."""

    def point(body: Body, person: Person) -> Answer:
        advised(context)
        context.machines.point(words(body, "spots", MOST))
        return {}, None

    post(app, context, "/api/point", point)

    @app.get("/api/advice")
    def advice() -> ResponseReturnValue:
        """Ideas for the seat to move, the best first."""
        return {"ok": True, "ideas": in_words(_ideas(context) or [], translator(current()))}

    @app.get("/advice")
    def advice_page() -> ResponseReturnValue:
        """The same, as a page with one of them on the board."""
        view = context.snapshot()
        sentence: str = say("The game is over.")
        if view["to_move"]:
            sentence = say("Now chance decides, and there is nothing to weigh.")
        try:
            found = _ideas(context, GLANCE)
        except BadInput as error:
            found, sentence = [], error.sentence
        ideas = in_words(found or [], translator(current()))
        chosen = min(max(1, whole(request.args.get("idea")) or 1), max(1, len(ideas)))
        spots = ideas[chosen - 1]["spots"] if ideas else []
        lit = pointed_out(dict.fromkeys(spots, ideas[chosen - 1]["text"] if ideas else ""))
        return render_template(
            "advice.html",
            view=view,
            ideas=ideas,
            thinks=found is None,
            chosen=chosen,
            lit=lit,
            sentence=tell(sentence, translator(current())),
            threatened=isinstance(context.shown.game, Armies),
        )

    _threatening(app, context)


def _threatening(app: Flask, context: Context) -> None:
    @app.get("/api/threats")
    def threats_now() -> ResponseReturnValue:
        """What others could take of a seat's next."""
        seat, found = _threats(context)
        return {"ok": True, "seat": seat, "threats": in_words(found, translator(current()))}

    @app.get("/threats")
    def threats_page() -> ResponseReturnValue:
        """The same, as a page with all of it on the board, or one seat's."""
        view = context.snapshot()
        seat, found = _threats(context)
        told = in_words(found, translator(current()))
        return render_template("threats.html", view=view, seat=seat, threats=told, lit=_lit(told))


def _lit(told: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the lights of the spots that threats are about, each with all that is told of it."""
    meanings: dict[str, list[str]] = {}
    for one in told:
        for spot in one["spots"]:
            meanings.setdefault(spot, []).append(one["text"])
    return pointed_out({spot: "; ".join(texts) for spot, texts in meanings.items()})


def _threats(context: Context) -> tuple[str, list[dict[str, Any]]]:
    """Return a seat, the one that is asked for, else the reader's own, else the one to move, and
    what others could take of it: ``seat``, ``action``, its ``text`` in words, ``spots``.

    Raises:
        Refusal: the host does not want it, or a guest asks.
        BadInput: there is no such seat.
    """
    # Loaded when somebody asks.
    from companion.referee.threats import threats

    person = advised(context)
    table = context.shown
    game, seats = table.game, table.setup.seats
    own = table.to_move if table.to_move in person.seats else next(iter(person.seats), None)
    seat = request.args.get("seat") or own or table.to_move or seats[0]
    if seat not in seats:
        raise unknown_seat(seat, game.title, seats)
    return seat, [
        {
            "seat": one.seat,
            "action": game.format(one.action),
            "text": phrase(game, one.there, one.action),
            "spots": list(one.spots),
        }
        for one in threats(game, table.state, seat)
    ]


def advised(context: Context) -> Person:
    """Return who asks for advice.

    Raises:
        Refusal: the host does not want it, or a guest asks.
    """
    person = context.person()
    joined(person)
    if not context.evening.settings.advice:
        raise Refusal(403, "no_advice", say("at this table a machine gives no advice"))
    return person


def _ideas(context: Context, seconds: float | None = None) -> list[dict[str, Any]] | None:
    """Return the ideas with the action ``text`` in words and the ``spots`` that it touches; None if
    they take longer than ``seconds``.

    Raises:
        Refusal: the host does not want it, or a guest asks.
        BadInput: no machine can in this game.
        HardwareFault: it failed.
    """
    advised(context)
    table = context.shown
    ideas, found = [], context.machines.advise(seconds)
    if found is None:
        return None
    for idea in found:
        action = table.game.parse(table.setup, idea["action"])
        spots = [spot for spot in (action.origin, *action.via, action.target) if spot]
        text = phrase(table.game, table.state, action)
        ideas.append({**idea, "text": text, "spots": spots})
    return ideas
