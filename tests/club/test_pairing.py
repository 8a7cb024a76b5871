"""Rounds and standings as docs/club.md promises them."""

from __future__ import annotations

import random

import pytest

from companion.club.pairing import Met, round_robin, standings, swiss_round
from companion.rules import BadInput
from tests.checks.loops import some


def play(count, rounds, chance, leaving=0.0):
    """Yield every round of a Swiss event with chance results, and what was met before it."""
    there, met = list(range(1, count + 1)), []
    for _ in range(rounds):
        pairs = swiss_round(there, met)
        yield there, met, pairs
        met = [
            *met,
            *(
                Met(a, b, "first" if b is None else chance.choice(["first", "draw", "second"]))
                for a, b in pairs
            ),
        ]
        there = [one for one in there if chance.random() >= leaving]


@pytest.mark.parametrize("seed", range(12))
def test_in_a_swiss_event_nobody_meets_anybody_twice_and_all_play(seed):
    chance = random.Random(seed)
    count = chance.randrange(6, 31)
    for there, met, pairs in some(play(count, 5, chance, leaving=0.02)):
        seated = [one for pair in pairs for one in pair if one is not None]
        assert sorted(seated) == sorted(there)
        before = {frozenset((one.first, one.second)) for one in met}
        assert not [pair for pair in pairs if frozenset(pair) in before]
        assert sum(second is None for _, second in pairs) == len(there) % 2


@pytest.mark.parametrize("seed", range(8))
def test_whoever_has_had_a_bye_or_is_ahead_plays(seed):
    chance = random.Random(seed)
    for there, met, pairs in some(play(chance.choice([7, 11, 19]), 4, chance)):
        rested = [one.first for one in met if one.second is None]
        [bye] = [first for first, second in pairs if second is None]
        assert bye not in rested
        points = {one.number: one.points for one in standings(there, met, "swiss")}
        assert points[bye] <= min(points[one] for one in there if one not in rested) + 0.5


@pytest.mark.parametrize("seed", range(8))
def test_seats_differ_by_two_at_most(seed):
    chance, seats = random.Random(seed), dict.fromkeys(range(1, 17), 0)
    for _, _, pairs in some(play(16, 6, chance)):
        for first, second in pairs:
            seats[first] += 1
            seats[second] -= 1
        assert max(map(abs, seats.values())) <= 2


def test_the_upper_half_meets_the_lower_half_in_the_first_round():
    pairs = swiss_round([1, 2, 3, 4, 5, 6, 7, 8], [])
    assert pairs == [(1, 5), (6, 2), (3, 7), (8, 4)]


def test_equals_meet_in_the_second_round():
    met = [Met(1, 5, "first"), Met(6, 2, "second"), Met(3, 7, "draw"), Met(8, 4, "draw")]
    assert {frozenset(pair) for pair in swiss_round(list(range(1, 9)), met)} == {
        frozenset(pair) for pair in ((1, 2), (3, 8), (4, 7), (5, 6))
    }


def test_a_round_after_everybody_has_met_everybody_is_refused():
    met = [Met(1, 2, "first"), Met(3, 4, "first"), Met(1, 3, "first"), Met(2, 4, "first")]
    assert {frozenset(pair) for pair in swiss_round([1, 2, 3, 4], met)} == {
        frozenset((1, 4)), frozenset((2, 3))
    }  # fmt: skip
    with pytest.raises(BadInput, match="end the event"):
        swiss_round([1, 2, 3, 4], [*met, Met(1, 4, "first"), Met(2, 3, "first")])


@pytest.mark.parametrize("count", range(2, 15))
def test_a_round_robin_has_everybody_meet_everybody_once(count):
    rounds = round_robin(list(range(1, count + 1)))
    met = [frozenset(pair) for pairs in rounds for pair in pairs if None not in pair]
    assert len(met) == len(set(met)) == count * (count - 1) // 2
    for pairs in some(rounds):
        seated = sorted(one for pair in pairs for one in pair if one is not None)
        assert seated == list(range(1, count + 1))
    firsts = [first for pairs in rounds for first, second in pairs if second is not None]
    times = [firsts.count(one) for one in range(1, count + 1)]
    assert max(times) - min(times) <= 1


def test_a_round_robin_needs_two():
    with pytest.raises(BadInput, match="two players"):
        round_robin([1])


def test_the_first_round_of_four_is_as_in_berger_s_tables():
    assert round_robin([1, 2, 3, 4]) == [
        [(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]
    ]  # fmt: skip


def test_points_then_the_opponents_points_decide():
    met = [Met(1, 2, "first"), Met(3, 4, "first"), Met(1, 3, "draw"), Met(2, 4, "first")]
    table = standings([1, 2, 3, 4], met, "swiss")
    assert [(one.place, one.number, one.points, one.tie) for one in table] == [
        (1, 1, 1.5, 2.5), (2, 3, 1.5, 1.5), (3, 2, 1.0, 1.5), (4, 4, 0.0, 2.5)
    ]  # fmt: skip


def test_in_a_round_robin_the_beaten_ones_points_decide():
    met = [Met(1, 2, "first"), Met(2, 3, "first"), Met(3, 1, "first"), Met(4, 1, "draw")]
    ties = {one.number: one.tie for one in standings([1, 2, 3, 4], met, "robin")}
    assert ties == {1: 1.25, 2: 1.0, 3: 1.5, 4: 0.75}


def test_equals_share_a_place_and_a_bye_is_a_point():
    table = standings([1, 2, 3], [Met(3, None, "first"), Met(1, 2, "draw")], "swiss")
    assert [(one.place, one.number, one.points) for one in table] == [
        (1, 3, 1.0), (2, 1, 0.5), (2, 2, 0.5)
    ]  # fmt: skip
