"""Chess as text: FEN in and out, SAN and PGN out, the notation of actions, saved games."""

from __future__ import annotations

import json
import math

import pytest

from companion.games.chess import GAME, from_fen, san, to_fen, write_pgn
from companion.rules import Action, ActionRemark, BadInput, read_action

SETUP = GAME.setup()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def play(state, *texts):
    for text in texts:
        state = GAME.apply(state, read_action(text))
    return state


# -- FEN ---------------------------------------------------------------------------------


def test_the_first_position_is_written_as_everybody_writes_it():
    assert to_fen(GAME.start(SETUP)) == START
    assert GAME.read_position(SETUP, START) == GAME.start(SETUP)


def test_a_fen_tells_side_rights_passed_square_and_counters():
    state = play(GAME.start(SETUP), "e2-e4")
    assert to_fen(state) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    state = play(state, "g8-f6", "e1-e2", "h8-g8")
    assert to_fen(state) == "rnbqkbr1/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR w q - 3 3"


@pytest.mark.parametrize(
    "text",
    [
        START,
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 40",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 2",
        "8/8/8/8/8/8/8/8 w - - 0 1",
    ],
)
def test_a_fen_comes_out_as_it_went_in(text):
    assert to_fen(from_fen(SETUP, text)) == text


def test_the_counters_of_a_fen_may_be_left_out():
    assert to_fen(from_fen(SETUP, START[:-4])) == START


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8/8/8/8/8/8/8/8 w -", "6 fields"),
        ("8/8/8/8/8/8/8 w - - 0 1", r"field 1 \(pieces\) has 8 ranks, not 7"),
        ("8/8/8/8/8/8/8/4X3 w - - 0 1", "rank 1: no piece is called “X”"),
        ("8/8/8/8/8/8/9/8 w - - 0 1", "rank 2: no piece is called “9”"),
        ("7/8/8/8/8/8/8/8 w - - 0 1", "rank 8 has 7 squares"),
        ("8/8/8/8/8/8/8/8 white - - 0 1", r"field 2 \(side to move\)"),
        (START.replace("KQkq", "KX"), r"field 3 \(castling\) is - or some of KQkq"),
        (START.replace("KQkq", "KK"), r"field 3 \(castling\) is - or some of KQkq"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "K needs the king on e1 and its rook on h1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - x 0 2", r"field 4 \(en passant\) is -"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 2", r"field 4 \(en passant\) is -"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - f6 0 2", "no pawn can just have passed f6"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 2", "no pawn can just have passed d6"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 2", "no pawn can just have passed d6"),
        (START.replace("0 1", "x 1"), r"field 5 \(half-move clock\)"),
        (START.replace("0 1", "0 0"), r"field 6 \(move number\)"),
    ],
)
def test_a_fen_that_does_not_fit_names_its_field(text, message):
    with pytest.raises(BadInput, match=message):
        GAME.read_position(SETUP, text)


# -- SAN and PGN -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "action", "written"),
    [
        (START, "e2-e4", "e4"),
        (START, "g1-f3", "Nf3"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5-d6", "exd6"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1-g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8-c8", "O-O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1-a8", "Rxa8+"),
        ("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7-d8=N", "exd8=N"),
        ("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7-e8=Q", "e8=Q+"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1-a8", "Ra8#"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1-d1", "Rad1"),
        ("4k3/8/8/8/R7/8/4K3/R7 w - - 0 1", "a1-a2", "R1a2"),
        ("6k1/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1", "a4-d1", "Qa4d1"),
        ("6k1/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1", "d4-d1", "Qdd1"),
        ("4r2k/8/8/8/8/4R3/4K3/1R6 w - - 0 1", "b1-b3", "Rb3"),
        ("4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", "e1-d1", "Kd1"),
    ],
)
def test_a_move_is_written_as_players_write_it(fen, action, written):
    state = from_fen(SETUP, fen)
    action = read_action(action)
    assert action in GAME.legal(state)
    assert san(state, action) == written


def test_a_pinned_namesake_needs_no_telling_apart():
    state = from_fen(SETUP, "4r2k/8/8/8/4N3/8/8/N3K3 w - - 0 1")
    assert san(state, read_action("a1-c2")) == "Nc2"
    free = from_fen(SETUP, "r6k/8/8/8/8/4N3/8/N3K3 w - - 0 1")
    assert san(free, read_action("a1-c2")) == "Nac2"


def test_a_game_is_written_as_pgn():
    mate = ["e2-e4", "e7-e5", "d1-h5", "b8-c6", "f1-c4", "g8-f6", "h5-f7"]
    actions = [read_action(text) for text in mate]
    tags = {"White": 'Ada "the first"', "Black": "Bob", "Annotator": "us"}
    assert write_pgn(GAME.start(SETUP), actions, tags) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n'
        '[White "Ada \\"the first\\""]\n[Black "Bob"]\n[Result "1-0"]\n[Annotator "us"]\n\n'
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n"
    )


def test_what_the_clocks_showed_and_an_agreed_result_stand_in_the_notated_game():
    actions = [read_action(text) for text in ("e2-e4", "e7-e5")]
    tags = {"winner": "white", "control": "600+5"}
    text = GAME.notate_timed(
        "pgn", GAME.start(SETUP), actions, tags, (ActionRemark(598.9, 7.2), ActionRemark(3725.0))
    )
    assert '[Result "1-0"]' in text
    assert '[TimeControl "600+5"]' in text
    moves = " ".join(text.split("\n\n")[1].split())
    assert moves == "1. e4 {[%clk 0:09:58] [%emt 0:00:07]} 1... e5 {[%clk 1:02:05]} 1-0"


def test_what_a_machine_expects_is_told_in_pawns_but_for_a_game_that_is_won():
    actions = [read_action(text) for text in ("e2-e4", "e7-e5", "g1-f3", "b8-c6")]
    remarks = [ActionRemark(expected=share) for share in (0.5, 1 / (1 + math.exp(0.55)), 1.0)]
    text = GAME.notate_timed("pgn", GAME.start(SETUP), actions, {}, remarks)
    moves = " ".join(text.split("\n\n")[1].split())
    assert moves == "1. e4 {[%eval 0.00]} 1... e5 {[%eval -1.00]} 2. Nf3 Nc6 *"


def test_players_and_day_head_the_notated_game():
    tags = {"white": "Anna", "date": "2026-11-21"}
    text = GAME.notate("pgn", GAME.start(SETUP), [read_action("e2-e4")], tags)
    assert '[White "Anna"]' in text
    assert '[Black "?"]' in text
    assert '[Date "2026.11.21"]' in text
    assert "1. e4" in text


def test_chess_has_one_notation_to_take_away():
    assert GAME.notations == ("pgn",)
    assert GAME.notate("pgn", GAME.start(SETUP), [], {}).startswith("[")


def test_a_pgn_from_another_position_tells_it():
    fen = "4k3/8/8/8/8/8/7p/4K3 b - - 0 9"
    text = write_pgn(from_fen(SETUP, fen), [read_action("h2-h1=Q"), read_action("e1-d2")])
    assert f'[SetUp "1"]\n[FEN "{fen}"]' in text
    assert text.endswith("\n9... h1=Q+ 10. Kd2 *\n")


@pytest.mark.parametrize(
    ("end", "last"),
    [
        ("agree", "1. e4 e5 {The players agreed on a draw.} 1/2-1/2"),
        ("resign=white", "1. e4 e5 {White resigned.} 0-1"),
    ],
)
def test_an_announced_end_is_a_remark_in_the_pgn(end, last):
    actions = [read_action(text) for text in ("e2-e4", "e7-e5", end)]
    assert write_pgn(GAME.start(SETUP), actions).splitlines()[-1] == last


def test_no_line_of_a_pgn_is_too_long():
    knights = [read_action(text) for text in ("g1-f3", "g8-f6", "f3-g1", "f6-g8")] * 4
    lines = write_pgn(GAME.start(SETUP), knights).splitlines()
    assert max(map(len, lines)) < 80
    assert " ".join(lines[8:]).startswith("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3")


# -- actions -----------------------------------------------------------------------------


def test_an_action_reads_back():
    for text in ("e2-e4", "e7-e8=Q", "e1-g1", "resign=white", "claim=repetition f6-g8"):
        assert GAME.format(GAME.parse(SETUP, text)) == text


def test_a_promotion_may_be_written_small():
    assert GAME.parse(SETUP, "e7-e8=q") == Action("move", "e7", "e8", "Q")


def test_a_square_that_is_not_there_is_bad_input():
    with pytest.raises(BadInput, match="there is no spot “i9”"):
        GAME.parse(SETUP, "e2-i9")


# -- saved games -------------------------------------------------------------------------


def saved(*texts, fen=START, options=None):
    state = play(from_fen(GAME.setup(options=options), fen), *texts)
    return state, GAME.dump(state)


@pytest.mark.parametrize(
    ("fen", "texts", "options"),
    [
        (START, (), {"minutes": "3", "increment": "2", "draws": "automatic"}),
        (START, ("e2-e4", "d7-d5", "e4-d5", "d8-d5", "b1-c3"), None),
        (START, ("g1-f3", "g8-f6", "f3-g1", "f6-g8"), None),
        (START, ("e2-e4", "a7-a6", "e4-e5", "d7-d5", "a2-a3"), None),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", ("e1-e2",), None),
        ("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1", ("e7-d8=R",), None),
        (START, ("resign=black",), None),
    ],
)
def test_a_saved_game_goes_on_where_it_was(fen, texts, options):
    state, data = saved(*texts, fen=fen, options=options)
    again = GAME.load(json.loads(json.dumps(data)))
    assert again == state
    assert hash(again) == hash(state)
    assert again.setup == state.setup


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("options", {"draws": "never"}),
        ("options", 5),
        ("fen", "8/8 w - - 0 1"),
        ("fen", None),
        ("plies", "many"),
        ("earlier", ["nonsense"]),
        ("earlier", ["8/8/8/8/8/8/8/7 w - -"]),
        ("captured", ["green P"]),
        ("exchanged", ["z9"]),
        ("claimed", ["white"]),
    ],
)
def test_a_saved_game_with_a_wrong_field_is_refused(field, value):
    data = GAME.dump(GAME.start(SETUP))
    with pytest.raises(BadInput):
        GAME.load({**data, field: value})
    del data[field]
    with pytest.raises(BadInput, match="no saved game of Chess"):
        GAME.load(data)
