"""A past game looked at again by a machine: expectations, turning points, blunders."""

from __future__ import annotations

from typing import Any

from flask import Flask, render_template
from flask.typing import ResponseReturnValue

from companion.rules import say, tell
from companion.table.history import RULED
from web.context import Context
from web.expectations import graph
from web.language import current, translator
from web.routes.advising import advised
from web.routes.archive import Shown, found
from web.wording import phrase


def register(app: Flask, house: Context) -> None:
    """Add the page to ``app``."""

    @app.get("/games/<int:number>/analysis")
    def analysis_page(number: int) -> ResponseReturnValue:
        """What was to be expected in a past game; while a machine looks at it, that it does."""
        advised(house)
        shown = found(house, number)
        game, actions, first = shown.followed.game, shown.followed.actions, 0
        if RULED in actions:
            # What the table decided cannot be weighed: the game after it is.
            first = len(actions) - actions[::-1].index(RULED)
        told = house.machines.analyse(game, shown.followed.states[first], actions[first:])
        points = [] if told is None else _turning(shown, told, first)
        meaning = tell(say("What each seat could expect after each action"), translator(current()))
        rows = [] if told is None else [one["expected"] for one in told["actions"]]
        return render_template(
            "analysis.html",
            view=house.snapshot(),
            number=number,
            title=shown.title,
            told=told,
            points=points,
            picture=graph(shown.followed.setup.seats, rows, meaning) if rows else "",
        )


def _turning(shown: Shown, told: dict[str, Any], first: int) -> list[dict[str, Any]]:
    """Return where much was given away: ``before``, the action before which it stands, the
    ``seat``, what was done (``text``), what was ``better`` and how it might have gone on
    (``line``), and the share that was ``lost``."""
    game, states = shown.followed.game, shown.followed.states
    translate, points = translator(current()), []
    for one in told["actions"]:
        if one["blunder"]:
            at = first + one["at"]
            text, better = (
                tell(phrase(game, states[at], game.parse(shown.followed.setup, text)), translate)
                for text in (one["action"], one["best"])
            )
            points.append(
                {"before": at, "seat": one["seat"], "text": text, "better": better,
                 "line": one["line"][1:], "lost": one["lost"]}
            )  # fmt: skip
    return points
