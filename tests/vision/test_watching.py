"""What the reader is told of something large in view: a hand, or a thing that rests."""

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
from vision.frames import Frame, Image
from vision.tokens.eye import Glimpse
from vision.watching.glance import Glance
from vision.watching.watching import Watching

GAME: Any = find_game("victorus")
BLANK = np.zeros((12, 16, 3), np.uint8)


class Glances:
    """Stands for the comparison of pictures, which has tests of its own."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.next: Glance | None = None

    def smaller(self, image: Image) -> Image:
        return image

    def look(self, image: Image, lit: Any) -> Glance | None:
        return self.next


class Film:
    """Pictures, seconds apart, at which the watching is told what they look like."""

    def __init__(self) -> None:
        setup = GAME.setup()
        table = SimulatedTable(GAME, setup, {}, seed=3)
        view = fit_view(table.board, CameraView(image_size=(320, 240), marks="taps"))
        simulated = SimulatedCamera(table, view, Troubles(hand_frames=0), clock=lambda: 0.0)
        frame = simulated.read()
        assert frame is not None
        assert frame.image is not None
        camera = camera_from_table(table.board, simulated.table_file(), frame.image)
        self.watching, self.glances = Watching(table.board, camera, frame.image), Glances(camera)
        self.watching._watch = self.glances  # type: ignore[assignment]
        self.at = 0.0

    def show(self, glance: Glance, after: float = 5.0) -> Glimpse:
        self.at += after
        self.glances.next = glance
        return self.watching.look(Frame(BLANK, self.at), {})


@pytest.fixture
def film() -> Film:
    return Film()


def seen(
    *things: int, loose: bool = True, reaching: bool = False, over: tuple[str, ...] = ()
) -> Glance:
    """Return a glance at large ``things``, each in another place, the first of them loose."""
    off, at = np.ones((40, 40), np.float32), np.zeros((40, 40), bool)
    shown = np.full((40, 40, 3), 90, np.float32)
    for number, thing in enumerate(things):
        off[4 * thing : 4 * thing + 4, 10:30] = np.arange(50, 70)
        shown[4 * thing : 4 * thing + 4, 10:30] += 60
        if not number:
            at[4 * thing : 4 * thing + 4, 10:30] = True
    none: Any = None
    return Glance(
        (),
        True,
        False,
        shown,
        off,
        none,
        none,
        none,
        loose=loose,
        over=over,
        at=at,
        reaching=reaching,
    )


def test_a_thing_beside_the_board_rests_whatever_is_moved_there(film: Film) -> None:
    assert not film.show(seen(1)).rests
    assert film.show(seen(1, 6, 7)).rests
    assert not film.show(seen(3)).rests, "it was moved"


def test_a_hand_that_came_and_went_has_not_moved_a_thing(film: Film) -> None:
    film.show(seen(1))
    arm = film.show(seen(5, loose=False))
    assert arm.hand
    assert not arm.loose
    assert film.show(seen(1)).rests


def test_a_thing_over_spots_rests_once_two_pictures_show_it_alike(film: Film) -> None:
    assert not film.show(seen(1, over=("h2",))).rests
    film.show(seen(5, loose=False))
    assert film.show(seen(1, 6, over=("h2",))).rests, "somebody moved elsewhere meanwhile"
    assert not film.show(seen(3, over=("h2",))).rests, "it is a hand at work"


@pytest.mark.parametrize("spot", ["a1", "g7"])
def test_what_reaches_in_is_read_round_once_two_single_pictures_show_it_alike(
    film: Film, spot: str
) -> None:
    leans = seen(1, loose=False, over=(spot,))
    assert film.show(leans).hand
    rests = film.show(leans)
    assert (rests.hand, rests.loose, rests.rests, rests.over) == (False, True, True, (spot,))
    assert film.show(seen(3, loose=False, over=(spot,))).hand, "it moved"


def test_a_head_is_read_round_though_a_hand_hid_a_part_of_it_in_the_picture_between(
    film: Film,
) -> None:
    leans = seen(1, loose=False, over=("a1",))
    assert film.show(leans).hand
    hand = seen(1, loose=False)
    hand.even[:20, 10:20], hand.off[:20, 10:20] = 20, 70
    assert film.show(hand).hand
    rests = film.show(leans)
    assert (rests.hand, rests.loose, rests.over) == (False, True, ("a1",))


def test_a_hand_that_comes_again_where_one_was_is_a_hand(film: Film) -> None:
    hand = seen(1, loose=False, over=("a1",))
    assert film.show(hand).hand
    assert not film.show(replace(hand, hand=False, at=None)).hand
    assert film.show(hand).hand


def test_what_reaches_in_is_read_round_once_it_lay_still_in_a_film_for_long(film: Film) -> None:
    leans = seen(1, loose=False, over=("f6", "g7"))
    told = [film.show(leans, after=0.1) for _ in range(30)]
    assert all(glimpse.hand for glimpse in told[:20])
    rests = next(glimpse for glimpse in told if not glimpse.hand)
    assert (rests.loose, rests.rests, rests.over) == (True, True, ("f6", "g7"))


def test_what_is_left_of_an_arm_in_a_shadow_may_be_what_was_moved(film: Film) -> None:
    reaching = seen(2, reaching=True)
    first, rests = film.show(reaching), film.show(reaching)
    assert (first.hand, first.loose, first.rests) == (False, True, False)
    assert (rests.hand, rests.loose, rests.rests) == (False, True, True)


def test_a_shadow_taken_away_leaves_what_reached_in_and_its_fingers() -> None:
    arm, left = seen(1, loose=False), seen(1)
    assert left.after(arm).reaching
    assert not left.after(seen(5, loose=False)).reaching, "that was only a shadow, and elsewhere"
    assert not left.after(left).reaching
    none: Any = None
    fingers = Glance((), True, False, none, none, none, none, none, edge=True, near=("h2",))
    assert (left.after(fingers).edge, left.after(fingers).near) == (True, ("h2",))
