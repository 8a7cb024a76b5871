"""A player's mistake, our doubt and a machine's fault are three different things."""

from __future__ import annotations

import pytest

from companion.rules import (
    Action,
    BadInput,
    CompanionError,
    GameFault,
    HardwareFault,
    IllegalAction,
    Ruling,
    Uncertain,
)


def test_an_illegal_action_carries_its_ruling_and_reads_as_a_sentence() -> None:
    ruling = Ruling(False, "TINY-1", "A peg goes one square.", ("a1",))
    error = IllegalAction(Action("move", "a1", "a3"), ruling)
    assert str(error) == "A peg goes one square. (TINY-1)"
    assert error.ruling is ruling
    assert error.action == Action("move", "a1", "a3")


def test_a_doubt_carries_the_candidates_in_their_order() -> None:
    first, second = Action("end"), Action("pass")
    error = Uncertain("two readings fit", [[first], [first, second]])
    assert error.candidates == ((first,), (first, second))
    assert Uncertain("none fits").candidates == ()


def test_a_fault_of_a_game_names_it_and_tells_its_author_what_happened() -> None:
    error = GameFault("Slide has a fault of its own", "slide", "legal: KeyError: 'a1'")
    assert str(error) == "Slide has a fault of its own"
    assert (error.game, error.what) == ("slide", "legal: KeyError: 'a1'")


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (BadInput, ValueError),
        (IllegalAction, ValueError),
        (Uncertain, LookupError),
        (HardwareFault, RuntimeError),
    ],
)
def test_every_failure_has_one_root_and_a_builtin_kind(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, CompanionError)
    assert issubclass(error, builtin)


def test_the_three_kinds_of_trouble_are_never_one_another() -> None:
    kinds = [BadInput, IllegalAction, Uncertain, HardwareFault]
    assert not [(a, b) for a in kinds for b in kinds if a is not b and issubclass(a, b)]
