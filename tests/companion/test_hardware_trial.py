"""Lights, buttons and buzzer tried out one by one, on a simulated strip and mock pins."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.live.hardware_trial import ABANDONED, HardwareTrial
from companion.rules import BadInput
from hardware.buttons import PATTERNS, STATUSES
from hardware.pins import USUAL, Pins
from tests.companion.test_control_box import House

TURN = USUAL.turn


@pytest.fixture
def house():
    factory = MockFactory(pin_class=MockPWMPin)
    built = House(factory)
    built.trial = HardwareTrial(built.panel, lambda: built.now, USUAL, built.box.sound)
    built.box.trial = built.trial
    yield built
    built.box.close()
    factory.reset()


def lit(house):
    return house.panel.glow(house.now)


def test_steps_go_through_all_that_is_wired(house):
    steps = house.trial.steps()
    assert steps[:3] == [("colour", "red"), ("colour", "green"), ("colour", "blue")]
    assert [name for kind, name in steps if kind == "cell"] == list(house.panel.spots())
    assert [name for kind, name in steps if kind == "sound"] == list(PATTERNS)
    assert [name for kind, name in steps if kind == "button"] == list(USUAL.buttons)
    assert {name for kind, name in steps if kind == "status"} == {*STATUSES} - {"off"}
    assert not [step for step in steps if step[0] == "sensors"]


def test_a_board_of_sensors_is_tried_out_as_a_whole_by_what_it_feels(house):
    spots = []
    tried = HardwareTrial(house.panel, lambda: house.now, None, house.box.sound, lambda: spots)
    assert tried.steps()[-1] == ("sensors", "")
    tried.show("sensors", "")
    assert lit(house) == {}
    spots.append("a1")
    assert tried.felt() == ["a1"]


def test_the_status_led_says_what_is_asked_about_and_then_the_game_s_word_again(house):
    def flickers(seconds):
        seen = []
        for _ in range(round(seconds * 20)):
            house.box.tick()
            seen.append(house.factory.pin(USUAL.status).state)
            house.now += 0.05
        return sum(one != other for one, other in pairwise(seen))

    house.trial.show("status", "watching")
    assert flickers(2) == 0
    house.trial.show("status", "mend")
    assert flickers(2) >= 6
    house.trial.end()
    house.wait(0.2)
    assert flickers(2) == 0


def test_without_a_box_there_are_lights_alone(house):
    alone = HardwareTrial(house.panel, lambda: house.now, None, house.box.sound)
    assert {kind for kind, _ in alone.steps()} == {"colour", "cell"}
    quiet = HardwareTrial(house.panel, lambda: house.now, Pins(turn=5), house.box.sound)
    assert [step for step in quiet.steps() if step[0] not in ("colour", "cell")] == [
        ("button", "turn")
    ]


def test_one_cell_shines_and_nothing_else(house):
    house.trial.show("cell", "h2")
    assert lit(house).keys() == {"h2"}
    house.trial.show("colour", "green")
    shone = lit(house)
    assert shone.keys() == set(house.panel.spots())
    assert {(red, blue) for red, _, blue in shone.values()} == {(0, 0)}


def test_the_game_has_its_lights_back_when_it_is_over(house):
    house.panel.tick()
    before = lit(house)
    house.trial.show("cell", "h2")
    house.trial.end()
    assert lit(house) == before


def test_a_trial_that_nobody_goes_on_with_ends_by_itself(house):
    house.trial.show("colour", "red")
    house.now += ABANDONED
    house.panel.tick()
    assert lit(house).keys() != set(house.panel.spots())
    house.hold(TURN, 0.2)
    assert house.trial.heard() == ()


def test_a_button_is_heard_and_does_nothing_in_the_game(house):
    house.play("h2-g3")
    before = house.table.state_id
    house.trial.show("button", "undo")
    house.hold(USUAL.undo, 1.0)
    assert house.trial.heard() == ("undo",)
    assert house.table.state_id == before
    house.trial.end()
    house.hold(USUAL.undo, 1.0)
    assert house.table.actions == []


def test_the_buzzer_plays_what_is_asked_about(house):
    house.trial.show("sound", "over")
    assert house.wait(2.0) > 5


@pytest.mark.parametrize("step", [("cell", "none"), ("colour", "pink"), ("", "")])
def test_what_is_not_there_is_refused(house, step):
    with pytest.raises(BadInput, match="tried out"):
        house.trial.show(*step)
