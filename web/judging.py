"""*Was that allowed?*: the answer to any action, with the text of its rule, what would make it
legal, and what else a picture may have shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules import Action, BadInput, Game, Position, arrangements, say, unknown_spot
from companion.table import Table
from companion.table.history import History
from web.context import Context
from web.language import current, in_words, rules_in, translator
from web.wording import phrase, ruling_json, then

SUPPOSED = 40
"""Actions that can be judged one after another at most."""
READINGS = 8
"""Other readings of the last action that are offered at most."""


def ask(
    context: Context,
    action: Action,
    before: int | None = None,
    *,
    piece: str | None = None,
    turn: str | None = None,
) -> dict[str, Any]:
    """Rule on ``action`` now, or as it stood before event ``before``; with another ``piece`` on
    its origin, in the ``turn`` of another seat.

    Where a move can be said in several ways (what a piece becomes, which way round), a legal
    one is ruled on if there is one, and all legal ones are named (``ways``).

    Raises:
        BadInput: a spot, token or seat that this game has not, an event that has not happened.
    """
    from companion.referee.hints import hints

    game = context.shown.game
    for spot in action.spots:
        _spot(context, spot)
    state = _state(context, before, action.origin, piece, turn)
    ways = [action]
    if action.verb in ("move", "place") and not action.detail and not action.via:
        ends = (action.verb, action.origin, action.target)
        ways = [a for a in game.legal(state) if (a.verb, a.origin, a.target) == ends] or ways
        action = ways[0]
    return _in_words(
        {
            "ok": True,
            "action": game.format(action),
            "text": phrase(game, state, action),
            "ruling": _ruling(game, state, action),
            "hints": list(hints(game, state, action)),
            "ways": [{"action": game.format(a), "text": phrase(game, state, a)} for a in ways],
        }
    )


def reach(
    context: Context,
    origin: str,
    before: int | None = None,
    *,
    piece: str | None = None,
    turn: str | None = None,
) -> dict[str, Any]:
    """Return where the token on ``origin`` may go.

    Raises:
        BadInput: a spot, token or seat that this game has not, an event that has not happened.
    """
    _spot(context, origin)
    game, state = context.shown.game, _state(context, before, origin, piece, turn)
    targets = {a.target for a in game.legal(state) if a.origin == origin and a.target}
    return {
        "ok": True,
        "origin": origin,
        "token": game.expect(state).get(origin),
        "targets": sorted(targets),
    }


def suppose(context: Context, written: Sequence[str], before: int | None = None) -> dict[str, Any]:
    """Rule on several actions, one after another; a refused one is not played.

    Raises:
        BadInput: no action of this game, too many, an event that has not happened.
    """
    from companion.referee import what_if

    game, setup = context.shown.game, context.shown.setup
    texts = [text.strip() for text in written if text.strip()]
    if not 0 < len(texts) <= SUPPOSED:
        raise BadInput(say("name 1 to {most} actions, separated by commas", most=SUPPOSED))
    actions = [game.parse(setup, text) for text in texts]
    state = line_before(context.shown, before).state
    steps = []
    for action, (found, after) in zip(actions, what_if(game, state, actions), strict=True):
        text = phrase(game, state, action)
        told = {"action": found.action, "text": text, "ruling": _ruling(game, state, action)}
        steps.append(told)
        state = after
    return _in_words({"ok": True, "steps": steps, "position": dict(game.expect(state))})


def line_before(table: Table[Any], seq: int | None) -> History[Any]:
    """Return the line as it stood before event ``seq``, the current one for None.

    Raises:
        BadInput: there is no such event.
    """
    if seq is None:
        return table.line
    if seq > table.state_id:
        raise BadInput(say("this game has no event {seq} yet", seq=seq))
    return table.line_at(max(seq - 1, table.events()[0].seq))


def readings(context: Context, spot: str | None = None) -> dict[str, Any]:
    """Return what else the last action may have been: legal actions that its photograph might show
    as well, best fitting first by what the camera sees now; with ``spot`` only those with an end
    there. ``cells`` are the spots that tell such actions apart, ``before`` is the event after which
    the table stood as it did before that action."""
    table, game = context.shown, context.shown.game
    line = table.line
    if not line.actions:
        return {"event": None, "count": 0, "readings": [], "cells": [], "before": None}
    before, last = line.past[-2], line.actions[-1]
    seen = context.eyes.seen()
    found = []
    for action in game.legal(before):
        if action == last:
            continue
        alike = _alike(action, last)
        if spot is not None and spot not in (action.origin, action.target):
            continue
        misfits = _misfits(game, game.expect(game.advance(before, action)), seen)
        if alike or (seen is not None and misfits == 0):
            found.append((misfits, -alike, game.format(action), action))
    found.sort(key=lambda item: item[:3])
    told = [
        {"actions": [text], "text": then([phrase(game, before, action)])}
        for _, _, text, action in found[:READINGS]
    ]
    ends = {end for *_, action in found for end in action.ends}
    past = line.seqs[-2] if line.length > 1 else table.events()[0].seq
    return _in_words(
        {
            "event": line.seqs[-1],
            "count": 1,
            "readings": told,
            "cells": sorted(ends - {last.origin, last.target}),
            "before": past,
        }
    )


def _alike(action: Action, other: Action) -> int:
    """Return how many ends two actions share; spoken ones share none."""
    return sum(
        mine is not None and mine == theirs
        for mine, theirs in ((action.origin, other.origin), (action.target, other.target))
    )


def _misfits(game: Game[Any], position: Position, seen: Position | None) -> int:
    """Return on how many spots ``position`` does not look like what is seen."""
    if seen is None:
        return 0
    faces = {spot: game.look(token).face for spot, token in position.items()}
    shown = {spot: game.look(token).face for spot, token in seen.items()}
    return sum(faces.get(spot) != shown.get(spot) for spot in {*faces, *shown})


def _spot(context: Context, spot: str | None) -> None:
    if spot is not None and spot not in context.shown.game.board(context.shown.setup):
        raise unknown_spot(spot)


def _state(
    context: Context, before: int | None, origin: str | None, piece: str | None, turn: str | None
) -> Any:
    """Return the state that is asked about, varied where another piece or turn is."""
    game, setup = context.shown.game, context.shown.setup
    state = line_before(context.shown, before).state
    if not piece and not turn:
        return state
    position = dict(game.expect(state))
    if piece and origin:
        position[origin] = piece
    return arrangements(game).arrange(setup, position, turn or game.to_move(state))


def _ruling(game: Game[Any], state: Any, action: Action) -> dict[str, Any]:
    ruling = game.judge(state, action)
    return ruling_json(ruling, rules_in(game, current()).get(ruling.rule))


def _in_words(value: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = in_words(value, translator(current()))
    return told
