"""Chess960: first positions by number, castling from other squares, positions as text."""

from __future__ import annotations

import json

import pytest

from companion.games.chess import GAME, from_fen, san, to_fen, write_pgn
from companion.rules import Action, BadInput, read_action

USUAL = GAME.setup()


def begun(number: int):
    return GAME.start(GAME.setup(options={"position": str(number)}))


def at(text: str, number: int = 0):
    return from_fen(GAME.setup(options={"position": str(number)}), text)


@pytest.mark.parametrize(
    ("number", "rank"),
    [(518, "RNBQKBNR"), (0, "BBQNNRKR"), (959, "RKRNNQBB"), (534, "RNBKQBNR"), (356, "NBBRKRQN")],
)
def test_the_first_position_goes_by_its_number(number, rank):
    board = to_fen(begun(number)).split()[0].split("/")
    assert (board[0], board[-1]) == (rank.lower(), rank)


def test_every_first_position_has_its_bishops_on_both_colours_and_its_king_between_the_rooks():
    seen = set()
    for number in range(960):
        rank = to_fen(begun(number)).split()[0].rpartition("/")[2]
        seen.add(rank)
        assert (rank.index("B") + rank.rindex("B")) % 2 == 1
        assert rank.index("R") < rank.index("K") < rank.rindex("R")
    assert len(seen) == 960


@pytest.mark.parametrize("number", ["960", "-1", "usual"])
def test_there_is_no_other_first_position(number):
    with pytest.raises(BadInput, match="position"):
        GAME.setup(options={"position": number})


CASTLED = [
    # rank, right, action, king and rook then, what changes on the table
    ("1R1K3R", "H", "d1-g1", "g1", "f1",
     {"d1": None, "h1": None, "g1": "white K", "f1": "white R"}),
    ("1R3K1R", "B", "f1-c1", "c1", "d1",
     {"f1": None, "b1": None, "c1": "white K", "d1": "white R"}),
    # The king's own way would be a step, or none: the rook's tells it.
    ("1R3K1R", "H", "h1-f1", "g1", "f1", {"f1": "white R", "h1": None, "g1": "white K"}),
    ("R5KR", "H", "h1-f1", "g1", "f1", {"h1": None, "f1": "white R"}),
    ("2RK3R", "C", "c1-d1", "c1", "d1", {"c1": "white K", "d1": "white R"}),
    ("RK5R", "A", "a1-d1", "c1", "d1",
     {"b1": None, "a1": None, "c1": "white K", "d1": "white R"}),
    # Onto the square of its own rook.
    ("4K1RR", "G", "e1-g1", "g1", "f1", {"e1": None, "g1": "white K", "f1": "white R"}),
]  # fmt: skip


@pytest.mark.parametrize(("rank", "right", "text", "king", "rook", "changes"), CASTLED)
def test_king_and_rook_stand_as_after_the_usual_castling(rank, right, text, king, rook, changes):
    state = at(f"4k3/8/8/8/8/8/8/{rank} w {right} - 0 1")
    action = read_action(text)
    ruling = GAME.judge(state, action)
    assert (ruling.allowed, ruling.rule) == (True, "CH-960.3")
    assert set(ruling.spots) >= {king, rook}
    assert action in GAME.legal(state)
    effect = GAME.effect(state, action)
    assert dict(effect.changes) == changes
    assert effect.piece == GAME.expect(state)[text[:2]]
    after = GAME.expect(GAME.apply(state, action))
    assert (after[king], after[rook]) == ("white K", "white R")
    assert len(after) == len(GAME.expect(state))


def test_another_rook_that_stands_where_this_one_goes_is_in_the_way():
    state = at("4k3/8/8/8/8/8/8/5RKR w H - 0 1")
    ruling = GAME.judge(state, read_action("h1-f1"))
    assert (ruling.rule, ruling.spots) == ("CH-3.8.2.2", ("f1",))
    assert dict(GAME.effect(state, read_action("h1-f1")).changes)["f1"] == "white R"


@pytest.mark.parametrize(("rank", "right", "text"), [case[:3] for case in CASTLED])
def test_who_has_castled_has_no_right_left(rank, right, text):
    state = at(f"r3k2r/8/8/8/8/8/8/{rank} w {right}ha - 0 1")
    assert to_fen(GAME.apply(state, read_action(text))).split()[2] == "kq"


def test_a_rook_goes_over_its_king_for_nothing_else():
    state = at("4k3/8/8/8/8/8/8/R5KR w - - 0 1")
    assert GAME.judge(state, read_action("h1-f1")).rule == "CH-3.8.2.1"
    moved = at("4k3/8/8/8/8/6K1/8/R6R w - - 0 1")
    assert GAME.judge(moved, read_action("h1-f1")).rule == "CH-3.3"


def test_a_king_that_stands_as_usual_castles_as_usual():
    state = at("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1")
    legal = [action for action in GAME.legal(state) if action.origin == "e1"]
    assert {Action("move", "e1", "g1"), Action("move", "e1", "c1")} <= set(legal)
    assert GAME.judge(state, read_action("e1-g1")).rule == "CH-3.8.2"
    assert GAME.judge(state, read_action("e1-h1")).rule == "CH-3.8.1"


def test_a_step_of_the_king_is_no_castling():
    state = at("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
    after = GAME.expect(GAME.apply(state, read_action("f1-g1")))
    assert (after["g1"], after["h1"]) == ("white K", "white R")


@pytest.mark.parametrize(
    ("position", "text", "spots"),
    [
        # Over an attacked square, which the king itself shields.
        ("4k3/8/8/8/8/2r5/8/1R3K1R w HB - 0 1", "f1-c1", ("c1", "c3")),
        ("4k3/8/8/8/8/3r4/8/1R3K1R w HB - 0 1", "f1-c1", ("d1", "d3")),
        ("4k3/8/8/8/8/5r2/8/1R3K1R w HB - 0 1", "f1-c1", ("f1", "f3")),
        # What the rook that castles kept off the king attacks it then.
        ("4k3/8/8/8/8/8/8/rRK4R w HB - 0 1", "b1-d1", ("c1", "a1")),
    ],
)
def test_the_kings_way_is_attacked_nowhere(position, text, spots):
    state = at(position)
    ruling = GAME.judge(state, read_action(text))
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "CH-3.8.2.2", spots)
    assert read_action(text) not in GAME.legal(state)


def test_a_king_that_was_moved_castles_no_more():
    state = at("4k3/p7/8/8/8/8/8/1R3K1R w HB - 0 1")
    for text in ("f1-f2", "a7-a6", "f2-f1", "a6-a5"):
        state = GAME.apply(state, read_action(text))
    assert GAME.judge(state, read_action("h1-f1")).rule == "CH-3.8.2.1"


def test_castling_takes_nothing_and_counts_as_a_quiet_move():
    state = at("4k3/8/8/8/8/8/8/1R3K1R w HB - 7 30")
    after = GAME.apply(state, read_action("h1-f1"))
    assert after.halfmoves == 8
    assert after.captured == state.captured
    assert read_action("h1-f1") not in GAME.lively(state)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("1r3kr1/8/8/8/8/8/8/1R3KR1 w GBgb - 0 1", "KQkq"),
        ("1r3kr1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1", "KQkq"),
        ("4k3/8/8/8/8/8/8/1R3KRR w G - 0 1", "G"),
        ("4k3/8/8/8/8/8/8/1R3KRR w K - 0 1", "K"),
        ("1rr2k2/8/8/8/8/8/8/5K2 w c - 0 1", "c"),
    ],
)
def test_a_right_is_written_by_its_file_where_another_rook_stands_further_out(given, written):
    state = at(given)
    assert to_fen(state).split()[2] == written
    assert at(to_fen(state)) == state


def test_in_a_game_that_begins_as_usual_other_rights_are_named_by_their_files():
    state = from_fen(USUAL, "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
    assert to_fen(state).split()[2] == "HB"
    with pytest.raises(BadInput, match="king on e1"):
        from_fen(USUAL, "4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1")


@pytest.mark.parametrize(
    ("rank", "rights"),
    [("1R3K2", "K"), ("1R3K2", "H"), ("1R6", "B"), ("1R6", "Q"), ("1R3K1R", "HH"), ("8", "x")],
)
def test_rights_need_king_and_rook_on_the_first_rank(rank, rights):
    with pytest.raises(BadInput, match="field 3"):
        at(f"4k3/8/8/8/8/8/8/{rank} w {rights} - 0 1")


def test_who_stands_as_at_first_may_castle_where_men_are_laid_out():
    setup = GAME.setup(options={"position": "0"})
    men = {"g1": "white K", "h1": "white R", "e8": "black K"}
    assert to_fen(GAME.arrange(setup, men)).split()[2] == "K"


@pytest.mark.parametrize("rights", ["HB", "H"])
def test_a_saved_game_keeps_where_kings_and_rooks_stood_at_first(rights):
    for options in ({}, {"position": "0"}):
        setup = GAME.setup(options=options)
        state = from_fen(setup, f"4k3/p7/8/8/8/8/8/1R3K1R w {rights} - 0 1")
        for text in ("f1-f2", "e8-e7", "f2-f1"):
            state = GAME.apply(state, read_action(text))
        again = GAME.load(json.loads(json.dumps(GAME.dump(state))))
        assert again == state
        assert GAME.dump(again) == GAME.dump(state)


def test_a_game_saved_before_there_were_numbers_goes_on():
    state = GAME.apply(GAME.start(USUAL), read_action("e2-e4"))
    data = {key: value for key, value in GAME.dump(state).items() if key != "homes"}
    del data["options"]["position"]
    assert GAME.load(data) == state


def test_castling_is_written_as_usual_and_the_game_says_its_variant():
    state = at("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
    assert san(state, read_action("h1-f1")) == "O-O"
    assert san(state, read_action("f1-c1")) == "O-O-O"
    text = write_pgn(state, [read_action("f1-c1")])
    assert '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1"]' in text
    assert '[Variant "Chess960"]' in write_pgn(
        from_fen(USUAL, "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1"), []
    )
    assert "Variant" not in write_pgn(GAME.start(USUAL), [])
    assert "Variant" in write_pgn(begun(0), [])


@pytest.mark.parametrize(
    ("position", "text", "means"),
    [
        ("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1h1", "h1-f1"),
        ("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1g1", "f1-g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1h1", "e1-g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1g1", "e1-g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w A - 0 1", "e1h1", None),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e9", None),
    ],
)
def test_programs_write_castling_as_the_kings_way_onto_its_rook(position, text, means):
    state = at(position)
    assert GAME.uci_action(state, text) == (means and read_action(means))


def test_programs_are_told_of_chess960_where_a_king_castles_from_another_square():
    assert GAME.uci_options(GAME.start(USUAL)) == {}
    assert GAME.uci_options(at("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")) == {"UCI_Chess960": "true"}
