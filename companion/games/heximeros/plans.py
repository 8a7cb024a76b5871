"""Everything a piece might do from a cell of an empty board (HX-4), worked out when first asked.

The tables hold prebuilt actions: a move generator only walks a ray, or lets C code pick the
actions whose cells are open, and appends what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from operator import itemgetter
from typing import Final, NamedTuple

from companion.games.heximeros import geometry as g
from companion.games.heximeros.pieces import CAPITALS, KINDS, P_FIRST, PRELATE
from companion.rules import Action

Picker = Callable[[bytes], tuple[int, ...]]
"""Takes the bytes of certain cells out of a board."""
FARTHEST: Final = 10
"""How far a Prelate goes along a line (HX-4.2)."""

# What is walked for every move are plain tuples: they are taken apart faster than named ones.
Way = tuple[tuple[int, Action], ...]
"""Cells, each with the move that ends there."""
Ray = tuple[tuple[int, ...], tuple[Action, ...]]
"""Cells in order from the piece, and the moves that end there. They lie apart, so that the walk
along the cells touches no move that is not made."""
Rays = list[tuple[Ray, ...] | None]
"""The rays from each cell, None before they were asked for."""
Leaps = tuple[Picker, tuple[Action, ...], Picker, tuple[Action, ...]]
"""Cells reached whatever stands between, with their moves: those that are open for a move or a
capture, then those for a capture alone."""
Steps = tuple[Picker, tuple[Action, ...], tuple[tuple[int, int, Action], ...]]
"""One space along any axis, and its doubles: cell passed, cell reached, move (HX-4.8)."""
Stand = tuple[int, Action, tuple[int, ...], tuple[Action, ...]]
"""A cell that an Archer steps to and the move, the cells that it could shoot from there and each
shot."""
Bow = tuple[tuple[Stand, ...], tuple[tuple[int, Stand], ...]]
"""What an Archer may do: where it steps to, and its doubles with the cell that each passes (HX-4.4,
HX-4.8)."""
Sweeps = tuple[Picker, tuple[Action, ...], tuple[tuple[int, ...], ...]]
"""A Dreadnaught's ways: all cells of all of them, the moves, and each way by itself."""
Arrivals = tuple[tuple[int, tuple[Action, ...]], ...]
"""Cells, each with the move that ends there and, where a Militant may be promoted, those that
promote it."""
Flower = tuple[
    Picker, tuple[Action, ...], Picker, Way, tuple[tuple[tuple[int, Action, Way], ...], ...]
]  # fmt: skip
"""A Prelate's first move: the cells beside it and their moves, the first cells of its rays; the
cells beside it again, and the rays, whose cells come with the cells beside them, always with the
moves that end there (HX-4.2)."""


class Rush(NamedTuple):
    """What a Militant may capture, and on its first move after a step ahead. From Ground Zero
    (HX-4.8): pairs of cells along a flat, and what it may capture after a step to any of several
    cells."""

    captures: Arrivals
    beyond: Arrivals
    doubles: tuple[tuple[int, int, tuple[Action, ...]], ...]
    strikes: tuple[tuple[tuple[int, ...], int, tuple[Action, ...]], ...]


March = tuple[int, tuple[Action, ...], int, tuple[Action, ...], int, int, int, int, Rush]
"""A Militant's one step and two steps straight ahead, each cell with its moves; the four cells that
it may capture on, cells that are none among them, and what follows from there."""


def picker(cells: Iterable[int]) -> Picker:
    """Return what takes ``cells`` out of a board; two blocked cells more, so that there is always
    a tuple."""
    return itemgetter(*cells, g.BLOCKER, g.BLOCKER)


def leaps(origin: int, ends: Iterable[int], captures: Iterable[int] = ()) -> Leaps:
    """Return the plan that reaches ``ends``, and ``captures`` only by capturing."""
    first = tuple(dict.fromkeys(ends))
    second = tuple(cell for cell in dict.fromkeys(captures) if cell not in first)
    return (
        picker(first), tuple(g.move_action(origin, cell) for cell in first),
        picker(second), tuple(g.move_action(origin, cell) for cell in second),
    )  # fmt: skip


def paths(origin: int, legs: Iterable[tuple[g.Axial, int]]) -> Iterator[int]:
    """Yield the cells that a piece passes: so many steps of each leg, up to the first space that
    is none (HX-1.2)."""
    here = g.AXIAL[origin]
    for step, times in legs:
        for _ in range(times):
            here = g.add(here, step)
            if here not in g.NUMBER:
                return
            yield g.NUMBER[here]


@cache
def cavalier_ways(cell: int, doubled: bool) -> dict[int, tuple[int, ...]]:
    """Return where a Cavalier ends and what it jumps over: three flats and two at 60 degrees, or
    two and one; on Ground Zero twice that as well (HX-4.3, HX-4.8)."""
    found = {}
    for times in (1, 2) if doubled else (1,):
        for long, short in ((3, 2), (2, 1)):
            for d in range(6):
                for side in (1, 5):
                    legs = ((g.FLATS[d], long * times), (g.FLATS[(d + side) % 6], short * times))
                    way = tuple(paths(cell, legs))
                    if len(way) == (long + short) * times:
                        found[way[-1]] = way
    return found


@cache
def assassin_ways(cell: int, doubled: bool) -> tuple[tuple[int, ...], ...]:
    """Return every route of an Assassin with the cells on it: one flat and two lines of one axis,
    or one line and two flats; a route that leaves the board stops short (HX-4.6, HX-4.8)."""
    return tuple(
        tuple(paths(cell, ((first, times), (then, 2 * times))))
        for times in ((1, 2) if doubled else (1,))
        for one, two in ((g.FLATS, g.LINES), (g.LINES, g.FLATS))
        for first in one for then in two
    )  # fmt: skip


def whole(way: tuple[int, ...]) -> bool:
    """Tell whether a route of an Assassin goes to its limit: three spaces, doubled six."""
    return len(way) in (3, 6)


@cache
def dreadnaught_ways(cell: int, doubled: bool) -> tuple[tuple[int, ...], ...]:
    """Return the paths of a Dreadnaught: four flats, on Ground Zero eight as well (HX-4.5)."""
    found = []
    for length in (4, 8) if doubled else (4,):
        for step in g.FLATS:
            way = tuple(paths(cell, ((step, length),)))
            if len(way) == length:
                found.append(way)
    return tuple(found)


@cache
def shots_from(cell: int, distance: int) -> tuple[int, ...]:
    """Return the cells that lie ``distance`` flats away over the board (HX-4.4)."""
    ways = (tuple(paths(cell, ((step, distance),))) for step in g.FLATS)
    return tuple(way[-1] for way in ways if len(way) == distance)


def may_promote(cell: int, place: int) -> bool:
    """Tell whether a Militant of the seat at ``place`` may be promoted on ``cell``: on or past
    its Center Line, or on a Base Line (HX-5.1)."""
    return g.depth(cell, place) <= 0 or cell in g.BASE_OF


class Plans:
    """The plans of every piece; ``six`` tells whether all six pieces double on Ground Zero, and
    not only those that the rules name for certain; ``straight`` whether a Militant captures there
    at the end of two flats, and not on a diagonal after one (HX-4.8)."""

    def __init__(self, six: bool, straight: bool) -> None:
        self.six, self.straight = six, straight
        sizes = range(g.COUNT)
        regents, alcazars, prelates = (Rays([None for _ in sizes]) for _ in range(3))
        self.rays: tuple[Rays | None, ...] = tuple(
            {"R": regents, "Al": alcazars, "P": prelates}.get(kind) if sub != P_FIRST else None
            for sub, kind in enumerate(KINDS)
        )
        self.flowers: list[Flower | None] = [None for _ in sizes]
        self.steps: list[Steps | None] = [None for _ in sizes]
        self.cavaliers: list[Leaps | None] = [None for _ in sizes]
        self.assassins: list[Leaps | None] = [None for _ in sizes]
        self.bows: list[Bow | None] = [None for _ in sizes]
        self.sweeps: list[Sweeps | None] = [None for _ in sizes]
        self.marches: list[list[March | None]] = [[None for _ in sizes] for _ in range(6)]

    def doubled(self, cell: int) -> bool:
        """Tell whether Dreadnaught, Archer and Assassin double their move from ``cell``."""
        return self.six and cell == g.GROUND_ZERO

    def lines(self, sub: int, cell: int) -> tuple[Ray, ...]:
        """Build the rays of an Alcazar, a Prelate that has moved or a Regent (HX-4.2)."""
        steps = {"Al": g.FLATS, "P": g.LINES, "R": (*g.FLATS, *g.LINES)}[KINDS[sub]]
        farthest = FARTHEST if sub == PRELATE else g.COUNT
        rays = (g.ray(cell, step)[:farthest] for step in steps)
        made = tuple((ray, tuple(g.move_action(cell, end) for end in ray)) for ray in rays if ray)
        table = self.rays[sub]
        assert table is not None, "a piece that goes along rays"
        table[cell] = made
        return made

    def flower(self, cell: int) -> Flower:
        """Build the ways of a Prelate's first move (HX-4.2)."""
        rays = tuple(
            tuple((end, move, _beside(cell, end)) for end, move in zip(*ray, strict=True))
            for ray in self.lines(PRELATE, cell)
        )
        near = _beside(cell, cell)
        made = self.flowers[cell] = (
            picker(end for end, _ in near), tuple(move for _, move in near),
            picker(ray[0][0] for ray in rays), near, rays,
        )  # fmt: skip
        return made

    def single(self, cell: int) -> Steps:
        """Build the steps of a Sovereign and of a Hatted Militant (HX-4.2, HX-4.8)."""
        ends: list[int] = []
        doubles = []
        for step in (*g.FLATS, *g.LINES):
            way = tuple(paths(cell, ((step, 2),)))
            ends += way[:1]
            if cell == g.GROUND_ZERO:
                doubles.append((way[0], way[1], g.move_action(cell, way[1])))
        moves = tuple(g.move_action(cell, end) for end in ends)
        made = self.steps[cell] = (picker(ends), moves, tuple(doubles))
        return made

    def cavalier(self, cell: int) -> Leaps:
        """Build the leaps of a Cavalier (HX-4.3)."""
        made = self.cavaliers[cell] = leaps(cell, cavalier_ways(cell, cell == g.GROUND_ZERO))
        return made

    def assassin(self, cell: int) -> Leaps:
        """Build the ways of an Assassin (HX-4.6)."""
        ways = assassin_ways(cell, self.doubled(cell))
        ends = (way[-1] for way in ways if whole(way))
        made = self.assassins[cell] = leaps(cell, ends, (end for way in ways for end in way))
        return made

    def sweep(self, cell: int) -> Sweeps:
        """Build the sweeps of a Dreadnaught (HX-4.5)."""
        ways = dreadnaught_ways(cell, self.doubled(cell))
        moves = tuple(g.move_action(cell, way[-1]) for way in ways)
        crossed = picker(dict.fromkeys(end for way in ways for end in way))
        made = self.sweeps[cell] = (crossed, moves, ways)
        return made

    def bow(self, cell: int) -> Bow:
        """Build the steps and shots of an Archer (HX-4.4, HX-4.8)."""
        doubles = _stands(cell, 2) if self.doubled(cell) else ()
        made = self.bows[cell] = tuple(stand for _, stand in _stands(cell, 1)), tuple(doubles)
        return made

    def march(self, place: int, cell: int) -> March:
        """Build the ways of a Militant of the seat at ``place`` (HX-4.1, HX-4.8, HX-5.1)."""
        ahead, beside = g.FLATS[(place + 3) % 6], (g.FLATS[(place + 2) % 6],
                                                   g.FLATS[(place + 4) % 6])  # fmt: skip
        lines = g.LINES[(place + 2) % 6], g.LINES[(place + 3) % 6]

        def at(*steps: g.Axial) -> int:
            here = g.AXIAL[cell]
            for step in steps:
                here = g.add(here, step)
            return g.NUMBER.get(here, g.BLOCKER)

        def to(*ends: int) -> tuple[tuple[int, tuple[Action, ...]], ...]:
            return tuple((e, _arrivals(cell, e, place)) for e in ends if e != g.BLOCKER)

        one, two = at(ahead), at(ahead, ahead)
        prey = (at(beside[0]), at(beside[1]), at(lines[0]), at(lines[1]))
        beyond = to(*(at(ahead, step) for step in lines))
        doubles = [
            (at(step), at(step, step), _arrivals(cell, at(step, step), place))
            for step in (g.FLATS if cell == g.GROUND_ZERO else ())
        ]
        aslant = (*beside, *lines) if doubles and not self.straight else ()
        rush = Rush(to(*prey), beyond, tuple(doubles), _strikes(place, aslant))
        made = self.marches[place][cell] = (
            one, _arrivals(cell, one, place), two, _arrivals(cell, two, place), *prey, rush,
        )  # fmt: skip
        return made


def _beside(origin: int, cell: int) -> Way:
    ends = (way[0] for step in g.FLATS if (way := g.ray(cell, step)))
    return tuple((end, g.move_action(origin, end)) for end in ends if end != origin)


def _strikes(
    place: int, aslant: tuple[g.Axial, ...]
) -> tuple[tuple[tuple[int, ...], int, tuple[Action, ...]], ...]:
    """Return what a Militant on Ground Zero may capture after one flat, steps ``aslant`` away, and
    not at once: the cells that it may step to first, the cell, the moves (HX-4.8)."""
    found: dict[int, list[int]] = {}
    for step in g.FLATS if aslant else ():
        for end in (g.add(step, strike) for strike in aslant):
            if end != (0, 0) and end not in aslant:
                found.setdefault(g.NUMBER[end], []).append(g.NUMBER[step])
    return tuple(
        (tuple(passed), end, _arrivals(g.GROUND_ZERO, end, place)) for end, passed in found.items()
    )


def _stands(cell: int, times: int) -> Iterator[tuple[int, Stand]]:
    """Yield where an Archer may stand after so many steps one way, with the first cell passed."""
    for step in (*g.FLATS, *g.LINES):
        way = tuple(paths(cell, ((step, times),)))
        if len(way) == times:
            end = way[-1]
            targets = shots_from(end, 4 * times)
            shots = tuple(g.move_action(cell, end, f"*{g.NAMES[target]}") for target in targets)
            yield way[0], (end, g.move_action(cell, end), targets, shots)


def _arrivals(origin: int, end: int, place: int) -> tuple[Action, ...]:
    """Return a Militant's move to ``end`` and those that promote it there (HX-5.1)."""
    if end == g.BLOCKER:
        return ()
    move = g.move_action(origin, end)
    if not may_promote(end, place):
        return (move,)
    return (move, *(g.move_action(origin, end, kind) for kind in CAPITALS))


@cache
def plans_of(doubling: str, ground_zero: str) -> Plans:
    """Return the plans under the options of these names, shared by all games."""
    return Plans(doubling == "six", ground_zero == "straight")
