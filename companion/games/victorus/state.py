"""The state of a game: immutable, hashable, one tuple of tuples and bytes."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.games.victorus.arena import VictorusArena
from companion.games.victorus.pieces import KING, OWNER, SUB
from companion.rules import Setup
from companion.rules.plain import Plain

FRESH: Final = "fresh"
SECOND: Final = "second"
PIVOT: Final = "pivot"
BONUS: Final = "bonus"
NOBODY: Final = -1
GATE: Final = 3
"""Captures that let King and Queen out of their kingdom (VIC-4.6)."""


class VictorusTurn(NamedTuple):
    """What has happened in the turn so far.

    ``stage``: nothing yet; a two-move piece has made its first move; a Hospitaller has
    travelled; bonus moves are outstanding. ``mover`` is the cell of the piece that may go on
    (second move, pivot, a double captor's own bonus). ``first`` is where its first move
    captured: a zone, NOBODY for no capture. ``line`` the direction of its first move.
    ``frozen`` are the cells of captors that do not move again. ``began`` pairs the cell of each
    piece that moved with the one where it stood when the turn began; ``barred`` pairs a captor's
    cell with the kingdom closed to it. ``last`` is the cell of the last capture; ``fallen`` the
    kingdoms that fell in this turn.
    """

    stage: str = FRESH
    mover: int = NOBODY
    first: int = NOBODY
    line: int = NOBODY
    bonus: int = 0
    frozen: frozenset[int] = frozenset()
    began: tuple[tuple[int, int], ...] = ()
    barred: frozenset[tuple[int, int]] = frozenset()
    last: int = NOBODY
    fallen: int = 0

    def start_of(self, cell: int) -> int:
        """Return where the piece on ``cell`` stood when the turn began."""
        for here, then in self.began:
            if here == cell:
                return then
        return cell


NEW_TURN: Final = VictorusTurn()
Card = tuple[tuple[int, ...], ...]
"""A scorecard: nine fields of captured codes, one for each regular T, U, B, E (white, black edge)
and the last for captures by the other pieces."""
PILE: Final = 8


class VictorusTally(NamedTuple):
    """What outlasts a turn, by place.

    ``live`` are standing kingdoms and ``playing`` the seats still in, as bits. ``gate`` counts
    the captures that let King and Queen out; ``merit`` each regular knight's own captures by
    their worth. ``laps`` are full rounds about the centre of King and Queen, clockwise, beyond
    the angle of the cell they stand on. ``waiting`` are returned royals not yet on the board;
    ``removed`` what left it with a fallen army, and whence. ``rounds`` are finished rounds.
    ``winners`` (bits) and ``ending`` (a rule id) say how the game ended.
    """

    live: int
    playing: int
    gate: tuple[int, ...] = (0,) * 6
    merit: bytes = bytes(48)
    cards: tuple[Card, ...] = (((),) * 9,) * 6
    laps: tuple[int, ...] = (0,) * 12
    waiting: tuple[int, ...] = ()
    removed: tuple[tuple[int, int], ...] = ()
    rounds: int = 0
    time_up: bool = False
    winners: int = 0
    ending: str = ""


class VictorusState(Plain):
    """A position and all that the rules need to know beside it.

    ``board`` is a code for each cell; ``place`` whose turn it is; ``asked`` the code of the
    returned King or Queen whose owner has to choose a cell now, 0 if there is none.
    """

    PARTS = ("arena", "board", "place", "turn", "tally", "asked")
    __slots__ = PARTS

    def __init__(
        self, arena: VictorusArena, board: bytes, place: int, turn: VictorusTurn,
        tally: VictorusTally, asked: int = 0,
    ) -> None:  # fmt: skip
        self.arena: Final = arena
        self.board: Final = board
        self.place: Final = place
        self.turn: Final = turn
        self.tally: Final = tally
        self.asked: Final = asked

    @property
    def setup(self) -> Setup:
        """Return the set-up that the game was begun with."""
        return self.arena.setup

    @property
    def mover(self) -> int | None:
        """Return the place whose decision is awaited, None when the game is over."""
        if self.tally.ending:
            return None
        return OWNER[self.asked] if self.asked else self.place

    def gate_open(self, place: int) -> bool:
        """Tell whether King and Queen of ``place`` may leave their kingdom (VIC-4.6)."""
        return self.tally.gate[place] >= GATE

    def angle_laps(self, code: int) -> int:
        """Return the full clockwise rounds of a King or Queen (VIC-7.2)."""
        return self.tally.laps[2 * OWNER[code] + (SUB[code] - KING)]
