"""Beyond what a lens was fitted to, its terms may fold the picture back: that shows nothing."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games import find_game
from vision.board.calibrate import Camera
from vision.board.raster import coarse_project, in_view, raster_over

SIZE = (800, 600)
STRAIGHT = np.array([[2.0, 0.0, 400.0], [0.0, 2.0, 300.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("lens", [(-0.2, 0.0), (-0.4, 0.03), (-0.25, -0.05)])
def test_points_that_a_lens_folds_back_are_not_in_view(lens: tuple[float, float]) -> None:
    camera = Camera(STRAIGHT, SIZE, lens)
    way = np.array([(0.8 * step, 0.6 * step) for step in range(0, 1500, 10)])
    out = np.linalg.norm(camera.project(way) - np.array(SIZE) / 2, axis=1)
    grows = np.r_[True, np.diff(out) > 0]
    # Once folded it stays so, even where it turns round again.
    folded = int(np.argmin(grows)) if not grows.all() else len(way)
    told = camera.spreads(way)
    assert told[: folded - 1].all()
    assert not told[folded + 1 :].any()


def test_a_straight_lens_folds_nothing() -> None:
    far = np.array([(x, y) for x in (-5e3, 0.0, 5e3) for y in (-5e3, 0.0, 5e3)])
    assert Camera(STRAIGHT, SIZE).spreads(far).all()
    assert Camera(STRAIGHT, SIZE, (0.1, 0.05)).spreads(far).all()


def test_what_is_folded_into_the_picture_is_not_seen_there() -> None:
    board = find_game("victorus").board(find_game("victorus").setup())
    raster = raster_over(board, 8, 12.0)
    camera = Camera(0.6 * STRAIGHT + np.diag([0, 0, 0.4]), SIZE, (-0.3, 0.0))
    seen = in_view(camera, raster, 1)
    at = coarse_project(camera, raster)
    inside = (at > 1).all(-1) & (at[..., 0] < SIZE[0] - 2) & (at[..., 1] < SIZE[1] - 2)
    assert seen.any()
    assert not (seen & ~inside).any()
    assert (inside & ~seen).any(), "some are folded"
