"""What could be taken next, and by whom: read off the legal actions of everybody else's turn."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules import Action, BadInput, Effect, Game, S, arrangements, owner_of, sides_of


class Threat(NamedTuple):
    """An ``action`` by which ``seat``, if it were to move, would take what stands on ``spots``.
    ``there`` is the position in which it is legal."""

    seat: str
    action: Action
    spots: tuple[str, ...]
    there: object


def threats(game: Game[S], state: S, seat: str) -> tuple[Threat, ...]:
    """Return every single action by which a seat that does not win together with ``seat`` could
    take a piece of its own as the board stands, if it were that seat's turn now; of several ways to
    take the same the first. None where positions cannot be set up, or nobody owns tokens.

    Only the bare position counts: what the past allows or forbids is known for the seat to move.
    """
    if game.to_move(state) is None:
        return ()
    own_side = next(side for side in sides_of(game, state.setup) if seat in side)
    position = game.expect(state)
    own = {spot for spot, token in position.items() if owner_of(game, token) == seat}
    found: dict[tuple[str, tuple[str, ...]], Threat] = {}
    for other in state.setup.seats:
        there = None if other in own_side else _in_the_turn_of(game, state, other)
        for action in () if there is None else game.legal(there):
            taken = _taken(game.effect(there, action), own) if there is not None else ()
            if taken:
                found.setdefault((other, taken), Threat(other, action, taken, there))
    return tuple(found.values())


def _in_the_turn_of(game: Game[S], state: S, seat: str) -> S | None:
    """Return ``state`` as if ``seat`` were to move; None where it cannot."""
    if game.to_move(state) == seat:
        return state
    try:
        there = arrangements(game).rearranged(state, game.expect(state), seat)
    except BadInput:
        return None
    return there if game.to_move(there) == seat else None


def _taken(effect: Effect, own: set[str]) -> tuple[str, ...]:
    """Return the spots of ``own`` on which ``effect`` takes something."""
    return tuple(spot for spot in effect.changes if spot in own) if effect.captures else ()
