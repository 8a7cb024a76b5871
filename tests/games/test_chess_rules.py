"""How the men move, and why a move is refused: the article and the squares that prove it."""

from __future__ import annotations

import pytest

from companion.games.chess import GAME
from companion.rules import Action, IllegalAction, read_action

SETUP = GAME.setup()


def fen(text):
    return GAME.read_position(SETUP, text)


def judge(state, text):
    return GAME.judge(state, read_action(text))


def goes_to(state, origin):
    return {action.target for action in GAME.legal(state) if action.origin == origin}


def refused(position, text, rule, *spots):
    ruling = judge(fen(position), text)
    assert not ruling.allowed
    assert (ruling.rule, ruling.spots) == (rule, spots)
    assert read_action(text) not in GAME.legal(fen(position))
    return ruling


def allowed(position, text, rule, *spots):
    ruling = judge(fen(position), text)
    assert ruling.allowed
    assert (ruling.rule, ruling.spots) == (rule, spots)
    return ruling


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LONE = "4k3/7p/8/8/3X4/8/8/4K3 w - - 0 1"

# -- whose move, and what stands there ---------------------------------------------------


def test_white_begins_and_then_they_alternate():
    state = GAME.start(SETUP)
    assert GAME.to_move(state) == "white"
    state = GAME.apply(state, read_action("e2-e4"))
    assert GAME.to_move(state) == "black"
    assert judge(state, "d2-d4").rule == "CH-1.2"


def test_the_other_sides_man_is_left_alone():
    ruling = refused(START, "e7-e5", "CH-1.2", "e7")
    assert "White's move" in ruling.reason
    assert "black pawn" in ruling.reason


def test_an_empty_square_cannot_be_moved():
    refused(START, "e4-e5", "CH-3.10.1", "e4")


def test_a_square_beside_the_board_does_not_exist():
    assert "z9" in refused(START, "e2-z9", "CH-2.1").reason


def test_a_move_goes_straight_from_square_to_square():
    refused(START, "g1-f1-f3", "CH-1.2", "f1")


def test_a_man_that_stays_has_not_moved():
    refused(START, "e2-e2", "CH-3.1", "e2")


def test_an_own_man_holds_the_square():
    refused(START, "a1-b1", "CH-3.1", "b1")
    refused(START, "e1-d1", "CH-3.1", "d1")


@pytest.mark.parametrize("text", ["end", "pass", "roll=6"])
def test_nothing_but_a_move_is_made(text):
    refused(START, text, "CH-1.2")


def test_no_man_is_put_on_the_board():
    refused(START, "*e4", "CH-3.10.1", "e4")


def test_applying_a_refused_move_says_why():
    with pytest.raises(IllegalAction, match=r"in the way. \(CH-3.5\)") as caught:
        GAME.apply(GAME.start(SETUP), read_action("a1-a4"))
    assert caught.value.ruling.spots == ("a2",)


def test_the_king_is_never_taken():
    position = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
    refused(position, "e2-e8", "CH-1.4.1", "e8")
    assert "e8" not in goes_to(fen(position), "e2")


# -- the pieces --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "count", "good", "bad", "rule"),
    [
        ("N", 8, "f5", "f4", "CH-3.6"),
        ("B", 13, "h8", "d5", "CH-3.2"),
        ("R", 14, "d8", "e5", "CH-3.3"),
        ("Q", 27, "a7", "e6", "CH-3.4"),
    ],
)
def test_a_lone_piece_goes_its_way(kind, count, good, bad, rule):
    position = LONE.replace("X", kind)
    assert len(goes_to(fen(position), "d4")) == count
    allowed(position, f"d4-{good}", rule, "d4", good)
    refused(position, f"d4-{bad}", rule, "d4", bad)


def test_a_king_goes_one_square():
    position = "4k3/8/8/8/3K4/8/8/R7 w - - 0 1"
    assert len(goes_to(fen(position), "d4")) == 8
    allowed(position, "d4-e5", "CH-3.8.1", "d4", "e5")
    refused(position, "d4-d6", "CH-3.8.1", "d4", "d6")


def test_a_knight_jumps_over_men():
    allowed(START, "g1-f3", "CH-3.6", "g1", "f3")


@pytest.mark.parametrize(("text", "spot"), [("a1-a3", "a2"), ("c1-a3", "b2"), ("d1-d8", "d2")])
def test_nobody_else_passes_through(text, spot):
    assert "in the way" in refused(START, text, "CH-3.5", spot).reason


def test_an_enemy_is_taken_by_going_there():
    position = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1"
    assert "takes the black pawn" in allowed(position, "d1-d5", "CH-3.3", "d1", "d5").reason
    after = GAME.apply(fen(position), read_action("d1-d5"))
    assert GAME.expect(after)["d5"] == "white R"


# -- pawns -------------------------------------------------------------------------------


def test_a_pawn_goes_one_ahead_or_two_at_first():
    assert goes_to(fen(START), "e2") == {"e3", "e4"}
    allowed(START, "e2-e3", "CH-3.7.1", "e2", "e3")
    allowed(START, "e2-e4", "CH-3.7.2", "e2", "e4")


def test_a_pawn_that_has_moved_goes_one():
    position = "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"
    assert goes_to(fen(position), "e3") == {"e4"}
    refused(position, "e3-e5", "CH-3.7.2", "e3")


def test_a_man_ahead_stops_a_pawn():
    near = "4k3/8/8/8/8/4n3/4P3/3K4 w - - 0 1"
    far = "4k3/8/8/8/4n3/8/4P3/3K4 w - - 0 1"
    refused(near, "e2-e3", "CH-3.7.1", "e3")
    refused(near.replace("3K4", "K7"), "e2-e4", "CH-3.7.2", "e3")
    refused(far, "e2-e4", "CH-3.7.2", "e4")
    allowed(far, "e2-e3", "CH-3.7.1", "e2", "e3")


def test_a_pawn_takes_diagonally_ahead_only():
    position = "4k3/8/8/3p4/4P3/3n4/8/4K2R w - - 0 1"
    state = fen(position.replace("3n4", "8"))
    assert goes_to(state, "e4") == {"d5", "e5"}
    allowed(position.replace("3n4", "8"), "e4-d5", "CH-3.7.3", "e4", "d5")
    refused(position, "e4-d3", "CH-3.7.3", "e4", "d3")
    refused(position, "e4-f5", "CH-3.7.3", "f5")
    refused(position, "e4-c6", "CH-3.7.1", "e4", "c6")
    refused(position, "e4-e3", "CH-3.7.1", "e4", "e3")


PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"


def test_a_pawn_that_came_two_squares_is_taken_in_passing():
    ruling = allowed(PASSING, "e5-d6", "CH-3.7.4", "e5", "d6", "d5")
    assert "in passing" in ruling.reason
    after = GAME.apply(fen(PASSING), read_action("e5-d6"))
    assert dict(GAME.expect(after)) == {"d6": "white P", "e1": "white K", "e8": "black K"}


def test_only_the_very_next_move_takes_in_passing():
    state = fen(PASSING)
    for text in ("e1-e2", "e8-e7"):
        state = GAME.apply(state, read_action(text))
    ruling = judge(state, "e5-d6")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "CH-3.7.4", ("d5", "d6"))


def test_taking_in_passing_may_not_open_the_king():
    position = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2"
    refused(position, "e5-d6", "CH-3.9.2", "e5", "a5", "h5")


def test_taking_in_passing_may_end_a_check():
    position = "8/8/8/3pP3/4K3/8/8/7k w - d6 0 2"
    allowed(position, "e5-d6", "CH-3.7.4", "e5", "d6", "d5")


PROMOTING = "3n4/4P3/8/8/8/8/k7/4K3 w - - 0 1"


def test_a_pawn_on_the_last_rank_becomes_what_its_player_likes():
    moves = {str(action) for action in GAME.legal(fen(PROMOTING)) if action.origin == "e7"}
    assert moves == {f"e7-{to}={kind}" for to in ("e8", "d8") for kind in "QRBN"}
    for kind in "QRBN":
        after = GAME.apply(fen(PROMOTING), read_action(f"e7-e8={kind}"))
        assert GAME.expect(after)["e8"] == f"white {kind}"
    assert "becomes a knight" in allowed(PROMOTING, "e7-d8=N", "CH-3.7.5", "e7", "d8").reason


def test_a_promotion_needs_its_piece():
    assert "queen, rook, bishop or knight" in refused(PROMOTING, "e7-e8", "CH-3.7.5", "e8").reason
    refused(PROMOTING, "e7-e8=K", "CH-3.7.5", "e8")
    refused(PROMOTING, "e7-e8=P", "CH-3.7.5", "e8")


def test_nothing_else_is_exchanged():
    refused(START, "e2-e4=Q", "CH-3.7.5", "e2", "e4")
    refused(START, "g1-f3=Q", "CH-3.7.5", "g1", "f3")


def test_a_black_pawn_promotes_on_the_first_rank():
    state = GAME.arrange(SETUP, {"e8": "black K", "c2": "black P", "h5": "white K"}, "black")
    assert GAME.expect(GAME.apply(state, read_action("c2-c1=R")))["c1"] == "black R"


# -- check -------------------------------------------------------------------------------


def test_a_king_does_not_step_where_it_is_attacked():
    position = "4k3/8/8/8/8/8/r7/4K3 w - - 0 1"
    refused(position, "e1-e2", "CH-3.9.2", "e2", "a2")
    allowed(position, "e1-f1", "CH-3.8.1", "e1", "f1")


def test_a_king_does_not_retreat_along_the_line_of_the_check():
    refused("4k3/8/8/8/r3K3/8/8/8 w - - 0 1", "e4-f4", "CH-3.9.2", "f4", "a4")


def test_a_king_does_not_stand_beside_the_other():
    refused("8/8/8/4k3/8/4K2R/8/8 w - - 0 1", "e3-e4", "CH-3.9.2", "e4", "e5")


def test_a_king_does_not_step_before_a_pawn_or_a_knight():
    refused("4k3/8/8/5p2/8/4K3/8/8 w - - 0 1", "e3-e4", "CH-3.9.2", "e4", "f5")
    refused("4k3/p7/8/6n1/8/4K3/8/8 w - - 0 1", "e3-f3", "CH-3.9.2", "f3", "g5")


def test_a_check_must_be_answered():
    position = "4k3/8/8/8/4r3/8/PR6/4K3 w - - 0 1"
    assert "stays in check" in refused(position, "a2-a3", "CH-3.9.2", "e1", "e4").reason
    allowed(position, "b2-e2", "CH-3.3", "b2", "e2")
    assert GAME.highlights(fen(position)) == {"check": ("e1",)}


@pytest.mark.parametrize(
    ("checker", "spot"), [("8/8/8/8/8/5n2/P7/4K3", "f3"), ("8/8/8/8/8/8/P2p4/4K3", "d2")]
)
def test_a_check_by_knight_or_pawn_is_not_blocked(checker, spot):
    position = f"k7/{checker[2:]} w - - 0 1"
    refused(position, "a2-a3", "CH-3.9.2", "e1", spot)
    assert {action.origin for action in GAME.legal(fen(position))} == {"e1"}


def test_a_double_check_moves_the_king():
    position = "k3r3/8/8/8/8/3n4/4Q2P/4K3 w - - 0 1".replace("4Q2P", "3Q3P")
    assert {action.origin for action in GAME.legal(fen(position))} == {"e1"}
    refused(position, "d2-d3", "CH-3.9.2", "e1", "e8")


def test_a_pinned_man_may_not_leave_its_line():
    position = "k3r3/8/8/8/8/4R3/8/4K3 w - - 0 1"
    ruling = refused(position, "e3-d3", "CH-3.9.2", "e3", "e1", "e8")
    assert "pinned" in ruling.reason
    allowed(position, "e3-e8", "CH-3.3", "e3", "e8")
    allowed(position, "e3-e5", "CH-3.3", "e3", "e5")


def test_a_pinned_man_still_gives_check():
    position = "4k3/4r3/K7/8/8/8/8/4R3 w - - 0 1"
    refused(position, "a6-a7", "CH-3.9.2", "a7", "e7")
    assert GAME.highlights(fen(position.replace("4r3/K7", "K3r3/8"))) == {"check": ("a7",)}


# -- castling ----------------------------------------------------------------------------

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def castling(rank_1="R3K2R", rights="KQ", rest="4k3/8/8/8/8/8/8"):
    return f"{rest}/{rank_1} w {rights} - 0 1"


@pytest.mark.parametrize(
    ("text", "king", "rook", "gone"),
    [("e1-g1", "g1", "f1", "h1"), ("e1-c1", "c1", "d1", "a1")],
)
def test_the_rook_comes_along_when_the_king_castles(text, king, rook, gone):
    state = fen(CASTLING)
    allowed(CASTLING, text, "CH-3.8.2", "e1", king, gone, rook)
    effect = GAME.effect(state, read_action(text))
    assert dict(effect.changes) == {
        "e1": None, gone: None, king: "white K", rook: "white R",
    }  # fmt: skip
    after = GAME.expect(GAME.apply(state, read_action(text)))
    assert (after[king], after[rook]) == ("white K", "white R")
    assert "e1" not in after
    assert gone not in after


def test_black_castles_on_the_eighth_rank():
    state = fen(CASTLING.replace(" w ", " b "))
    after = GAME.expect(GAME.apply(state, read_action("e8-c8")))
    assert (after["c8"], after["d8"]) == ("black K", "black R")


def test_a_king_that_has_moved_never_castles():
    state = fen(CASTLING)
    for text in ("e1-e2", "a8-b8", "e2-e1", "b8-a8"):
        state = GAME.apply(state, read_action(text))
    ruling = judge(state, "e1-g1")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "CH-3.8.2.1", ("e1", "h1"))
    state = GAME.apply(state, read_action("e1-d1"))
    assert judge(state, "e8-g8").allowed
    assert judge(state, "e8-c8").rule == "CH-3.8.2.1"


def test_a_rook_that_was_taken_does_not_castle():
    state = GAME.apply(fen("4k3/8/8/8/3b4/8/7P/R3K2R b KQ - 0 1"), read_action("d4-a1"))
    ruling = judge(state, "e1-c1")
    assert ruling.rule == "CH-3.8.2.1"
    assert "No rook" in ruling.reason
    assert judge(state, "e1-g1").allowed


def test_a_man_between_king_and_rook_forbids_castling_now():
    refused(castling("RN2K2R"), "e1-c1", "CH-3.8.2.2", "b1")
    refused(castling("R3KB1R"), "e1-g1", "CH-3.8.2.2", "f1")


@pytest.mark.parametrize(
    ("file", "spots"),
    [("4r3", ("e1", "e3")), ("5r2", ("f1", "f3")), ("6r1", ("g1", "g3"))],
)
def test_the_king_castles_neither_out_of_nor_over_nor_into_check(file, spots):
    refused(castling(rest=f"4k3/8/8/8/8/{file}/8"), "e1-g1", "CH-3.8.2.2", *spots)


def test_the_rook_may_be_attacked_and_may_pass_an_attacked_square():
    allowed(castling(rest="4k3/8/8/8/8/1r6/8"), "e1-c1", "CH-3.8.2", "e1", "c1", "a1", "d1")
    allowed(castling(rest="4k3/8/8/8/8/7r/8"), "e1-g1", "CH-3.8.2", "e1", "g1", "h1", "f1")


def test_a_king_elsewhere_does_not_castle():
    refused("4k3/8/8/8/8/8/4K3/7R w - - 0 1", "e2-g2", "CH-3.8.1", "e2", "g2")


def test_a_second_king_set_up_by_hand_does_not_castle():
    two = {"a8": "black K", "b1": "white K", "e1": "white K", "h1": "white R"}
    state = GAME.arrange(SETUP, two)
    assert judge(state, "e1-g1").rule == "CH-3.8.1"
    assert Action("move", "e1", "g1") not in GAME.legal(state)


def test_kings_set_up_side_by_side_must_part():
    state = GAME.arrange(SETUP, {"e4": "white K", "e5": "black K", "a1": "white R"})
    assert {action.origin for action in GAME.legal(state)} == {"e4"}
    assert judge(state, "a1-a2").spots == ("e4", "e5")


def test_a_side_without_a_king_may_move_all_the_same():
    state = GAME.arrange(SETUP, {"e8": "black K", "a1": "white R"})
    assert judge(state, "a1-a8").allowed
