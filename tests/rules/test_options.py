"""What players may choose before a game: bounded numbers, and which seats play together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import (
    BadInput,
    Option,
    OrderOption,
    SeatRules,
    excluded_by,
    order_option,
    seatings_of,
)
from companion.rules.options import LISTED, excluded, seatings

LONG = "9" * 400


class TestNumbers:
    @pytest.mark.parametrize("value", [LONG, "9" * 5000, "1000001", "0" * 400 + "1"])
    def test_a_number_beyond_the_most_is_refused_in_a_short_sentence(self, value: str) -> None:
        problem = Option("x", "1", (), "X-1", "").problem(value)
        assert problem is not None
        assert problem.startswith("x is at most 1000000, not “")
        assert len(problem) < 120

    @pytest.mark.parametrize("value", ["٣", "１２", "²", "-1", "1.5", "", " 1", "1e3", "\ud800"])
    def test_only_plain_digits_are_a_number(self, value: str) -> None:
        problem = Option("x", "1", (), "X-1", "").problem(value)
        assert problem is not None
        assert "a whole number from 0 up" in problem

    def test_the_least_and_the_most_themselves_fit(self) -> None:
        option = Option("x", "1", (), "X-1", "", least=2, most=30)
        assert [option.problem(value) is None for value in ("1", "2", "30", "31")] == [
            False, True, True, False,
        ]  # fmt: skip

    def test_what_is_refused_is_not_repeated_at_length(self, tiny: Any) -> None:
        for seats, options in (
            (["x" * 9000], {}),
            (None, {"y" * 9000: "1"}),
            (None, {"capture": "z" * 9000}),
        ):
            with pytest.raises(BadInput) as caught:
                tiny.setup(seats, options)
            assert len(str(caught.value)) < 200


class TestOrders:
    @pytest.fixture
    def order(self) -> OrderOption:
        return order_option("seats", ("red", "blue", "green"), "X-1", "who sits where")

    @pytest.mark.parametrize("written", ["red-green-blue", "red,green,blue", "red, green, blue"])
    def test_it_is_written_as_a_list_or_as_journals_have_it(
        self, order: OrderOption, written: str
    ) -> None:
        assert order.problem(written) is None
        assert order.read(written) == "red-green-blue"

    def test_an_order_that_is_turned_round_is_the_same(self, order: OrderOption) -> None:
        assert order.read("green,blue,red") == order.read("blue-red-green") == "red-green-blue"

    @pytest.mark.parametrize(
        "written", ["", "red", "red-blue", "red-red-blue", "red-blue-green-red", "red-blue-white"]
    )
    def test_what_is_missing_doubled_or_unknown_is_refused(
        self, order: OrderOption, written: str
    ) -> None:
        problem = order.problem(written)
        assert problem is not None
        assert problem.startswith("seats: all of red, blue")
        assert "such as red,blue,green" in problem

    def test_one_is_drawn_that_fits(self, order: OrderOption) -> None:
        drawn = {order.draw(Random(seed)) for seed in range(20)}
        assert drawn == {"red-blue-green", "red-green-blue"}

    def test_a_game_is_set_up_by_the_order_as_journals_write_it(self) -> None:
        victorus = find_game("victorus")
        setup = victorus.setup(None, {"seats": "black,blue,red,orange,green,purple"})
        assert setup["seats"] == "red-orange-green-purple-black-blue"
        assert setup == victorus.setup(None, {"seats": setup["seats"]})


def seated_by(game: Any, rule: Callable[..., tuple[str, ...]]) -> Any:
    """Return ``game`` with ``rule`` for who sits down."""

    class Seated(type(game), SeatRules):  # type: ignore[misc]
        def seating(
            self, seats: Sequence[str] | None, options: Mapping[str, str]
        ) -> tuple[str, ...]:
            return rule(seats, options)

    return Seated()


class TestSeatings:
    def test_a_game_that_says_nothing_seats_whoever_its_set_up_takes(self, tiny: Any) -> None:
        assert seatings_of(tiny) == (("black", "white"), ("black",), ("white",))

    def test_what_the_set_up_refuses_is_no_seating(self, tiny: Any) -> None:
        def two(seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
            chosen = tuple(seats or ("white", "black"))
            if chosen != ("white", "black"):
                raise BadInput("white begins, and both play")
            return chosen

        assert seatings_of(seated_by(tiny, two)) == (("white", "black"),)

    def test_choices_by_which_nobody_can_play_are_excluded_with_the_reason(self, tiny: Any) -> None:
        def seating(seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
            if options["capture"] == "no" and options["pegs"] == "1":
                raise BadInput("one peg alone has to capture")
            return tuple(seats or tiny.seats)

        tiny = seated_by(tiny, seating)
        assert excluded_by(tiny) == {}
        assert excluded_by(tiny, {"pegs": "1"}) == {
            "capture": {"no": "one peg alone has to capture"}
        }
        assert seatings_of(tiny, {"pegs": "1", "capture": "no"}) == ()

    def test_an_unknown_value_has_no_seatings_but_a_sentence(self, tiny: Any) -> None:
        with pytest.raises(BadInput, match="pegs is at most"):
            seatings_of(tiny, {"pegs": LONG})


def test_of_more_choices_than_are_listed_none_is_tried() -> None:
    few, many = (tuple(map(str, range(count))) for count in (LISTED, LISTED + 1))
    options = [Option("few", "0", few, "X-1", ""), Option("many", "0", many, "X-1", "")]
    found = excluded(options, {"few": "0", "many": "0"}, lambda chosen: "no")
    assert found == {"few": dict.fromkeys(few[1:], "no")}


def test_of_many_seats_only_who_begins_is_tried() -> None:
    seats = tuple("abcdefgh")

    def stands(order: Sequence[str] | None) -> tuple[str, ...]:
        if order is None or len(order) < len(seats) or order[0] != "c":
            raise BadInput("eight play, and c begins")
        return tuple(order)

    assert seatings(seats, stands) == (("c", "d", "e", "f", "g", "h", "a", "b"),)
