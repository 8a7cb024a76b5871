"""One game's fixed part: who sits where, who is whose enemy, whose land is whose, all lines."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from companion.games.victorus import geometry as g
from companion.games.victorus.lines import Lines
from companion.games.victorus.pieces import (
    EMPTY,
    FACES,
    KING,
    OWNER,
    PIECES,
    QUEEN,
    SUB,
    WALL,
    WHITE,
    code_of,
)  # fmt: skip
from companion.games.victorus.setup import ALLIES
from companion.rules import Setup

_NAMED: Final = tuple(FACES)


@cache
def start_array(corner: str) -> tuple[tuple[g.Axial, str], ...]:
    """Return the south seat's start array: cell and kind (VIC-2.8), from ``start.toml``."""
    source = resources.files(__package__) / "start.toml"
    rows = tomllib.loads(source.read_text(encoding="utf-8"))["rows"]
    return tuple(zip(g.south_kingdom(corner), "".join(rows), strict=True))


@cache
def lines_of(corner: str, ring1: str, tips: str, rim: str, standing: int) -> Lines:
    """Return the lines of a board, shared by all games that are played on it."""
    up = {
        wall: pair
        for wall, pair in g.walls(corner).items()
        if all(standing >> place & 1 for place in pair)
    }
    apart = frozenset(frozenset(pair) for pair in up.values())
    return Lines(g.kingdoms(corner), g.colours(ring1), frozenset(up), apart, tips, rim)


class SeatView:
    """The board while a certain set of kingdoms stands.

    ``zone`` is each cell's kingdom, BATTLEFIELD for fallen and empty ones too, MIDDLE for the
    centre. ``foreign[place]`` marks the cells of enemy kingdoms of that seat; ``deep[place]`` the
    cells from which that seat may capture in an enemy kingdom (VIC-5.6).
    """

    def __init__(self, arena: VictorusArena, live: int) -> None:
        empty = 0 if arena.setup["empty_kingdom"] == "battlefield" else 63 & ~arena.seated
        self.live = live
        real = live | empty
        self.zone = bytes(
            k if k > 5 or real >> k & 1 else g.BATTLEFIELD for k in arena.land[: g.COUNT]
        ) + bytes((g.MIDDLE, g.MIDDLE))
        allies = [friends & arena.seated for friends in arena.friends]
        self.foreign = tuple(
            bytes(k < 6 and not allies[place] >> k & 1 for k in self.zone) for place in range(6)
        )
        inside = arena.setup["from_enemy"] == "yes"
        self.deep = tuple(
            bytes(
                k == g.BATTLEFIELD or (inside and bool(self.foreign[place][cell]))
                for cell, k in enumerate(self.zone)
            )
            for place in range(6)
        )
        self._within: dict[tuple[int, int], bytes] = {}
        self.lines = arena.lines(live if arena.setup["fallen_walls"] == "gone" else 63)

    def within(self, place: int, kingdom: int) -> bytes:
        """Return where the seat at ``place`` may not capture from ``kingdom``, an enemy's, if it
        may in that one alone (VIC-5.6)."""
        if (place, kingdom) not in self._within:
            self._within[place, kingdom] = bytes(
                no and zone != kingdom
                for no, zone in zip(self.foreign[place], self.zone, strict=True)
            )
        return self._within[place, kingdom]


class VictorusArena:
    """A set-up worked out: places, enemies, homes, tables. One for each set-up, shared."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.colours: tuple[str, ...] = tuple(setup["seats"].split("-"))
        self.order = tuple(self.colours.index(seat) for seat in setup.seats)
        self.seated = sum(1 << place for place in self.order)
        self.land = g.kingdoms(setup["corner"])
        self.shade = g.colours(setup["ring1"])
        self.quick = setup["variant"] == "quick"
        self.allied = setup["variant"] == "allied"
        self.may_pass = setup["must_move"] == "no"
        self.must_pivot = setup["pivot"] == "must"
        self.once = self.quick or setup["same_kingdom"] == "no"
        self.stays = setup["captor"] == "stays"
        self.same = setup["from_enemy"] == "same"
        self.friends = tuple(self._friends(place) for place in range(6))
        self.mine = tuple(bytes(OWNER[code] == p for code in range(256)) for p in range(6))
        self.prey = tuple(
            bytes(code != WALL and OWNER[code] < 6 and not self.friends[p] >> OWNER[code] & 1
                  for code in range(256))
            for p in range(6)
        )  # fmt: skip
        self.homes = self._homes()
        # Where each King and Queen stands at the start, by code.
        self.home_of = {
            code: cell for cell, code in self.homes.items() if SUB[code] in (KING, QUEEN)
        }
        # What :meth:`entry` says of the six places.
        self.entries = tuple(self.entry(place) for place in range(6))
        self._nexts: dict[int, tuple[int, bool]] = {}
        self._views: dict[int, SeatView] = {}

    def _friends(self, place: int) -> int:
        """Return the places that ``place`` may not capture from, its own included, as bits."""
        if not self.allied:
            return 1 << place
        side = next(side for side in ALLIES if self.colours[place] in side)
        return sum(1 << p for p, colour in enumerate(self.colours) if colour in side)

    def _homes(self) -> MappingProxyType[int, int]:
        """Return the start array: cell -> code, for the seats that play (VIC-2.8)."""
        board: dict[int, int] = {}
        for place in sorted(self.order):
            for axial, kind in start_array(self.setup["corner"]):
                cell = g.NUMBER[g.rotate(axial, place)]
                colour = "white" if self.shade[cell] == WHITE else "black"
                edge = "half" if kind in "KQ" else colour
                board[cell] = code_of(place, FACES[f"{edge} {kind}"])
        return MappingProxyType(board)

    def start_board(self) -> bytes:
        """Return the board of the start array."""
        board = blank()
        for cell, code in self.homes.items():
            board[cell] = code
        return bytes(board)

    def view(self, live: int) -> SeatView:
        """Return the board while the kingdoms ``live`` (bits by place) stand."""
        found = self._views.get(live)
        if found is None:
            found = self._views[live] = SeatView(self, live)
        return found

    def lines(self, standing: int) -> Lines:
        """Return the lines while walls stand between the kingdoms ``standing``."""
        setup = self.setup
        return lines_of(setup["corner"], setup["ring1"], setup["wall_tip"], setup["rim"], standing)

    def next_place(self, place: int, playing: int) -> tuple[int, bool]:
        """Return the seat after ``place`` in order of play among those ``playing`` (bits), and
        whether a round is finished by then."""
        key = 8 * playing + place
        found = self._nexts.get(key)
        if found is None:
            at, order = self.order.index(place), self.order
            still = [n for n in range(len(order)) if playing >> order[n] & 1]
            ahead = next((n for n in still if n > at), still[0])
            found = self._nexts[key] = order[ahead], ahead <= at
        return found

    # -- names -----------------------------------------------------------------------

    def token(self, code: int) -> str:
        """Return the token of ``code``: ``red white T+``."""
        return f"{self.colours[OWNER[code]]} {_NAMED[SUB[code]]}"

    def code(self, token: str) -> int | None:
        """Return the code of a token (without the frozen mark), None if there is none such."""
        colour, _, rest = token.partition(" ")
        if colour not in self.colours or rest not in FACES:
            return None
        return code_of(self.colours.index(colour), FACES[rest])

    def right_colour(self, code: int, cell: int) -> bool:
        """Tell whether the knight ``code`` may stand on ``cell`` by its edge; a King or Queen
        stands anywhere."""
        edge = PIECES[SUB[code]].edge
        return edge is None or self.shade[cell] == edge

    def entry(self, place: int) -> tuple[int, ...]:
        """Return the cells of the owner's axis from the one beside the portal outward
        (VIC-7.3)."""
        outward = 3 if self.setup["portal"] == "home" else 0
        cells = []
        here = g.neighbour(g.CENTRE, g.EDGE_STEPS[(outward + place) % 6])
        while here is not None:
            cells.append(here)
            here = g.neighbour(here, g.EDGE_STEPS[(outward + place) % 6])
        return tuple(cells)


def blank() -> bytearray:
    """Return an empty board: the blocker and the vacant number stand beyond its cells."""
    board = bytearray([EMPTY] * g.SIZE)
    board[g.BLOCKER] = WALL
    return board


_ARENAS: Final[dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], VictorusArena]] = {}


def arena_of(setup: Setup) -> VictorusArena:
    """Return the one arena of ``setup``: equal set-ups share it."""
    key = (setup.seats, tuple(sorted(setup.options.items())))
    if key not in _ARENAS:
        _ARENAS[key] = VictorusArena(setup)
    return _ARENAS[key]
