"""From lights to pixels: effects over time, the current budget, the simulated strip."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.effects import PERIODS, SHAPES, strength
from hardware.lights import Light
from hardware.settings import LightSettings
from hardware.strip import (
    LightShow,
    SimulatedStrip,
    current_ma,
    limited,
    render,
    spot_colours,
)
from hardware.wiring import Part, Wiring
from tests.checks.loops import some

DARK = (0, 0, 0)
WIRING = Wiring(MappingProxyType({"a1": (0,), "a2": (2, 3)}), 5)


def leds(*colours: tuple[int, int, int]) -> NDArray[np.uint8]:
    return np.array(colours, np.uint8)


SMALL = replace(WIRING, strips=(Part(5, limit_ma=25),))


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


def test_a_double_flash_is_two_short_ones_and_a_pause() -> None:
    lit = [strength("double", t / 100) > 0 for t in range(200)]
    flashes = [t for t in range(1, 200) if lit[t] and not lit[t - 1]]
    assert lit[0]
    assert flashes == [32]
    assert not any(lit[50:])


def test_a_wink_is_on_but_for_a_moment() -> None:
    values = [strength("wink", t / 8) for t in range(16)]
    assert values == [0.0, 0.0] + [1.0] * 14


def test_answers_to_a_question_are_lit_one_after_the_other() -> None:
    lit = [[strength("beat", t / 10, -k / 3) for k in range(3)] for t in (1, 9, 17)]
    assert lit == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_a_wave_runs_along_the_lights() -> None:
    tops = [max(range(24), key=lambda t: strength("wave", t / 10, -k / 4)) for k in range(4)]
    assert tops == [12, 18, 0, 6]


def test_no_effect_flashes_as_often_as_can_do_harm() -> None:
    for effect in some(SHAPES):
        lit = [strength(effect, t / 50) > 0.5 for t in range(100)]
        for start in range(51):
            second = lit[start : start + 50]
            rises = sum(now and not before for before, now in pairwise(second))
            assert rises < 3, effect


def test_no_two_effects_look_alike_over_a_few_seconds() -> None:
    seen = {e: [round(strength(e, t / 20), 2) for t in range(100)] for e in SHAPES}
    assert set(seen) == set(PERIODS)
    for one, other in combinations(SHAPES, 2):
        apart = sum(abs(a - b) > 0.2 for a, b in zip(seen[one], seen[other], strict=True))
        assert apart >= 10, (one, other)


def test_every_led_of_a_spot_gets_its_colour_and_gaps_stay_dark() -> None:
    frame = {"a1": Light((200, 100, 0), "pulse"), "a2": Light((0, 50, 0))}
    assert render(frame, WIRING, 0.8) == ((200, 100, 0), DARK, (0, 50, 0), (0, 50, 0), DARK)
    assert render(frame, WIRING, 0.0) == ((40, 20, 0), DARK, (0, 50, 0), (0, 50, 0), DARK)


def test_a_spot_without_led_lights_nothing() -> None:
    assert render({"z9": Light((255, 255, 255))}, WIRING, 0.0) == (DARK,) * 5


def test_a_white_led_draws_sixty_milliampere_and_a_dark_one() -> None:
    assert current_ma(((255, 255, 255), DARK)) == pytest.approx(62)


def test_a_frame_within_the_budget_is_left_alone() -> None:
    levels = leds((255, 0, 0), (0, 100, 0))
    assert np.array_equal(limited(levels, 100), levels)


def test_a_frame_beyond_the_budget_is_darkened_as_a_whole() -> None:
    shown = limited(leds(*[(255, 255, 255)] * 181), 2000)
    assert len(shown) == 181
    assert len(np.unique(shown, axis=0)) == 1
    assert 1900 < current_ma(shown) <= 2000


def test_colours_keep_their_hue_when_darkened() -> None:
    shown = limited(leds(*[(200, 100, 0)] * 100), 700).tolist()
    assert shown[0][0] == pytest.approx(2 * shown[0][1], abs=1)
    assert shown[0][2] == 0


def test_a_budget_below_the_idle_current_leaves_the_strip_dark() -> None:
    assert not limited(leds(*[(9, 9, 9)] * 10), 5).any()
    assert not limited(leds(*[DARK] * 10), 5).any()


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
    show = LightShow(strip, SMALL, lambda: now[0])
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


def test_each_part_of_a_strip_keeps_its_own_budget() -> None:
    leds = MappingProxyType({f"a{n}": (n,) for n in range(8)})
    wiring = Wiring(leds, 8, (Part(4, limit_ma=44), Part(4, limit_ma=1000)))
    show = LightShow(SimulatedStrip(), wiring, lambda: 0.0)
    show.show({spot: Light((255, 255, 255)) for spot in leds})
    shown = show.pixels(0.0)
    assert current_ma(shown[:4]) <= 44
    assert shown[4:] == ((255, 255, 255),) * 4


def test_the_users_brightness_counts_as_the_eye_sees_it_and_never_puts_a_light_out() -> None:
    show = LightShow(SimulatedStrip(), WIRING, lambda: 0.0, LightSettings(brightness=50))
    show.show({"a1": Light((200, 100, 0)), "a2": Light((1, 1, 1))})
    assert show.pixels(0.0) == ((50, 25, 0), DARK, (1, 1, 1), (1, 1, 1), DARK)
    show.settings = LightSettings(brightness=0)
    assert show.pixels(0.0) == (DARK,) * 5


def test_lights_are_dimmed_at_night() -> None:
    now = [21 * 60 + 59]
    settings = LightSettings(night="22:00-07:00", night_brightness=50)
    show = LightShow(SimulatedStrip(), WIRING, lambda: 0.0, settings, lambda: now[0])
    show.show({"a1": Light((200, 100, 0))})
    seen = []
    for now[0] in (21 * 60 + 59, 22 * 60, 0, 6 * 60 + 59, 7 * 60):
        seen.append(show.pixels(0.0)[0])
    day, night = (200, 100, 0), (50, 25, 0)
    assert seen == [day, night, night, night, day]
