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
    number_in,
    quiet_ring,
)

NUMBERS = range(LARGEST + 1)


def test_every_number_is_read_again() -> None:
    assert [number_in(cells_of(number)) for number in NUMBERS] == list(NUMBERS)
    assert len({cells_of(number) for number in NUMBERS}) == len(NUMBERS)


def test_one_wrong_module_is_noticed() -> None:
    for number in NUMBERS:
        cells = cells_of(number)
        for at in range(MODULES * MODULES):
            assert number_in((*cells[:at], not cells[at], *cells[at + 1 :])) is None


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


def test_the_ring_lies_about_the_modules_and_on_the_card() -> None:
    middles, ring = module_middles(63.0, 88.0), quiet_ring(63.0, 88.0)
    assert len(ring) == 16
    assert min(x for x, _ in ring) < min(x for x, _ in middles)
    assert max(y for _, y in ring) > max(y for _, y in middles)
    assert all(abs(x) < 31.5 and abs(y) < 44 for x, y in ring)
