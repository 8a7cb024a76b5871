"""How well each side stands: what it will have scored when the first is through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.invictus.geometry import (
    INDEX,
    PLACE,
    SIDE,
    STEPS,
    TERRITORY,
    own_row,
    sign,
)
from companion.games.invictus.state import InvictusState, moves, score
from companion.rules import Action

POINT: Final = 0.25
"""What one point more at the end is worth, as the logarithm of the odds."""
AHEAD: Final = 0.06
"""What a row gained is worth to a pip beside: safer ground, and nearer to the last row."""
_ROWS: Final = tuple(tuple(own_row(seat, index) for index in range(SIDE * SIDE)) for seat in (0, 1))


def evaluate(state: InvictusState) -> tuple[float, float]:
    """Return what Black and White may hope for: the score (INV-8) if from now on nobody hindered
    anybody, and the game ended when the first side had brought all its dice across."""
    if state.ended:
        return 4 * POINT * score(state, 0), 4 * POINT * score(state, 1)
    dice: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for index, die in enumerate(state.board):
        if die > 0:
            dice[0].append((die, _ROWS[0][index]))
        elif die:
            dice[1].append((-die, _ROWS[1][index]))
    if state.pending:
        dice[state.turn].append((state.pending, 3))
    left = [sum(SIDE - row for _, row in side) for side in dice]
    time = min(left[state.turn], left[1 - state.turn] + 1)
    return _hope(state, 0, dice[0], time), _hope(state, 1, dice[1], time)


def _hope(state: InvictusState, seat: int, dice: list[tuple[int, int]], time: int) -> float:
    """Return what ``seat`` may hope for with its ``dice`` (value and own row) in so many moves."""
    points = float(sum(state.home[seat]) + state.prisoners[seat])
    short = []
    for value, row in dice:
        points += AHEAD * value * row
        if row >= 6:
            points += value
        else:
            short.append(((6 - row) / value, 6 - row, value))
    short.sort()
    for _, need, value in short:
        if need > time:
            return POINT * (points + value * time / need)
        points += value
        time -= need
    return POINT * points


def lively(state: InvictusState) -> Sequence[Action]:
    """Return the captures, the greatest first; of the ways to put a captured die back the
    likeliest: else nobody would see that its captor can be captured in turn."""
    if state.ended:
        return ()
    if state.pending:
        return (PLACE[_shelter(state)],)
    board = state.board
    found: list[tuple[float, int, Action]] = []
    for action in moves(state):
        victim = abs(board[INDEX[str(action.target)]])
        if victim:
            found.append((-victim, len(found), action))
    found.sort()
    return [action for *_, action in found]


def _shelter(state: InvictusState) -> int:
    """Return the foremost space where a captured die could be put back and not be captured."""
    board, mine, best, likely = state.board, sign(state.turn), -1, -1
    for index in TERRITORY[state.turn]:
        if not board[index]:
            safe = True
            for target, diagonal, _, _ in STEPS[state.turn][index]:
                if diagonal and -board[target] * mine >= state.pending:
                    safe = False
            worth = SIDE * safe + own_row(state.turn, index)
            if worth > likely:
                best, likely = index, worth
    return best
