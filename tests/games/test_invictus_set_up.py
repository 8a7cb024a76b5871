"""Setting up: free arrangements, what is wrong with one, options, board, pictures, storage."""

from __future__ import annotations

import random

import pytest

from companion.games.invictus import GAME
from companion.rules import BadInput, read_action
from tests.checks.loops import some

SETUP = GAME.setup()


def first():
    return dict(GAME.expect(GAME.start(SETUP)))


def problems(position, setup=SETUP, to_move=None):
    return {p.rule: p for p in GAME.check(GAME.arrange(setup, position, to_move))}


def test_the_default_set_up_counts_up_from_each_players_left():
    seen = first()
    rows = [[seen.get(f"{f}{row}") for f in "abcdefghi"] for row in range(1, 10)]
    assert rows[1] == [f"black {v}" for v in "111222333"]
    assert rows[2] == [f"black {v}" for v in "444555666"]
    assert rows[7] == [f"white {v}" for v in "333222111"]
    assert rows[6] == [f"white {v}" for v in "666555444"]
    assert all(row == [None] * 9 for row in (rows[0], *rows[3:6], rows[8]))
    assert GAME.check(GAME.start(SETUP)) == ()


def test_any_arrangement_of_three_of_each_on_rows_two_and_three_is_a_set_up():
    dice = random.Random(3)
    position = {}
    for seat, rows in (("black", "23"), ("white", "78")):
        values = [1, 2, 3, 4, 5, 6] * 3
        dice.shuffle(values)
        spots = [f + row for f in "abcdefghi" for row in rows]
        position |= {spot: f"{seat} {value}" for spot, value in zip(spots, values, strict=True)}
    state = GAME.arrange(SETUP, position)
    assert GAME.check(state) == ()
    assert GAME.to_move(state) == "black"
    assert GAME.expect(state) == position
    assert len(GAME.legal(state)) == 25


def test_a_wrong_set_of_values_names_the_value_and_the_spots():
    position = first() | {"a3": "black 1"}
    found = problems(position)
    assert set(found) == {"INV-3.1"}
    assert found["INV-3.1"].spots == ("a2", "b2", "c2", "a3")
    assert "1 on 4 dice" in found["INV-3.1"].reason


def test_an_empty_space_in_the_first_rows_is_named():
    position = first()
    del position["h8"]
    found = problems(position)
    assert set(found) == {"INV-3.2"}
    assert found["INV-3.2"].spots == ("h8",)


def test_a_die_outside_the_first_rows_is_named():
    position = first()
    position["d4"] = position.pop("d3")
    found = problems(position)
    assert set(found) == {"INV-3.2", "INV-3.4"}
    assert found["INV-3.4"].spots == ("d4",)


def test_white_waits_until_black_stands_unless_both_arrange_behind_a_screen():
    position = {spot: token for spot, token in first().items() if token.startswith("white")}
    assert "INV-3.3" in problems(position)
    assert "INV-3.3" not in problems(position, GAME.setup(options={"hidden_setup": "yes"}))
    assert "INV-3.3" not in problems({})


def test_a_position_of_play_is_no_set_up():
    assert problems({"e5": "black 3", "d8": "white 1"}, to_move="white") == {}


def test_a_die_left_standing_on_its_last_row_is_named():
    position = {"e9": "black 3", "d1": "white 2", "e1": "black 1"}
    found = GAME.check(GAME.arrange(SETUP, position, "black"))
    assert [(p.rule, p.spots) for p in found] == [("INV-4.4", ("e9",)), ("INV-4.4", ("d1",))]


@pytest.mark.parametrize(
    ("values", "most"), [("6666", 3), ("6665555", 6), ("1" * 19, 18), ("6665554444", 9)]
)
def test_values_only_fall_so_too_many_high_dice_cannot_be(values, most):
    spots = [f + row for row in "456" for f in "abcdefghi"]
    position = {spot: f"white {v}" for spot, v in zip(spots, values, strict=False)}
    found = problems(position | {"a3": "black 1"}, to_move="white")
    assert set(found) == {"INV-3.1"}
    assert str(most) in found["INV-3.1"].reason


def test_dice_at_home_and_the_one_waiting_count_among_the_dice():
    position = {"a4": "white 6", "b4": "white 6", "d4": "black 6", "e5": "white 6"}
    state = GAME.apply(GAME.arrange(SETUP, position, "black"), read_action("d4-e5"))
    assert GAME.check(state) == ()
    data = GAME.dump(state)
    data["home"] = [[], [5, 5, 6, 5]]
    assert [p.rule for p in GAME.check(GAME.load(data))] == ["INV-3.1"]


def test_a_position_with_unknown_spots_dice_or_seats_is_refused():
    for position, seat in (({"k3": "black 1"}, None), ({"a3": "red 1"}, None),
                           ({"a3": "black 7"}, None), ({}, "green")):  # fmt: skip
        with pytest.raises(BadInput):
            GAME.arrange(SETUP, position, seat)


def test_both_seats_play_and_black_begins():
    assert GAME.setup(["white", "black"]).seats == ("black", "white")
    with pytest.raises(BadInput, match="for two"):
        GAME.setup(["black"])


@pytest.mark.parametrize(
    "options", [{"no_progress": "0"}, {"divide_scores": "maybe"}, {"speed": "1"}]
)
def test_an_option_that_does_not_fit_is_refused(options):
    with pytest.raises(BadInput):
        GAME.setup(options=options)


def test_every_option_quotes_a_rule_of_the_book():
    assert all(option.rule in GAME.rules for option in GAME.options)


def test_the_board_has_81_spaces_with_row_one_towards_black():
    board = GAME.board(SETUP)
    assert len(list(board)) == 81
    assert board["a1"].centre == (-104.0, 104.0)
    assert board["i9"].centre == (104.0, -104.0)
    assert set(board.corners) == {"a1", "i1", "a9", "i9"}


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_is_drawn_with_its_pips_in_a_contrasting_colour(value):
    for seat in some(GAME.seats):
        body, *pips = GAME.draw(SETUP, f"{seat} {value}")
        assert len(pips) == value
        assert all(pip.fill != body.fill for pip in pips)
        assert all(abs(c) < 8 for pip in pips for point in pip.points for c in point)


def test_how_a_die_is_turned_means_nothing():
    look = GAME.look("black 4")
    assert (look.face, look.turn, look.pips, look.body) == ("black 4", None, 4, "black")


@pytest.mark.parametrize(
    "change",
    [{"home": None}, {"home": [[7], []]}, {"prisoners": [1]}, {"board": []}, {"ended": "x"},
     {"to_move": "red"}, {"pending": "many"}],
)  # fmt: skip
def test_a_damaged_state_is_refused(change):
    with pytest.raises(BadInput):
        GAME.load(GAME.dump(GAME.start(SETUP)) | change)


def test_the_set_up_is_kept_with_the_state():
    setup = GAME.setup(options={"no_progress": "12"})
    assert GAME.start(setup).setup == setup
