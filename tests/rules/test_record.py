"""A whole game as text."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.rules import BadInput, Record, read_record, setup_then, write_record

TEXT = """\
# a game that was played at the kitchen table
game: tiny
seats: white, black
option: capture = no

a3-a2
c1-c2   # the middle one slept
end
"""


def test_a_record_is_read_with_its_remarks_left_out() -> None:
    assert read_record(TEXT) == Record(
        "tiny", ("white", "black"), {"capture": "no"}, ("a3-a2", "c1-c2", "end"), lines=(6, 7, 8)
    )


def test_remarks_and_empty_lines_make_no_other_game_of_a_record() -> None:
    plain = "".join(line.split("#")[0].rstrip() + "\n" for line in TEXT.split("\n") if line.strip())
    one, other = read_record(TEXT), read_record(plain)
    assert one.lines != other.lines
    assert one == other
    assert not one != other  # noqa: SIM202
    assert one != read_record(plain + "end\n")


def test_the_words_of_actions_are_remarks_beside_them(tiny: Any) -> None:
    setup = tiny.setup()
    text = write_record(tiny, setup, [tiny.parse(setup, "a3-a2")], told=["up it goes"])
    assert text.splitlines()[-1] == "a3-a2  # 1. up it goes"
    assert read_record(text).actions == ("a3-a2",)


def test_a_game_from_another_position_says_where_it_began(tiny: Any) -> None:
    setup = tiny.setup()
    position = {"a1": "black", "c3": "white"}
    text = write_record(tiny, setup, [tiny.parse(setup, "c3-c2")], position, "white")
    assert text.splitlines() == [
        "game: tiny", "seats: black, white", "place: a1 = black", "place: c3 = white",
        "to move: white", "", "c3-c2",
    ]  # fmt: skip
    record = read_record(text)
    assert (record.position, record.to_move) == (position, "white")
    assert record.lines == (7,)
    assert read_record(TEXT).position is None
    assert read_record(TEXT).to_move is None


def test_a_record_without_seats_leaves_them_to_the_game() -> None:
    assert read_record("game: tiny\n").seats == ()


def test_only_options_that_differ_from_the_default_are_written(tiny: Any) -> None:
    setup = tiny.setup(["white", "black"], {"capture": "no", "pegs": "3"})
    assert write_record(tiny, setup, []) == (
        "game: tiny\nseats: white, black\noption: capture = no\n\n"
    )


def test_a_played_game_survives_writing_and_reading(tiny: Any) -> None:
    setup, rng = tiny.setup(options={"pegs": "2"}), random.Random(4)
    state, played = tiny.start(setup), []
    while actions := tiny.legal(state):
        played.append(rng.choice(actions))
        state = tiny.apply(state, played[-1])
    record = read_record(write_record(tiny, setup, played))
    assert setup_then(tiny, record.seats, record.options, record.rules) == setup
    assert [tiny.parse(setup, text) for text in record.actions] == played


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seats: red\n", "the record does not begin with the game"),
        ("game: tiny\nhouse: red\n", "line 2 of the record, “house: red”, is no header"),
        ("game: tiny\nend\nseats: red\n", "line 3 of the record, “seats: red”, is no header"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_record(text)
