"""Chess on the table: the board, what a camera sees, what a hand does, the scorecards."""

from __future__ import annotations

import math

import pytest

from companion.games.chess import GAME
from companion.games.chess.geometry import TOKENS
from companion.rules import BadInput, Field, Look, read_action

SETUP = GAME.setup()
CHESSMEN = [token for token in TOKENS if token]


def arrange(to_move=None, **men):
    return GAME.arrange(SETUP, {s: t.replace("_", " ") for s, t in men.items()}, to_move)


def play(state, *texts):
    for text in texts:
        state = GAME.apply(state, read_action(text))
    return state


def effect(state, text):
    return GAME.effect(state, read_action(text))


# -- seats and board ---------------------------------------------------------------------


def test_white_and_black_play_and_white_begins():
    assert GAME.setup().seats == ("white", "black")
    assert GAME.setup(["black", "white"]).seats == ("white", "black")
    assert GAME.start(SETUP).setup == SETUP


@pytest.mark.parametrize("seats", [["white"], ["white", "red"], ["white", "white"]])
def test_nobody_else_plays_chess(seats):
    with pytest.raises(BadInput):
        GAME.setup(seats)


def test_the_board_has_a_dark_square_at_whites_left():
    board = GAME.board(SETUP)
    assert len(board.spots) == 64
    assert board["a1"].shade != board["h1"].shade
    assert board["a1"].shade == board["h8"].shade == board["c3"].shade
    assert int(board["a1"].shade[1:3], 16) < int(board["h1"].shade[1:3], 16)


def test_white_sits_where_y_points():
    board = GAME.board(SETUP)
    assert board["a1"].centre == (-175.0, 175.0)
    assert board["h8"].centre == (175.0, -175.0)
    assert board.pitch == 50.0
    assert dict(board.corners) == {
        "a1": (-200.0, 200.0), "h1": (200.0, 200.0), "a8": (-200.0, -200.0), "h8": (200.0, -200.0),
    }  # fmt: skip


def test_the_men_stand_where_they_begin():
    seen = GAME.expect(GAME.start(SETUP))
    assert len(seen) == 32
    assert [seen[f"{file}1"][-1] for file in "abcdefgh"] == list("RNBQKBNR")
    assert all(seen[f"{file}7"] == "black P" for file in "abcdefgh")
    assert seen["e8"] == "black K"


def test_a_chessman_looks_alike_however_it_is_turned():
    assert GAME.look("white N") == Look("white N", None, body="white", height=1.1)
    assert len({GAME.look(token) for token in CHESSMEN}) == 12


@pytest.mark.parametrize("token", CHESSMEN)
def test_a_picture_fits_its_square(token):
    drawing = GAME.draw(SETUP, token)
    assert all(max(abs(x), abs(y)) < 22 for stroke in drawing for x, y in stroke.points)
    width = max(x for stroke in drawing for x, _ in stroke.points)
    assert width > 12


def test_every_picture_has_its_own_outline_and_colour():
    pictures = {GAME.draw(SETUP, token) for token in CHESSMEN}
    assert len(pictures) == 12
    fills = {token: GAME.draw(SETUP, token)[0].fill for token in CHESSMEN}
    assert len({fill for token, fill in fills.items() if token.startswith("white")}) == 1
    assert math.fabs(int(fills["white K"][1:3], 16) - int(fills["black K"][1:3], 16)) > 128


def test_only_chessmen_are_drawn():
    with pytest.raises(BadInput, match="“red T” is no piece of Chess"):
        GAME.draw(SETUP, "red T")


# -- positions set up by hand ------------------------------------------------------------


def test_a_position_is_set_up_with_either_side_to_move():
    state = arrange("black", e1="white_K", e8="black_K", a2="white_P")
    assert GAME.to_move(state) == "black"
    assert GAME.to_move(arrange(e1="white_K", e8="black_K", a2="white_P")) == "white"
    assert GAME.expect(state) == {"e1": "white K", "e8": "black K", "a2": "white P"}


def test_who_stands_at_home_may_still_castle():
    state = arrange(e1="white_K", h1="white_R", a1="white_N", e8="black_K")
    assert GAME.judge(state, read_action("e1-g1")).allowed
    assert not GAME.judge(state, read_action("e1-c1")).allowed


@pytest.mark.parametrize(
    ("position", "to_move", "message"),
    [
        ({"i9": "white K"}, None, "no spot “i9”"),
        ({"e1": "white X"}, None, "“white X” is no piece of Chess"),
        ({"e1": "white K"}, "red", "no seat “red”"),
    ],
)
def test_a_position_that_cannot_be_read_is_bad_input(position, to_move, message):
    with pytest.raises(BadInput, match=message):
        GAME.arrange(SETUP, position, to_move)


def problems(to_move="white", **men):
    return [(problem.rule, problem.spots) for problem in GAME.check(arrange(to_move, **men))]


def test_the_first_position_is_in_order():
    assert GAME.check(GAME.start(SETUP)) == ()


def test_each_side_needs_one_king():
    assert problems(e1="white_K") == [("CH-2.2", ())]
    two = problems(a1="white_K", h1="white_K", e8="black_K")
    assert two == [("CH-2.2", ("a1", "h1"))]


def test_pawns_never_stand_on_the_outer_ranks():
    assert problems(e1="white_K", e8="black_K", a1="black_P", h8="white_P") == [
        ("CH-3.7.5", ("a1",)),
        ("CH-3.7.5", ("h8",)),
    ]


def test_the_side_that_moved_is_not_in_check():
    assert problems(e1="white_K", e8="black_K", e4="white_R") == [("CH-3.9.2", ("e8", "e4"))]
    assert problems("black", e1="white_K", e8="black_K", e4="white_R") == []


def test_no_move_gives_check_with_three_men():
    found = problems("black", a1="white_K", e8="black_K", e1="white_R", a4="white_B", h5="white_B")
    assert found == [("CH-3.10.3", ("e8", "e1", "a4", "h5"))]


def test_a_side_has_no_more_men_than_promotions_can_make():
    army = GAME.expect(GAME.start(SETUP))
    queen = GAME.arrange(SETUP, {**army, "e4": "white Q"})
    (problem,) = GAME.check(queen)
    assert problem.rule == "CH-3.7.5"
    assert "queen +1" in problem.reason
    assert {"d1", "e4", "a2"} <= set(problem.spots)
    pawn = GAME.arrange(SETUP, {**army, "e4": "black P"})
    assert [problem.rule for problem in GAME.check(pawn)] == ["CH-3.7.5"]
    exchanged = {spot: token for spot, token in army.items() if spot != "a2"}
    assert GAME.check(GAME.arrange(SETUP, {**exchanged, "e4": "white Q"})) == ()


# -- what a hand does --------------------------------------------------------------------


def test_a_move_changes_two_squares():
    found = effect(GAME.start(SETUP), "e2-e4")
    assert dict(found.changes) == {"e2": None, "e4": "white P"}
    assert (found.seat, found.piece, found.captures) == ("white", "white P", ())


def test_an_illegal_move_still_carries_a_man_and_knocks_off_another():
    found = effect(GAME.start(SETUP), "a8-a2")
    assert dict(found.changes) == {"a8": None, "a2": "black R"}
    assert (found.seat, found.captures) == ("black", ("white P",))


def test_a_pawn_taken_in_passing_leaves_its_own_square():
    state = GAME.read_position(SETUP, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")
    found = effect(state, "e5-d6")
    assert dict(found.changes) == {"e5": None, "d5": None, "d6": "white P"}
    assert found.captures == ("black P",)


def test_a_promotion_puts_another_piece_there():
    state = arrange(e7="white_P", a1="white_K", a8="black_K", d8="black_N")
    found = effect(state, "e7-d8=Q")
    assert dict(found.changes) == {"e7": None, "d8": "white Q"}
    assert (found.becomes, found.captures) == ("white Q", ("black N",))
    assert effect(state, "e7-e8").becomes is None
    assert effect(state, "e7-e8=X").changes["e8"] == "white P"


def test_the_rook_comes_along_even_when_castling_is_not_allowed():
    state = arrange(e1="white_K", h1="white_R", e8="black_K", f8="black_R")
    assert not GAME.judge(state, read_action("e1-g1")).allowed
    assert effect(state, "e1-g1").changes["f1"] == "white R"


def test_no_rook_comes_along_where_a_man_stands_between_or_none_is_there():
    assert len(effect(GAME.start(SETUP), "e1-g1").changes) == 2
    assert len(effect(arrange(e1="white_K", e8="black_K"), "e1-g1").changes) == 2


@pytest.mark.parametrize("text", ["e4-e5", "e2-e2", "z1-z2", "*e4", "end"])
def test_where_nothing_is_carried_nothing_changes(text):
    assert dict(effect(GAME.start(SETUP), text).changes) == {}


def test_a_pawn_that_waits_for_its_exchange_is_nothing_amiss():
    state = arrange(e7="white_P", a1="white_K", a8="black_K")
    state = play(state, "e7-e8=Q")
    assert GAME.accepts(state, "e8") == ("white Q", "white P")
    assert GAME.accepts(state, "a8") == ("black K",)
    assert GAME.accepts(state, "a3") == (None,)
    state = play(state, "a8-a7")
    assert GAME.accepts(state, "e8") == ("white Q", "white P")
    state = play(state, "e8-e4")
    assert GAME.accepts(state, "e4") == ("white Q",)
    assert GAME.accepts(state, "e8") == (None,)


# -- scorecards --------------------------------------------------------------------------


def test_a_scorecard_shows_what_was_taken_and_its_worth():
    state = play(GAME.start(SETUP), "e2-e4", "d7-d5", "e4-d5", "d8-d5", "b1-c3", "d5-d2", "c1-d2")
    white, black = GAME.scorecards(state)
    assert white.fields == (Field("Captured", ("black Q", "black P"), "10"),)
    assert black.fields == (Field("Captured", ("white P", "white P"), "2"),)
    assert (white.seat, white.score, white.status) == ("white", None, "")


def test_a_scorecard_says_check():
    state = play(GAME.start(SETUP), "e2-e4", "f7-f5", "d1-h5")
    assert [card.status for card in GAME.scorecards(state)] == ["", "in check"]


def test_men_missing_from_a_position_count_as_taken():
    army = dict(GAME.expect(GAME.start(SETUP)))
    del army["d8"], army["a2"]
    army["d8"] = "black R"
    del army["h7"]
    white, black = GAME.scorecards(GAME.arrange(SETUP, army))
    assert white.fields[0].tokens == ("black Q",)
    assert black.fields[0].tokens == ("white P",)
