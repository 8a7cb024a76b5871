"""Which seats play together, told by every game before anybody sits down."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest

from companion.games import find_game, games
from companion.games.hoplomachus.cards import INVENTED, OWN
from companion.rules import BadInput, OrderOption, excluded_by, limits_of, seatings_of
from tests.checks.loops import some

pytestmark = pytest.mark.no_cover  # other tests prove the rules line by line

NAMES = list(games())


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return find_game(request.param)


def test_the_first_seating_is_the_usual_one(game: Any) -> None:
    assert seatings_of(game)[0] == game.setup().seats


def test_every_seating_begins_a_game(game: Any) -> None:
    for seats in some(seatings_of(game)):
        state = game.start(game.setup(seats))
        assert state.setup.seats == seats
        assert game.legal(state)


def test_a_set_of_seats_that_is_no_seating_plays_in_no_order(game: Any) -> None:
    told = {frozenset(seats) for seats in seatings_of(game)}
    for size in range(1, len(game.seats) + 1):
        for chosen in some(combinations(game.seats, size)):
            if frozenset(chosen) in told:
                continue
            for order in some(permutations(chosen)):
                with pytest.raises(BadInput):
                    game.setup(order)


def test_every_choice_of_an_option_can_be_played_or_is_excluded(game: Any) -> None:
    unplayable = [
        (option.name, choice)
        for option in some(game.options)
        for choice in option.choices[:24]
        if choice not in excluded_by(game).get(option.name, {})
        and not seatings_of(game, {option.name: choice})
    ]
    assert unplayable == []


def test_numbers_of_four_hundred_digits_begin_no_game(game: Any) -> None:
    for option in some(game.options):
        if not option.choices and not isinstance(option, OrderOption):
            with pytest.raises(BadInput, match=f"at most {option.most}"):
                game.setup(None, {option.name: "9" * 400})
            limits_of(game, game.setup(None, {option.name: str(option.most)}))


def test_two_of_victorus_sit_opposite_each_other_and_allies_are_as_many() -> None:
    victorus = find_game("victorus")
    pairs = [seats for seats in seatings_of(victorus) if len(seats) == 2]
    assert pairs == [("red", "purple"), ("black", "blue"), ("orange", "green")]
    assert {len(seats) for seats in seatings_of(victorus, {"variant": "allied"})} == {4, 6}
    free = seatings_of(victorus, {"placement": "free"})
    assert ("red", "black") in free
    assert len(free) == 57


def test_cards_that_nobody_entered_cannot_be_chosen() -> None:
    hoplomachus = find_game("hoplomachus")
    assert INVENTED not in excluded_by(hoplomachus).get("cards", {})
    assert "enter the others" in excluded_by(hoplomachus)["cards"][OWN]


def test_allied_armies_are_sides_and_alone_everybody_is_one() -> None:
    game = find_game("victorus")
    allied = game.sides(game.setup(None, {"variant": "allied"}))
    assert sorted(len(side) for side in allied) == [3, 3]
    assert game.sides(game.setup()) == tuple((seat,) for seat in game.setup().seats)
