"""Pictures in which something large was put down, and such in which it was taken away again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.calibrate import Camera, camera_from_table
from vision.board.optics import CameraView, fit_view
from vision.frames import Image
from vision.watching.covered import Covered
from vision.watching.watch import Watch

VICTORUS: Any = find_game("victorus")


def picture(grey: float) -> np.ndarray:
    return np.full((40, 40, 3), grey, np.float32)


def with_phone(grey: float) -> np.ndarray:
    lies = picture(grey)
    lies[10:30, 10:20] = 20
    return lies


def test_where_nothing_was_put_down_nothing_is_bare_again() -> None:
    assert Covered().bared(picture(90), picture(90))[0] is None


def test_what_lay_under_a_phone_is_bare_again_once_it_is_taken_away() -> None:
    covered, phone = Covered(), np.zeros((40, 40), bool)
    phone[10:30, 10:20] = True
    covered.lay(phone, picture(90))
    assert covered.bared(with_phone(90), with_phone(90))[0] is None
    gone, shown = covered.bared(picture(91), with_phone(90))
    assert gone is not None
    assert gone[15:25, 12:18].all()
    assert not gone[:, 25:].any()
    assert (shown[15:25, 12:18] == 90).all()


def test_it_is_bare_again_though_a_shadow_came_while_it_was_covered() -> None:
    covered, phone = Covered(), np.zeros((40, 40), bool)
    phone[10:30, 10:20] = True
    checked = picture(150)
    checked[::2] = 60
    covered.lay(phone, checked)
    reference = checked.copy()
    reference[phone] = 20
    gone, shown = covered.bared(0.6 * checked, reference)
    assert gone is not None
    assert gone[15:25, 12:18].all()
    assert (shown[15:25, 12:18] == checked[15:25, 12:18]).all(), "as it looks in the light"


def test_a_shadow_that_was_taken_for_a_part_of_what_came_is_seen_against_what_was_there() -> None:
    covered, thing = Covered(), np.zeros((40, 40), bool)
    thing[10:30, 10:20] = True
    covered.lay(thing, picture(150))
    reference = picture(150)
    reference[thing] = 20
    reference[10:20, 10:20] = 90
    even = picture(150) + np.random.default_rng(3).normal(0, 3, (40, 40, 3)).astype(np.float32)
    even[thing] -= 60
    gone, shown = covered.bared(even, reference)
    assert gone is not None
    assert gone[12:28, 12:18].all()
    assert (shown[12:28, 12:18] == 150).all()


def test_of_two_things_one_on_the_other_the_table_is_remembered_until_both_are_gone() -> None:
    covered, first = Covered(), np.zeros((40, 40), bool)
    first[10:30, 10:20] = True
    covered.lay(first, picture(90))
    covered.lay(np.ones((40, 40), bool), with_phone(90))
    everything = picture(200)
    gone, _ = covered.bared(picture(90), everything)
    assert gone is not None
    assert gone.all(), "also under the phone it is the table that is known"
    covered.take_away(gone)
    assert covered.bared(picture(90), picture(90))[0] is None


def test_a_spot_is_looked_at_anew_if_most_of_what_was_covered_of_it_shows_again() -> None:
    covered, strokes = Covered(), np.zeros((40, 40), bool)
    strokes[14:26, 14:17] = True
    covered.lay(strokes, picture(90))
    spots = np.arange(1600).reshape(40, 40)
    discs = np.stack([spots[10:30, 10:30].ravel(), spots[:20, 20:].ravel()])
    assert covered.uncovered(None, discs).tolist() == [False, False]
    assert covered.uncovered(strokes, discs).tolist() == [True, False]
    some = strokes.copy()
    some[18:] = False
    assert covered.uncovered(some, discs).tolist() == [False, False]


def shot(view: CameraView, **troubles: Any) -> tuple[Camera, Image]:
    """Return the camera and the picture of a Victorus set-up."""
    setup = VICTORUS.setup()
    table = SimulatedTable(VICTORUS, setup, VICTORUS.expect(VICTORUS.start(setup)), seed=3)
    simulated = SimulatedCamera(table, view, Troubles(hand_frames=0, **troubles), clock=lambda: 0.0)
    frame = simulated.read()
    assert frame is not None
    assert frame.image is not None
    return camera_from_table(table.board, simulated.table_file(), frame.image), frame.image


def seen_from(width: int) -> CameraView:
    view = CameraView(image_size=(width, width * 3 // 4), tilt=14.0, marks="taps")
    return fit_view(VICTORUS.board(VICTORUS.setup()), view)


@pytest.mark.slow
def test_a_broad_phone_that_was_taken_away_is_no_hand() -> None:
    view = seen_from(640)
    camera, bare = shot(view, noise=2.0)
    _, covered = shot(view, noise=2.0, phone="i7")
    watch = Watch(VICTORUS.board(VICTORUS.setup()), camera, bare)
    watch.settle(watch.look(bare))
    lies = watch.look(covered)
    assert lies.loose
    watch.settle(lies)
    again = watch.look(covered)
    assert not again.hand
    watch.settle(again)
    gone = watch.look(bare)
    assert not gone.hand
    anew = set(gone.changed) & set(lies.over)
    assert 2 * len(anew) > len(lies.over), "what lay under it is looked at anew"
    watch.settle(gone)
    assert not watch.look(bare).changed


@pytest.mark.slow
@pytest.mark.parametrize("width", [1420, 1432])
def test_a_camera_that_came_a_little_nearer_sees_no_hand(width: int) -> None:
    # At these widths a nearer camera would have its pictures made smaller once more.
    view = seen_from(width)
    camera, before = shot(view)
    _, after = shot(replace(view, distance=view.distance / 1.01))
    watch = Watch(VICTORUS.board(VICTORUS.setup()), camera, before)
    watch.settle(watch.look(before))
    glance = watch.look(after)
    assert not glance.hand
    assert not glance.lost
