"""The code in the corners of a printed card."""

from __future__ import annotations

import pytest

from companion.rules.corner_code import (
    INSET_MM,
    LARGEST,
    MODULE_MM,
    MODULES,
    cells_of,
    code_strokes,
    module_middles,
)

NUMBERS = range(LARGEST + 1)


def test_no_code_is_one_module_away_from_another() -> None:
    codes = {cells_of(number) for number in NUMBERS}
    assert len(codes) == len(NUMBERS)
    for cells in codes:
        for at in range(MODULES * MODULES):
            assert (*cells[:at], not cells[at], *cells[at + 1 :]) not in codes


def test_the_code_stands_in_two_opposite_corners() -> None:
    strokes = code_strokes(21, 63.0, 88.0, "#000000")
    assert len(strokes) == 2 * sum(cells_of(21))
    outer = [min(stroke.points) for stroke in strokes]
    assert min(outer) == pytest.approx((INSET_MM - 31.5, INSET_MM - 44))
    corners = {stroke.points for stroke in strokes}
    for stroke in strokes:
        turned = {tuple(sorted((-x, -y) for x, y in stroke.points))}
        assert turned <= {tuple(sorted(points)) for points in corners}


def test_a_module_is_a_square_about_its_middle() -> None:
    middles = module_middles(63.0, 88.0)
    assert middles[1][0] - middles[0][0] == pytest.approx(MODULE_MM)
    assert middles[3][1] - middles[0][1] == pytest.approx(MODULE_MM)
