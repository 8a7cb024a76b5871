"""What is large in view: arms from outside, cups, and what is neither."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.calibrate import camera_from_table
from vision.board.optics import CameraView, fit_view
from vision.light.changes import Ends, LightChange
from vision.light.shade import hides_print
from vision.watching.hands import Large, large_things, outline, reaches_in, strangers
from vision.watching.watch import Watch

SIDE, PITCH = 80, 8


@pytest.fixture
def rim() -> np.ndarray:
    edge = np.ones((SIDE, SIDE), bool)
    edge[2:-2, 2:-2] = False
    return edge


def seen(
    rim: np.ndarray, *boxes: tuple[int, int, int, int], strong: float = 60.0, gone: bool = False
) -> Large:
    """What is found where these boxes (left, top, right, bottom) look different, because something
    came there or is ``gone``."""
    off = np.full((SIDE, SIDE), 1.0, np.float32)
    for left, top, right, bottom in boxes:
        off[top:bottom, left:right] = strong
    middles = [(16 + 8 * k, 40) for k in range(6)]
    discs = np.array(
        [[(y + b) * SIDE + x + a for a in range(-2, 3) for b in range(-2, 3)] for x, y in middles]
    )
    table = np.full((SIDE, SIDE), 120.0, np.float32)
    where = np.ones((SIDE, SIDE), bool)
    now, then = (table, table + off) if gone else (table + off, table)
    return large_things(off, now, then, 1.0, where, rim, discs, 1.6 * PITCH**2)


def test_an_unchanged_picture_shows_nothing(rim: np.ndarray) -> None:
    assert seen(rim) == Large()


@pytest.mark.parametrize("box", [(30, 70, 38, 80), (30, 66, 38, 80), (0, 60, 80, 80)])
def test_what_reaches_in_and_stays_away_from_the_board_hides_nothing_of_it(
    rim: np.ndarray, box: tuple[int, int, int, int]
) -> None:
    beside = seen(rim, box)
    assert (beside.arm, beside.loose, beside.over) == (False, True, ())
    left, _, right, bottom = box
    assert seen(rim, (left, 48, right, bottom)).arm, "next to a spot it may be a hand that plays"


def test_what_was_taken_away_beside_the_board_is_no_hand(rim: np.ndarray) -> None:
    at_the_edge, cup = (30, 48, 38, 80), (30, 52, 48, 70)
    assert seen(rim, at_the_edge).arm
    assert seen(rim, cup).loose
    assert seen(rim, at_the_edge, gone=True) == Large()
    assert seen(rim, cup, gone=True) == Large()
    assert seen(rim, (20, 32, 38, 50), gone=True).loose, "what it hid of the board is looked at"


def test_a_token_half_out_of_the_picture_is_no_arm(rim: np.ndarray) -> None:
    assert seen(rim, (30, 75, 37, 80)) == Large(edge=True)


def test_what_reaches_over_a_spot_at_the_rim_may_be_a_token_or_a_finger(rim: np.ndarray) -> None:
    rim[:, 8:12] = True
    little = seen(rim, (10, 36, 19, 44))
    assert little.loose
    assert not little.arm
    assert little.over == (0,)
    assert seen(rim, (10, 30, 19, 50)).arm


def test_what_reaches_along_the_edge_further_than_a_token_is_no_token(rim: np.ndarray) -> None:
    rim[:, 8:10] = True
    token = seen(rim, (8, 36, 17, 44))
    assert token.loose
    assert not token.arm
    assert seen(rim, (8, 34, 16, 46)).arm, "it covers no more than a token and a half"
    tips = seen(rim, (8, 34, 12, 46))
    assert (tips.arm, tips.loose) == (False, True), "they cover less than a token"
    assert not seen(rim, (8, 30, 11, 46)).arm, "a strip that a bump moved into the picture"


def test_captured_tokens_that_graze_the_edge_are_no_arm(rim: np.ndarray) -> None:
    rim[:, 18:20] = True
    stack = (20, 36, 32, 44), (18, 38, 20, 41)
    assert not seen(rim, *stack).arm
    assert seen(rim, stack[0], (18, 36, 20, 44)).arm, "as broad at the edge as anywhere"


def test_a_token_on_a_spot_at_the_edge_is_no_finger(rim: np.ndarray) -> None:
    on_its_spot = (0, 37, 7, 44)
    near = seen_at_the_edge(rim, on_its_spot)
    assert not near.edge
    assert seen_at_the_edge(rim, (0, 37, 3, 47)).edge, "that covers hardly any of it"


def seen_at_the_edge(rim: np.ndarray, box: tuple[int, int, int, int]) -> Large:
    """What is found where this box looks different beside a board whose first spot lies at the edge
    of the picture."""
    left, top, right, bottom = box
    off = np.full((SIDE, SIDE), 1.0, np.float32)
    off[top:bottom, left:right] = 60.0
    disc = [[(40 + b) * SIDE + 4 + a for a in range(-2, 3) for b in range(-2, 3)]]
    table, where = np.full((SIDE, SIDE), 120.0, np.float32), np.ones((SIDE, SIDE), bool)
    size = 1.6 * PITCH**2
    return large_things(off, table + off, table, 1.0, where, rim, np.array(disc), size)


def test_a_fingertip_at_the_edge_may_hold_what_left_the_board(rim: np.ndarray) -> None:
    assert seen(rim, (70, 30, 80, 34)).edge
    assert not seen(rim, (60, 30, 70, 34)).edge, "it reaches in from nowhere"
    assert seen(rim, (70, 30, 80, 34)).near == ()
    rim[:, 18:20] = True
    assert seen(rim, (18, 34, 24, 42)).near == (0, 1), "spots that fingers there may touch"


def test_a_token_beside_the_board_is_nothing_large(rim: np.ndarray) -> None:
    assert seen(rim, (60, 60, 67, 67)) == Large()


def test_captured_tokens_in_a_row_beside_the_board_are_nothing_large(rim: np.ndarray) -> None:
    row = [(70, 20 + 8 * k, 77, 27 + 8 * k) for k in range(4)]
    assert seen(rim, *row) == Large()
    assert seen(rim, (70, 20, 77, 52)).loose, "a thing as long that is no row of tokens"


def test_a_row_that_lies_over_spots_may_be_fingers(rim: np.ndarray) -> None:
    assert seen(rim, *[(14 + 8 * k, 36, 21 + 8 * k, 43) for k in range(4)]).loose


def test_a_cup_lies_over_the_spots_under_it_and_reaches_in_from_nowhere(rim: np.ndarray) -> None:
    found = seen(rim, (20, 32, 38, 50))
    assert not found.arm
    assert found.loose
    assert found.over == (1, 2)


def test_light_that_changed_slowly_is_no_thing(rim: np.ndarray) -> None:
    assert seen(rim, (10, 10, 50, 50), strong=9.0) == Large()


def test_an_arm_beside_a_shoved_board_is_thick_and_comes_from_the_rim(rim: np.ndarray) -> None:
    strange = np.zeros((SIDE, SIDE), bool)
    strange[:, 10:13] = True
    assert not reaches_in(strange, rim, PITCH), "the edge of a mat that moved"
    strange[50:, 30:44] = True
    assert reaches_in(strange, rim, PITCH)
    strange[70:] = False
    strange[:, 10:13] = False
    assert not reaches_in(strange, rim, PITCH), "a thing that reaches in from nowhere"


def test_an_arm_that_leaves_the_picture_by_its_corner_is_one(rim: np.ndarray) -> None:
    strange = np.zeros_like(rim)
    strange[40:60, 60:75] = True
    strange[57:60, 75:] = True
    assert reaches_in(strange, rim, PITCH)
    strange[40:57] = False
    assert not reaches_in(strange, rim, PITCH), "the edge of a mat that moved"


def test_whole_pictures_are_compared_in_any_light() -> None:
    chance = np.random.default_rng(1)
    image = chance.integers(60, 90, (120, 160, 3)).astype(np.uint8)
    darker = (image * 0.6).astype(np.uint8)
    darker[40:80, 40:80] = 220
    other = strangers(outline(darker, (160, 120), 2), outline(image, (160, 120), 2))
    assert other[30, 30]
    assert not other[50, 70]


def taken(even: np.ndarray, reference: np.ndarray, field: np.ndarray) -> LightChange:
    """Return the grey light ``field`` that was taken out of ``even``."""
    off = np.abs(even - reference).max(-1)
    return LightChange(np.repeat(field[..., None], 3, 2), off)


def _hides(
    even: np.ndarray,
    reference: np.ndarray,
    field: np.ndarray,
    known: np.ndarray,
    things: np.ndarray,
) -> bool:
    now, light = even * field[..., None], taken(even, reference, field)
    return hides_print(now, even, reference, light, known, things, PITCH, 1.6)


@pytest.mark.parametrize(("light", "hidden"), [(-0.3, False), (0.3, True), (0.1, False)])
def test_what_is_paler_than_a_dark_table_is_no_shadow_on_it(light: float, hidden: bool) -> None:
    noise = np.random.default_rng(4).normal(0, 2, (2, SIDE, SIDE, 3))
    reference, even = (np.float32(40) + noise).astype(np.float32)
    field = np.ones((SIDE, SIDE), np.float32)
    field[20:50, :40] = np.exp(light)
    known, nothing = np.ones((SIDE, SIDE), bool), np.zeros((SIDE, SIDE), bool)
    told = _hides(even, reference, field, known, nothing)
    assert told == hidden


def test_a_lamp_mirrored_by_a_dark_table_has_no_edge_and_hides_nothing() -> None:
    noise = np.random.default_rng(4).normal(0, 2, (2, SIDE, SIDE, 3))
    reference, even = (np.float32(40) + noise).astype(np.float32)
    bell = np.exp(-0.5 * ((np.arange(SIDE) - 40) / 14) ** 2)
    field = np.asarray(1 + 1.2 * np.outer(bell, bell), np.float32)
    known, nothing = np.ones((SIDE, SIDE), bool), np.zeros((SIDE, SIDE), bool)
    assert not _hides(even, reference, field, known, nothing)
    field = np.where(field > 1.6, np.float32(1.8), np.float32(1.0))
    assert _hides(even, reference, field, known, nothing), "a thing as pale"


@pytest.mark.parametrize(("colour", "hidden"), [((1.0, 1.0, 1.0), False), ((0.9, 1.0, 1.1), True)])
def test_a_shadow_has_no_colour_of_its_own(
    colour: tuple[float, float, float], hidden: bool
) -> None:
    noise = np.random.default_rng(4).normal(0, 4, (2, SIDE, SIDE, 3))
    reference, even = (np.float32(90) + noise).astype(np.float32)
    field = np.ones((SIDE, SIDE), np.float32)
    field[20:50, :40] = 0.7
    even[20:50, :40] *= np.float32(colour)
    known, nothing = np.ones((SIDE, SIDE), bool), np.zeros((SIDE, SIDE), bool)
    told = _hides(even, reference, field, known, nothing)
    assert told == hidden


def in_shade(*deeper: tuple[int, int, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a printed table with a shadow taken out of it, the table before, and the shadow; it
    is ``deeper`` in these boxes (left, top, right, bottom)."""
    chance = np.random.default_rng(4)
    print_ = np.zeros((SIDE, SIDE, 1))
    print_[:, 24:] = 12 * np.sign(np.sin(np.arange(SIDE) / 2))[:, None, None][:, :1]
    noise = chance.normal(0, 1.5, (2, SIDE, SIDE, 3))
    even, reference = (np.float32(90) + print_ + noise).astype(np.float32)
    field = np.full((SIDE, SIDE), 0.8, np.float32)
    for left, top, right, bottom in deeper:
        field[top:bottom, left:right] = 0.5
    return even, reference, field


def hides(even: np.ndarray, reference: np.ndarray, field: np.ndarray, thing: int = 0) -> bool:
    known, things = np.ones((SIDE, SIDE), bool), np.zeros((SIDE, SIDE), bool)
    things[30:50, 20 : 20 + thing] = True
    return _hides(even, reference, field, known, things)


def test_a_shadow_over_print_hides_nothing() -> None:
    assert not hides(*in_shade())


def test_what_is_far_darker_than_the_shadow_round_it_and_beside_a_thing_may_be_an_arm() -> None:
    assert hides(*in_shade((0, 20, 18, 60)), thing=6)
    assert not hides(*in_shade((0, 20, 18, 60))), "a deeper shadow on a table without print"


def test_a_token_that_moved_in_a_shadow_does_not_hide_what_lies_there() -> None:
    even, reference, field = in_shade()
    even[40:46, 40:46] = 20
    assert not hides(even, reference, field)
    even[40:58, 30:48] = 20
    assert not hides(even, reference, field), "nor do several, of which most print is left"


def test_the_edges_of_stripes_of_light_say_nothing_about_the_print() -> None:
    even, reference, field = in_shade()
    factor = np.repeat(field[..., None], 3, 2)
    edges = np.arange(SIDE) % 16 < 6
    even[:, edges] = 180 - even[:, edges]
    known, nothing = np.ones((SIDE, SIDE), bool), np.zeros((SIDE, SIDE), bool)

    def hidden(spread: float) -> bool:
        most = np.where(edges[None, :, None], factor * np.float32(spread), factor)
        ends = Ends(factor, np.asarray(most, np.float32), np.zeros((SIDE, SIDE), bool))
        light = replace(taken(even, reference, field), ends=ends)
        now = even * field[..., None]
        return hides_print(now, even, reference, light, known, nothing, PITCH, 1.6)

    assert hidden(1.0), "no edge explains what looks other than the print"
    assert not hidden(1.2)


def test_a_hand_as_dark_as_a_shadow_leaves_no_print() -> None:
    even, reference, field = in_shade()
    even[20:70, 28:76] = 90 + np.random.default_rng(1).normal(0, 1.5, (50, 48, 3))
    assert hides(even, reference, field)


def test_a_sleeve_over_all_of_the_second_picture_is_no_still_table() -> None:
    game: Any = find_game("invictus")
    table = SimulatedTable(game, game.setup(), {}, seed=3)
    view = fit_view(table.board, CameraView(image_size=(640, 480), tilt=10.0))
    simulated = SimulatedCamera(table, view, Troubles(hand_frames=0), clock=lambda: 0.0)
    frame = simulated.read()
    assert frame is not None
    assert frame.image is not None
    camera = camera_from_table(table.board, simulated.table_file(), frame.image)
    watch = Watch(table.board, camera, frame.image)
    sleeve = np.random.default_rng(1).normal((50, 100, 130), 3, frame.image.shape)
    glance = watch.look(sleeve.astype(np.uint8))
    assert glance.hand or glance.lost
    glance = watch.look(frame.image)
    assert not glance.hand
    assert not glance.lost
    assert not glance.changed


def test_two_arms_over_a_shoved_board_hide_more_than_half_of_what_is_compared() -> None:
    noise = np.random.default_rng(2).normal(0, 2, (2, 120, 160, 3))
    before, now = (np.float32(90) + noise).astype(np.uint8)
    now[:, :70] += 25
    now[:, 100:130] -= 40
    other = strangers(outline(now, (160, 120), 2), outline(before, (160, 120), 2))
    assert other[20:40, 5:30].all()
    assert other[20:40, 53:62].all()
    assert not other[20:40, 38:46].any()
