"""Spots in millimetres: hexagons, squares, which spot a point lies on."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import BadInput, Board, Stroke
from companion.rules.geometry import (
    column_name,
    hex_board,
    hex_centre,
    hex_names,
    hex_outline,
    inside,
    square_board,
    straight_way,
)

SEVEN = {(0, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)}


def hexes() -> Board:
    mark = Stroke(((0.0, 0.0), (1.0, 0.0)), colour="#000000", width=1.0, closed=False)
    return hex_board(dict.fromkeys(sorted(SEVEN), "#eeeeee"), 36.0, (mark,))


def test_hexagons_are_named_by_column_from_the_west_and_number_from_the_south() -> None:
    assert hex_names(SEVEN) == {
        (-1, 1): "a1", (-1, 0): "a2", (0, 1): "b1", (0, 0): "b2", (0, -1): "b3",
        (1, 0): "c1", (1, -1): "c2",
    }  # fmt: skip


def test_columns_go_on_after_z() -> None:
    assert [column_name(i) for i in (0, 25, 26, 27)] == ["a", "z", "aa", "ab"]


def test_neighbouring_hexagons_are_one_pitch_apart() -> None:
    for cell in SEVEN - {(0, 0)}:
        assert math.dist(hex_centre(*cell, 36.0), (0, 0)) == pytest.approx(36.0)


def test_the_south_neighbour_lies_below_because_y_points_to_the_first_seat() -> None:
    assert hex_centre(0, 1, 36.0) == (0, 36.0)


def test_a_hexagon_is_flat_above_and_below() -> None:
    outline = hex_outline((0.0, 0.0), 36.0)
    assert len(outline) == 6
    assert max(y for _, y in outline) == pytest.approx(18.0)
    assert [x for x, y in outline if y == pytest.approx(18.0)] == pytest.approx(
        [18 / math.sqrt(3), -18 / math.sqrt(3)]
    )
    assert outline[0] == pytest.approx((36 / math.sqrt(3), 0))


def test_a_board_finds_its_spots_by_name() -> None:
    board = hexes()
    assert board["b2"].centre == (0, 0)
    assert board["b2"].shade == "#eeeeee"
    assert "b2" in board
    assert "b9" not in board
    assert sorted(board) == ["a1", "a2", "b1", "b2", "b3", "c1", "c2"]
    assert len(board.marks) == 1


def test_an_unknown_spot_is_named_in_the_error() -> None:
    with pytest.raises(BadInput, match="there is no spot “z9” on this board"):
        hexes()["z9"]


def test_the_bounds_reach_over_all_outlines() -> None:
    left, top, right, bottom = hexes().bounds
    assert (top, bottom) == pytest.approx((-54.0, 54.0))
    assert right == pytest.approx(36 * math.sqrt(3) / 2 + 36 / math.sqrt(3))
    assert left == pytest.approx(-right)


@given(st.floats(-120, 120), st.floats(-120, 120))
def test_a_point_is_on_the_nearest_spot_or_beside_the_board(x: float, y: float) -> None:
    board = hexes()
    nearest = board.nearest((x, y))
    assert all(
        math.dist(nearest.centre, (x, y)) <= math.dist(spot.centre, (x, y)) + 1e-9
        for spot in board.spots.values()
    )
    spot = board.at((x, y))
    assert spot == (nearest if inside((x, y), nearest.outline) else None)


def test_a_point_beside_the_board_is_on_no_spot() -> None:
    assert hexes().at((500.0, 0.0)) is None
    found = hexes().at((1.0, 35.0))
    assert found is not None
    assert found.name == "b1"


def test_inside_counts_edges_also_of_a_shape_with_a_dent() -> None:
    dent = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)]
    assert inside((1.0, 1.0), dent)
    assert inside((3.5, 3.0), dent)
    assert not inside((2.0, 3.0), dent)
    assert not inside((5.0, 1.0), dent)


def test_squares_are_counted_from_the_first_seats_left() -> None:
    board = square_board(8, 8, 50.0, ("#000000", "#ffffff"))
    assert len(board.spots) == 64
    assert board["a1"].centre == (-175.0, 175.0)
    assert board["h8"].centre == (175.0, -175.0)
    assert board["a1"].shade == board["b2"].shade == "#000000"
    assert board["a2"].shade == "#ffffff"
    assert board.pitch == 50.0
    assert board.bounds == (-200.0, -200.0, 200.0, 200.0)


def test_a_square_board_has_its_four_corners_each_beside_its_spot() -> None:
    board = square_board(3, 5, 10.0, ("#000000", "#ffffff"))
    assert set(board.corners) == {"a1", "a5", "c1", "c5"}
    for name, corner in board.corners.items():
        assert corner in board[name].outline


def test_a_hexagon_board_has_no_corners() -> None:
    assert dict(hexes().corners) == {}


@pytest.mark.parametrize(
    ("first", "last", "passed"),
    [
        ("a1", "a4", ("a2", "a3")), ("h8", "e5", ("g7", "f6")), ("g1", "f3", ()),
        ("e1", "e2", ()), ("c3", "c3", ()), ("a1", "h3", ()),
    ],
)  # fmt: skip
def test_a_straight_way_leads_over_the_middles_of_cells(first, last, passed):
    board = square_board(8, 8, 50.0, ("#b58863", "#f0d9b5"))
    assert straight_way(board, first, last) == passed


def test_a_straight_way_on_hexagons_follows_their_lines() -> None:
    cells = {(q, r): "#eeeeee" for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2}
    board = hex_board(cells, 36.0)
    west, middle, east = (hex_names(cells)[at] for at in ((-2, 0), (0, 0), (2, 0)))
    assert len(straight_way(board, west, east)) == 3
    assert straight_way(board, west, east)[1] == middle
