"""How well each player stands: the pieces of the armies that he plays, by their points, how near
his Militants are to their promotion, and his hunters to a Sovereign of another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import compress
from typing import Final

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import EVERYBODY
from companion.games.heximeros.moves import moves
from companion.games.heximeros.pieces import ARCHER, CAPTURE, DREADNAUGHT, KINDS, OWNER, SUB, SUBS
from companion.games.heximeros.play import deed
from companion.games.heximeros.state import FRESH, NEW_TURN, HexiMerosState
from companion.rules import Action

POINT: Final = 0.025
"""What one point more is worth, as the logarithm of the odds (points as in HX-6)."""
SOVEREIGN: Final = 400.0
"""What a Sovereign is worth: without it all is lost (HX-5.3)."""
TAKEN: Final = 0.2
"""The share of its points that a captured piece is still worth to its captor: he is ahead."""
OUT: Final = -30.0
WON: Final = 60.0
PROMISE: Final = 20.0
"""What it is worth at most that a Militant is near to its Center Line, where it is promoted."""
CLOSER: Final = 0.3
"""What each space is worth by which a hunter is nearer to a Sovereign of another: else armies that
guard all they have would go to and fro for ever."""
_TAKEN: Final = tuple(
    TAKEN * CAPTURE[KINDS[SUB[code]]] if 0 < code <= 6 * SUBS else 0.0 for code in range(256)
)
_WORTH: Final = tuple(float({**CAPTURE, "S": 0}[KINDS[sub]]) for sub in range(SUBS))
_CODES: Final = tuple(_WORTH[SUB[code]] if 0 < code <= 6 * SUBS else 0.0 for code in range(256))
_OTHER, _MARCHES, _HUNTS, _REIGNS = range(4)
"""What a piece does, as far as it is weighed by where it stands."""
_ROLE: Final = bytes(
    {"M": _MARCHES, "S": _REIGNS, "R": _HUNTS, "As": _HUNTS, "Ar": _HUNTS, "C": _HUNTS,
     "M+": _HUNTS}.get(KINDS[SUB[code]], _OTHER) if 0 < code <= 6 * SUBS else _OTHER
    for code in range(256)
)  # fmt: skip
_MARCH: Final = tuple(
    tuple(
        CAPTURE["M"] + PROMISE * (1 - min(max(g.depth(cell, place), 0), 24) / 26) ** 2
        for cell in range(g.COUNT)
    )
    for place in range(6)
)
"""What a Militant is worth on each cell, by where its army began."""
_NEAR: Final = tuple(
    0.15 * (26 - max(abs(q - r), abs(q + 2 * r), abs(2 * q + r)) / 2) for q, r in g.AXIAL
)
"""Nearer the middle a piece reaches more."""
_CELLS: Final = range(len(g.AXIAL))
_APART: Final = (ARCHER, DREADNAUGHT)
"""Who captures elsewhere than where it ends."""


def evaluate(state: HexiMerosState) -> tuple[float, ...]:
    """Return what each player may hope for, in the order of play."""
    tally = state.tally
    if tally.ending:
        return tuple(WON * (tally.winner == player) for player in EVERYBODY)
    armies, thrones, hunters = _counted(state)
    worth, alive = [0.0] * 6, 0
    near: list[list[tuple[float, ...]]] = [[], [], [], [], [], []]
    for army in EVERYBODY:
        if tally.live >> army & 1:
            master = tally.masters[army]
            alive |= 1 << master
            worth[master] += armies[army] + SOVEREIGN
            for player in EVERYBODY:
                if player != master and thrones[army] >= 0:
                    near[player].append(_closeness(thrones[army]))
    for army, cell in hunters:
        if tally.live >> army & 1:
            player = tally.masters[army]
            worth[player] += max([row[cell] for row in near[player]], default=0.0)
    for player in EVERYBODY:
        worth[player] += sum([_TAKEN[code] for code in tally.captures[player]])
    return tuple(POINT * worth[p] if alive >> p & 1 else OUT for p in EVERYBODY)


def _counted(state: HexiMerosState) -> tuple[list[float], list[int], list[tuple[int, int]]]:
    """Return what each army's pieces are worth where they stand, where its Sovereign does (-1 for
    nowhere), and all hunters: army and cell."""
    board, places = state.board, state.arena.places
    armies, thrones = [0.0] * 6, [-1] * 6
    hunters: list[tuple[int, int]] = []
    for cell in compress(_CELLS, board):
        code = board[cell]
        army, role = OWNER[code], _ROLE[code]
        if role == _MARCHES:
            armies[army] += _MARCH[places[army]][cell]
        elif role == _REIGNS:
            thrones[army] = cell
        else:
            armies[army] += _CODES[code] + _NEAR[cell]
            if role == _HUNTS:
                hunters.append((army, cell))
    return armies, thrones, hunters


@cache
def _closeness(throne: int) -> tuple[float, ...]:
    """Return what a hunter on each cell is worth more for being near a Sovereign on ``throne``."""
    q, r = g.AXIAL[throne]
    return tuple(
        CLOSER * (52 - max(abs(a - q), abs(b - r), abs(a + b - q - r))) for a, b in g.AXIAL
    )


def lively(state: HexiMerosState) -> Sequence[Action]:
    """Return the captures, the greatest first."""
    if state.tally.ending or state.turn.stage != FRESH:
        return ()
    found = [
        (0.1 * _CODES[state.board[g.INDEX[action.origin]]] - gain, number, action)
        for number, (gain, action) in enumerate(_captures(state, EVERYBODY))
    ]
    found.sort()
    return [action for *_, action in found]


def turn_of(state: HexiMerosState, seat: int) -> HexiMerosState | None:
    """Return ``state`` with the Token at an army that the player of this number plays, None where
    there is none."""
    tally = state.tally
    for army in EVERYBODY:
        if tally.live >> army & 1 and tally.masters[army] == seat and not tally.ending:
            return state._replace(army=army, turn=NEW_TURN)
    return None


def threats(
    state: HexiMerosState, seats: Collection[int]
) -> Sequence[tuple[HexiMerosState, Action]]:
    """Return by which moves others could capture pieces of the armies that ``seats`` play, the
    greatest gain first, each with the state in which it could be made."""
    tally, board = state.tally, state.board
    armies = [a for a in EVERYBODY if tally.live >> a & 1]
    own = [a for a in armies if tally.masters[a] in seats]
    found: list[tuple[float, int, HexiMerosState, Action]] = []
    for army in armies:
        if army not in own:
            there = state._replace(army=army, turn=NEW_TURN)
            for gain, action in _captures(there, own):
                price = 0.1 * _CODES[board[g.INDEX[action.origin]]]
                found.append((price - gain, len(found), there, action))
    found.sort(key=lambda one: one[:2])
    return [(there, action) for *_, there, action in found]


def _captures(state: HexiMerosState, armies: Collection[int]) -> Iterator[tuple[float, Action]]:
    """Yield the moves that capture pieces of ``armies``, each with what it gains."""
    board = state.board
    for action in moves(state):
        mover = board[g.INDEX[action.origin]]
        apart = SUB[mover] in _APART
        if not (apart or board[g.INDEX[action.target]]):
            continue
        taken = deed(state, action).taken if apart else (g.INDEX[action.target],)
        if any(OWNER[board[cell]] in armies for cell in taken):
            yield sum(_gain(board[cell], OWNER[mover]) for cell in taken), action


def _gain(code: int, army: int) -> float:
    """Return what is won by taking the piece ``code``: one's own is lost."""
    worth = SOVEREIGN if KINDS[SUB[code]] == "S" else _CODES[code]
    return -worth if OWNER[code] == army else worth
