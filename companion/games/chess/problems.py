"""Why a position cannot have come about in a game (CH-3.10.3, the plain cases)."""

from __future__ import annotations

from companion.games.chess.attacks import attackers
from companion.games.chess.geometry import KING, PAWN, SPOTS, TOKENS
from companion.games.chess.state import ARMY, ChessState
from companion.games.chess.words import COLOURS, spoken
from companion.rules import Problem, say


def problems(state: ChessState) -> tuple[Problem, ...]:
    """Return every problem with the men, side by side, then with the check."""
    found: list[Problem] = []
    for side in (0, 1):
        found += _kings(state.squares, side)
        found += _numbers(state.squares, side)
    pawns = _where(state.squares, PAWN) + _where(state.squares, PAWN + 8)
    for square in sorted(pawns):
        if square // 8 in (0, 7):
            reason = say("A pawn cannot stand on {spot}, an outer rank.", spot=SPOTS[square])
            found.append(Problem("CH-3.7.5", reason, (SPOTS[square],)))
    return (*found, *_check(state))


def _where(men: bytes, man: int) -> list[int]:
    return [square for square in range(64) if men[square] == man]


def _kings(men: bytes, side: int) -> list[Problem]:
    kings = _where(men, KING + 8 * side)
    if len(kings) == 1:
        return []
    spots = tuple(SPOTS[square] for square in kings)
    reason = say("{side} has no king, and must have one.", side=COLOURS[side])
    if kings:
        reason = say(
            "{side} has {count} kings, and must have one.", side=COLOURS[side], count=len(kings)
        )
    return [Problem("CH-2.2", reason, spots)]


def _numbers(men: bytes, side: int) -> list[Problem]:
    """Return the problem of more men than pawns and promotions can account for."""
    pawns = men.count(PAWN + 8 * side)
    beyond = {
        kind: men.count(kind + 8 * side) - ARMY.count(kind)
        for kind in range(2, 6)
        if men.count(kind + 8 * side) > ARMY.count(kind)
    }
    if pawns + sum(beyond.values()) <= 8:
        return []
    what = say("{pawns} pawns", pawns=pawns)
    for kind, count in beyond.items():
        man = spoken(TOKENS[kind + 8 * side])
        what = say("{what}, {man} +{count}", what=what, man=man, count=count)
    reason = say(
        "{side} has more men than 8 pawns can become: {what}.", side=COLOURS[side], what=what
    )
    concerned = (PAWN, *beyond)
    spots = [SPOTS[s] for s in range(64) for kind in concerned if men[s] == kind + 8 * side]
    return [Problem("CH-3.7.5", reason, tuple(spots))]


def _check(state: ChessState) -> list[Problem]:
    """Return the problem of a king left in check, or attacked by more men than one move can."""
    found: list[Problem] = []
    for side in (0, 1):
        king = state.kings[side]
        proof = attackers(state.squares, king, 1 - side) if king >= 0 else []
        spots = tuple(SPOTS[square] for square in (king, *proof) if square >= 0)
        name = COLOURS[side]
        if side != state.side and proof:
            reason = say("{side}'s king is in check, but it is not {side}'s move.", side=name)
            found.append(Problem("CH-3.9.2", reason, spots))
        elif len(proof) > 2:
            reason = say(
                "{side}'s king is attacked by {count} men; no move does that.",
                side=name,
                count=len(proof),
            )
            found.append(Problem("CH-3.10.3", reason, spots))
    return found
