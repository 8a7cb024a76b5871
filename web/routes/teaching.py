"""The page on which the camera is shown a deck of cards, as many at a time as there are places,
or the faces of dice on a mat."""

from __future__ import annotations

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import BACK, DiceOnMat, say, tokens_of
from web.access.refusal import Refusal
from web.access.request_fields import Body, integer, whole
from web.access.seats import Person, joined
from web.context import Answer, Context
from web.entering import cards_of
from web.routes.api import post
from web.routes.playing import seated


def register(app: Flask, context: Context) -> None:
    """Add the page and its request to ``app``."""

    def teach(body: Body, person: Person) -> Answer:
        actor, table = seated(person), context.table
        shown, batch = _batches(context), integer(body, "batch")
        if batch >= len(shown):
            raise Refusal(400, "bad_request", say("there is nothing more to show"))
        if not table.paused:
            table.note("paused", {}, actor)
            raise Refusal(409, "not_paused", say("the game is paused now; show it once more"))
        context.eyes.teach(shown[batch])
        return {"next": batch + 1 if batch + 1 < len(shown) else None}, None

    post(app, context, "/api/deck", teach)

    @app.get("/deck")
    def deck() -> ResponseReturnValue:
        """Which card to lay on which place, or which dice on the mat."""
        person = context.person()
        joined(person)
        view, shown = context.snapshot(), _batches(context)
        batch = min(whole(request.args.get("batch")) or 0, len(shown))
        return render_template(
            "dice.html" if isinstance(context.shown.game, DiceOnMat) else "deck.html",
            view=view,
            batch=batch,
            batches=len(shown),
            cards=shown[batch] if batch < len(shown) else {},
        )


def _batches(context: Context) -> list[dict[str, str]]:
    """Return which card is laid on which place, or which die is laid where in the order of
    reading, time after time.

    Raises:
        Refusal: the tokens of this game are no cards, and it has no dice on a mat.
    """
    table = context.table
    if isinstance(table.game, DiceOnMat):
        mat = table.game.mat(table.setup)
        return [{str(n): face for n, face in enumerate(faces, start=1)} for faces in mat.shows]
    if not cards_of(table.game, table.setup):
        raise Refusal(404, "no_cards", say("nothing has to be entered for this game"))
    tokens = tokens_of(table.game, table.setup)
    faces, places = [*dict.fromkeys(tokens), BACK], list(table.game.board(table.setup))
    starts = range(0, len(faces), len(places))
    return [dict(zip(places, faces[at : at + len(places)], strict=False)) for at in starts]
