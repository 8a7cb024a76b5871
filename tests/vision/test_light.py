"""Light that multiplies and adds, with hard edges and any colour, is told from what moved."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.raster import Floats
from vision.light.changes import LightChange, linear, smooth_light, veil_light, without
from vision.light.hard import hard_light

SIDE, PITCH = 96, 8
FEW = SIDE**2 // 100
EVERYWHERE, WHITE = np.ones((SIDE, SIDE), bool), np.full((SIDE, SIDE, 3), 250, np.float32)
SUN = np.array((0.8, 1.0, 1.2), np.float32)
"""Blue, green and red of warm light against the light before."""


def table(seed: int = 4, dark: float = 60.0) -> Floats:
    """Return a chequered board, as printed, with a little noise."""
    rows, columns = np.indices((SIDE, SIDE))
    light = np.where((rows // PITCH + columns // PITCH) % 2, dark, 110.0)
    colours = light[..., None] * np.array((0.8, 0.9, 1.0))
    noise = np.random.default_rng(seed).normal(0, 1.5, (SIDE, SIDE, 3))
    return (cv2.blur(colours, (2, 2)) + noise).astype(np.float32)


def in_sun(picture: Floats, brighter: float = 1.6) -> Floats:
    """Return the picture with a slanted patch of sun, at its edge as soft as a lens."""
    patch = np.zeros((SIDE, SIDE), np.float32)
    cv2.fillConvexPoly(patch, np.array([[20, 10], [60, 10], [80, 80], [40, 80]]), (1.0,))
    patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.7))[..., None]
    return np.asarray(picture * (1 + patch * (brighter * SUN - 1)), np.float32)


def with_token(picture: Floats, left: int, top: int) -> Floats:
    """Return the picture with a striped token of a pitch at a corner."""
    there = picture.copy()
    stripes = np.where(np.indices((PITCH, PITCH))[1] % 4 < 2, 200.0, 30.0)
    there[top : top + PITCH, left : left + PITCH] = stripes[..., None]
    return there


def hard(now: Floats, then: Floats) -> LightChange:
    return hard_light(now, then, EVERYWHERE, PITCH, WHITE)


@pytest.mark.parametrize("brighter", [1.6, 0.6])
def test_a_patch_of_sun_or_of_shadow_is_light(brighter: float) -> None:
    then = table()
    now = in_sun(table(5), brighter)
    light, off = hard(now, then), np.abs(now - then).max(-1)
    assert np.count_nonzero(light.off > 12) < 0.1 * np.count_nonzero(off > 12)
    inside = light.removed(now, then, WHITE)[30:60, 45:55]
    assert np.abs(inside - then[30:60, 45:55]).mean() < 4


@pytest.mark.parametrize("brighter", [1.4, 1.8])
def test_a_hand_on_plain_ground_is_no_light_because_its_shadow_is_a_shadow(brighter: float) -> None:
    then, now = table(), table(5)
    for picture, seed in ((then, 6), (now, 7)):
        noise = np.random.default_rng(seed).normal(0, 1.5, (SIDE, 40, 3))
        picture[:, :40] = np.array((50, 60, 75)) + noise
    now[30:54, :32] *= brighter
    now[30:54, 44:72] /= brighter
    light = hard(now, then)
    assert light.factor[34:50, 4:28].max() == pytest.approx(1.0)
    assert light.factor[34:50, 50:66].max() < 0.8


@pytest.mark.parametrize("at", [(56, 40), (40, 24)])
def test_on_a_token_that_came_falls_the_light_round_it(at: tuple[int, int]) -> None:
    left, top = at
    light = hard(in_sun(with_token(table(5), left, top)), table())
    assert light.factor[top : top + 8, left : left + 8].min() > 1.2
    assert np.median(light.off[top + 1 : top + 7, left + 1 : left + 7]) > 25


def test_over_a_token_that_came_an_edge_may_run_anywhere() -> None:
    light = hard(in_sun(with_token(table(5), 26, 41)), table())
    assert light.ends is not None
    token = np.s_[42:48, 27:33]
    assert light.ends.least[token].max() < 1.05
    assert light.ends.most[token].min() > 1.2


@pytest.mark.parametrize("at", [(48, 40), (32, 24), (72, 8)])
def test_a_token_that_came_is_no_light(at: tuple[int, int]) -> None:
    left, top = at
    light = hard(in_sun(with_token(table(5), left, top)), table())
    here = light.off[top + 1 : top + 7, left + 1 : left + 7]
    assert np.median(here) > 25
    assert np.count_nonzero(light.off > 20) < 2 * PITCH**2


def test_a_hand_over_print_is_no_light() -> None:
    now = table(5)
    now[20:70, 30:70] = (90, 120, 170)
    assert np.median(hard(now, table()).off[24:66, 34:66]) > 10


def test_what_a_token_left_is_seen_in_the_light_round_it() -> None:
    then, now = with_token(table(), 48, 40), table(5)
    light = hard(in_sun(now), then)
    bare = light.removed(in_sun(now), then, WHITE)[41:47, 49:55]
    assert np.abs(bare - now[41:47, 49:55]).mean() < 12
    assert light.on(np.array([[51.0, 43.0]])).least == pytest.approx(1.6 * SUN, rel=0.15)


def test_a_patch_finer_than_the_raster_is_seen_in_the_same_light() -> None:
    now, then = table(5), table()
    light = hard(in_sun(now), then)
    fine = np.asarray(
        cv2.resize(in_sun(now)[36:53, 42:59], (51, 51), interpolation=cv2.INTER_NEAREST)
    )
    even = light.out_of(fine, np.array([50.0, 44.0]), 3.0)
    assert even.mean() == pytest.approx(now[36:53, 42:59].mean(), rel=0.05)


def test_a_shadow_without_edges_is_found_under_tokens_that_moved() -> None:
    dark = 1 - 0.4 * np.outer(*[np.hanning(SIDE).astype(np.float32)] * 2)[..., None]
    now = with_token(table(5), 48, 40) * dark
    light = smooth_light(now, table(), EVERYWHERE, PITCH, WHITE)
    assert light.factor[44, 52] == pytest.approx(dark[44, 52, 0], rel=0.1)
    assert np.median(light.off[41:47, 49:55]) > 25


def veiled(picture: Floats, x: float, y: float, spread: float, most: float) -> Floats:
    """Return the picture with a lamp mirrored round (x, y), which adds ``most`` of linear light."""
    rows, columns = np.indices((SIDE, SIDE))
    bell = most * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2))
    lit = linear(picture) + bell[..., None] * SUN
    return np.asarray(255 * np.minimum(lit, 1) ** (1 / 2.2), np.float32)


@settings(max_examples=30, deadline=None)
@given(
    x=st.floats(20, 76),
    y=st.floats(20, 76),
    spread=st.floats(1.5, 4),
    most=st.floats(0.04, 0.2),
    dark=st.floats(20, 60),
)
def test_under_a_lamp_that_the_board_mirrors_is_seen_what_was_there(
    x: float, y: float, spread: float, most: float, dark: float
) -> None:
    then = table(dark=dark)
    now = veiled(with_token(table(5, dark), 48, 40), x, y, spread * PITCH, most)
    light = veil_light(now, then, EVERYWHERE, PITCH, WHITE)
    assert np.median(light.off[41:47, 49:55]) > 25, "a token that came is no light"
    light.off[38:50, 46:58] = 0
    assert np.count_nonzero(light.off > 20) < FEW


def test_a_lamp_that_is_mirrored_no_more_took_its_light_along() -> None:
    then, now = veiled(table(), 40, 50, 16, 0.15), table(5)
    light = veil_light(now, then, EVERYWHERE, PITCH, WHITE)
    assert np.count_nonzero(light.off > 20) < FEW


def test_a_hand_over_print_is_no_veil() -> None:
    now = table(5)
    now[20:70, 30:70] = (90, 120, 170)
    light = veil_light(now, table(), EVERYWHERE, PITCH, WHITE)
    assert np.median(light.off[24:66, 34:66]) > 10


def test_what_lies_on_a_veiled_spot_is_taken_out_of_the_veil_in_its_own_colours() -> None:
    black, even = np.full((16, 16, 3), (28, 30, 33), np.uint8), table(5)
    light = veil_light(veiled(even, 48, 48, 20, 0.1), table(), EVERYWHERE, PITCH, WHITE)
    spot = light.on(np.array([[48.0, 48.0], [50.0, 50.0]]))
    seen = 255 * (linear(black) + 0.1 * SUN) ** (1 / 2.2)
    assert seen.mean() > 90
    unveiled = spot.unveiled(np.asarray(seen, np.uint8))
    assert np.abs(unveiled.astype(float) - black).max() < 25
    assert without(seen, 0.1 * SUN) == pytest.approx(black, abs=1)


def blinds(first: int = 4) -> Floats:
    """Return the mask of stripes of light, six points broad, from column ``first`` on."""
    mask = np.zeros((SIDE, SIDE), np.float32)
    for left in range(first, SIDE, 12):
        cv2.fillConvexPoly(
            mask, np.array([[left, 0], [left + 5, 0], [left + 25, 95], [left + 20, 95]]), (1.0,)
        )
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7))[..., None]


def stripes_of(picture: Floats, mask: Floats, brighter: float = 1.5) -> Floats:
    """Return the picture with sun on ``mask``, too bright for the camera where it is white."""
    return np.minimum(picture * (1 + mask * (brighter * SUN - 1)), 255.0).astype(np.float32)


@pytest.mark.parametrize("brighter", [1.5, 1.9, 0.6])
def test_stripes_narrower_than_a_spot_are_light(brighter: float) -> None:
    then, now = table(), stripes_of(table(5), blinds(), brighter)
    light = hard(now, then)
    assert np.count_nonzero(np.abs(now - then).max(-1) > 12) > 2000
    assert np.count_nonzero(light.off > 12) < FEW


def test_stripes_that_wandered_are_light_that_came_and_light_that_left() -> None:
    then, now = stripes_of(table(), blinds(4)), stripes_of(table(5), blinds(10))
    light = hard(now, then)
    assert np.count_nonzero(light.off > 12) < FEW
    assert light.factor.max() > 1.2 > 0.8 > light.factor.min()


@pytest.mark.parametrize("at", [(48, 40), (32, 24), (72, 8)])
def test_a_token_that_came_under_stripes_is_no_light(at: tuple[int, int]) -> None:
    left, top = at
    light = hard(stripes_of(with_token(table(5), left, top), blinds()), table())
    assert np.median(light.off[top + 1 : top + 7, left + 1 : left + 7]) > 25
    light.off[top - 1 : top + 9, left - 1 : left + 9] = 0
    assert np.count_nonzero(light.off > 12) < FEW


def test_what_is_too_bright_for_the_camera_may_be_as_bright_as_it_was() -> None:
    then = table() * 2
    light = hard(stripes_of(table(5) * 2, blinds()), then)
    assert light.removed(stripes_of(table(5) * 2, blinds()), then, WHITE).max() > 215
    assert np.count_nonzero(light.off > 16) < FEW


def test_a_thing_of_one_colour_is_no_light_of_one_strength() -> None:
    then = table()
    then[:, :] = 80.0
    now = then.copy()
    now[20:70, 30:70] = (100, 130, 160)
    assert (hard(now, then).factor == 1).all()


@pytest.mark.parametrize("dark", [80.0, 88.0])
def test_on_a_board_of_like_greys_sun_is_light_and_a_sheet_of_one_colour_is_none(
    dark: float,
) -> None:
    then = table(dark=dark)
    assert np.count_nonzero(hard(in_sun(table(5, dark)), then).off > 12) < FEW
    sheet = table(5, dark)
    sheet[20:70, 30:70] = (110, 140, 160)
    assert (hard(sheet, then).factor == 1).all()


def test_a_hand_among_stripes_is_no_light() -> None:
    now = stripes_of(table(5), blinds())
    now[20:70, 30:70] = (60, 80, 130)
    assert np.median(hard(now, table()).off[24:66, 34:66]) > 10


def test_a_patch_at_an_edge_may_be_in_the_light_or_beside_it() -> None:
    now, then = stripes_of(table(5), blinds()), table()
    light = hard(now, then)
    fine = np.asarray(cv2.resize(now[36:53, 42:59], (51, 51), interpolation=cv2.INTER_NEAREST))
    span = light.span(fine, np.array([50.0, 44.0]), 3.0)
    assert span is not None
    darkest, brightest = span
    assert (brightest > darkest * 1.2).any()
    assert (brightest >= darkest).all()
    none = hard(table(5), then)
    assert none.span(fine, np.array([50.0, 44.0]), 3.0) is None
