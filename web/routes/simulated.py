"""The simulated table's page: hands on a table that only the simulated camera looks at.

Nothing here touches the game. What a hand does is seen by the camera or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import BadInput, DiceOnMat, Mat, say, unknown_spot
from web.access.refusal import Refusal
from web.access.request_fields import Body, integer, text
from web.access.seats import Person
from web.context import Answer, Context
from web.ports import BUTTONS, BoxedTable, DiceTable, LiftingTable, TidyTable, VirtualTable
from web.routes.api import post
from web.routes.beginning import try_out_of


def register(app: Flask, context: Context, virtual: VirtualTable) -> None:
    """Add the page and its JSON to ``app``."""

    @app.get("/table")
    def table() -> ResponseReturnValue:
        """The simulated table."""
        view = context.snapshot()
        keys = BUTTONS if isinstance(virtual, BoxedTable) else {}
        return render_template(
            "table.html",
            view=view,
            world=world(virtual),
            keys=keys,
            tidies=isinstance(virtual, TidyTable),
            mat=_mat(context),
            try_out=try_out_of(context.shown),
        )

    @app.get("/api/virtual/table")
    def virtual_table() -> ResponseReturnValue:
        """What lies on the simulated table and beside it; ``game``: as long as that is played."""
        asked, lying = request.args.get("game"), world(virtual)
        if asked not in (None, str(context.table.game_id)):
            raise Refusal(409, "stale_state", say("another game has begun"))
        return {"ok": True, **lying}

    @app.get("/api/virtual/picture")
    def virtual_picture() -> ResponseReturnValue:
        """What the simulated camera sees now."""
        return Response(virtual.picture(), mimetype="image/jpeg")

    _hands(app, context, virtual)


def world(virtual: VirtualTable) -> dict[str, Any]:
    """Return what lies on the table, beside it and in the hand, as JSON values."""
    lifting = virtual if isinstance(virtual, LiftingTable) else None
    dice = virtual.dice() if isinstance(virtual, DiceTable) else None
    return {
        **({} if dice is None else {"dice": [dict(die) for die in dice]}),
        "tokens": dict(virtual.tokens()),
        "off": list(virtual.off()),
        "held": lifting.held if lifting else None,
        "lifts": lifting is not None,
    }


def _hands(app: Flask, context: Context, virtual: VirtualTable) -> None:
    """Add a route for everything that a hand can do."""

    def hand(name: str, do: Callable[[Mapping[str, Any]], None]) -> None:
        def act(body: Mapping[str, Any], person: Person) -> Answer:
            if not person.joined:
                raise Refusal(403, "not_joined", say("join the table before you move its pieces"))
            do(body)
            return world(virtual), None

        post(app, context, f"/api/virtual/{name}", act)

    def spot(body: Mapping[str, Any], name: str = "spot") -> str:
        value = text(body, name)
        if value not in context.table.game.board(context.table.setup):
            raise unknown_spot(value)
        return value

    def button(body: Mapping[str, Any]) -> str:
        name = text(body, "button")
        if name not in BUTTONS:
            raise BadInput(say("the box of this table has no such button"))
        return name

    hand("move", lambda body: virtual.move(spot(body, "origin"), spot(body, "target")))
    hand("remove", lambda body: virtual.remove(spot(body)))
    hand("put", lambda body: virtual.put(spot(body), text(body, "token")))
    hand("turn", lambda body: virtual.turn(spot(body)))
    hand("flip", lambda body: virtual.flip(spot(body)))
    if isinstance(virtual, BoxedTable):
        hand("press", lambda body: virtual.press(button(body)))
    if isinstance(virtual, TidyTable):
        tidy = virtual.tidy
        hand("tidy", lambda body: tidy())
    if isinstance(virtual, DiceTable):
        _dice_hands(hand, virtual)
    if isinstance(virtual, LiftingTable):
        hand("lift", lambda body: virtual.lift(spot(body)))
        hand("drop", lambda body: virtual.drop(spot(body)))


def _dice_hands(hand: Callable[[str, Callable[[Body], None]], None], virtual: DiceTable) -> None:
    """Add what a hand can do with dice on a mat."""

    def numbers(body: Body) -> Sequence[int]:
        value = body.get("dice")
        if not isinstance(value, list) or not all(type(number) is int for number in value):
            raise BadInput(say("choose the dice to throw"))
        return value

    hand("throw", lambda body: virtual.throw(numbers(body)))
    hand("carry", lambda body: virtual.carry(integer(body, "number"), text(body, "zone")))
    hand("tip", lambda body: virtual.tip(integer(body, "number")))


def _mat(context: Context) -> Mat | None:
    """Return the mat of the game that is shown, if its dice lie on one."""
    shown = context.shown
    return shown.game.mat(shown.setup) if isinstance(shown.game, DiceOnMat) else None
