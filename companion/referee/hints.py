"""What would make a refused action legal, found by trying changes of the position."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.rules import Action, BadInput, Game, Position, S, Text, arrangements, name_of, say

MOST = 3
"""Hints that are given at most; more explain nothing."""
PAIRED = 6
"""Spots up to which two changes at once are tried; with more there would be too many pairs."""


def hints(game: Game[S], state: S, action: Action) -> tuple[Text, ...]:
    """Return what would make ``action`` legal in ``state``, in sentences; empty where nothing
    simple would.

    Whose turn it is and what stands where is varied, one thing at a time. Variations have no
    past: where the bare position allows the action already, it is the past that forbids it,
    and that is all that is said.
    """
    if game.judge(state, action).allowed or action.origin is None or action.target is None:
        return ()
    setup, here, mover = state.setup, dict(game.expect(state)), game.to_move(state)
    if mover is None or action.origin not in here:
        return ()
    trial = _Trial(game, state, action)
    if trial.allows(here, mover):
        return (say("the position alone would allow it; what happened before forbids it"),)
    for seat in setup.seats:
        if seat != mover and trial.allows(here, seat):
            return (say("it would be legal in the turn of {seat}", seat=say(seat)),)
    found: list[Text] = []
    for hint in _other_positions(trial, here, mover):
        found.append(hint)
        if len(found) == MOST:
            break
    return tuple(found)


class _Trial:
    """Judges one action in positions that are not there."""

    def __init__(self, game: Game[S], state: S, action: Action) -> None:
        self.game: Game[S] = game
        self.setup, self.action = state.setup, action
        self.proof = tuple(
            spot
            for spot in dict.fromkeys((*game.judge(state, action).spots, action.target or ""))
            if spot and spot != action.origin
        )

    def allows(self, position: Position, seat: str) -> bool:
        """Tell whether the action would be legal; no where the game cannot stand so."""
        try:
            state = arrangements(self.game).arrange(self.setup, position, seat)
            return self.game.judge(state, self.action).allowed
        except BadInput:
            return False


def _other_positions(trial: _Trial, here: dict[str, str], mover: str) -> Iterator[Text]:
    """Yield what the position would have to be: something gone, something there."""
    blocked = [spot for spot in trial.proof if spot in here]
    enough = False
    for spot in blocked:
        if trial.allows({s: t for s, t in here.items() if s != spot}, mover):
            enough = True
            yield say("it would be legal if {spot} were empty", spot=spot)
    if not enough:
        for one, two in combinations(blocked[:PAIRED], 2):
            if trial.allows({s: t for s, t in here.items() if s not in (one, two)}, mover):
                yield say("it would be legal if {one} and {two} were empty", one=one, two=two)
                break
    target = str(trial.action.target)
    if target not in here:
        origin = trial.action.origin
        others = {token for spot, token in here.items() if spot != origin}
        for token in sorted(others):
            if trial.allows({**here, target: token}, mover):
                yield say(
                    "it would be legal if a piece such as {piece} stood on {spot}",
                    piece=name_of(trial.game, token),
                    spot=target,
                )
                break
