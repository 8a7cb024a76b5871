"""What is lit when, spot by spot; whole frames are compared."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from companion.rules import Action, Highlights, Mark, say
from hardware.lights import MEANINGS, Moment, lights
from tests.checks.loops import some

DOCS = Path(__file__).parents[2] / "docs" / "lights.md"

TOGETHER = (
    {"missing", "wrong"},
    {"differs", "back", "proof", "stray"},
    {"asking"},
    {"capture", "destination", "home"},
    {"nowhere"},
    {"meant"},
    {"shown"},
    {"win"},
    {"destination", "held", "highlight", "last", "turn"},
)
"""The meanings that can be lit at the same time."""


@pytest.fixture
def state(tiny: Any) -> Any:
    return tiny.start(tiny.setup())


def test_a_lifted_token_lights_where_it_may_go(tiny: Any, state: Any) -> None:
    assert lights(tiny, state, Moment(lifted="a1")) == {
        "a2": MEANINGS["destination"],
        "a1": MEANINGS["home"],
    }


def test_a_capture_among_them_pulses(tiny: Any, state: Any) -> None:
    near = tiny.arrange(tiny.setup(), {"a1": "black", "a2": "white", "c3": "white"})
    assert lights(tiny, near, Moment(lifted="a1")) == {
        "a2": MEANINGS["capture"],
        "b1": MEANINGS["destination"],
        "a1": MEANINGS["home"],
    }


def test_a_lifted_token_that_may_go_nowhere_pulses_at_home(tiny: Any, state: Any) -> None:
    assert lights(tiny, state, Moment(lifted="a3")) == {"a3": MEANINGS["nowhere"]}


def test_an_idle_table_shows_quietly_who_may_move_and_what_moved_last(
    tiny: Any, state: Any
) -> None:
    after = tiny.advance(state, Action("move", "a1", "a2"))
    assert lights(tiny, after, Moment(last=("a1", "a2"))) == {
        "a1": MEANINGS["last"],
        "a2": MEANINGS["last"],
        "a3": MEANINGS["turn"],
        "b3": MEANINGS["turn"],
        "c3": MEANINGS["turn"],
    }


def test_spots_that_differ_silence_everything_but_the_proof(tiny: Any, state: Any) -> None:
    moment = Moment(lifted="a1", differs=("b2", "c1"), proof=("c1", "a3"), last=("b1",))
    assert lights(tiny, state, moment) == {
        "b2": MEANINGS["differs"],
        "c1": MEANINGS["differs"],
        "a3": MEANINGS["proof"],
    }


def test_errors_only_keeps_quiet_until_there_is_one(tiny: Any, state: Any) -> None:
    quiet = Moment(lifted="a1", last=("b1",), level="errors")
    assert lights(tiny, state, quiet) == {}
    assert lights(tiny, state, quiet._replace(differs=("b2",))) == {"b2": MEANINGS["differs"]}


def test_off_is_dark_whatever_happens(tiny: Any, state: Any) -> None:
    assert lights(tiny, state, Moment(lifted="a1", differs=("b2",), level="off")) == {}


def test_tokens_that_may_not_move_on_wink_and_other_marks_of_the_game_pulse(
    tiny: Any, state: Any
) -> None:
    class Marking(type(tiny), Highlights[Any]):  # type: ignore[misc]
        marks = MappingProxyType({"stuck": Mark(say("stuck in the mud"), holds=True)})

        def highlights(self, state: Any) -> Any:
            return {"stuck": ("a1",), "check": ("b1",)}

    lit = lights(Marking(), state, Moment())
    assert lit["a1"] == MEANINGS["held"]._replace(words="stuck in the mud")
    assert lit["b1"] == MEANINGS["highlight"]


def test_before_the_game_what_is_missing_and_what_is_wrong_are_told_apart(
    tiny: Any, state: Any
) -> None:
    moment = Moment(missing=("a1", "b1"), wrong=("c3",), level="errors")
    assert lights(tiny, state, moment) == {
        "a1": MEANINGS["missing"],
        "b1": MEANINGS["missing"],
        "c3": MEANINGS["wrong"],
    }


def test_a_refused_move_lights_the_way_back_and_the_proof(tiny: Any, state: Any) -> None:
    moment = Moment(proof=("b2",), back=("a1",), stray=("c2",), last=("b1",))
    assert lights(tiny, state, moment) == {
        "a1": MEANINGS["back"],
        "b2": MEANINGS["proof"],
        "c2": MEANINGS["stray"],
    }


def test_a_question_goes_round_its_answers(tiny: Any, state: Any) -> None:
    moment = Moment(asks=(("a1", "a2"), ("a1", "b1")), lifted="a1", level="errors")
    asking = MEANINGS["asking"]
    assert lights(tiny, state, moment) == {"a2": asking, "b1": asking._replace(phase=-0.5)}
    assert lights(tiny, state, Moment(asks=(("a1", "a2"),))) == {"a1": asking, "a2": asking}


def test_a_wave_runs_over_the_winners_tokens(tiny: Any, state: Any) -> None:
    chance, won = random.Random(1), state
    while not (tiny.outcome(won) and tiny.outcome(won).winners):
        over = tiny.outcome(won) is not None
        won = state if over else tiny.advance(won, chance.choice(tiny.legal(won)))
    outcome = tiny.outcome(won)
    (winner,) = outcome.winners
    lit = lights(tiny, won, Moment(last=("a1",)))
    theirs = {spot for spot, token in tiny.expect(won).items() if token.startswith(winner)}
    assert theirs
    assert set(lit) == theirs
    assert {light.meaning for light in lit.values()} == {"win"}
    assert len({light.phase for light in lit.values()}) == len(lit)


def test_where_a_token_may_be_put_back_is_a_destination(tiny: Any, state: Any) -> None:
    class Putting(type(tiny)):  # type: ignore[misc]
        def legal(self, state: Any) -> Any:
            return (Action("place", None, "b2"),)

    assert lights(Putting(), state, Moment()) == {"b2": MEANINGS["destination"]}


def test_a_token_taken_beside_the_target_is_marked_too(tiny: Any, state: Any) -> None:
    class Passing(type(tiny)):  # type: ignore[misc]
        def effect(self, state: Any, action: Action) -> Any:
            effect = super().effect(state, action)
            return effect._replace(captures=("white",), changes={**effect.changes, "b3": None})

    lit = lights(Passing(), state, Moment(lifted="a1"))
    assert lit == {
        "a2": MEANINGS["capture"],
        "b3": MEANINGS["capture"],
        "a1": MEANINGS["home"],
    }


def test_a_spot_that_the_board_does_not_have_is_left_out(tiny: Any, state: Any) -> None:
    assert lights(tiny, state, Moment(differs=("z9", "a2"))) == {"a2": MEANINGS["differs"]}


def test_a_frame_cannot_be_changed(tiny: Any, state: Any) -> None:
    frame = lights(tiny, state, Moment())
    with pytest.raises(TypeError):
        frame["a1"] = MEANINGS["last"]  # type: ignore[index]


@pytest.mark.parametrize(
    "group",
    [group for group in TOGETHER if len(group) > 1],
    ids=lambda group: "+".join(sorted(group)),
)
def test_what_is_lit_together_differs_by_more_than_colour(group: set[str]) -> None:
    for one, other in some(combinations(sorted(group), 2)):
        a, b = MEANINGS[one], MEANINGS[other]
        dim, bright = sorted((max(a.colour), max(b.colour)))
        assert a.effect != b.effect or bright >= 3 * dim, (one, other)


def test_every_light_knows_its_meaning() -> None:
    assert [light.meaning for light in MEANINGS.values()] == list(MEANINGS)


def test_every_meaning_belongs_to_a_group_and_is_documented_with_its_effect() -> None:
    assert set().union(*TOGETHER) == set(MEANINGS)
    rows = [
        tuple(cell.strip("` ") for cell in line.split("|")[1:4])
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    assert rows == [(name, light.effect, light.words) for name, light in MEANINGS.items()]


def test_once_the_players_ended_the_game_nothing_may_move(tiny: Any, state: Any) -> None:
    (mover, *_) = [action.origin for action in tiny.legal(state) if action.origin]
    drawn = Moment(last=("b1",), won=())
    assert lights(tiny, state, drawn) == {"b1": MEANINGS["last"]}
    assert lights(tiny, state, drawn._replace(lifted=mover)) == {mover: MEANINGS["nowhere"]}


def test_a_wave_also_runs_for_who_won_because_others_gave_up(tiny: Any, state: Any) -> None:
    winner = state.setup.seats[0]
    lit = lights(tiny, state, Moment(last=("b1",), won=(winner,)))
    theirs = {spot for spot, token in tiny.expect(state).items() if token.startswith(winner)}
    assert set(lit) == theirs
    assert {light.meaning for light in lit.values()} == {"win"}
