"""The ground of the naive Victorus: cells, kingdoms, walls, and the ways a piece can go.

Everything is computed by walking over axial pairs; rule ids stand beside what they ask for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Cell = tuple[int, int]
Piece = tuple[str, str, str]
"""Owner, edge (white, black, half), kind; each piece of the game exists once."""

CENTRE: Cell = (0, 0)
COLOURS = ("red", "black", "orange", "purple", "blue", "green")
LIONS = ({"red", "green", "orange"}, {"black", "blue", "purple"})
ALLIED_ORDER = ("orange", "black", "red", "blue", "green", "purple")
N, NE, SE, S, SW, NW = (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)
UNITS = (N, NE, SE, S, SW, NW)
LINES = {
    "vertical": (N, S),
    "diagonal": (NE, SE, SW, NW),
    "horizontal": ((2, -1), (-2, 1)),
    "sixty": ((1, 1), (-1, -1), (1, -2), (-1, 2)),
}
MOVES = {
    "T": ("vertical", "horizontal"),
    "U": ("diagonal",),
    "B": ("horizontal", "sixty"),
    "H": ("horizontal", "sixty"),
    "E": ("vertical", "horizontal", "diagonal"),
    "K": ("vertical", "horizontal", "diagonal"),
    "Q": ("vertical", "horizontal", "diagonal"),
}
POINTS = {"T": 2, "U": 2, "B": 2, "E": 4, "H": 5, "K": 10, "Q": 10}
ROYAL_POINTS = {"T": 6, "U": 6, "B": 6, "E": 8}
DEFAULTS = {
    "variant": "basic",
    "ring1": "white",
    "corner": "right",
    "wall_tip": "allowed",
    "fallen_walls": "stand",
    "empty_kingdom": "battlefield",
    "portal": "home",
    "rim": "open",
    "pivot": "must",
    "second": "may",
    "dogleg": "free",
    "return": "after_capture",
    "gate": "knights",
    "must_move": "yes",
    "bonus": "may",
    "bonus_strategic": "yes",
    "pass_on": "yes",
    "royal_bonus_colour": "same",
    "from_enemy": "no",
    "double": "battlefield",
    "captor": "leaves",
    "fallen_kingdom": "then",
    "same_kingdom": "no",
}


def plus(a: Cell, b: Cell) -> Cell:
    return a[0] + b[0], a[1] + b[1]


def turned(cell: Cell, sixths: int) -> Cell:
    """VIC-2.3: one sixth of a turn clockwise is (q, r) -> (-r, q + r)."""
    for _ in range(sixths):
        cell = (-cell[1], cell[0] + cell[1])
    return cell


def diff(cell: Cell) -> int:
    q, r = cell
    s = -q - r
    return max(abs(q - r), abs(r - s), abs(s - q))


def distance(a: Cell, b: Cell) -> int:
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def angle(cell: Cell) -> float:
    """Degrees clockwise, seen from above with y down."""
    q, r = cell
    return math.degrees(math.atan2(r + q / 2, q * math.sqrt(3) / 2))


def swing(a: float, b: float) -> float:
    """The signed way from direction ``a`` to ``b``, the short way, clockwise positive."""
    return (b - a + 180) % 360 - 180


CELLS = [(q, r) for q in range(-13, 14) for r in range(-13, 14) if diff((q, r)) <= 13]  # VIC-2.1


def names() -> dict[Cell, str]:
    """VIC-2.7."""
    found = {}
    for q, r in CELLS:
        bottom = max(other for column, other in CELLS if column == q)
        found[q, r] = "abcdefghijklmnopq"[q + 8] + str(bottom - r + 1)
    return found


NAME = names()
CELL = {name: cell for cell, name in NAME.items()}


def south_rows(corner: str) -> list[list[Cell]]:
    """VIC-2.3: the south kingdom's rows from the rim inward, each from west to east."""
    rows = []
    for h, columns in ((13, (-3, -1, 1, 3)), (12, (-2, 0, 2)), (11, (-3, -1, 1, 3))):
        rows.append([(q, (h - q) // 2) for q in columns])
    rows[1].append((4, 4) if corner == "right" else (-4, 8))
    rows[1].sort()
    return rows


def walls(corner: str) -> set[frozenset[Cell]]:
    """VIC-2.4: three edges of the wall between two kingdoms, turned six times."""
    if corner == "right":
        edges = [((4, 3), (3, 4)), ((4, 3), (4, 4)), ((5, 3), (4, 4))]
    else:
        edges = [((4, 3), (3, 4)), ((4, 4), (3, 4)), ((4, 4), (3, 5))]
    return {frozenset((turned(a, k), turned(b, k))) for a, b in edges for k in range(6)}


@dataclass
class Way:
    """One way a piece can go: where to, by which cells, in which direction, as what."""

    target: Cell
    path: list[Cell]  # every cell stepped on, the target last
    direction: Cell
    manner: str  # slide, strategic, pivot, entry


class Ground:
    """The board with whatever stands on it, and how far a piece can go."""

    def __init__(
        self,
        seats: tuple[str, ...],
        options: dict[str, str] | None = None,
        places: tuple[str, ...] = COLOURS,
    ) -> None:
        self.options = {**DEFAULTS, **(options or {})}
        self.seats = tuple(seats)
        self.place = {colour: places.index(colour) for colour in COLOURS}
        self.walls = walls(self.options["corner"])
        tip = ((4, 3), (3, 4), (3, 3))  # the three cells around a wall's inner end
        self.tips = {frozenset(turned(cell, k) for cell in tip) for k in range(6)}
        self.kingdom: dict[Cell, str] = {}
        self.board: dict[Cell, Piece] = {}
        self.home: dict[Piece, Cell] = {}
        for colour in COLOURS:
            for row, kinds in zip(
                south_rows(self.options["corner"]), ("HKHQ", "EEBB", "UTUT"), strict=True
            ):
                for cell, kind in zip(row, kinds, strict=True):
                    here = turned(cell, self.place[colour])
                    self.kingdom[here] = colour
                    edge = "half" if kind in "KQ" else self.edge_of(here)
                    if colour in self.seats:
                        self.board[here] = (colour, edge, kind)
                        self.home[colour, edge, kind] = here
        self.out: set[str] = set()

    def edge_of(self, cell: Cell) -> str:
        """VIC-2.2: the colour of a cell, called by the edge colour that belongs on it."""
        q, r = cell
        ring = max(abs(q), abs(r), abs(q + r))
        odd = "white" if self.options["ring1"] == "white" else "black"
        even = "black" if odd == "white" else "white"
        return odd if ring % 2 == 1 else even

    def friends(self, a: str, b: str) -> bool:
        if a == b:
            return True
        allied = self.options["variant"] == "allied"
        return allied and any(a in team and b in team for team in LIONS)

    def zone(self, seat: str, cell: Cell) -> str:
        """``field``, ``own``, ``allied``, or the colour of the enemy whose kingdom it is."""
        owner = self.kingdom.get(cell)
        if owner is None or owner in self.out:
            return "field"
        if owner not in self.seats:
            return "field" if self.options["empty_kingdom"] == "battlefield" else owner
        if owner == seat:
            return "own"
        return "allied" if self.friends(owner, seat) else owner

    def enemy_kingdom(self, seat: str, cell: Cell) -> str | None:
        zone = self.zone(seat, cell)
        return None if zone in ("field", "own", "allied") else zone

    def step_possible(self, a: Cell, b: Cell) -> bool:
        """VIC-2.4, 3.3, 3.4: one step to a neighbour or along a spoke, from a to b."""
        if b not in NAME or b == CENTRE:
            return False
        if self.parted(a, b):
            return False
        step = (b[0] - a[0], b[1] - a[1])
        if step in UNITS:
            return True
        left, right = [plus(a, u) for u in UNITS if distance(plus(a, u), b) == 1]
        if self.parted(left, right):
            return False
        if self.options["wall_tip"] == "forbidden":
            for tip in self.tips:
                if tip in ({a, left, right}, {b, left, right}) and self.stands_at(tip):
                    return False
        blockers = 0
        for flank in (left, right):
            if flank in self.board or flank == CENTRE:
                blockers += 1
            if flank not in NAME and self.options["rim"] == "blocks":
                blockers += 1
        return blockers < 2

    def stands_at(self, tip: frozenset[Cell]) -> bool:
        """Whether the wall is there whose inner end lies between the three cells."""
        left, right = [cell for cell in tip if cell in self.kingdom]
        return self.parted(left, right)

    def parted(self, a: Cell, b: Cell) -> bool:
        """VIC-2.4: whether a and b lie in two kingdoms with a wall between them."""
        sides = {self.kingdom.get(a), self.kingdom.get(b)}
        if None in sides or len(sides) == 1:
            return False
        if self.options["fallen_walls"] == "stand":
            return True
        return not any(side not in self.seats or side in self.out for side in sides)

    def directions(self, piece: Piece) -> list[Cell]:
        """VIC-3.1: read in the seat's orientation."""
        return [
            turned(step, self.place[piece[0]]) for line in MOVES[piece[2]] for step in LINES[line]
        ]

    def slides(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-3.2 without the question of colour: every cell that a slide can reach."""
        ways = []
        for step in self.directions(piece):
            path: list[Cell] = []
            here = start
            while self.step_possible(here, plus(here, step)):
                here = plus(here, step)
                path = [*path, here]
                other = self.board.get(here)
                if other is not None and self.friends(other[0], piece[0]):
                    break
                ways.append(Way(here, path, step, "slide"))
                if other is not None:
                    break
        return ways

    def strategic(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-4.2."""
        if piece[2] not in "TUB":
            return []
        steps = list(UNITS)
        if piece[2] == "U":
            steps += [turned(step, self.place[piece[0]]) for step in LINES["horizontal"]]
        ways = []
        for step in steps:
            target = plus(start, step)
            if self.step_possible(start, target) and target not in self.board:
                ways.append(Way(target, [target], step, "strategic"))
        return [way for way in ways if self.edge_of(way.target) == piece[1]]
