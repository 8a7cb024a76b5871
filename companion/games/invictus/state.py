"""The position of a game and what an action makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion.games.invictus.geometry import (
    INDEX,
    PASS,
    PLACE,
    SIDE,
    STEPS,
    TERRITORY,
    own_row,
    sign,
)
from companion.rules import Action, Setup

Pair = tuple[int, int]

LAST_DIE: Final = "last die"
NO_ACTION: Final = "no action"
NO_PROGRESS: Final = "no progress"
AGREED: Final = "agreed"


@dataclass(frozen=True, slots=True)
class InvictusState:
    """One position. ``turn`` is the number of the seat whose decision is awaited.

    ``board`` has 81 dice (see :mod:`.layout`); ``home`` the values that each seat brought
    across; ``prisoners`` how many dice each seat holds for good; ``lost`` how many captures each
    seat suffered, which is its pips lost. ``pending`` is the new value of a captured die that
    the seat to move must put back, else 0. ``begun`` is False until the first action: only then
    is the position a set-up. ``ended`` says why the game is over, else empty.
    """

    setup: Setup = field(hash=False)
    board: tuple[int, ...]
    turn: int = 0
    home: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    prisoners: Pair = (0, 0)
    lost: Pair = (0, 0)
    pending: int = 0
    quiet: int = 0
    passes: int = 0
    begun: bool = False
    ended: str = ""


def moves(state: InvictusState) -> list[Action]:
    """Return the moves and captures of the seat to move, by space (INV-4.2, INV-5.1, 5.2)."""
    board, mine, found = state.board, sign(state.turn), []
    table = STEPS[state.turn]
    for origin, die in enumerate(board):
        value = die * mine
        if value > 0:
            for target, diagonal, _, action in table[origin]:
                there = board[target]
                if there == 0 or (diagonal and 0 < -there * mine <= value):
                    found.append(action)
    return found


def legal(state: InvictusState) -> Sequence[Action]:
    """Return the legal actions; a seat that cannot act has its pass alone (INV-4.3)."""
    if state.ended:
        return ()
    if state.pending:
        return [PLACE[index] for index in TERRITORY[state.turn] if not state.board[index]]
    return moves(state) or (PASS,)


def advance(state: InvictusState, action: Action) -> InvictusState:
    """Return the state after a legal ``action`` or the agreement to end."""
    if action.verb == "move":
        return _moved(state, INDEX[str(action.origin)], INDEX[str(action.target)])
    if action.verb == "place":
        board = list(state.board)
        board[INDEX[str(action.target)]] = sign(state.turn) * state.pending
        return _settled(replace(state, board=tuple(board), pending=0))
    if action.verb == "pass":
        passed = replace(state, turn=1 - state.turn, passes=state.passes + 1, begun=True)
        return replace(passed, ended=NO_ACTION) if passed.passes == 2 else passed
    return replace(state, ended=AGREED, begun=True)


def _moved(state: InvictusState, origin: int, target: int) -> InvictusState:
    """Move a die, take it Home from its last row, and send the captured one its way (INV-5.6)."""
    me, board = state.turn, list(state.board)
    die, victim = board[origin], abs(board[target])
    arrives = own_row(me, target) == SIDE
    board[origin], board[target] = 0, 0 if arrives else die
    home, prisoners, lost = state.home, state.prisoners, state.lost
    if arrives:
        mine = (*home[me], abs(die))
        home = (home[0], mine) if me else (mine, home[1])
    if victim:
        lost = _more(lost, 1 - me)
    if victim == 1:
        prisoners = _more(prisoners, me)
    sideways = abs(target - origin) == 1
    return _settled(
        InvictusState(
            state.setup,
            tuple(board),
            1 - me,
            home,
            prisoners,
            lost,
            pending=max(victim - 1, 0),
            quiet=state.quiet + 1 if sideways else 0,
            begun=True,
        )
    )


def _more(pair: Pair, seat: int) -> Pair:
    return (pair[0], pair[1] + 1) if seat else (pair[0] + 1, pair[1])


def _settled(state: InvictusState) -> InvictusState:
    """End the game where the action just resolved ends it (INV-7.1, INV-7.3)."""
    if state.pending:
        return state
    if max(state.board) <= 0 or min(state.board) >= 0:
        return replace(state, ended=LAST_DIE)
    if state.quiet >= int(state.setup["no_progress"]):
        return replace(state, ended=NO_PROGRESS)
    return state


def scoring_spaces(state: InvictusState, seat: int) -> list[int]:
    """Return the spaces where dice of ``seat`` score as they stand (section Score, R1)."""
    first = 5 if state.setup["divide_scores"] == "yes" else 6
    return [
        index
        for index, die in enumerate(state.board)
        if die * sign(seat) > 0 and own_row(seat, index) >= first
    ]


def score(state: InvictusState, seat: int) -> int:
    """Return the score of ``seat`` if the game ended now: Home, prisoners, dice far ahead."""
    ahead = sum(abs(state.board[index]) for index in scoring_spaces(state, seat))
    return sum(state.home[seat]) + state.prisoners[seat] + ahead


def pips(state: InvictusState, seat: int) -> tuple[int, int, int]:
    """Return the pips of ``seat`` on the board, at Home and lost to captures.

    They add up to 63 all through a game; a die waiting to be put back counts on the board.
    """
    mine = sign(seat)
    on_board = sum(die * mine for die in state.board if die * mine > 0)
    waiting = state.pending if seat == state.turn else 0
    return on_board + waiting, sum(state.home[seat]), state.lost[seat]
