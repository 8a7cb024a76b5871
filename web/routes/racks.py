"""The page on which a machine is told the cards of its own rack. It forgets them at once, and
nothing else ever shows them."""

from __future__ import annotations

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import name_of, say, tokens_of
from web.access.refusal import Refusal
from web.access.request_fields import Body, text, words
from web.access.seats import Person, joined
from web.context import Answer, Context
from web.routes.api import post

MOST = 60
"""Cards that a rack may hold."""


def register(app: Flask, context: Context) -> None:
    """Add the page and its request to ``app``."""

    def tell(body: Body, person: Person) -> Answer:
        joined(person)
        seat = text(body, "seat")
        if not (person.host or context.door.holder(seat) in (None, person.person)):
            raise Refusal(403, "taken", say("another phone holds this seat"))
        context.machines.tell(seat, words(body, "cards", MOST))
        return {}, None

    post(app, context, "/api/rack", tell)

    @app.get("/rack")
    def rack() -> ResponseReturnValue:
        """The cards of the game, to be tapped from left to right."""
        joined(context.person())
        view, table = context.snapshot(), context.shown
        missing = dict(view["machines"]["missing"])
        seat = request.args.get("seat", "")
        cards = {card: name_of(table.game, card) for card in tokens_of(table.game, table.setup)}
        return render_template(
            "rack.html",
            view=view,
            seat=seat if seat in missing else next(iter(missing), ""),
            missing=missing.get(seat, next(iter(missing.values()), 0)),
            cards=cards,
        )
