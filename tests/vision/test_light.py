"""Light that multiplies and adds, with hard edges and any colour, is told from what moved."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board.raster import Floats
from vision.watching.light import LightChange, local_light, smooth_light

SIDE, PITCH = 96, 8
SUN = np.array((0.8, 1.0, 1.2), np.float32)
"""Blue, green and red of warm light against the light before."""


def table(seed: int = 4) -> Floats:
    """Return a chequered board, as printed, with a little noise."""
    rows, columns = np.indices((SIDE, SIDE))
    light = np.where((rows // PITCH + columns // PITCH) % 2, 60.0, 110.0)
    colours = light[..., None] * np.array((0.8, 0.9, 1.0))
    noise = np.random.default_rng(seed).normal(0, 1.5, (SIDE, SIDE, 3))
    return (cv2.blur(colours, (2, 2)) + noise).astype(np.float32)


def in_sun(picture: Floats, brighter: float = 1.6, veil: float = 0.0) -> Floats:
    """Return the picture with a slanted patch of sun, at its edge as soft as a lens."""
    patch = np.zeros((SIDE, SIDE), np.float32)
    cv2.fillConvexPoly(patch, np.array([[20, 10], [60, 10], [80, 80], [40, 80]]), (1.0,))
    patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.7))[..., None]
    return np.asarray(picture * (1 + patch * (brighter * SUN - 1)) + patch * veil, np.float32)


def with_token(picture: Floats, left: int, top: int) -> Floats:
    """Return the picture with a striped token of a pitch at a corner."""
    there = picture.copy()
    stripes = np.where(np.indices((PITCH, PITCH))[1] % 4 < 2, 200.0, 30.0)
    there[top : top + PITCH, left : left + PITCH] = stripes[..., None]
    return there


def found(now: Floats, then: Floats) -> LightChange:
    return local_light(now, then, np.ones((SIDE, SIDE), bool), PITCH)


@pytest.mark.parametrize(("brighter", "veil"), [(1.6, 0.0), (0.6, 0.0), (1.0, 60.0), (0.8, 40.0)])
def test_a_hard_patch_of_any_colour_is_light(brighter: float, veil: float) -> None:
    then = table()
    now = in_sun(table(5), brighter, veil)
    light, off = found(now, then), np.abs(now - then).max(-1)
    assert np.count_nonzero(light.off > 12) < 0.1 * np.count_nonzero(off > 12)
    inside = light.removed(now)[30:60, 45:55]
    assert np.abs(inside - then[30:60, 45:55]).mean() < 4


@pytest.mark.parametrize("at", [(48, 40), (32, 24), (72, 8)])
def test_a_token_that_came_is_no_light(at: tuple[int, int]) -> None:
    left, top = at
    light = found(in_sun(with_token(table(5), left, top)), table())
    here = light.off[top + 1 : top + 7, left + 1 : left + 7]
    assert np.median(here) > 25
    assert np.count_nonzero(light.off > 20) < 2 * PITCH**2


def test_a_hand_over_print_is_no_light() -> None:
    now = table(5)
    now[20:70, 30:70] = (90, 120, 170)
    assert np.median(found(now, table()).off[24:66, 34:66]) > 10


def test_what_a_token_left_is_seen_in_the_light_round_it() -> None:
    then, now = with_token(table(), 48, 40), table(5)
    light = found(in_sun(now), then)
    bare = light.removed(in_sun(now))[41:47, 49:55]
    assert np.abs(bare - now[41:47, 49:55]).mean() < 12
    assert light.gains(np.array([[51.0, 43.0]]))[0] == pytest.approx(1.6 * SUN, rel=0.15)


def test_a_patch_finer_than_the_raster_is_seen_in_the_same_light() -> None:
    now, then = table(5), table()
    light = found(in_sun(now), then)
    fine = np.asarray(
        cv2.resize(in_sun(now)[36:53, 42:59], (51, 51), interpolation=cv2.INTER_NEAREST)
    )
    even = light.out_of(fine, np.array([50.0, 44.0]), 3.0)
    assert even.mean() == pytest.approx(now[36:53, 42:59].mean(), rel=0.05)


def test_a_shadow_without_edges_is_found_under_tokens_that_moved() -> None:
    dark = 1 - 0.4 * np.outer(*[np.hanning(SIDE).astype(np.float32)] * 2)[..., None]
    now = with_token(table(5), 48, 40) * dark
    light = smooth_light(now, table(), np.ones((SIDE, SIDE), bool), PITCH)
    assert light.factor[44, 52] == pytest.approx(dark[44, 52, 0], rel=0.1)
    assert np.median(light.off[41:47, 49:55]) > 25
