"""A word of the game is known at any time: where it cannot be said now the ruling tells what is
missing; what follows it, or is written beside a move, is asked after what is meant."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.rules import Action, Ruling
from tests.checks.victorus_tables import table, why
from web.language import languages, translator


def began(name: str, action: str | Action, *before: str, **options: str) -> Ruling:
    """Return the ruling on ``action`` after the actions ``before`` from the start of a game."""
    game: Any = find_game(name)
    setup = game.setup(None, options)
    state = game.start(setup)
    for text in before:
        state = game.apply(state, game.parse(setup, text))
    return game.judge(state, game.parse(setup, action) if isinstance(action, str) else action)


@pytest.mark.parametrize(
    ("name", "action", "rule", "told"),
    [
        ("victorus", "time", "VIC-8.1", "Only the quick game is played against the clock."),
        ("victorus", "time=5", "VIC-8.1", "Only the quick game is played against the clock."),
        ("victorus", "forfeit=red", "VIC-8.1", "Only the quick game is played against the clock."),
        ("victorus", "end=red", "VIC-4.7", "Red can move, for example f2-h3, and has to."),
        (
            "heximeros",
            "draw=red",
            "HX-5.4",
            "A draw is for the last two players alone; 6 are in the game.",
        ),
        ("invictus", "pass=2", "INV-4.3", "Black must act while he can, for example a3-a4."),
    ],
)
def test_a_word_that_cannot_be_said_now_is_told_what_is_missing(
    name: str, action: str, rule: str, told: str
) -> None:
    ruling = began(name, action)
    assert (ruling.allowed, ruling.rule, ruling.reason) == (False, rule, told)


@pytest.mark.parametrize(
    ("name", "action", "rule"),
    [
        ("victorus", "time=5", "VIC-8.1"),
        ("heximeros", "resign=red", "HX-5.5"),
        ("heximeros", "token=blue", "HX-3.1"),
        ("invictus", "agree=black", "INV-7.3"),
    ],
)
def test_a_word_that_may_be_said_now_is_said_alone(name: str, action: str, rule: str) -> None:
    options = {"variant": "quick"} if name == "victorus" else {}
    before = ("q2-q3",) if action.startswith("token") else ()
    word = action.partition("=")[0]
    assert began(name, word, *before, **options).allowed
    ruling = began(name, action, *before, **options)
    told = f"“{word}” is said alone; nothing follows it."
    assert (ruling.allowed, ruling.rule, ruling.reason) == (False, rule, told)


@pytest.mark.parametrize(
    ("word", "rule"), [("check", "HX-3.4"), ("concede", "HX-5.5"), ("expel", "HX-5.5")]
)
@pytest.mark.parametrize("ending", ["", "=purple", "=blue red"])
def test_a_word_that_names_an_army_says_which_there_are(word: str, rule: str, ending: str) -> None:
    ruling = began("heximeros", word + ending)
    assert (ruling.allowed, ruling.rule) == (False, rule)
    assert ruling.reason == (
        f"“{word}” is said with one of “silver”, “blue”, “yellow”, “orange”, “green”, “red”, "
        f"written as “{word}=silver”."
    )


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("victorus", "“end” (end turn), “forfeit” (turn not begun in time), “time” (time is up)"),
        ("heximeros", "“token” (pass the Token), “check” (declare Check upon), “resign” (resign)"),
    ],
)
def test_a_word_of_another_game_is_answered_with_the_words_of_this_one(
    name: str, known: str
) -> None:
    title = find_game(name).title
    ruling = began(name, Action("skip"))
    assert not ruling.allowed
    assert ruling.reason.startswith(f"“skip” is not said in {title}; its words are {known}")
    told = {ruling.reason.told(translator(language)) for language in languages()}  # type: ignore[attr-defined]
    assert len(told) == len(languages())


@pytest.mark.parametrize(("name", "rule"), [("victorus", "VIC-2.7"), ("heximeros", "HX-1.5")])
@pytest.mark.parametrize(
    "action",
    [
        Action("move", "z99", "i1"),
        Action("move", "i1", "z99"),
        Action("move", "i1", "i2", "", ("z99",)),
        Action("place", None, "z99", "K"),
    ],
)
def test_what_is_no_place_of_the_board_is_named(name: str, rule: str, action: Action) -> None:
    ruling = began(name, action)
    assert (ruling.allowed, ruling.rule) == (False, rule)
    assert ruling.reason.startswith("“z99” is no ")


TEMPLAR = {"i4": "red white T", "i5": "red black E"}


@pytest.mark.parametrize("beside", ["=Q", "=U+"])
def test_in_victorus_a_move_with_a_piece_is_first_judged_as_the_move(beside: str) -> None:
    state = table(TEMPLAR)
    for plain, rule in (("i4-i6", "VIC-3.2"), ("i4-n5", "VIC-4.1"), ("i5-i4", "VIC-3.2")):
        assert why(state, plain + beside) == why(state, plain)
        assert why(state, plain).rule == rule
    assert why(state, "i4-i2").allowed
    ruling = why(state, "i4-i2" + beside)
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-6.2", ("i4",))
    assert "turned over when the turn ends" in ruling.reason


def test_in_victorus_a_cell_between_is_asked_after_the_move_itself() -> None:
    state = table({"i2": "red white T", "i5": "red black E"})
    assert why(state, "i2-i3-k4") == why(state, "i2-k4")
    ruling = why(state, "i2-i3-i4")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-3.2", ("i3",))
