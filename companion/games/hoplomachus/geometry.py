"""Mount Vesuvius: ten camps in a pyramid, and which of them touch (HV-2.1 … HV-2.3)."""

from __future__ import annotations

from companion.rules import Text, call, say

CAMPS = ("1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "3.1", "3.2")
"""The nine camps with piles, row by row from the foot."""
TOP = 9
"""The number of the lieutenant's camp, 4.1."""
NAMES = (*CAMPS, "4.1")
FOOT = (0, 1, 2, 3)
PILE = 6
NUMBERED = (4, 5, 6, 0, 1, 2, 3)
"""The camps that take primuses, in order: the row of three, then the foot (ruling R2)."""


def _called(name: str) -> Text:
    row, _, camp = name.partition(".")
    return say("camp {camp} of row {row}", camp=int(camp), row=int(row))


call({name: _called(name) for name in NAMES})


def _adjacent(name: str) -> tuple[int, ...]:
    row, column = map(int, name.split("."))
    near = {(row, column - 1), (row, column + 1), (row + 1, column - 1), (row + 1, column),
            (row - 1, column), (row - 1, column + 1)}  # fmt: skip
    return tuple(
        number for number, other in enumerate(CAMPS) if tuple(map(int, other.split("."))) in near
    )


ADJACENT = tuple(_adjacent(name) for name in NAMES)
"""The camps with piles that touch each camp."""


def distances(start: int) -> dict[int, int]:
    """Return the steps from a camp to every camp with a pile."""
    found, edge = {start: 0}, [start]
    while edge:
        here = edge.pop(0)
        for there in ADJACENT[here]:
            if there not in found:
                found[there] = found[here] + 1
                edge.append(there)
    return found
