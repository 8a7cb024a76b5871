"""One piece that moves twice before the next picture plays by the rules where it can."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.rules import Action
from tests.checks.victorus_tables import opened, table
from tests.vision.test_in_hand import Errors, Told
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded
from vision.decoding.reading import Step
from vision.decoding.scene import Scene
from vision.decoding.story import Story

VICTORUS: Any = find_game("victorus")


def read(state: Any, errors: Errors, checked: frozenset[str] = frozenset()) -> Decoded[Any]:
    spots = frozenset(errors)
    decoder = Decoder(VICTORUS, Scene(Told(errors), VICTORUS.expect(state), spots, spots | checked))
    return decoder.decode((state,), (), ())


def carried(token: str, origin: str, target: str) -> Errors:
    return {origin: {token: 2.0, None: 0.02}, target: {token: 0.02, None: 2.0}}


def twice(state: Any, origin: str) -> Action:
    """Return the second of two moves by the rules of the piece on ``origin`` that lead where one
    alone does not."""
    ways = {action.target for action in VICTORUS.legal(state) if action.origin == origin}
    for first in VICTORUS.legal(state):
        if first.origin == origin:
            for then in VICTORUS.legal(VICTORUS.advance(state, first)):
                if then.origin == first.target and then.target not in {*ways, origin}:
                    return then
    raise AssertionError("no such moves")


@pytest.mark.parametrize("token", ["red white U+", "red white B+", "red white H", "red half K"])
def test_both_moves_of_one_piece_in_one_gap_are_no_cheating(token: str) -> None:
    pieces = {"i4": token} if "half" not in token else {}
    state = opened(table(pieces))
    origin = next(spot for spot, t in VICTORUS.expect(state).items() if t == token)
    then = twice(state, origin)
    decoded = read(state, carried(token, origin, str(then.target)))
    assert decoded.best is not None
    assert decoded.sure
    assert not decoded.best.story.illegal
    assert decoded.best.story.steps[0].action.origin == origin
    assert decoded.best.story.steps[-1].action.target == then.target


def test_two_tokens_that_changed_places_are_swapped_and_nobody_moved() -> None:
    state = table({"i4": "red white T", "k5": "red white U"})
    decoded = read(
        state,
        {
            "i4": {"red white T": 0.15, "red white U": 0.02},
            "k5": {"red white U": 0.15, "red white T": 0.02},
        },
    )
    assert decoded.best is not None
    assert decoded.sure
    assert not decoded.best.story.steps
    assert decoded.best.story.swapped == {"i4", "k5"}
    assert decoded.best.table["i4"] == "red white U"
    assert decoded.best.table["k5"] == "red white T"


def test_a_token_changed_places_with_none_that_is_gone() -> None:
    state = table({"i4": "red white T", "k5": "red white U"})
    decoded = read(
        state,
        {
            "i4": {"red white T": 0.15, "red white U": 0.02},
            "k5": {"red white U": 0.3, "red white T": 0.1, None: 0.02},
        },
    )
    assert all(not told.story.swapped for told in decoded.weighed)


def test_a_refused_capture_is_no_swap_because_the_captured_piece_fits_the_spot_that_was_left() -> (
    None
):
    state = table({"i4": "red white T", "k5": "purple white U"})
    errors: Errors = {
        "i4": {"red white T": 0.35, None: 0.02, "purple white U": 0.18},
        "k5": {"purple white U": 0.45, "red white T": 0.06},
    }
    decoded = read(state, errors)
    assert decoded.best is not None
    assert [str(step.action) for step in decoded.best.story.steps] == ["i4-k5"]
    assert decoded.best.story.illegal == 1


def test_a_promotion_that_is_due_is_believed_once_it_is_seen() -> None:
    state = table({"i4": "red white T", "i6": "purple white U", "k5": "red white B"})
    merit = (2,) * len(state.tally.merit)
    state = state._replace(tally=state.tally._replace(merit=merit))
    lying = VICTORUS.expect(state)
    target = next(a.target for a in VICTORUS.legal(state) if a.origin == "i4")
    errors = carried("red white T", "i4", str(target))
    decoder = Decoder(VICTORUS, Scene(Told(errors), lying, frozenset(errors), frozenset(errors)))
    decoded = decoder.decode((state,), (), ())
    assert decoded.best is not None
    assert decoded.best.table["k5"] == "red white B"


def test_whether_two_tokens_changed_places_makes_no_question_of_a_move_elsewhere() -> None:
    places = frozenset({"i4", "k5"})
    steps = (Step(Action("move", "b6", "e9"), 1.0),)
    moved, nothing = Story(None, {}, steps), Story(None, {})
    assert Story(None, {}, steps, swapped=places).outcome == moved.outcome
    assert Story(None, {}, swapped=places).outcome != nothing.outcome
