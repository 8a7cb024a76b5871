"""Buttons and buzzer on gpiozero's own mock pins."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.rules import BadInput, HardwareFault
from hardware.buttons import PATTERNS, Buttons, Buzzer, sounding


@pytest.fixture
def pins() -> Iterator[Any]:
    factory: Any = MockFactory()
    yield factory
    factory.reset()


def test_each_button_does_its_own_when_it_is_pressed(pins: Any) -> None:
    pressed: list[str] = []
    buttons = Buttons(
        lambda: pressed.append("end"),
        lambda: pressed.append("undo"),
        bounce=None,
        pin_factory=pins,
    )
    for number in (23, 24, 23):
        pins.pin(number).drive_low()
        pins.pin(number).drive_high()
    assert pressed == ["end", "undo", "end"]
    buttons.close()
    buttons.close()


def test_a_pin_that_is_taken_is_named(pins: Any) -> None:
    buzzer = Buzzer(lambda: 0.0, pin=23, pin_factory=pins)
    with pytest.raises(HardwareFault, match="a button on GPIO 23 cannot be opened"):
        Buttons(lambda: None, lambda: None, pin_factory=pins)
    with pytest.raises(HardwareFault, match="the buzzer on GPIO 23 cannot be opened"):
        Buzzer(lambda: 0.0, pin=23, pin_factory=pins)
    buzzer.close()


def test_a_second_button_that_fails_gives_the_first_pin_back(pins: Any) -> None:
    buzzer = Buzzer(lambda: 0.0, pin=24, pin_factory=pins)
    with pytest.raises(HardwareFault, match="GPIO 24"):
        Buttons(lambda: None, lambda: None, pin_factory=pins)
    buzzer.close()
    Buttons(lambda: None, lambda: None, pin_factory=pins).close()


def test_the_buzzer_plays_a_pattern_to_its_end(pins: Any) -> None:
    now = [10.0]
    buzzer = Buzzer(lambda: now[0], pin_factory=pins)
    heard = []
    buzzer.play("refused")
    for tenth in range(12):
        now[0] = 10.0 + tenth / 10 + 0.05
        buzzer.update()
        heard.append(pins.pin(25).state)
    assert heard == [1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0]
    buzzer.close()
    buzzer.close()


def test_a_new_pattern_cuts_the_old_one_off(pins: Any) -> None:
    now = [0.0]
    buzzer = Buzzer(lambda: now[0], pin_factory=pins)
    buzzer.play("over")
    now[0] = 0.25
    buzzer.update()
    assert not pins.pin(25).state
    buzzer.play("accepted")
    assert pins.pin(25).state
    with pytest.raises(BadInput, match="the buzzer knows accepted"):
        buzzer.play("fanfare")


def test_nothing_sounds_before_a_pattern_begins_or_when_there_is_none() -> None:
    assert not sounding(PATTERNS["accepted"], -0.1)
    assert not sounding((), 0.0)


def test_no_two_patterns_sound_alike() -> None:
    assert len(set(PATTERNS.values())) == len(PATTERNS)


def test_a_missing_package_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(HardwareFault, match=r"gpiozero is not installed.*companion\[pi\]"):
        Buzzer(lambda: 0.0)
