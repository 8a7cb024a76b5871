"""How well each player stands: the pieces of the armies that he plays, by their points."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import EVERYBODY
from companion.games.heximeros.moves import moves
from companion.games.heximeros.pieces import CAPTURE, KINDS, OWNER, SUB, SUBS
from companion.games.heximeros.play import deed
from companion.games.heximeros.state import FRESH, HexiMerosState
from companion.rules import Action

POINT = 0.025
"""What one point more is worth, as the logarithm of the odds (points as in HX-6)."""
SOVEREIGN = 400.0
"""What a Sovereign is worth: without it all is lost (HX-5.3)."""
TAKEN = 0.2
"""The share of its points that a captured piece is still worth to its captor: he is ahead."""
OUT, WON = -30.0, 60.0
_WORTH = tuple(float({**CAPTURE, "S": 0}[KINDS[sub]]) for sub in range(SUBS))
_CODES = tuple(_WORTH[SUB[code]] if 0 < code <= 6 * SUBS else 0.0 for code in range(256))
_NEAR = tuple(0.15 * (26 - max(abs(q - r), abs(q + 2 * r), abs(2 * q + r)) / 2) for q, r in g.AXIAL)
"""Nearer the middle a piece reaches more."""


def evaluate(state: HexiMerosState) -> tuple[float, ...]:
    """Return what each player may hope for, in the order of play."""
    tally = state.tally
    if tally.ending:
        return tuple(WON * (tally.winner == player) for player in EVERYBODY)
    armies = [0.0] * 6
    for cell, code in enumerate(state.board[: len(g.AXIAL)]):
        if code:
            armies[OWNER[code]] += _CODES[code] + _NEAR[cell]
    worth, alive = [0.0] * 6, 0
    for army in EVERYBODY:
        if tally.live >> army & 1:
            alive |= 1 << tally.masters[army]
            worth[tally.masters[army]] += armies[army] + SOVEREIGN
    for player in EVERYBODY:
        worth[player] += TAKEN * sum(_CODES[code] for code in tally.captures[player])
    return tuple(POINT * worth[p] if alive >> p & 1 else OUT for p in EVERYBODY)


def lively(state: HexiMerosState) -> Sequence[Action]:
    """Return the captures, the greatest first."""
    if state.tally.ending or state.turn.stage != FRESH:
        return ()
    board = state.board
    found: list[tuple[float, int, Action]] = []
    for action in moves(state):
        taken = deed(state, action).taken
        if taken:
            mover = board[g.INDEX[action.origin]]
            gain = sum(_gain(board[cell], OWNER[mover]) for cell in taken)
            found.append((0.1 * _CODES[mover] - gain, len(found), action))
    found.sort()
    return [action for *_, action in found]


def _gain(code: int, army: int) -> float:
    """Return what is won by taking the piece ``code``: one's own is lost."""
    worth = SOVEREIGN if KINDS[SUB[code]] == "S" else _CODES[code]
    return -worth if OWNER[code] == army else worth
