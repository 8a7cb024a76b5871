"""Orders of play that no picture tells apart, and when one of them turns out to be the true one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.rules import Action, read_action
from vision.decoding.decoded import Decoded
from vision.decoding.decoded import Told as Shown
from vision.decoding.orders import Ledger, Orders, one_after_another, revoked
from vision.decoding.reading import Step
from vision.decoding.story import Story


class Told:
    """Slide with a few ``pegs`` a side, and stories about it."""

    def __init__(self, game: Any, pegs: int = 1) -> None:
        self.game = game
        self.start = game.start(game.setup(None, {"pegs": str(pegs)}))
        self.orders: Orders[Any] = Orders(game, Ledger(game))

    def after(self, state: Any, *moves: str) -> Any:
        for move in moves:
            state = self.game.advance(state, read_action(move))
        return state

    def story(self, state: Any, *moves: str) -> Story[Any]:
        steps = []
        for move in moves:
            action = read_action(move)
            steps.append(Step(action, 1.0, self.game.judge(state, action)))
            state = self.game.advance(state, action)
        return Story(state, {}, tuple(steps))

    def others(self, *past: Any) -> list[str]:
        return [" ".join(map(str, actions)) for (_, actions), _ in self.orders.others(past)]


@pytest.fixture
def told(tiny: Any) -> Told:
    return Told(tiny)


def test_another_order_is_offered_until_the_next_move_decides(told: Told) -> None:
    start = told.start
    told.orders.told([start], told.story(start, "a1-b1"), [told.story(start, "a1-a2")])
    now = told.after(start, "a1-b1")
    assert told.others(start, now) == ["a1-a2"]
    told.orders.told([start, now], told.story(now, "a3-b3"), [])
    then = told.after(now, "a3-b3")
    assert told.others(start, now, then) == ["a1-a2 a3-b3"], "the move is legal either way"
    told.orders.told([start, now, then], told.story(then, "b1-b2"), [])
    assert told.others(start, now, then, told.after(then, "b1-b2")) == [], "there is no peg on b1"


def test_what_was_played_next_may_have_come_in_another_order_as_well(tiny: Any) -> None:
    told = Told(tiny, pegs=2)
    start = told.start
    twin = told.story(start, "b1-c1", "b3-c3")
    told.orders.told([start], told.story(start, "b1-c1"), [twin])
    now = told.after(start, "b1-c1")
    told.orders.told([start, now], told.story(now, "a3-a2", "a1-b1"), [])
    then = told.after(now, "a3-a2", "a1-b1")
    past = [start, now, told.after(now, "a3-a2"), then]
    assert told.others(*past) == ["b1-c1 b3-c3 a1-b1 a3-a2"], "it is black's turn after the twin"


def test_the_past_of_another_order_ends_where_it_leads_to(told: Told) -> None:
    start = told.start
    told.orders.told([start], told.story(start, "a1-b1"), [told.story(start, "a1-a2")])
    now = told.after(start, "a1-b1")
    ((order, past),) = told.orders.others((start, now))
    assert order == (1, (read_action("a1-a2"),))
    assert past == (start, told.after(start, "a1-a2"))


def shown(story: Story[Any]) -> Decoded[Any]:
    return Decoded(Shown(story, {}, 0.0, ()), 0.99)


def test_another_order_is_the_true_one_where_only_it_goes_on_by_the_rules(told: Told) -> None:
    start, now = told.start, told.after(told.start, "a1-b1")
    told.orders.told([start], told.story(start, "a1-b1"), [told.story(start, "a1-a2")])
    refused = read_action("a1-c3")
    against = shown(Story(now, {}, (Step(refused, 1.0, told.game.judge(now, refused)),)))

    def decode(past: Sequence[Any]) -> Decoded[Any]:
        return shown(told.story(past[-1], "a3-b3"))

    forth = shown(told.story(now, "a3-b3"))
    assert told.orders.better(forth, [start, now], decode) == (forth, [start, now], None)
    _, past, instead = told.orders.better(against, [start, now], decode)
    assert past == (start, told.after(start, "a1-a2"))
    assert instead == (1, (read_action("a1-a2"),))
    _, _, instead = told.orders.better(against, [start, now], decode)
    assert instead is None, "it was decided"


def test_no_order_is_better_that_explains_the_picture_worse(told: Told) -> None:
    start, now = told.start, told.after(told.start, "a1-b1")
    told.orders.told([start], told.story(start, "a1-b1"), [told.story(start, "a1-a2")])
    back = shown(Story(start, {}, (Step(Action("move", "b1", "a1"), 1.0, None, 1),)))

    def decode(past: Sequence[Any]) -> Decoded[Any]:
        return replace(shown(story := told.story(past[-1], "a3-b3")), best=Shown(story, {}, -9, ()))

    assert told.orders.better(back, [start, now], decode)[0] is back
    assert told.others(start, now) == ["a1-a2"]


def test_no_order_is_better_where_none_explains_the_picture(told: Told) -> None:
    start, now = told.start, told.after(told.start, "a1-b1")
    told.orders.told([start], told.story(start, "a1-b1"), [told.story(start, "a1-a2")])
    nothing: Decoded[Any] = Decoded(None, 0.0)
    assert told.orders.better(nothing, [start, now], lambda past: nothing)[0] is nothing
    assert told.others(start, now) == ["a1-a2"]


def test_another_order_is_still_offered_when_what_followed_is_taken_back(told: Told) -> None:
    start = told.start
    told.orders.told([start], told.story(start, "a1-b1"), [told.story(start, "a1-a2")])
    now = told.after(start, "a1-b1")
    told.orders.told([start, now], told.story(now, "a3-b3"), [])
    then = told.after(now, "a3-b3")
    back = Story(now, {}, (Step(Action("move", "b3", "a3"), 1.0, None, 1),))
    told.orders.told([start, now, then], back, [])
    assert told.others(start, now) == ["a1-a2"]
    again = Story(start, {}, (Step(Action("move", "b1", "a1"), 1.0, None, 1),))
    told.orders.told([start, now], again, [])
    assert told.others(start) == [], "that was the move in question"


def test_a_take_back_may_have_been_a_move_and_the_other_way_round(told: Told) -> None:
    start = told.start
    now = told.after(start, "a1-b1")
    back = Story(start, {}, (Step(Action("move", "b1", "a1"), 1.0, None, 1),))
    told.orders.told([start, now], back, [told.story(now, "a3-b3")])
    assert told.others(start) == ["a1-b1 a3-b3"], "taken back, unless it was played on"
    told.orders.told([start, now], told.story(now, "a3-b3"), [back])
    then = told.after(now, "a3-b3")
    ((order, past),) = told.orders.others((start, now, then))
    assert (order, past) == ((1, ()), (start,))


def test_a_state_that_somebody_changed_has_no_other_order(told: Told) -> None:
    start = told.start
    told.orders.told([start], told.story(start, "a1-b1"), [told.story(start, "a1-a2")])
    assert told.others(start) == []


def test_a_refused_move_has_no_place_in_an_order(told: Told) -> None:
    start = told.start
    refused = read_action("a1-c3")
    step = Step(refused, 1.0, told.game.judge(start, refused))
    twin = told.story(start, "a1-a2")
    told.orders.told([start], Story(start, {}, (step,)), [twin])
    assert told.others(start) == []


def test_the_ledger_finds_the_actions_that_led_through_the_states(told: Told) -> None:
    ledger, start = Ledger(told.game), told.start
    past = [start, told.after(start, "a1-b1"), told.after(start, "a1-b1", "a3-b3")]
    assert [str(action) for action in ledger.actions(past)] == ["a1-b1", "a3-b3"]
    other = [start, told.after(start, "a1-a2")]
    assert [str(action) for action in ledger.actions(other)] == ["a1-a2"]
    assert [action.verb for action in ledger.actions([start, past[2]])] == ["unknown"]


def test_a_move_taken_back_only_to_be_made_again_was_not_touched(told: Told) -> None:
    start = told.start
    back = Step(Action("move", "b1", "a1"), 1.0, None, 1)
    again = told.story(start, "a1-b1", "a3-b3").steps
    past = [start, told.after(start, "a1-b1")]
    assert revoked(told.game, (back, *again), past) == ((1, (read_action("a1-b1"),)), again[1:])
    other = told.story(start, "a1-a2").steps
    assert revoked(told.game, (back, *other), past) is None, "another move instead"
    assert revoked(told.game, (back,), past) is None, "a plain take-back"
    assert revoked(told.game, again, past) is None


def test_moves_there_and_back_that_are_all_taken_back_touched_nothing(told: Told) -> None:
    moves, past = ["a1-b1", "a3-b3", "b1-a1", "b3-a3"], [told.start]
    for move in moves:
        past.append(told.after(past[-1], move))
    back = [Step(Action("move", m[3:], m[:2]), 1.0, None, 1) for m in reversed(moves)]
    assert revoked(told.game, back, past) == ((4, ()), ())
    assert revoked(told.game, back[:3], past) is None


def test_what_gives_way_to_something_that_gives_way_in_turn_is_one_change() -> None:
    one, two, three = (read_action(text) for text in ("a1-b1", "a3-b3", "b1-b2"))
    assert one_after_another(None, (1, (one,))) == (1, (one,))
    assert one_after_another((2, (one, two)), (1, (three,))) == (2, (one, three))
    assert one_after_another((2, (one,)), (3, ())) == (4, ())


def test_a_reading_that_takes_moves_back_gives_way_to_another_order(told: Told) -> None:
    story = told.story(told.start, "a1-b1")
    assert Decoded(Shown(story, {}, 0.0, ()), 0.99).forth
    back = replace(story, steps=(Step(Action("move", "b1", "a1"), 1.0, None, 1),))
    decoded = Decoded(Shown(back, {}, 0.0, ()), 0.99)
    assert decoded.lawful
    assert not decoded.forth
