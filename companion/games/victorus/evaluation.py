"""How well each seat stands: pieces, captures that count, the way of King and Queen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress
from typing import Final

from companion.games.victorus import geometry as g
from companion.games.victorus.moves import legal
from companion.games.victorus.pieces import KING, OWNER, PIECES, QUEEN, SUB
from companion.games.victorus.state import NEW_TURN, VictorusState
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
ROUND: Final = 10.0
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


def turn_of(state: VictorusState, seat: int) -> VictorusState | None:
    """Return ``state`` as if the turn of the seat of this number began, None where it has none."""
    place = state.arena.order[seat]
    if state.tally.ending or not state.tally.playing >> place & 1:
        return None
    return VictorusState(state.arena, state.board, place, NEW_TURN, state.tally)


def threats(state: VictorusState, seats: Collection[int]) -> Sequence[tuple[VictorusState, Action]]:
    """Return by which first moves others could capture pieces of ``seats``, or win, the greatest
    gain first, each with the state in which it could be made."""
    order = state.arena.order
    places = [order[seat] for seat in seats]
    found: list[tuple[float, int, VictorusState, Action]] = []
    for seat in range(len(order)):
        there = None if seat in seats else turn_of(state, seat)
        if there is not None:
            for action in legal(there):
                gain = _strike(there, action, places)
                if gain > 0:
                    found.append((-gain, len(found), there, action))
    found.sort(key=lambda one: one[:2])
    return [(there, action) for *_, there, action in found]


def _strike(state: VictorusState, action: Action, places: list[int]) -> float:
    """Return what the seat whose turn begins gains of ``places`` by the move ``action``, a
    Hospitaller by its pivot after it; little where a King or Queen comes before the centre."""
    if action.verb != "move":
        return 0.0
    board, target = state.board, g.INDEX[action.target]
    if target == g.CENTRE:
        return 99.0
    mover, victim = board[g.INDEX[action.origin]], board[target]
    sub = SUB[mover]
    if victim:
        return _CODES[victim] - 0.1 * _CODES[mover] if OWNER[victim] in places else 0.0
    if PIECES[sub].kind == "H":
        pivots = state.arena.view(state.tally.live).lines.pivots[target]
        victims = [board[cell] for cell in pivots if board[cell] and OWNER[board[cell]] in places]
        return max([_CODES[code] for code in victims], default=0.0) - 0.1 * _CODES[mover]
    if sub in (KING, QUEEN) and target in state.arena.entries[state.place]:
        return 0.1 if state.gate_open(state.place) else 0.0
    return 0.0


def decides(state: VictorusState) -> int:
    """Return the number of the seat whose decision is awaited, in the order of play."""
    place = OWNER[state.asked] if state.asked else state.place
    return state.arena.order.index(place)
