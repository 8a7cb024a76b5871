"""*Was that allowed?*: the answer to any action, with the text of its rule."""

from __future__ import annotations

from typing import Any

from companion.referee import verdict
from companion.rules import Action, BadInput
from web.house import House
from web.snapshot import phrase, ruling_json


def ask(house: House, action: Action, before: int | None = None) -> dict[str, Any]:
    """Rule on ``action`` now, or as it stood before event ``before``.

    Where a move can be said in several ways (what a piece becomes, which way round), a legal
    one is ruled on if there is one.

    Raises:
        BadInput: a spot that this board has not, an event that has not happened.
    """
    game, board = house.table.game, house.table.game.board(house.table.setup)
    for spot in (action.origin, *action.via, action.target):
        if spot is not None and spot not in board:
            raise BadInput("that is no spot of this board; spots are written like h2")
    state = house.views.line_before(before).state
    if action.verb in ("move", "place") and not action.detail and not action.via:
        ends = (action.verb, action.origin, action.target)
        legal = (a for a in game.legal(state) if (a.verb, a.origin, a.target) == ends)
        action = next(legal, action)
    return {
        "ok": True,
        "action": game.format(action),
        "text": phrase(game, state, action),
        "ruling": ruling_json(verdict(game, state, action)),
    }


def reach(house: House, origin: str, before: int | None = None) -> dict[str, Any]:
    """Return where the token on ``origin`` may go.

    Raises:
        BadInput: a spot that this board has not, an event that has not happened.
    """
    if origin not in house.table.game.board(house.table.setup):
        raise BadInput("that is no spot of this board; spots are written like h2")
    game, state = house.table.game, house.views.line_before(before).state
    targets = {a.target for a in game.legal(state) if a.origin == origin and a.target}
    return {
        "ok": True,
        "origin": origin,
        "token": game.expect(state).get(origin),
        "targets": sorted(targets),
    }


def whole(text: str | None) -> int | None:
    """Read an event's number; None where there is none.

    Raises:
        BadInput: not a whole number.
    """
    if not text:
        return None
    if not text.isdecimal() or len(text) > 15:
        raise BadInput("an event is a whole number")
    return int(text)
