"""How well each seat stands: pieces, captures that count, the way of King and Queen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Final

from companion.games.victorus import geometry as g
from companion.games.victorus.moves import legal
from companion.games.victorus.pieces import KING, OWNER, PIECES, QUEEN, SUB
from companion.games.victorus.state import VictorusState
from companion.games.victorus.winding import way
from companion.rules import Action

PIECE: Final = 0.3
"""What a Teutonic more is worth, as the logarithm of the odds."""
WORTH: Final = {"T": 0.9, "U": 1.0, "B": 1.0, "E": 1.7, "H": 1.8, "K": 5.0, "Q": 5.0}
ROYAL_WORTH: Final = {"T": 2.3, "U": 2.4, "B": 2.4, "E": 3.4}
MERIT: Final = 0.45
"""What a regular knight's first capture is worth: it is half promoted (VIC-6.1)."""
GATE: Final = 0.25
"""What each of the captures is worth that let King and Queen out (VIC-4.6)."""
ROUND: Final = 4.0
"""What a King or Queen is worth that has gone right round; half the way is a quarter of it."""
OUT: Final = -30.0
WON: Final = 60.0
_SUBS: Final = tuple(
    ROYAL_WORTH[piece.kind] if piece.royal else WORTH[piece.kind] for piece in PIECES
)
_CODES: Final = tuple(_SUBS[SUB[code]] if 0 < code <= 120 else 0.0 for code in range(256))
_DEEP: Final = tuple(0.02 * (9 - max(abs(q), abs(r), abs(q + r))) for q, r in g.AXIAL)
"""Nearer the centre a piece reaches more."""
_CELLS: Final = range(g.COUNT)


def evaluate(state: VictorusState) -> tuple[float, ...]:
    """Return what each seat may hope for, in the order of play."""
    tally = state.tally
    if tally.winners:
        return tuple(WON * (tally.winners >> p & 1) for p in state.arena.order)
    if state.arena.quick:
        return _points(state)
    worth = [0.0] * 6
    board = state.board
    for cell in compress(_CELLS, board):
        code = board[cell]
        place, sub = OWNER[code], SUB[code]
        worth[place] += _CODES[code] + _DEEP[cell]
        if sub in (KING, QUEEN):
            worth[place] += _gone(state, code, cell)
    for code in tally.waiting:
        worth[OWNER[code]] += _CODES[code]
    for place in state.arena.order:
        worth[place] += GATE * min(tally.gate[place], 3)
        worth[place] += MERIT * tally.merit[8 * place : 8 * place + 8].count(1)
    return tuple(
        PIECE * worth[place] if tally.playing >> place & 1 else OUT for place in state.arena.order
    )


def _gone(state: VictorusState, code: int, cell: int) -> float:
    """Return what the way of a King or Queen on ``cell`` about the centre is worth so far."""
    if not state.gate_open(OWNER[code]):
        return 0.0
    gone = way(state, code, cell) if SUB[code] == KING else -way(state, code, cell)
    share = max(0.0, gone) / (360.0 if state.arena.setup["portal"] == "home" else 540.0)
    return ROUND * min(share, 1.0) ** 2 + (1.0 if share >= 1.0 else 0.0)


def _points(state: VictorusState) -> tuple[float, ...]:
    """Return the points of the quick game (VIC-8.1), with what is still on the board beside."""
    taken = [0.0] * 6
    for place in state.arena.order:
        taken[place] = sum(2 * _CODES[code] for pile in state.tally.cards[place] for code in pile)
    for code in state.board[: g.COUNT]:
        if code:
            taken[OWNER[code]] += _CODES[code] / 2
    return tuple(PIECE * taken[place] for place in state.arena.order)


def lively(state: VictorusState) -> Sequence[Action]:
    """Return the captures and the ways into the centre, the greatest first."""
    board = state.board
    found: list[tuple[float, int, Action]] = []
    for action in legal(state):
        cell = g.INDEX.get(action.target)
        if cell is None or action.verb != "move":
            continue
        if cell == g.CENTRE:
            found.append((-99.0, len(found), action))
        elif board[cell]:
            mover = _CODES[board[g.INDEX[action.origin]]]
            found.append((0.1 * mover - _CODES[board[cell]], len(found), action))
    found.sort()
    return [action for *_, action in found]


def decides(state: VictorusState) -> int:
    """Return the number of the seat whose decision is awaited, in the order of play."""
    place = OWNER[state.asked] if state.asked else state.place
    return state.arena.order.index(place)
