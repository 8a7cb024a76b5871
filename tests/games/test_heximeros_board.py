"""The board of HexiMeros, the armies on it, and every move of the first position."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros import geometry as g
from companion.games.heximeros.pieces import COLOURS
from companion.rules import BadInput
from tests.checks.loops import some

OPENING = {"M": 26, "R": 25, "C": 14, "As": 12, "Ar": 4, "D": 4}


def opening(colour: str, **options: str) -> Counter[str]:
    """Count the first moves of an army by piece."""
    setup = GAME.setup(None, options)
    state = GAME.arrange(setup, GAME.expect(GAME.start(setup)), colour)
    tokens = GAME.expect(state)
    return Counter(tokens[str(action.origin)].split()[1] for action in GAME.legal(state))


def test_the_board_has_655_spaces_in_33_columns() -> None:
    board = GAME.board(GAME.setup())
    assert len(board.spots) == g.COUNT == 655
    columns = {name.rstrip("0123456789") for name in board}
    assert len(columns) == 33
    assert {"a", "z", "aa", "ag"} <= columns
    assert min(q for q, _ in g.AXIAL) == -16
    assert len({spot.shade for spot in board.spots.values()}) == 3


def test_columns_are_numbered_from_their_south_end() -> None:
    assert g.NAMES[g.NUMBER[0, 13]] == "q1"
    assert g.NAMES[g.NUMBER[0, 0]] == "q14"
    assert g.NAMES[g.NUMBER[0, -13]] == "q27"


def test_six_notches_of_six_spaces_are_out_of_bounds() -> None:
    voids = g.voids()
    assert len(voids) == 36
    assert not {cell for cell in voids if cell in g.NUMBER}
    for cell in voids:
        assert g.rotate(cell, 1) in voids
    west = Counter(q for q, r in voids if q < -13 and r > 0)
    assert west == {-14: 1, -15: 2, -16: 3}


def test_the_board_looks_the_same_from_every_seat() -> None:
    assert {g.rotate(cell) for cell in g.AXIAL} == set(g.AXIAL)


def test_no_line_step_passes_between_two_voids() -> None:
    for cell in some(g.AXIAL):
        for d in range(6):
            beside = [g.add(cell, g.FLATS[d]), g.add(cell, g.FLATS[(d + 1) % 6])]
            if g.add(cell, g.LINES[d]) in g.NUMBER:
                assert any(side in g.NUMBER for side in beside)


def test_a_line_stays_in_its_third_of_the_spaces() -> None:
    for q, r in some(g.AXIAL):
        for step in some(g.LINES):
            u, v = g.add((q, r), step)
            assert (q - r) % 3 == (u - v) % 3


def test_a_base_line_is_thirteen_spaces_at_depth_26_and_25(hx: ModuleType) -> None:
    for place, cells in enumerate(g.BASE_LINES):
        assert len(cells) == 13
        assert {g.depth(cell, place) for cell in cells} == {26, 25}
    assert len(g.BASE_OF) == 78
    assert g.depth(g.GROUND_ZERO, 0) == 0


def test_next_on_the_left_of_silver_sits_blue(hx: ModuleType) -> None:
    state = GAME.start(GAME.setup())
    sovereigns = ((0, 13), (-13, 13), (-13, 0), (0, -13), (13, -13), (13, 0))
    assert [hx.standing(state, cell) for cell in sovereigns] == [f"{c} S" for c in COLOURS]
    mirrored = GAME.start(GAME.setup(None, {"direction": "right"}))
    assert hx.standing(mirrored, (13, 0)) == "blue S"
    assert hx.standing(mirrored, (0, -13)) == "orange S"


def test_the_army_stands_as_the_rules_say(hx: ModuleType) -> None:
    state = GAME.start(GAME.setup())
    line = [hx.standing(state, (q, (26 - q) // 2)) for q in range(-6, 7)]
    kinds = ["Al", "Ar", "C", "D", "P", "As", "S", "R", "P", "D", "C", "Ar", "Al"]
    assert line == [f"silver {kind}" for kind in kinds]
    assert all(hx.standing(state, (q, (26 - q) // 2 - 1)) == "silver M" for q in range(-6, 7))
    assert len(GAME.expect(state)) == 156


def test_the_assassin_may_start_on_the_right(hx: ModuleType) -> None:
    state = GAME.start(GAME.setup(None, {"assassin_side": "right"}))
    assert hx.standing(state, (1, 12)) == "silver As"
    assert hx.standing(state, (-1, 13)) == "silver R"


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("side", ["left", "right"])
def test_every_army_has_85_first_moves(colour: str, side: str) -> None:
    assert opening(colour, assassin_side=side) == OPENING


def test_the_regents_threaten_the_assassins_of_the_diagonal_opponents(hx: ModuleType) -> None:
    setup = GAME.setup()
    for army, colour in some(enumerate(COLOURS)):
        state = GAME.arrange(setup, GAME.expect(GAME.start(setup)), colour)
        met = {
            (effect.piece, victim)
            for action in GAME.legal(state)
            for effect in [GAME.effect(state, action)]
            for victim in effect.captures
            if not victim.startswith(colour)
        }
        diagonal = COLOURS[(army + 2) % 6], COLOURS[(army + 4) % 6]
        assert met == {(f"{colour} R", f"{other} As") for other in diagonal}


def test_all_six_play_or_nobody() -> None:
    with pytest.raises(BadInput, match="six armies"):
        GAME.setup(["silver", "blue"])
    mixed = ["red", "blue", "silver", "green", "yellow", "orange"]
    assert GAME.setup(mixed).seats == COLOURS
