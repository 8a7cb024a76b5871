"""Why a reading came about: what the spots showed, which explanations were weighed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.simulation.troubles import Troubles
from vision.decoding.trace import SpotTrace, Trace, shares
from vision.tokens.likelihood import ODD, log_likelihood

Begin = Callable[..., Any]


def likely(trace: Trace, spot: str) -> str | None:
    """Return what ``spot`` shows most likely."""
    return next(one for one in trace.spots if one.spot == spot).candidates[0].token


def marks(trace: Trace) -> dict[str, tuple[str, ...]]:
    return {one.spot: one.marks for one in trace.spots if one.marks}


def test_a_move_that_was_taken_has_its_spots_and_its_rivals(play: Begin) -> None:
    game = play()
    game.look()
    trace = game.reader.why(game.move("g1-g3"))
    assert trace.verdict == "took"
    assert (likely(trace, "g1"), likely(trace, "g3")) == (None, "red white E")
    assert "changed" in marks(trace)["g1"]
    best, *rivals = trace.searches[-1].hypotheses
    assert (best.actions, best.legal, best.against) == (("g1-g3",), True, ())
    assert best.p > 0.99
    assert any(rival.actions == () for rival in rivals), "that nothing was moved was weighed too"
    assert best.prior < 0
    assert all(rival.p <= best.p for rival in rivals)


def test_evidence_is_the_sum_of_what_the_spots_say(play: Begin) -> None:
    game = play()
    game.look()
    trace = game.reader.why(game.move("g1-g3"))
    best = trace.searches[-1].hypotheses[0]
    nats = {(one.spot, it.token): it.log_likelihood for one in trace.spots for it in one.candidates}
    assert best.evidence == pytest.approx(nats["g1", None] + nats["g3", "red white E"], abs=0.02)


def test_a_hand_is_waited_for_and_that_is_said(play: Begin) -> None:
    game = play(troubles=Troubles(hand_frames=2))
    game.camera.table.move("g1", "g3")
    reading = game.read(game.camera.read())
    assert game.camera.hand_in_view
    trace = game.reader.why(reading)
    assert (trace.verdict, trace.searches) == ("waited", ())
    assert trace.reason == "a hand, or something as large, is in view"


def test_what_no_explanation_covers_says_which_spots_are_against_it(play: Begin) -> None:
    game = play()
    game.look()
    for spot in ("g1", "b5", "d10"):
        game.camera.table.remove(spot)
    trace = game.reader.why(game.look())
    assert trace.verdict == "differs"
    assert {"g1", "b5", "d10"} <= marks(trace).keys()
    assert trace.searches[0].result


def test_a_quiet_picture_leaves_a_trace_without_spots(play: Begin) -> None:
    game = play()
    game.look()
    trace = game.reader.why(game.look())
    assert (trace.verdict, trace.spots, trace.searches) == ("calm", (), ())
    assert trace.reason == "nothing changed"


def test_looking_into_a_reading_changes_none_that_follows(play: Begin) -> None:
    plain, asked = play(), play()
    moves = ("g1-g3", "d10-f10", "g3-g6", "g6-g3")
    for text in moves:
        told = asked.move(text)
        first = asked.reader.why(told)
        assert asked.reader.why(told) == first
        assert plain.move(text) == told


def test_traces_that_say_the_same_are_alike_whatever_their_numbers() -> None:
    spot = SpotTrace("h2", "red white T", (), ("changed",), ())
    one, other = (Trace(str(number), "differs", "so", (spot,)) for number in range(2))
    assert one.alike(other)
    assert not one.alike(Trace("2", "calm", "so", (spot,)))
    assert not one.alike(Trace("3", "differs", "so"))


def test_a_worse_error_is_less_likely_and_none_is_less_likely_than_a_contradiction() -> None:
    errors = [0.0, 0.01, 0.05, 0.3, 1.0]
    nats = [log_likelihood(error) for error in errors]
    assert nats[0] == pytest.approx(0, abs=1e-6)
    assert nats == sorted(nats, reverse=True)
    assert log_likelihood(7.0) == pytest.approx(nats[-1]) == pytest.approx(ODD)


def test_shares_add_up_and_what_is_out_of_the_question_has_none() -> None:
    found = shares([-3.0, -3.0, float("-inf")])
    assert found == [0.5, 0.5, 0.0]
