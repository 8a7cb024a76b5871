"""One game's fixed part: who sits where, what stands where at the start, who is whose prey."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple

from companion.games.heximeros import geometry as g
from companion.games.heximeros.pieces import (
    AL_FIRST,
    ALCAZAR,
    BLOCKED,
    COLOURS,
    DONE,
    EMPTY,
    FIRST,
    FREE,
    OWNER,
    PREY,
    S_FIRST,
    SOVEREIGN,
    SUBS,
    TOKENS,
    WALL,
    code_of,
)
from companion.games.heximeros.plans import plans_of
from companion.games.heximeros.setup import start_array
from companion.rules import Action, Setup

EVERYBODY: Final = (0, 1, 2, 3, 4, 5)
"""The armies, and who plays each at the start: the player of the same number."""


class Sides(NamedTuple):
    """Whom an army may capture.

    ``marks`` tell for each code whether its cell is BLOCKED, FREE or PREY; ``spared`` are the codes
    that a Dreadnaught may not sweep (HX-4.5).
    """

    marks: bytes
    spared: frozenset[int]


class Sanctuary(NamedTuple):
    """A Sovereign's flight with one Alcazar (HX-4.7): where it ends, where the Alcazar ends, where
    that comes from, what it is before and after, and the action."""

    end: int
    beside: int
    alcazar: int
    before: int
    after: int
    move: Action


class HexiMerosArena:
    """A set-up worked out. One for each set-up, shared."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        turn = 1 if setup["direction"] == "left" else -1
        self.places = tuple(turn * army % 6 for army in range(6))
        self.plans = plans_of(setup["doubling"], setup["ground_zero"])
        self.scored = setup["scoring"] == "yes"
        self.seen = setup["token"] == "seen"
        self.fallen_prey = setup["fallen"] == "prey"
        self.homes = self._homes()
        self.mine = tuple(bytes(OWNER[c] == army for c in range(256)) for army in range(6))
        self.base_lines = tuple(g.BASE_LINES[place] for place in self.places)
        self.sanctuaries = tuple(self._sanctuaries(army) for army in range(6))
        self.tokens = tuple(f"token{army + 1}" for army in range(6))
        self._sides: dict[tuple[tuple[int, ...], int, int], Sides] = {}

    def _homes(self) -> MappingProxyType[int, int]:
        """Return the start array: cell -> code (HX-2.1)."""
        array = start_array(self.setup["assassin_side"])
        return MappingProxyType({
            g.NUMBER[g.rotate(axial, self.places[army])]: code_of(army, FIRST.get(kind, DONE[kind]))
            for army in range(6) for axial, kind in array
        })  # fmt: skip

    def _sanctuaries(self, army: int) -> tuple[Sanctuary, ...]:
        found = []
        for side in (-1, 1):
            sovereign, cavalier, prelate, alcazar = (
                g.NUMBER[g.rotate((q, (26 - q) // 2), self.places[army])]
                for q in (0, 4 * side, 2 * side, 6 * side)
            )
            found.append(Sanctuary(
                cavalier, prelate, alcazar, code_of(army, AL_FIRST), code_of(army, ALCAZAR),
                g.move_action(sovereign, cavalier),
            ))  # fmt: skip
        return tuple(found)

    def start_board(self) -> bytes:
        """Return the board of the start array."""
        board = blank()
        for cell, code in self.homes.items():
            board[cell] = code
        return bytes(board)

    def sides(self, masters: tuple[int, ...], live: int, army: int) -> Sides:
        """Return whom ``army`` may capture while the armies ``live`` (bits) are in play and
        ``masters`` play them (HX-3.3, HX-5.3)."""
        key = masters, live, army
        found = self._sides.get(key)
        if found is None:
            found = self._sides[key] = self._make_sides(masters, live, army)
        return found

    def _make_sides(self, masters: tuple[int, ...], live: int, army: int) -> Sides:
        own = {a for a in EVERYBODY if live >> a & 1 and masters[a] == masters[army]}
        others = {a for a in EVERYBODY if live >> a & 1 or self.fallen_prey} - own
        marks = bytearray(PREY if OWNER[code] in others else BLOCKED for code in range(256))
        marks[EMPTY] = FREE
        spared = {code_of(a, sub) for a in own for sub in (S_FIRST, SOVEREIGN)}
        out = set(EVERYBODY) - own - others
        spared |= {code_of(a, sub) for a in out for sub in range(SUBS)}
        return Sides(bytes(marks), frozenset(spared))

    # -- names -----------------------------------------------------------------------

    def code(self, token: str, cell: int) -> int | None:
        """Return the code of ``token`` on ``cell``, None if there is none such; a piece on its
        own place of the start array has not moved."""
        colour, _, kind = token.partition(" ")
        if colour not in COLOURS or kind not in DONE:
            return None
        code = code_of(COLOURS.index(colour), DONE[kind])
        home = self.homes.get(cell, EMPTY)
        return home if home and TOKENS[home] == token else code


def blank() -> bytearray:
    """Return an empty board, with a blocker beyond its cells."""
    board = bytearray(g.COUNT + 1)
    board[g.BLOCKER] = WALL
    return board


_ARENAS: Final[dict[tuple[tuple[str, str], ...], HexiMerosArena]] = {}


def arena_of(setup: Setup) -> HexiMerosArena:
    """Return the one arena of ``setup``: equal set-ups share it."""
    key = tuple(sorted(setup.options.items()))
    if key not in _ARENAS:
        _ARENAS[key] = HexiMerosArena(setup)
    return _ARENAS[key]
