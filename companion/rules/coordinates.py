"""Letters and numbers round a board, by which everybody finds a cell."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from companion.rules.geometry import Board, Point, inside

BESIDE = 0.84
"""How far beyond the last cell of a line its coordinate stands, in pitches."""


def coordinates(board: Board) -> list[tuple[str, Point]]:
    """Return what is written round ``board`` so that everybody finds a spot called like ``h4``:
    beside both ends of each line of cells with one letter that letter, of each with one number
    that number. Where the numbers make no straight lines the spots' whole names stand beside the
    ends, and farther out where something filled is in the way. Nothing for boards whose spots are
    called otherwise."""
    found = {name: re.fullmatch(r"([a-z]+)(\d+)", name) for name in board.spots}
    if not all(found.values()):
        return []
    lines: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    for name, match in found.items():
        for axis, key in enumerate(match.groups() if match else ()):
            lines[axis].setdefault(key, []).append(name)
    letters, numbers = ([_in_line(board, line) for line in axis.values()] for axis in lines)
    straight = all(line is not None for line in numbers)
    written, filled = [], [mark for mark in board.marks if mark.fill]
    for axis, ends in ((0, letters), (1, numbers if straight else [])):
        for key, line in zip(lines[axis], ends, strict=False):
            if line is None:
                continue
            for end, other in (line, line[::-1]):
                (x0, y0), (x1, y1) = board[other].centre, board[end].centre
                long = math.hypot(x1 - x0, y1 - y0)
                out = board.pitch / long
                step = ((x1 - x0) * out, (y1 - y0) * out)
                at = (x1 + BESIDE * step[0], y1 + BESIDE * step[1])
                while any(inside(at, mark.points) for mark in filled):
                    at = (at[0] + step[0], at[1] + step[1])
                written.append((key if straight else end, at))
    return written


def _in_line(board: Board, names: Sequence[str]) -> tuple[str, str] | None:
    """Return the ends of the straight line on which all spots called ``names`` lie, None where
    they lie on none."""
    points = [board[name].centre for name in names]
    # The two that lie farthest apart on a line: one lies farthest from any, the other from that.
    one = max(range(len(points)), key=lambda place: math.dist(points[0], points[place]))
    other = max(range(len(points)), key=lambda place: math.dist(points[one], points[place]))
    first, last = sorted((one, other))
    (x0, y0), (x1, y1) = points[first], points[last]
    long = math.hypot(x1 - x0, y1 - y0)
    off = [abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / (long or 1) for x, y in points]
    straight = long and max(off) < board.pitch / 4
    return (names[first], names[last]) if straight else None
