"""Games of other programs, read: what a PGN may hold, and what is wrong with it in a sentence."""

from __future__ import annotations

import random

import pytest

from companion.games import find_game
from companion.games.chess import GAME, to_fen, write_pgn
from companion.games.chess.pgn_reader import called, is_pgn, read_pgn
from companion.referee.export import follow
from companion.rules import BadInput, read_foreign, read_record, rewritten

HEAD = '[Event "A club, somewhere"]\n[White "Ada \\"the\\" First"]\n[Result "1-0"]\n\n'


def setup_of(number):
    return GAME.setup(None, {"position": str(number)})


def played(text):
    (game,) = read_pgn(text, setup_of)
    return [str(action) for action in game.actions]


def test_moves_are_read_up_to_the_result():
    text = HEAD + "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O\nNf6 1-0\n"
    assert played(text) == [
        "e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-b5", "a7-a6", "e1-g1", "g8-f6",
    ]  # fmt: skip
    assert read_pgn(text, setup_of)[0].tags["White"] == 'Ada "the" First'


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 {[%clk 0:09:58] best (by test) 1-0} e5 2. Nf3! $1 Nc6?? *",
        "1. e4 (1. d4 d5 (1... Nf6 {x)y}) 2. c4) 1... e5 2.Nf3 ; a remark } 1-0\n 2...Nc6",
        "% for programs\n1.e2-e4 e7e5 2.Ng1f3 Nb8-c6 1/2-1/2",
        "1 e4 e5 2 Ngf3 Nc6",
    ],
    ids=["marks", "variations", "long", "sparing"],
)
def test_what_stands_between_the_moves_is_passed_over(text):
    assert played(HEAD + text) == ["e2-e4", "e7-e5", "g1-f3", "b8-c6"]


def test_castling_promotion_and_taking_in_passing_are_read():
    text = (
        HEAD
        + "1. e4 a6 2. e5 d5 3. exd6 e.p. a5 4. dxc7 a4 5. cxb8=Q Rxb8 6. Nf3 h6 7. Bd3 h5 8. 0-0 *"
    )
    assert played(text)[4:] == [
        "e5-d6", "a6-a5", "d6-c7", "a5-a4", "c7-b8=Q", "a8-b8", "g1-f3", "h7-h6", "f1-d3", "h6-h5",
        "e1-g1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 e5 2. Nf6 *", "“2. Nf6” in the PGN is no legal move there"),
        ("1. e4 Qh4 *", "“1... Qh4” in the PGN is no legal move there"),
        ("1. Nc3 e5 2. Nb5 Ke7 3. Nf3 Ke6 4. Nd4 *", "may be several moves"),
        ("1. e4 hello *", "“1... hello”"),
        ("1. e4 -- 2. d4", "“1... --”"),
        ('1. e4 *\n\n[Event "two"]\n\n1. d4 d4 *', "game 2 of 2: “1... d4” in the PGN is no"),
        ("1. e4 1-0 1. d4 Qa5", "game 2 of 2: “1... Qa5”"),
    ],
    ids=["white", "black", "two", "word", "null", "games", "more"],
)
def test_what_is_wrong_is_named_in_one_sentence(text, said):
    with pytest.raises(BadInput) as caught:
        played(HEAD + text)
    assert said in str(caught.value)


def test_another_kind_of_chess_is_refused_by_its_name():
    with pytest.raises(BadInput, match="Atomic"):
        played('[Variant "Atomic"]\n\n1. e4 *')
    with pytest.raises(BadInput, match="FEN field 1"):
        played('[FEN "nonsense w - - 0 1"]\n\n1. e4 *')


def test_only_what_begins_with_a_tag_or_a_first_move_is_taken_for_a_pgn():
    assert is_pgn('\ufeff\n [Event "x"]\n')
    assert is_pgn("% written by a program\n{A remark} 1.e4 e5")
    for text in ("game: chess\nseats: white, black\n\ne2-e4\n", "", "[", "[x]", "{ 1. e4"):
        assert not is_pgn(text)
        assert not read_foreign(text, [GAME])


def test_a_game_becomes_a_record_that_is_followed_to_its_end():
    (record,) = read_foreign(HEAD + "1. f3 e5 2. g4 Qh4# 0-1", [find_game("victorus"), GAME])
    followed = follow(record, find_game)
    assert (len(followed.actions), followed.stopped) == (4, "")
    assert GAME.outcome(followed.states[-1]).winners == ("black",)


def test_a_game_from_a_position_begins_there():
    fen = "4k3/P7/8/8/8/8/8/4K2R b K - 0 1"
    (record,) = read_foreign(f'[SetUp "1"]\n[FEN "{fen}"]\n\n1... Kd7 2. O-O Ke7 3. a8=N *', [GAME])
    followed = follow(record, find_game)
    assert to_fen(followed.states[0]) == fen
    assert len(followed.actions) == 4
    with pytest.raises(BadInput, match="castling rights"):
        read_foreign(f'[SetUp "1"]\n[FEN "{fen.replace(" K ", " - ")}"]\n\n1... Kd7 *', [GAME])


@pytest.mark.parametrize("position", [518, 0, 959, 192])
def test_random_games_are_read_as_they_were_written(position):
    chance = random.Random(position)
    options = {"position": str(position)}
    start = state = GAME.start(GAME.setup(None, options))
    actions = []
    for _ in range(120):
        legal = [action for action in GAME.legal(state) if action.verb == "move"]
        if not legal:
            break
        actions.append(chance.choice(legal))
        state = GAME.advance(state, actions[-1])
    (read,) = read_pgn(write_pgn(start, actions), setup_of)
    assert (read.position, read.start, list(read.actions)) == (position, start, actions)


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 += 2. Nf3 +- N Nc6⩲ 1/2",
        "1. e4 e5 2. Nf3 ± Nc6 ½-½",
        "1. e4 e5 2. Nf3) Nc6 1–0",
        "1. e4 e5\r\n2. Nf3 {a\r\n[%clk 0:01:00]\r\n} Nc6 *\r\n",
        "1. e4 e5\r2. Nf3 Nc6 *\r",
        "1. e4 e5 [a remark] 2. Nf3 Nc6 *",
        "1. e4 e5 2. Nf3 Nc6 {and now a plan, as wh",
        "1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4 (3. Bc4",
        "1. e4 e5 2. Nf3 Nc6 3. B",
    ],
    ids=[
        "signs", "more signs", "surplus bracket", "lines of Windows", "lines of old Macs",
        "square brackets", "cut remark", "cut variation", "cut move",
    ],
)  # fmt: skip
def test_what_other_programs_write_or_leave_out_is_read(text):
    assert played(HEAD + text) == ["e2-e4", "e7-e5", "g1-f3", "b8-c6"]


def test_a_tag_may_hold_quotation_marks_and_brackets_as_they_are():
    (game,) = read_pgn('[White "Ann "the" B"]\n[Black "x]y"]\n\n1. e4 *', setup_of)
    assert (game.tags, len(game.actions)) == ({"White": 'Ann "the" B', "Black": "x]y"}, 1)


def test_every_game_of_a_file_is_read():
    text = (
        HEAD + '1. e4 {[Event "no game"]} e5 1-0\n\n'
        '\ufeff[Event "unplayed"]\n\n*\n\n[Event "cut (off"]\n\n1. d4 (1. c4\n'
        '[Event "last"]\n[Result "*"]\n1. Nf3 Nf6'
    )
    read = read_pgn(text, setup_of)
    assert [game.tags["Event"] for game in read][1:] == ["unplayed", "cut (off", "last"]
    assert [[str(action) for action in game.actions] for game in read] == [
        ["e2-e4", "e7-e5"], [], ["d2-d4"], ["g1-f3", "g8-f6"],
    ]  # fmt: skip
    assert len(read_foreign(text, [GAME])) == 4
    with pytest.raises(BadInput, match="more than 100 games"):
        read_pgn("1. e4 *\n" * 101, setup_of)


@pytest.mark.parametrize(
    ("tags", "position"),
    [('[Variant "Fischer Random"]\n', 0), ("", 0), ('[Variant "Chess960"]\n', 0)],
)
@pytest.mark.parametrize("rights", ["KQkq", "HFhf"])
def test_chess960_is_known_by_its_position_where_the_file_does_not_say(tags, position, rights):
    fen = f"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w {rights} - 0 1"
    (read,) = read_pgn(f'{tags}[FEN "{fen}"]\n\n1. f3 f6 *', setup_of)
    assert setup_of(read.position) == setup_of(position)


def test_chess960_begins_in_mid_game_where_its_castling_is_still_possible():
    fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 9"
    text = f'[Variant "Chess960"]\n[FEN "{fen}"]\n\n9. O-O-O O-O *'
    (record,) = read_foreign(text, [GAME])
    followed = follow(record, find_game)
    assert (len(followed.actions), followed.stopped) == (2, "")
    assert to_fen(followed.states[-1]).split()[0] == "1r3rk1/pppppppp/8/8/8/8/PPPPPPPP/2KR2R1"


@pytest.mark.parametrize(
    ("tags", "name"),
    [
        ({"White": "Anna", "Black": "Bruno", "Date": "2024.05.01"}, "Anna - Bruno, 2024-05-01"),
        ({"White": " Anna\tB. ", "Black": "?", "Date": "1992.??.??"}, "Anna B. - ?, 1992"),
        ({"White": "Anna"}, "Anna - ?"),
        ({"White": "?", "Black": "", "Date": "2024.05.01"}, ""),
        ({}, ""),
        ({"White": "x" * 31, "Black": "y" * 30, "Date": "today"}, f"{'x' * 29}… - {'y' * 30}"),
    ],
)
def test_a_game_is_called_by_its_players_and_date_as_far_as_they_are_told(tags, name):
    assert called(tags) == name


def test_a_game_of_another_program_is_kept_as_a_record_of_ours():
    (record,) = read_foreign(HEAD + "1. e4 e5 2. Nf3 *", [GAME])
    again = read_record(rewritten(GAME, record))
    assert (again.game, again.seats) == ("chess", ("white", "black"))
    assert again.actions == record.actions == ("e2-e4", "e7-e5", "g1-f3")


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ((HEAD + "1. e4 *\n\n") * 101, "100 games"),
        (HEAD + "Nf3 Nf6 Ng1 Ng8 " * 501 + "*", "2000 moves"),
    ],
)
def test_what_is_too_long_to_be_a_game_is_refused(text, most):
    with pytest.raises(BadInput, match=f"more than {most}"):
        read_pgn(text, setup_of)
