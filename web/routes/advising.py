"""What a machine would do for the seat to move, as a page and for programs."""

from __future__ import annotations

from typing import Any

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import BadInput, say, tell
from web.access.refusal import Refusal
from web.access.request_fields import whole
from web.access.seats import joined
from web.context import Context
from web.language import current, in_words, translator
from web.wording import phrase


def register(app: Flask, house: Context) -> None:
    """Add the page and its route to ``app``."""

    @app.get("/api/advice")
    def advice() -> ResponseReturnValue:
        """Ideas for the seat to move, the best first."""
        return {"ok": True, "ideas": in_words(_ideas(house), translator(current()))}

    @app.get("/advice")
    def advice_page() -> ResponseReturnValue:
        """The same, as a page with one of them on the board."""
        view = house.snapshot()
        sentence: str = say("The game is over.")
        if view["to_move"]:
            sentence = say("Now chance decides, and there is nothing to weigh.")
        try:
            ideas = in_words(_ideas(house), translator(current()))
        except BadInput as error:
            ideas, sentence = [], error.sentence
        chosen = min(max(1, whole(request.args.get("idea")) or 1), max(1, len(ideas)))
        spots = ideas[chosen - 1]["spots"] if ideas else []
        marks = {spot: {"kind": "note", "meaning": ideas[chosen - 1]["text"]} for spot in spots}
        return render_template(
            "advice.html",
            view=view,
            ideas=ideas,
            chosen=chosen,
            marks=marks,
            sentence=tell(sentence, translator(current())),
        )


def _ideas(house: Context) -> list[dict[str, Any]]:
    """Return the ideas with the action ``text`` in words and the ``spots`` that it touches.

    Raises:
        Refusal: the host does not want it, or a guest asks.
        BadInput: no machine can in this game.
        HardwareFault: it failed.
    """
    joined(house.person())
    if not house.evening.settings.advice:
        raise Refusal(403, "no_advice", say("at this table a machine gives no advice"))
    table = house.shown
    ideas = []
    for idea in house.machines.advise():
        action = table.game.parse(table.setup, idea["action"])
        spots = [spot for spot in (action.origin, *action.via, action.target) if spot]
        text = phrase(table.game, table.state, action)
        ideas.append({**idea, "text": text, "spots": spots})
    return ideas
