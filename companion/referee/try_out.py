"""Something to try out in a position: a piece to lift, a spot where it may not go, one where it
may. It follows from what the game allows and refuses; every game with pieces that move has it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from companion.rules import Action, Game, Ruling, S

PIECES, SPOTS = 8, 12
"""Pieces that are tried, and spots near to each."""


class TryOut(NamedTuple):
    """Lift what stands on ``origin``; it may go to ``target``, but not to ``wrong``, and the
    ``ruling`` says why. Both spots are empty."""

    origin: str
    target: str
    wrong: str
    ruling: Ruling


def try_out(game: Game[S], state: S) -> TryOut | None:
    """Return what is best tried in ``state``: a refusal that shows most of its proof, as near as
    may be. None where no piece is moved now to an empty spot, or nothing near it is refused."""
    found = list(_things(game, state))

    def told(one: TryOut) -> int:
        return len({*one.ruling.spots} - {one.origin, one.wrong})

    return max(found, key=told, default=None)


def _things(game: Game[S], state: S) -> Iterator[TryOut]:
    board, standing = game.board(state.setup), game.expect(state)
    ways: dict[str, list[str]] = {}
    for action in game.legal(state):
        empty = action.target is not None and action.target not in standing
        if action.verb == "move" and action.origin in standing and action.target and empty:
            ways.setdefault(str(action.origin), []).append(action.target)
    # Those that may go to most spots light best.
    for origin in sorted(ways, key=lambda spot: -len(ways[spot]))[:PIECES]:
        middle = board[origin].centre
        away = {name: math.dist(spot.centre, middle) for name, spot in board.spots.items()}
        kind = board[origin].kind
        bare = [
            name
            for name in sorted(away, key=away.__getitem__)
            if name not in standing and name not in ways[origin] and board[name].kind == kind
        ]
        target = min(ways[origin], key=away.__getitem__)
        for wrong in bare[:SPOTS]:
            ruling = game.judge(state, Action("move", origin, wrong))
            if not ruling.allowed:
                yield TryOut(origin, target, wrong, ruling)
