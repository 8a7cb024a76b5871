"""Beginnings: a first evening from unpacking to the first move, ticked off as it goes."""

from __future__ import annotations

from typing import Any

from flask import Flask, render_template
from flask.typing import ResponseReturnValue

from companion.referee.try_out import TryOut, try_out
from companion.table import Table
from web.context import Context
from web.cover import cover
from web.language import current, introduced


def register(app: Flask, context: Context) -> None:
    """Add the page to ``app``."""

    @app.get("/start")
    def begin() -> ResponseReturnValue:
        """A first evening: unpack, camera, set up, phones, seats, the first move."""
        view, table = context.snapshot(), context.shown
        return render_template(
            "begin.html",
            view=view,
            about=introduced(table.game, current()),
            cover=cover(table.game, table.setup),
        )


def try_out_of(table: Table[Any]) -> TryOut | None:
    """Return what whoever is new may try now, None where that is nothing: the game is over, or its
    pieces do not move."""
    return None if table.outcome is not None else try_out(table.game, table.state)
