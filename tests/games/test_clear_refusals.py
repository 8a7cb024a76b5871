"""A refusal is true and clear to the player who gets it at the table: in words, with what lies
there, and a word that is known is never told to be none."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chess import GAME as CHESS
from companion.rules import Action, Ruling

MEN = {"e1": "white K", "e8": "black K", "a1": "white R", "b7": "white P", "c5": "white P"}


def in_chess(action: str | Action, *before: str, **options: str) -> Ruling:
    setup = CHESS.setup(None, options)
    state: Any = CHESS.arrange(setup, MEN, "white")
    for text in before:
        state = CHESS.apply(state, CHESS.parse(setup, text))
    given = CHESS.parse(setup, action) if isinstance(action, str) else action
    ruling = CHESS.judge(state, given)
    assert not ruling.allowed
    return ruling


@pytest.mark.parametrize(
    ("action", "rule", "reason"),
    [
        ("a1-b3", "CH-3.3", "The white rook on a1 does not reach b3: a rook goes along a rank or a "
                            "file."),
        ("c5-d7", "CH-3.7.1", "The white pawn on c5 does not reach d7: a pawn goes one square "
                              "straight ahead, two from its first square, and takes one square "
                              "diagonally ahead."),
        ("c5-c7", "CH-3.7.2", "The white pawn on c5 has left its first square; only from there "
                              "does a pawn go two."),
        ("a1-a3-b3", "CH-1.2", "The white rook on a1 may not go to a3 and then on: that is more "
                               "than one move."),
        ("a1-a3=Q", "CH-3.7.5", "The white rook that goes from a1 to a3 stays what it is; only a "
                                "pawn that comes to its last rank becomes another man."),
        ("b7-b8=K", "CH-3.7.5", "The pawn becomes a queen, rook, bishop or knight on b8, not “K”."),
    ],
)  # fmt: skip
def test_in_chess_the_man_and_what_is_wrong_with_its_way_are_named(
    action: str, rule: str, reason: str
) -> None:
    ruling = in_chess(action)
    assert (ruling.rule, ruling.reason) == (rule, reason)


def test_in_chess_a_man_put_on_the_board_is_told_so_in_words() -> None:
    ruling = in_chess("*d5=white N")
    assert (ruling.rule, ruling.spots) == ("CH-3.10.1", ("d5",))
    assert ruling.reason == (
        "No man comes to d5 from beside the board: a move goes from square to square."
    )
    nowhere = in_chess(Action("place", None, "k9"))
    assert nowhere.reason == "It is White's move, and “*k9” is nothing that is said in chess."


def test_in_chess_a_word_with_an_addition_is_not_blamed_on_anything_else() -> None:
    said = "“agree” is said alone; “white” does not belong to it."
    assert in_chess("agree=white").reason == said
    assert in_chess("agree=white", "a1-a2", "e8-e7").reason == said
    assert in_chess("agree").reason == "A draw can be agreed once both sides have moved."
    unknown = in_chess(Action("forfeit", detail="C"))
    assert unknown.reason == "It is White's move, and “forfeit” is nothing that is said in chess."


def test_in_chess_a_claim_that_fails_is_told_of_what_was_claimed() -> None:
    assert in_chess("claim=black").reason == (
        "By what the draw is claimed has to be said: by repetition or by fifty moves."
    )
    assert "has stood 1 of the 3 times" in in_chess("claim=repetition").reason
    declared = in_chess("claim=repetition a1-a2")
    assert declared.rule == "CH-9.2.1"
    assert declared.reason.startswith("“a1-a2” is no move after which the position stands for")
    assert "0 of the 50 moves" in in_chess("claim=fifty").reason
    declared = in_chess("claim=fifty a1-a2")
    assert (declared.rule, declared.reason[:27]) == ("CH-9.3.1", "“a1-a2” is no move that com")
