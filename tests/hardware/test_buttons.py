"""Buttons, knob, buzzer and status LED on gpiozero's own mock pins."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.rules import BadInput, HardwareFault
from hardware.buttons import PATTERNS, STATUSES, Controls, shining, sounding
from hardware.pins import USUAL, Pins, read_pins


@pytest.fixture
def pins() -> Iterator[Any]:
    factory: Any = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class Box:
    """Controls whose clock and presses a test sees."""

    def __init__(self, factory: Any, wanted: Pins) -> None:
        self.now, self.pressed, self.factory = 10.0, [], factory  # type: ignore[var-annotated]
        self.controls = Controls(
            wanted, self.pressed.append, lambda: self.now, pin_factory=factory, bounce=None
        )

    def wait(self, seconds: float, look: Callable[[], Any] = lambda: None) -> list[Any]:
        """Let time pass, ten steps a second, and return what was seen after each."""
        seen = []
        for _ in range(round(10 * seconds)):
            self.now += 0.1
            self.controls.update()
            seen.append(look())
        return seen

    def push(self, pin: int) -> None:
        self.factory.pin(pin).drive_low()

    def let_go(self, pin: int) -> None:
        self.factory.pin(pin).drive_high()


@pytest.fixture
def build(pins: Any) -> Iterator[Callable[[Pins], Box]]:
    built: list[Box] = []

    def make(wanted: Pins) -> Box:
        built.append(Box(pins, wanted))
        return built[-1]

    yield make
    for box in built:
        box.controls.close()
        box.controls.close()


def test_the_turn_button_acts_when_it_is_pressed(build: Callable[[Pins], Box]) -> None:
    box = build(Pins(turn=23))
    for _ in range(2):
        box.push(23)
        box.let_go(23)
    assert box.pressed == ["turn", "turn"]


def test_undo_has_to_be_held_and_acts_once(build: Callable[[Pins], Box]) -> None:
    box = build(Pins(undo=24))
    box.push(24)
    box.wait(0.5)
    box.let_go(24)
    box.wait(1)
    assert box.pressed == [], "a touch takes nothing back"
    box.push(24)
    box.wait(5)
    assert box.pressed == ["undo"]
    box.let_go(24)
    box.wait(0.1)
    box.push(24)
    box.wait(1)
    assert box.pressed == ["undo", "undo"]


def test_a_new_game_needs_three_seconds(build: Callable[[Pins], Box]) -> None:
    box = build(Pins(new=22))
    box.push(22)
    box.wait(3)
    assert box.pressed == []
    box.wait(0.2)
    assert box.pressed == ["new"]


def test_the_knob_turns_brightness_up_and_down(build: Callable[[Pins], Box]) -> None:
    box = build(Pins(knob=(17, 27)))
    a, b = box.factory.pin(17), box.factory.pin(27)
    for first, second in ((a, b), (b, a)):
        first.drive_low()
        second.drive_low()
        first.drive_high()
        second.drive_high()
    assert sorted(box.pressed) == ["brighter", "dimmer"]


@pytest.mark.parametrize("kind", ["buzzer", "speaker"])
def test_a_pattern_is_played_to_its_end(build: Callable[[Pins], Box], kind: str) -> None:
    box = build(Pins(**{kind: 25}))
    box.controls.sound("refused")
    box.now += 0.05 - 0.1
    pin = box.factory.pin(25)
    heard = box.wait(1.2, lambda: pin.frequency if kind == "speaker" else pin.state)
    assert [bool(sound) for sound in heard] == [True] * 4 + [False] * 2 + [True] * 4 + [False] * 2


def test_a_new_pattern_cuts_the_old_one_off(build: Callable[[Pins], Box]) -> None:
    box = build(Pins(buzzer=25))
    box.controls.sound("over")
    box.wait(0.2)
    box.now += 0.05
    box.controls.update()
    assert not box.factory.pin(25).state
    box.controls.sound("accepted")
    box.controls.update()
    assert box.factory.pin(25).state
    with pytest.raises(BadInput, match="the buzzer knows accepted"):
        box.controls.sound("fanfare")


def test_the_status_lamp_tells_waiting_from_watching_and_from_faults(
    build: Callable[[Pins], Box],
) -> None:
    box = build(Pins(status=16))
    lamp = box.factory.pin(16)
    seen = {}
    for status in STATUSES:
        box.now = 100.05
        box.controls.say(status)
        seen[status] = tuple(box.wait(2, lambda: lamp.state))
    assert set(seen["watching"]) == {1}
    assert set(seen["off"]) == {0}
    assert len(set(seen.values())) == len(STATUSES)
    with pytest.raises(BadInput, match="the status LED knows off"):
        box.controls.say("merry")


def test_a_pin_that_is_taken_is_named_and_the_others_are_given_back(
    build: Callable[[Pins], Box],
) -> None:
    build(Pins(buzzer=24))
    with pytest.raises(HardwareFault, match="the undo button on GPIO 24 cannot be opened"):
        build(Pins(turn=23, undo=24))
    build(Pins(turn=23))


def test_a_panel_without_anything_does_nothing(build: Callable[[Pins], Box]) -> None:
    box = build(Pins())
    box.controls.sound("accepted")
    box.wait(1)
    assert box.pressed == []


def test_nothing_sounds_before_a_pattern_begins_or_when_there_is_none() -> None:
    assert not sounding(PATTERNS["accepted"], -0.1)
    assert not sounding((), 0.0)
    assert not shining("off", 0.0)


def test_no_two_patterns_sound_alike() -> None:
    assert len(set(PATTERNS.values())) == len(PATTERNS)


def test_a_missing_package_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(HardwareFault, match=r"gpiozero is not installed.*companion\[pi\]"):
        Controls(Pins(), lambda name: None, lambda: 0.0)


def test_pins_are_read_from_words_or_from_a_file(tmp_path: Path) -> None:
    wanted = Pins(turn=5, knob=(17, 27), undo_hold=1.5)
    assert read_pins("turn=5,knob=17:27,undo_hold=1.5") == wanted
    (tmp_path / "panel.json").write_text(
        json.dumps({"turn": 5, "knob": [17, 27], "undo_hold": 1.5})
    )
    assert read_pins(str(tmp_path / "panel.json")) == wanted
    assert read_pins("usual") == USUAL


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turn=40", "turn is a GPIO number from 0 to 27, not “40”"),
        ("turn=x", "“turn=x” is no number"),
        ("turn=nan", "turn is a GPIO number from 0 to 27"),
        ("turn=inf", "turn is a GPIO number from 0 to 27"),
        ("undo_hold=-inf", "undo_hold is a number of seconds from 0 to 30"),
        ("turn=5.5", "turn is a GPIO number"),
        ("trun=5", "no “trun” on a panel; it may have turn"),
        ("turn=5,undo=5", "turn and undo are both on GPIO 5"),
        ("knob=5", "knob needs two pins"),
        ("new=5,new_hold=99", "new_hold is a number of seconds"),
        ("nowhere.json", "neither usual, nor pins such as"),
    ],
)
def test_pins_that_cannot_be_are_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_pins(text)


def test_a_file_that_holds_no_pins_is_refused(tmp_path: Path) -> None:
    (tmp_path / "panel.json").write_text("[1]")
    with pytest.raises(BadInput, match="holds no JSON object"):
        read_pins(str(tmp_path / "panel.json"))
