"""Who plays whom: rounds of a Swiss and of a round-robin event, and how all stand.

The rules stand in docs/club.md. Nothing here is stored, and nothing is left to chance: the same
results give the same pairings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.rules import BadInput, say

RESULTS = ("first", "draw", "second")
"""How a pairing may end: who sits first wins, nobody does, who sits second wins."""
APART = 10_000
"""How much more a difference in points weighs than the order within a group."""
_BYE = -1

Pair = tuple[int, int | None]
"""Who sits first and who second, by their numbers; None where somebody has no opponent."""


class Met(NamedTuple):
    """A pairing of an earlier round and how it ended, empty while it has not."""

    first: int
    second: int | None
    result: str = ""

    def points(self, number: int) -> float:
        """Return what it brought ``number``: a bye is worth a whole point."""
        if self.second is None:
            return 1.0
        if self.result == "draw":
            return 0.5
        return float(self.result == ("first" if number == self.first else "second"))

    def opponent(self, number: int) -> int | None:
        """Return whom ``number`` met."""
        return self.second if number == self.first else self.first


class Ranked(NamedTuple):
    """How somebody stands: ``place`` is shared by equals; ``tie`` are the points of all opponents
    (Buchholz) in a Swiss event, those of the beaten and half of those of the drawn
    (Sonneborn-Berger) in a round robin."""

    place: int
    number: int
    points: float
    tie: float
    played: int


def swiss_round(entrants: Sequence[int], met: Sequence[Met]) -> list[Pair]:
    """Return the next round among ``entrants``, the strongest first.

    Raises:
        BadInput: nobody is left whom somebody has not met.
    """
    import networkx

    points = _points(entrants, met)
    order = sorted(entrants, key=lambda one: (-points[one], entrants.index(one)))
    group = {total: [o for o in order if points[o] == total] for total in points.values()}
    before = {frozenset((one.first, one.second)) for one in met if one.second is not None}
    graph, seats = networkx.Graph(), _seats(met)
    graph.add_nodes_from(order)
    for here, one in enumerate(order):
        for other in order[here + 1 :]:
            if frozenset((one, other)) not in before:
                apart = _apart(one, other, points, group, order) + _crowded(one, other, seats)
                graph.add_edge(one, other, weight=-apart)
    if len(order) % 2:
        rested = {one.first for one in met if one.second is None}
        for up, one in enumerate(reversed(order)):
            if one not in rested:
                ahead = points[one] - points[order[-1]]
                graph.add_edge(one, _BYE, weight=-round(4 * ahead * ahead * APART) - up)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(pairs) < graph.number_of_nodes() or len(order) < 2:
        raise BadInput(say("nobody is left whom everybody has not met; end the event"))
    place = {number: index for index, number in enumerate([*order, _BYE])}
    by_place = sorted(
        (sorted(pair, key=place.__getitem__) for pair in pairs), key=lambda p: place[p[0]]
    )
    return [
        (upper, None) if lower == _BYE else _seated(upper, lower, seats, board)
        for board, (upper, lower) in enumerate(by_place)
    ]


def _apart(
    one: int,
    other: int,
    points: Mapping[int, float],
    group: Mapping[float, Sequence[int]],
    order: Sequence[int],
) -> int:
    """Return how badly two fit: first of all by their points; within a group of equals the first of
    its upper half is to meet the first of its lower half."""
    ahead = points[one] - points[other]
    if ahead:
        return round(4 * ahead * ahead * APART) + abs(order.index(one) - order.index(other))
    equals = group[points[one]]
    half, here, there = len(equals) // 2, equals.index(one), equals.index(other)
    return abs(abs(here - there) - half) + (2 * half if (here < half) == (there < half) else 0)


def _crowded(one: int, other: int, seats: Mapping[int, Sequence[int]]) -> int:
    """Return what speaks against two who both sat first twice more often than second, or second
    than first: one of them would once more."""
    mine, others = sum(seats.get(one, ())), sum(seats.get(other, ()))
    return 100 * APART if mine * others > 0 and min(abs(mine), abs(others)) > 1 else 0


def round_robin(entrants: Sequence[int]) -> list[list[Pair]]:
    """Return all rounds, in which everybody meets everybody once, by Berger's tables: the last
    number stays, all others go round.

    Raises:
        BadInput: there are not even two.
    """
    if len(entrants) < 2:
        raise BadInput(say("an event needs two players or more"))
    ring: list[int | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    fixed, count = ring.pop(), len(ring)
    rounds = []
    for turn in range(count):
        # Berger: the number that meets the last one grows by half the field each round.
        start = turn * ((count + 1) // 2) % count
        head = ring[start]
        pairs = [(fixed, head) if turn % 2 else (head, fixed)]
        steps = range(1, (count + 1) // 2)
        pairs += [(ring[(start + step) % count], ring[(start - step) % count]) for step in steps]
        rounds.append([_whole(*pair) for pair in pairs])
    return [sorted(one, key=lambda pair: pair[1] is None) for one in rounds]


def standings(entrants: Sequence[int], met: Sequence[Met], kind: str) -> list[Ranked]:
    """Return how ``entrants`` stand after what they ``met``, the best first; equals in the order of
    the entrants."""
    points = _points(entrants, met)
    ties = {one: _tie(one, met, points, kind) for one in entrants}
    order = sorted(entrants, key=lambda one: (-points[one], -ties[one], entrants.index(one)))
    found: list[Ranked] = []
    for index, one in enumerate(order, start=1):
        last = found[-1] if found else None
        same = last is not None and (last.points, last.tie) == (points[one], ties[one])
        played = sum(bool(pair.result) for pair in met if one in (pair.first, pair.second))
        place = last.place if last is not None and same else index
        found.append(Ranked(place, one, points[one], ties[one], played))
    return found


def _points(entrants: Iterable[int], met: Sequence[Met]) -> dict[int, float]:
    points = dict.fromkeys(entrants, 0.0)
    for pair in met:
        for one in (pair.first, pair.second):
            if one is not None:
                points[one] = points.get(one, 0.0) + pair.points(one)
    return points


def _tie(number: int, met: Sequence[Met], points: Mapping[int, float], kind: str) -> float:
    total = 0.0
    for pair in met:
        if number in (pair.first, pair.second) and pair.second is not None:
            other = pair.opponent(number)
            share = pair.points(number) if kind == "robin" else 1.0
            total += share * points.get(other if other is not None else _BYE, 0.0)
    return total


def _seats(met: Sequence[Met]) -> dict[int, list[int]]:
    """Return where everybody sat, in order: 1 for first, -1 for second."""
    found: dict[int, list[int]] = {}
    for pair in met:
        if pair.second is not None:
            found.setdefault(pair.first, []).append(1)
            found.setdefault(pair.second, []).append(-1)
    return found


def _seated(upper: int, lower: int, seats: Mapping[int, Sequence[int]], board: int) -> Pair:
    """Return who sits first: who has done so less often, else who did not the last time they
    differed, else the upper at odd tables."""
    mine, other = seats.get(upper, ()), seats.get(lower, ())
    if sum(mine) != sum(other):
        return (upper, lower) if sum(mine) < sum(other) else (lower, upper)
    for one, two in zip(reversed(mine), reversed(other), strict=False):
        if one != two:
            return (upper, lower) if one < two else (lower, upper)
    return (lower, upper) if board % 2 else (upper, lower)


def _whole(first: int | None, second: int | None) -> Pair:
    """Return a pair with somebody in its first place."""
    if first is not None:
        return first, second
    assert second is not None
    return second, None
