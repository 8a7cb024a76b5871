"""HexiMeros read a second time, naively: every move of a position from the words of the rules.

Shares nothing with the engine but the names of pieces: coordinates, no tables, no numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

Cell = tuple[int, int]
Move = tuple[Cell, Cell, str]
"""From where, to where, and what else: the piece it becomes, or the cell shot as ``*q,r``."""

AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Six flats, clockwise from the north."""
BETWEEN = ((1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1))
"""Six lines, each between a flat and the next one."""
SIBLINGS = ("R", "As", "Ar", "P", "Al", "C", "D")


def space(cell: Cell) -> bool:
    """Tell whether ``cell`` is a space of the board."""
    q, r = cell
    s = -q - r
    strips = ((q, r - s), (r, s - q), (s, q - r))
    return any(abs(across) <= 6 and abs(along) <= 26 for across, along in strips)


def go(cell: Cell, step: Cell, times: int = 1) -> Cell:
    """Return the cell ``times`` steps on."""
    return cell[0] + times * step[0], cell[1] + times * step[1]


class Position:
    """``pieces``: cell -> (army, kind); ``facing``: the arm, 0 south to 5, of each army; ``fresh``:
    cells of pieces that have not moved; ``own``: armies on the side of the one to move; ``prey``:
    armies it may capture; ``straight`` and ``six``: what Ground Zero allows."""

    def __init__(
        self,
        pieces: Mapping[Cell, tuple[int, str]],
        facing: tuple[int, ...],
        fresh: frozenset[Cell],
        own: frozenset[int],
        prey: frozenset[int],
        straight: bool = False,
        six: bool = True,
    ) -> None:
        self.pieces, self.facing, self.fresh = pieces, facing, fresh
        self.straight, self.six = straight, six
        self.own, self.prey = own, prey

    def empty(self, cell: Cell) -> bool:
        """Tell whether ``cell`` is a space on which nothing stands."""
        return space(cell) and cell not in self.pieces

    def foe(self, cell: Cell) -> bool:
        """Tell whether a piece stands on ``cell`` that may be captured."""
        return cell in self.pieces and self.pieces[cell][0] in self.prey

    def free(self, cell: Cell) -> bool:
        """Tell whether a move may end on ``cell``."""
        return self.empty(cell) or self.foe(cell)

    def after(self, move: Move) -> dict[Cell, tuple[int, str]]:
        """Return what stands where after a legal ``move``."""
        cell, end, detail = move
        left = dict(self.pieces)
        army, kind = left.pop(cell)
        if kind == "D":
            steps = max(abs(end[0] - cell[0]), abs(end[1] - cell[1]))
            step = (end[0] - cell[0]) // steps, (end[1] - cell[1]) // steps
            for times in range(1, steps + 1):
                left.pop(go(cell, step, times), None)
        if detail.startswith("*"):
            q, r = detail[1:].split(",")
            del left[int(q), int(r)]
        if kind == "S" and cell in self.fresh and all(end != near for near, _ in self.steps(cell)):
            for side in (-1, 1):
                cavalier, prelate, alcazar = self.shelter(cell, side)
                if end == cavalier:
                    left[prelate] = left.pop(alcazar)
        if kind == "M" and detail:
            kind = detail
        elif kind == "M" and (cell == (0, 0) or (end != (0, 0) and self.promotes(cell, end))):
            kind = "M+"
        left[end] = (army, kind)
        return left

    def shelter(self, cell: Cell, side: int) -> list[Cell]:
        """Return where Cavalier, Prelate and Alcazar began on one side of a Sovereign."""
        return [self.turned(cell, (side * n, (26 - side * n) // 2)) for n in (4, 2, 6)]

    # -- pieces ----------------------------------------------------------------------

    def moves(self, army: int) -> set[Move]:
        """Return every move of ``army``."""
        ways = {
            "M": self.militant, "M+": self.steps, "S": self.sovereign, "Al": self.alcazar,
            "P": self.prelate, "R": self.regent, "C": self.cavalier, "D": self.dreadnaught,
            "As": self.assassin, "Ar": self.archer,
        }  # fmt: skip
        return {
            (cell, end, detail)
            for cell, (owner, kind) in self.pieces.items()
            if owner == army
            for end, detail in ways[kind](cell)
        }

    def turned(self, cell: Cell, step: Cell) -> Cell:
        """Return a step of the south army as the army on ``cell`` makes it."""
        q, r = step
        for _ in range(self.facing[self.pieces[cell][0]]):
            q, r = -r, q + r
        return q, r

    def militant(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """One ahead, captures aslant; more on the first move and from the middle."""
        ahead, fresh = self.turned(cell, (0, -1)), cell in self.fresh
        strikes = [self.turned(cell, step) for step in ((-1, 0), (1, -1), (-1, -1), (1, -2))]
        ends = {go(cell, strike) for strike in strikes if self.foe(go(cell, strike))}
        if self.empty(go(cell, ahead)):
            ends.add(go(cell, ahead))
            if fresh:
                there = go(cell, ahead)
                ends |= {go(there, strike) for strike in strikes if self.foe(go(there, strike))}
                ends |= {end for end in (go(there, ahead),) if self.empty(end)}
        if cell == (0, 0):
            for there in filter(self.empty, AROUND):
                further = go(there, there)
                ends |= {end for end in (further,) if self.empty(end)}
                if self.straight:
                    ends |= {end for end in (further,) if self.foe(end)}
                else:
                    ends |= {go(there, strike) for strike in strikes if self.foe(go(there, strike))}
        for end in ends:
            yield end, ""
            if self.promotes(cell, end):
                yield from ((end, kind) for kind in SIBLINGS)

    def promotes(self, cell: Cell, end: Cell) -> bool:
        """Tell whether the Militant of ``cell`` may be promoted on ``end``."""
        down = self.turned(cell, (0, 1))
        # Half the scalar product with the way home: 0 on the Center Line.
        height = 2 * (end[0] * down[0] + end[1] * down[1]) + end[0] * down[1] + end[1] * down[0]
        return height <= 0 or any(
            2 * (end[0] * q + end[1] * r) + end[0] * r + end[1] * q >= 25 for q, r in AROUND
        )

    def steps(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """One space along any axis, two from the middle."""
        for step in AROUND + BETWEEN:
            if self.free(go(cell, step)):
                yield go(cell, step), ""
            if cell == (0, 0) and self.empty(step) and self.free(go(cell, step, 2)):
                yield go(cell, step, 2), ""

    def sovereign(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """Steps, and the Sanctuary."""
        yield from self.steps(cell)
        if cell not in self.fresh:
            return
        for side in (-1, 1):
            cavalier, prelate, alcazar = self.shelter(cell, side)
            whole = alcazar in self.fresh and self.pieces[alcazar][1] == "Al"
            if whole and self.empty(cavalier) and self.empty(prelate):
                yield cavalier, ""

    def slides(self, cell: Cell, steps: tuple[Cell, ...], most: int) -> Iterator[tuple[Cell, str]]:
        """As far as it goes, up to ``most``."""
        for step in steps:
            for times in range(1, most + 1):
                end = go(cell, step, times)
                if self.free(end):
                    yield end, ""
                if not self.empty(end):
                    break

    def alcazar(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """Flats."""
        return self.slides(cell, AROUND, 60)

    def regent(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """Flats and lines."""
        return self.slides(cell, AROUND + BETWEEN, 60)

    def prelate(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """Ten along lines; first a flower at the end of each."""
        along = set(self.slides(cell, BETWEEN, 10))
        yield from along
        if cell in self.fresh:
            stands = [cell, *(end for end, _ in along if self.empty(end))]
            petals = {go(stand, step) for stand in stands for step in AROUND}
            yield from ((end, "") for end in petals - {cell} if self.free(end))

    def reached(self, cell: Cell, steps: list[Cell]) -> list[Cell]:
        """Return the cells of a way that stays on the board; where it leaves it, it ends."""
        way: list[Cell] = []
        for step in steps:
            cell = go(cell, step)
            if not space(cell):
                break
            way.append(cell)
        return way

    def cavalier(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """Three and two, or two and one."""
        for times in (1, 2) if cell == (0, 0) else (1,):
            for d in range(6):
                for side in (AROUND[d - 1], AROUND[(d + 1) % 6]):
                    for long, short in ((3, 2), (2, 1)):
                        steps = [AROUND[d]] * (long * times) + [side] * (short * times)
                        way = self.reached(cell, steps)
                        if len(way) == len(steps) and self.free(way[-1]):
                            yield way[-1], ""

    def dreadnaught(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """Four flats over anything but its own side's Sovereign, and what nobody captures."""
        for length in (4, 8) if cell == (0, 0) and self.six else (4,):
            for step in AROUND:
                way = self.reached(cell, [step] * length)
                met = [self.pieces[end] for end in way if end in self.pieces]
                safe = all(a in self.prey or (a in self.own and kind != "S") for a, kind in met)
                if len(way) == length and safe:
                    yield way[-1], ""

    def assassin(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """One of one sort, then two of the other."""
        for times in (1, 2) if cell == (0, 0) and self.six else (1,):
            for one, other in ((AROUND, BETWEEN), (BETWEEN, AROUND)):
                for first in one:
                    for then in other:
                        steps = [first] * times + [then] * (2 * times)
                        way = self.reached(cell, steps)
                        yield from ((end, "") for end in way if self.foe(end))
                        if len(way) == len(steps) and self.empty(way[-1]):
                            yield way[-1], ""

    def archer(self, cell: Cell) -> Iterator[tuple[Cell, str]]:
        """A step, then perhaps a shot."""
        for times in (1, 2) if cell == (0, 0) and self.six else (1,):
            for step in AROUND + BETWEEN:
                way = self.reached(cell, [step] * times)
                if len(way) < times or not all(map(self.empty, way)):
                    continue
                yield way[-1], ""
                for aim in AROUND:
                    flight = self.reached(way[-1], [aim] * (4 * times))
                    if len(flight) == 4 * times and self.foe(flight[-1]):
                        yield way[-1], f"*{flight[-1][0]},{flight[-1][1]}"


def base_line(facing: int) -> list[Cell]:
    """Return the Base Line of the arm ``facing``: height 25 and 26 on its own axis."""
    q, r = 0, 1
    for _ in range(facing):
        q, r = -r, q + r
    cells = [(a, b) for a in range(-26, 27) for b in range(-26, 27) if space((a, b))]
    return [c for c in cells if 2 * (c[0] * q + c[1] * r) + c[0] * r + c[1] * q >= 25]


def placings(
    taken: set[Cell],
    facing: tuple[int, ...],
    live: set[int],
    army: int,
    hat: Cell,
    first: int | None,
    both: bool,
) -> set[tuple[Cell, int, str]]:
    """Return where which piece of which army may come for a hat on ``hat``: the first of them, or
    the second after one of the army ``first``. ``both``: a second one follows only if that army has
    its Sovereign."""
    found: set[tuple[Cell, int, str]] = set()
    here = next(line for line in map(base_line, range(6)) if hat in line)
    for other in range(6):
        home = [cell for cell in base_line(facing[other]) if cell not in taken]
        if first is None:
            kinds = SIBLINGS if other == army or other in live else (*SIBLINGS, "S")
            cells = [hat] if other == army else [hat, *home]
        else:
            dead = other not in live or (both and first not in live)
            cells = [*home, *(cell for cell in here if cell not in taken)]
            cells = [] if dead or (other == army and first != army) else cells
            kinds = SIBLINGS
        found |= {(cell, other, kind) for cell in cells for kind in kinds}
    return found
