"""The rules as they are written: turns, moves, captures, and why something is refused."""

from __future__ import annotations

import pytest

from companion.games.invictus import GAME
from companion.rules import Action, IllegalAction, read_action

SETUP = GAME.setup()
FAR = {"a1": "black 6", "i9": "white 6"}


def table(to_move="black", alone=False, **dice):
    position = {spot: token.replace("_", " ") for spot, token in dice.items()}
    return GAME.arrange(SETUP, position if alone else {**FAR, **position}, to_move)


def judge(state, text):
    return GAME.judge(state, read_action(text))


def play(state, *texts):
    for text in texts:
        state = GAME.apply(state, read_action(text))
    return state


REFUSED = [
    ("straight back", "d4-d3", "INV-4.2"),
    ("diagonally back", "d4-c3", "INV-4.2"),
    ("back and far", "d4-d1", "INV-4.2"),
    ("two spaces ahead", "d4-d6", "INV-4.2"),
    ("two spaces sideways", "d4-b4", "INV-4.2"),
    ("a jump like a knight's", "d4-e6", "INV-4.2"),
    ("staying where it is", "d4-d4", "INV-4.2"),
    ("by way of another space", "d4-e4-d5", "INV-4.2"),
    ("onto an own die", "d4-e5", "INV-4.2"),
    ("onto an enemy straight ahead", "g4-g5", "INV-5.1"),
    ("onto an enemy beside it", "g4-h4", "INV-5.1"),
    ("capturing a stronger die", "d4-c5", "INV-5.2"),
    ("off the edge", "i4-j4", "INV-2.5"),
    ("from nowhere", "z4-d5", "INV-2.5"),
    ("from an empty space", "f7-f8", "INV-4.1"),
    ("the opponent's die", "f5-f4", "INV-4.1"),
    ("with another face", "d4-d5=6", "INV-1.3"),
    ("back and with another face", "d4-d3=6", "INV-4.2"),
    ("too weak, with another face", "d4-c5=6", "INV-5.2"),
    ("the opponent's die, with another face", "c5-c4=6", "INV-4.1"),
    ("passing while he can act", "pass", "INV-4.3"),
    ("putting back what was not captured", "*b2", "INV-5.4"),
    ("ending the turn a second time", "end", "INV-4.1"),
]
CROWDED = {
    "d4": "black 4", "e5": "black 2", "g4": "black 3", "i4": "black 1",
    "c5": "white 5", "g5": "white 1", "h4": "white 1",
}  # fmt: skip


@pytest.mark.parametrize(("text", "rule"), [pytest.param(t, r, id=name) for name, t, r in REFUSED])
def test_refused(text, rule):
    state = table(**CROWDED)
    ruling = judge(state, text)
    assert (ruling.allowed, ruling.rule) == (False, rule)
    with pytest.raises(IllegalAction):
        play(state, text)


def test_a_die_goes_ahead_sideways_and_diagonally_ahead_only():
    state = table("white", e5="white_3")
    ends = {a.target for a in GAME.legal(state) if a.origin == "e5"}
    assert ends == {"d5", "f5", "d4", "e4", "f4"}
    state = table("black", e5="black_3")
    ends = {a.target for a in GAME.legal(state) if a.origin == "e5"}
    assert ends == {"d5", "f5", "d6", "e6", "f6"}


def test_nothing_goes_over_the_edge():
    state = table("black", a5="black_3", i5="black_2")
    ends = {str(a) for a in GAME.legal(state) if a.origin in ("a5", "i5")}
    assert ends == {"a5-b5", "a5-a6", "a5-b6", "i5-h5", "i5-i6", "i5-h6"}


def test_a_four_captures_a_four_that_comes_back_as_a_three():
    state = table(d4="black_4", e5="white_4")
    ruling = judge(state, "d4-e5")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (True, "INV-5.1", ("d4", "e5"))
    state = play(state, "d4-e5")
    assert GAME.expect(state)["e5"] == "black 4"
    assert GAME.to_move(state) == "white"
    assert GAME.scorecards(state)[1].status == "puts back a 3"
    state = play(state, "*c8")
    assert GAME.expect(state)["c8"] == "white 3"
    assert GAME.to_move(state) == "white"


def test_a_four_is_too_weak_for_a_five():
    state = table(d4="black_4", e5="white_5")
    ruling = judge(state, "d4-e5")
    assert (ruling.rule, ruling.spots) == ("INV-5.2", ("d4", "e5"))
    assert "Black 4" in ruling.reason
    assert "white 5" in ruling.reason


def test_a_one_captures_only_a_one_which_is_a_prisoner_and_counts_one():
    state = table(d4="black_1", e5="white_1", c5="white_2")
    assert judge(state, "d4-c5").rule == "INV-5.2"
    after = play(state, "d4-e5")
    black = GAME.scorecards(after)[0]
    assert black.fields[1].tokens == ("white 1",)
    assert black.score == 1
    assert GAME.to_move(after) == "white"
    assert judge(after, "*c8").rule == "INV-5.4"


def test_a_capture_on_the_last_row_brings_the_captor_home_and_the_victim_back():
    state = table(d8="black_4", e9="white_3")
    ruling = judge(state, "d8-e9")
    assert ruling.allowed
    assert "Home" in ruling.reason
    state = play(state, "d8-e9")
    assert state.home == ((4,), ())
    assert "e9" not in GAME.expect(state)
    assert judge(state, "*e9").allowed
    assert GAME.expect(play(state, "*e9"))["e9"] == "white 2"


def test_a_die_arrives_by_moving_onto_the_last_row():
    state = play(table("white", c2="white_5"), "c2-b1")
    assert state.home == ((), (5,))
    assert "b1" not in GAME.expect(state)
    assert GAME.scorecards(state)[1].fields[0].tokens == ("white 5",)


def test_capturing_is_never_forced():
    state = table(d4="black_4", e5="white_4")
    assert judge(state, "d4-d5").allowed
    assert judge(state, "a1-a2").allowed


PUT_BACK = [
    ("on the Divide", "*c5"),
    ("beyond the Divide", "*c4"),
    ("on an occupied space", "*i9"),
    ("with another value", "*c8=5"),
    ("with its value said twice", "*c8=3"),
    ("off the board", "*k8"),
]


@pytest.mark.parametrize("text", [pytest.param(t, id=name) for name, t in PUT_BACK])
def test_a_captured_die_may_not_come_back(text):
    state = play(table(d4="black_4", e5="white_4"), "d4-e5")
    ruling = judge(state, text)
    assert (ruling.allowed, ruling.rule) == (False, "INV-5.4")


@pytest.mark.parametrize("text", ["i9-h8", "a1-a2", "pass", "agree", "end"])
def test_nothing_else_happens_while_a_die_waits_to_be_put_back(text):
    state = play(table(d4="black_4", e5="white_4"), "d4-e5")
    assert judge(state, text).rule == "INV-5.7"
    assert not GAME.claims(state)
    assert {a.verb for a in GAME.legal(state)} == {"place"}


def test_a_captured_die_comes_back_on_any_empty_space_of_its_first_four_rows():
    state = play(table(d4="black_4", e5="white_4"), "d4-e5")
    spots = {a.target for a in GAME.legal(state)}
    assert len(spots) == 35
    assert {spot[1] for spot in spots} == {"6", "7", "8", "9"}
    assert "i9" not in spots


def test_a_die_may_come_back_where_its_captor_started():
    state = play(table(d7="black_4", e8="white_4"), "d7-e8")
    assert judge(state, "*d7").allowed


def test_a_return_is_judged_by_its_space_before_what_is_named_beside_it():
    state = play(table(d4="black_4", e5="white_4"), "d4-e5")
    for text in ("*d5=3", "*i9=3", "*b2=3"):
        assert judge(state, text) == judge(state, text[:3]), text
    alone = judge(state, "*c8=3")
    assert (alone.allowed, alone.rule, alone.spots) == (False, "INV-5.4", ("c8",))
    assert alone.reason == (
        "Name the space alone, c8: the captured die comes back as white 3 in any case."
    )
    assert judge(state, "*c8").allowed


def test_a_return_given_an_origin_is_refused():
    state = play(table(d4="black_4", e5="white_4"), "d4-e5")
    assert not GAME.judge(state, Action("place", "a1", "c8")).allowed


def test_a_player_who_cannot_act_passes():
    position = {"a8": "black 1", "a9": "white 6", "b8": "white 6", "b9": "white 6"}
    state = GAME.arrange(SETUP, position, "black")
    assert [str(a) for a in GAME.legal(state)] == ["pass"]
    ruling = judge(state, "pass")
    assert (ruling.allowed, ruling.rule) == (True, "INV-4.3")
    state = play(state, "pass")
    assert GAME.to_move(state) == "white"
    assert GAME.outcome(state) is None
    assert play(state, "b8-c8").passes == 0


def test_a_pass_has_nothing_to_add():
    position = {"a8": "black 1", "a9": "white 6", "b8": "white 6", "b9": "white 6"}
    state = GAME.arrange(SETUP, position, "black")
    assert GAME.judge(state, Action("pass")).allowed
    ruling = GAME.judge(state, Action("pass", detail="now"))
    assert (ruling.allowed, ruling.rule) == (False, "INV-4.3")
    assert "said alone" in ruling.reason


def test_effect_of_a_capture_names_the_victim_and_both_spaces():
    effect = GAME.effect(table(d4="black_4", e5="white_4"), read_action("d4-e5"))
    assert effect.seat == "black"
    assert effect.piece == "black 4"
    assert effect.captures == ("white 4",)
    assert effect.changes == {"d4": None, "e5": "black 4"}
    assert effect.scored is None


def test_effect_of_an_arrival_leaves_the_target_empty():
    effect = GAME.effect(table(d8="black_4", e9="white_4"), read_action("d8-e9"))
    assert effect.captures == ("white 4",)
    assert effect.changes == {"d8": None, "e9": None}
    assert effect.scored == 4


def test_effect_of_a_return_names_the_space_and_the_value():
    state = play(table(d4="black_4", e5="white_2"), "d4-e5")
    effect = GAME.effect(state, read_action("*a9"))
    assert (effect.seat, effect.piece) == ("white", "white 1")
    assert effect.returned == ("a9", 1)
    assert effect.changes == {"a9": "white 1"}
    wrong = GAME.effect(state, read_action("*a9=6"))
    assert wrong.changes == {"a9": "white 6"}


@pytest.mark.parametrize(
    ("text", "captures", "end"),
    [
        ("d8-e9", ("white 6",), "black 4"),
        ("d8-d9", (), None),
        ("d8-f9", (), "black 4"),
        ("d8-d7", (), "black 4"),
    ],
)
def test_an_unlawful_step_leaves_the_die_where_it_was_put(text, captures, end):
    effect = GAME.effect(table(d8="black_4", e9="white_6"), read_action(text))
    assert effect.captures == captures
    assert effect.changes[text[3:]] == end


def test_an_enemy_die_moved_out_of_turn_still_moves_on_the_table():
    effect = GAME.effect(table(d5="white_2"), read_action("d5-d4"))
    assert (effect.seat, effect.piece) == ("white", "white 2")
    assert effect.changes == {"d5": None, "d4": "white 2"}


@pytest.mark.parametrize("text", ["c3-c4", "pass", "*c3", "a1-z4"])
def test_what_touches_no_die_changes_nothing(text):
    effect = GAME.effect(table(), read_action(text))
    assert effect.piece is None
    assert not effect.changes


def test_a_die_put_down_where_it_stood_changes_nothing():
    effect = GAME.effect(table(d5="black_2"), read_action("d5-d5"))
    assert not effect.changes
    assert not effect.captures


def test_a_die_comes_back_only_on_the_board():
    state = play(table(d4="black_4", e5="white_2"), "d4-e5")
    assert GAME.effect(state, read_action("*k5")).piece is None


def test_a_die_turned_over_shows_the_next_lower_face_and_a_6_after_a_1():
    assert GAME.turned_over("black 4") == "black 3"
    assert GAME.turned_over("white 1") == "white 6"
