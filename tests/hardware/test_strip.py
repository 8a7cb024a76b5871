"""From lights to pixels: effects over time, the current budget, the simulated strip."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from hardware.lights import Light
from hardware.strip import (
    LightShow,
    SimulatedStrip,
    current_ma,
    limited,
    render,
    spot_colours,
    strength,
)
from hardware.wiring import Wiring

DARK = (0, 0, 0)
WIRING = Wiring(MappingProxyType({"a1": (0,), "a2": (2, 3)}), 5)


def test_a_steady_light_never_changes() -> None:
    assert [strength("steady", t / 7) for t in range(20)] == [1.0] * 20


def test_a_pulse_swells_and_never_goes_out() -> None:
    values = [strength("pulse", t / 10) for t in range(17)]
    assert values[0] == pytest.approx(0.2)
    assert values[8] == pytest.approx(1.0)
    assert values[16] == pytest.approx(0.2)
    assert min(values) > 0.19


def test_a_blink_goes_out_once_a_second() -> None:
    values = [strength("blink", t / 4) for t in range(8)]
    assert values == [1, 1, 0, 0, 1, 1, 0, 0]


def test_every_led_of_a_spot_gets_its_colour_and_gaps_stay_dark() -> None:
    frame = {"a1": Light((200, 100, 0), "pulse"), "a2": Light((0, 50, 0))}
    assert render(frame, WIRING, 0.8) == ((200, 100, 0), DARK, (0, 50, 0), (0, 50, 0), DARK)
    assert render(frame, WIRING, 0.0) == ((40, 20, 0), DARK, (0, 50, 0), (0, 50, 0), DARK)


def test_a_spot_without_led_lights_nothing() -> None:
    assert render({"z9": Light((255, 255, 255))}, WIRING, 0.0) == (DARK,) * 5


def test_a_white_led_draws_sixty_milliampere_and_a_dark_one() -> None:
    assert current_ma(((255, 255, 255), DARK)) == pytest.approx(62)


def test_a_frame_within_the_budget_is_left_alone() -> None:
    pixels = ((255, 0, 0), (0, 100, 0))
    assert limited(pixels, 100) == pixels


def test_a_frame_beyond_the_budget_is_darkened_as_a_whole() -> None:
    pixels = ((255, 255, 255),) * 181
    shown = limited(pixels, 2000)
    assert len(shown) == 181
    assert len(set(shown)) == 1
    assert 1900 < current_ma(shown) <= 2000


def test_colours_keep_their_hue_when_darkened() -> None:
    shown = limited(((200, 100, 0),) * 100, 700)
    assert shown[0][0] == pytest.approx(2 * shown[0][1], abs=1)
    assert shown[0][2] == 0


def test_a_budget_below_the_idle_current_leaves_the_strip_dark() -> None:
    assert limited(((9, 9, 9),) * 10, 5) == (DARK,) * 10
    assert limited((DARK,) * 10, 5) == (DARK,) * 10


def test_the_light_of_a_spot_is_its_brightest_led() -> None:
    pixels = ((1, 2, 3), (9, 9, 9), DARK, (4, 0, 0), DARK)
    assert spot_colours(pixels, WIRING) == {"a1": (1, 2, 3), "a2": (4, 0, 0)}
    assert spot_colours((DARK,) * 5, WIRING) == {}


def test_the_simulated_strip_keeps_every_frame_that_differs() -> None:
    strip = SimulatedStrip(keep=3)
    assert strip.pixels == ()
    for value in (1, 1, 2, 3, 4):
        strip.show(((value, 0, 0),))
    assert list(strip.frames) == [((2, 0, 0),), ((3, 0, 0),), ((4, 0, 0),)]
    strip.close()
    strip.close()
    assert strip.closed
    assert strip.pixels == (DARK,)


def test_a_show_moves_with_the_clock_and_keeps_the_budget() -> None:
    now = [0.0]
    strip = SimulatedStrip()
    show = LightShow(strip, WIRING, lambda: now[0], limit_ma=25)
    show.show({"a1": Light((255, 0, 0), "blink")})
    now[0] = 0.6
    show.update()
    now[0] = 1.1
    show.update()
    on, off = ((255, 0, 0), DARK, DARK, DARK, DARK), (DARK,) * 5
    assert list(strip.frames) == [on, off, on]
    show.show({"a2": Light((255, 255, 0))})
    assert current_ma(strip.pixels) <= 25
    assert set(show.glow(now[0])) == {"a2"}
    show.close()
    assert strip.pixels == off
