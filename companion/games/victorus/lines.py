"""The lines along which pieces travel, worked out once for each set of standing walls, as far as
they are asked for.

The tables hold prebuilt actions: a move generator only walks a ray and appends what is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile
from typing import Final, NamedTuple, TypeVar

from companion.games.victorus import geometry as g
from companion.games.victorus.pieces import PIECES, SUBS
from companion.rules import Action

EdgeRay = tuple[tuple[int, Action | None], ...]
"""Cells in order from the piece, each with the move that ends there, None on a wrong colour."""
SpokeRay = tuple[tuple[int, Action | None, int, int], ...]
"""The same with the two flanking cells of the step that leads to the cell."""

Step = TypeVar("Step", tuple[int, Action | None], tuple[int, Action | None, int, int])


class Plan(NamedTuple):
    """Everything a piece might do from one cell of an empty board: VIC-4.1, VIC-4.2.

    ``steps`` are the strategic steps that are no slides: cell, move and flanking cells.
    """

    edges: tuple[EdgeRay, ...]
    spokes: tuple[SpokeRay, ...]
    steps: tuple[tuple[int, Action, int, int], ...] = ()


EDGE_LINES: Final[Mapping[str, tuple[int, ...]]] = {
    "T": (0, 3), "U": (1, 2, 4, 5), "B": (), "H": (), "E": tuple(range(6)),
    "K": tuple(range(6)), "Q": tuple(range(6)),
}  # fmt: skip
"""VIC-4.1 for the south seat; the seat at place k adds k."""
SPOKE_LINES: Final[Mapping[str, tuple[int, ...]]] = {
    "T": (1, 4), "U": (), "B": tuple(range(6)), "H": tuple(range(6)), "E": (1, 4),
    "K": (1, 4), "Q": (1, 4),
}  # fmt: skip
STEP_EDGES: Final[Mapping[str, tuple[int, ...]]] = {
    "T": (1, 2, 4, 5), "U": (0, 3), "B": tuple(range(6)),
}  # fmt: skip
"""VIC-4.2: the neighbours that no slide of the piece reaches."""
STEP_SPOKES: Final[Mapping[str, tuple[int, ...]]] = {"U": (1, 4)}


class Lines:
    """The ray tables of one board: its corners, its colours, the walls that stand.

    ``walls`` are the pairs of neighbouring cells that a wall keeps apart, ``land`` each cell's
    kingdom; ``tips`` and ``rim`` are the options of VIC-2.4 and VIC-3.3.
    """

    def __init__(self, land: bytes, colour: bytes, standing: frozenset[frozenset[int]],
                 apart: frozenset[frozenset[int]], tips: str, rim: str) -> None:  # fmt: skip
        self.land, self.colour, self.walls, self.apart = land, colour, standing, apart
        self.rim = rim
        self.tips = self._tips() if tips == "forbidden" else frozenset()
        self.plans = [_unmade(SUBS) for _ in range(3)]
        self.crowns, self.homes = ([_unmade(2) for _ in range(6)] for _ in range(2))
        self.pivots: tuple[tuple[int, ...], ...] = tuple(map(self._pivots, range(g.COUNT)))

    # -- single steps ----------------------------------------------------------------

    def _tips(self) -> frozenset[frozenset[int]]:
        """Return the spoke steps that touch a wall's inner end, as pairs of cells."""
        found = set()
        for wall in self.walls:
            a, b = sorted(wall)
            for inner in range(g.COUNT):
                if (self.land[inner] == g.BATTLEFIELD and g.distance(inner, a) == 1
                        and g.distance(inner, b) == 1):  # fmt: skip
                    for one, other in ((a, b), (b, a)):
                        (q, r), (u, v), (x, y) = g.AXIAL[other], g.AXIAL[inner], g.AXIAL[one]
                        found.add(frozenset((one, g.NUMBER[q + u - x, r + v - y])))
        return frozenset(found)

    def edge_step(self, cell: int, d: int) -> int | None:
        """Return the neighbour in direction ``d`` that a piece may step to, wall and rim and
        centre considered; None where there is no way."""
        target = g.neighbour(cell, g.EDGE_STEPS[d])
        if target is None or target == g.CENTRE or frozenset((cell, target)) in self.walls:
            return None
        return target

    def spoke_wall(self, cell: int, d: int) -> bool:
        """Tell whether a wall forbids spoke ``d`` from ``cell``: it lies on the spoke, the spoke
        passes its bend, or touches its tip where that is forbidden (VIC-2.4)."""
        target = g.neighbour(cell, g.SPOKE_STEPS[d])
        pair = frozenset((cell, target))
        return (
            frozenset(g.flanks(cell, d)) in self.walls or pair in self.tips
            or (target is not None
            and frozenset((self.land[cell], self.land[target])) in self.apart)
        )  # fmt: skip

    def spoke_step(self, cell: int, d: int) -> tuple[int, int, int] | None:
        """Return where spoke ``d`` leads and the board numbers of its two flanks; the centre and
        a missing cell are the number of a blocker (VIC-3.3). None where there is no way."""
        target = g.neighbour(cell, g.SPOKE_STEPS[d])
        if target is None or target == g.CENTRE or self.spoke_wall(cell, d):
            return None
        sides = []
        for flank in g.flanks(cell, d):
            if flank is None:
                sides.append(g.BLOCKER if self.rim == "blocks" else g.VACANT)
            else:
                sides.append(g.BLOCKER if flank == g.CENTRE else flank)
        return target, sides[0], sides[1]

    # -- rays ------------------------------------------------------------------------

    @cache  # noqa: B019 - a board lives as long as the program
    def _edge_ray(self, cell: int, d: int, colour: int) -> EdgeRay:
        return tuple(_trim(self._walk_edge(cell, d, colour)))

    def _walk_edge(self, cell: int, d: int, colour: int) -> Iterator[tuple[int, Action | None]]:
        here = self.edge_step(cell, d)
        while here is not None:
            yield here, g.move_action(cell, here) if self.colour[here] == colour else None
            here = self.edge_step(here, d)

    @cache  # noqa: B019
    def _spoke_ray(self, cell: int, d: int, colour: int) -> SpokeRay:
        steps = []
        way = self.spoke_step(cell, d)
        while way is not None:
            here, f, s = way
            move = g.move_action(cell, here) if self.colour[here] == colour else None
            steps.append((here, move, f, s))
            way = self.spoke_step(here, d)
        return tuple(_trim(steps))

    @cache  # noqa: B019
    def _lines(self, kind: str, axis: int, colour: int, cell: int) -> Plan:
        edges = (self._edge_ray(cell, (d + axis) % 6, colour) for d in EDGE_LINES[kind])
        spokes = (self._spoke_ray(cell, (d + axis) % 6, colour) for d in SPOKE_LINES[kind])
        return Plan(tuple(filter(None, edges)), tuple(filter(None, spokes)))

    def plan(self, axis: int, sub: int, cell: int) -> Plan:
        """Return what a piece may do from ``cell``, seen from a seat on ``axis`` (0 … 2)."""
        made = self.plans[axis][sub]
        found = made[cell]
        if found is None:
            found = made[cell] = self._plan(sub, axis, cell)
        return found

    def royal(self, place: int, colour: int, cell: int, opened: bool) -> Plan:
        """Return how a King or Queen goes from ``cell`` to ``colour``: at home until the gate is
        open (VIC-4.5, VIC-4.6)."""
        made = (self.crowns if opened else self.homes)[place][colour]
        found = made[cell]
        if found is None:
            found = self._lines("E", place % 3, colour, cell)
            found = made[cell] = found if opened else self._inside(found, place)
        return found

    def _plan(self, sub: int, axis: int, cell: int) -> Plan:
        kind, colour, _ = PIECES[sub]
        if colour is None:
            return Plan((), ())
        plan = self._lines(kind, axis, colour, cell)
        steps = []
        for d in STEP_EDGES.get(kind, ()):
            target = self.edge_step(cell, (d + axis) % 6)
            if target is not None and self.colour[target] == colour:
                steps.append((target, g.move_action(cell, target), g.VACANT, g.VACANT))
        for d in STEP_SPOKES.get(kind, ()):
            way = self.spoke_step(cell, (d + axis) % 6)
            if way is not None and self.colour[way[0]] == colour:
                steps.append((way[0], g.move_action(cell, way[0]), way[1], way[2]))
        return plan._replace(steps=tuple(steps))

    def _pivots(self, cell: int) -> tuple[int, ...]:
        """Return the neighbours of the cell's own colour, no wall between (VIC-4.3)."""
        near = (self.edge_step(cell, d) for d in range(6))
        return tuple(
            target for target in near
            if target is not None and self.colour[target] == self.colour[cell]
        )  # fmt: skip

    def _inside(self, plan: Plan, place: int) -> Plan:
        """Return ``plan`` without everything from the first cell outside the kingdom on
        (VIC-4.6)."""

        def kept(ray: tuple[Step, ...]) -> tuple[Step, ...]:
            return tuple(_trim(takewhile(lambda step: self.land[step[0]] == place, ray)))

        return Plan(
            tuple(filter(None, map(kept, plan.edges))),
            tuple(filter(None, map(kept, plan.spokes))),
        )


def _unmade(tables: int) -> list[list[Plan | None]]:
    """Return so many tables of plans by cell, which are made when they are first asked for: a game
    begins long before a piece has stood on every cell."""
    return [[None] * g.COUNT for _ in range(tables)]


def _trim(ray: Iterable[Step]) -> list[Step]:
    """Drop the cells behind the last one on which a move may end."""
    kept = list(ray)
    while kept and kept[-1][1] is None:
        kept.pop()
    return kept
