"""The simulated camera: it shows the table as it lies, and every trouble when asked."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.rules import BadInput
from companion.simulation.sensor import RoomLight, SimulatedRoom, unspoilt
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Colour, Troubles, random_event, random_troubles
from vision._cv import detect_markers, marker_dictionary
from vision.board.optics import CameraView, Optics, fit_view
from vision.board.printing import DICTIONARY, marker_centres, shade
from vision.frames import Image

SIZE = (480, 360)
Make = Callable[..., SimulatedCamera]


@pytest.fixture
def table(tiny: Any) -> SimulatedTable:
    setup = tiny.setup()
    return SimulatedTable(tiny, setup, tiny.expect(tiny.start(setup)), seed=1)


@pytest.fixture
def make(table: SimulatedTable) -> Make:
    def camera(marks: str = "markers", **given: Any) -> SimulatedCamera:
        view = fit_view(table.board, CameraView(image_size=given.pop("size", SIZE), marks=marks))
        view = replace(view, distance=view.distance * given.pop("further", 1.0))
        given = {"troubles": unspoilt(), "clock": lambda: 5.0} | given
        return SimulatedCamera(given.pop("table", table), view, **given)

    return camera


def picture(camera: SimulatedCamera) -> Image:
    frame = camera.read()
    assert frame is not None
    assert frame.image is not None
    return frame.image


def patch(image: Image, camera: SimulatedCamera, spot: str, half: int = 4) -> Any:
    """The mean colour about a spot's middle."""
    optics = Optics(camera.view, camera.troubles.bump_mm, camera.troubles.bump_px)
    u, v = optics.project([camera.table.board[spot].centre])[0].astype(int)
    return image[v - half : v + half + 1, u - half : u + half + 1].mean(axis=(0, 1))


def away(a: Any, b: Any) -> float:
    return float(np.abs(np.asarray(a, float) - b).max())


# -- optics ------------------------------------------------------------------------------


def test_board_and_markers_fill_the_picture_and_nothing_is_cut_off(table: SimulatedTable) -> None:
    view = fit_view(table.board, CameraView(image_size=SIZE))
    edge = view.reach + view.marker_mm / 2
    corners = Optics(view).project([(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)])
    assert (corners > 0).all()
    assert (corners < SIZE).all()
    assert np.ptp(corners[:, 1]) > 0.8 * SIZE[1]


def test_tokens_stand_as_high_as_the_board_says(table: SimulatedTable) -> None:
    assert fit_view(table.board).thickness == pytest.approx(3.2)
    assert fit_view(replace(table.board, token_height=16.0)).thickness == 16.0
    assert fit_view(table.board, CameraView(thickness=9.0)).thickness == 9.0


def test_a_pixel_is_led_back_to_the_board_point_that_it_shows() -> None:
    optics = Optics(CameraView(), shift=(4.0, -3.0, 7.0), bump=(9.0, 2.0))
    pixel = optics.project([(120.0, -75.0)])[0]
    assert optics.board_point((pixel[0], pixel[1])) == pytest.approx((120.0, -75.0), abs=0.01)


def test_what_stands_higher_is_seen_further_from_the_camera(table: SimulatedTable) -> None:
    low, high = (Optics(CameraView()).project([(0.0, 0.0)], height)[0] for height in (0.0, 50.0))
    assert high[1] < low[1] - 10


@pytest.mark.parametrize("text", ["red", "#12345", "#gggggg"])
def test_a_colour_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="write it as #rrggbb"):
        shade(text)


def test_short_and_long_colours_are_read() -> None:
    assert shade("#f80") == shade("#ff8800") == (0, 136, 255)


# -- the picture -------------------------------------------------------------------------


def test_the_clock_that_was_passed_in_dates_the_frames(make: Make) -> None:
    frame = make().read()
    assert frame is not None
    assert frame.at == 5.0
    assert frame.image is not None
    assert frame.image.shape == (360, 480, 3)


def test_light_and_dark_spots_look_light_and_dark(make: Make) -> None:
    camera = make()
    image = picture(camera)
    assert away(patch(image, camera, "b2"), 0) < away(patch(image, camera, "a2"), 0) - 60 or (
        away(patch(image, camera, "a2"), 0) < away(patch(image, camera, "b2"), 0) - 60
    )


@pytest.mark.parametrize("bump", [(0.0, 0.0), (11.0, -6.0)])
def test_the_corner_markers_are_found_where_they_were_printed(
    make: Make, bump: tuple[float, float]
) -> None:
    # OpenCV before 4.9 refines corners in a window of 11 pixels: a marker's modules must not be
    # smaller than half of it.
    camera = make(size=(960, 720), troubles=replace(unspoilt(), bump_px=bump, noise=2.0))
    found = detect_markers(
        np.asarray(cv2.cvtColor(picture(camera), cv2.COLOR_BGR2GRAY), np.uint8),
        marker_dictionary(DICTIONARY),
    )
    assert sorted(found) == [0, 1, 2, 3]
    optics = Optics(camera.view, bump=bump)
    for number, centre in marker_centres(camera.view).items():
        assert away(found[number].mean(axis=0), optics.project([centre])[0]) < 1.0


def test_a_move_shows_hands_and_then_the_result(make: Make, table: SimulatedTable) -> None:
    camera = make(troubles=replace(unspoilt(), hand_frames=3))
    before = picture(camera).copy()
    assert not camera.hand_in_view
    table.move("a1", "a2")
    hands = []
    for _ in range(3):
        hands.append(picture(camera).copy())
        assert camera.hand_in_view
    assert all(away(hand, before) > 60 for hand in hands)
    after = picture(camera)
    assert not camera.hand_in_view
    assert away(patch(before, camera, "a1"), patch(after, camera, "a1")) > 30
    assert away(patch(before, camera, "a2"), patch(after, camera, "a2")) > 30
    assert away(patch(before, camera, "c3"), patch(after, camera, "c3")) == 0
    assert camera.position == table.position


def test_the_tables_changes_are_not_seen_before_the_hand_brought_them(
    make: Make, table: SimulatedTable
) -> None:
    camera = make(troubles=replace(unspoilt(), hand_frames=1))
    picture(camera)
    table.move("a1", "a2")
    picture(camera)
    assert camera.busy
    assert "a1" in camera.position
    picture(camera)
    assert camera.position == table.position
    assert not camera.busy


def test_the_sleeve_has_the_colour_that_was_asked_for(make: Make, table: SimulatedTable) -> None:
    calm = replace(unspoilt(), hand_frames=1)
    images = []
    for sleeve in ((20, 40, 230), (230, 40, 20)):
        camera = make(troubles=replace(calm, sleeve=sleeve), further=3.0)
        table.nudge("b1", 0.0, 0.0)
        images.append(picture(camera).astype(int))
    blueish = [(image[..., 0] > image[..., 2] + 60).sum() for image in images]
    assert blueish[0] > blueish[1] + 500


def test_repainting_what_changed_equals_painting_all_anew(
    make: Make, table: SimulatedTable
) -> None:
    camera = make(troubles=replace(unspoilt(), hand_frames=0))
    picture(camera)
    table.move("a1", "b2")
    table.move("b2", "b3")
    table.turn("c1")
    table.remove("a3")
    table.nudge("b1", 6.0, 3.0, 15.0)
    assert away(picture(camera), picture(make())) == 0


def test_a_still_table_gives_equal_pictures_but_for_noise(make: Make) -> None:
    calm = make()
    assert away(picture(calm), picture(calm)) == 0
    noisy = make(troubles=replace(unspoilt(), noise=4.0))
    first, second = picture(noisy), picture(noisy)
    difference = (first.astype(float) - second)[100:200, 100:200]
    assert 3.0 < difference.std() / np.sqrt(2) < 5.0


def test_the_same_seed_gives_the_same_frames_and_another_does_not(tiny: Any, make: Make) -> None:
    def film(seed: int) -> list[Image]:
        table = SimulatedTable(tiny, tiny.setup(), {"a1": "black"}, seed=seed)
        camera = make(table=table, troubles=Troubles(flicker=0.1, torn=0.3), seed=seed)
        frames = [picture(camera)]
        table.move("a1", "b2")
        return frames + [picture(camera) for _ in range(4)]

    first, second, other = film(1), film(1), film(2)
    assert [away(a, b) for a, b in zip(first, second, strict=True)] == [0] * 5
    assert all(away(a, b) > 0 for a, b in zip(first, other, strict=True))


def test_the_pace_is_kept_by_what_was_passed_in(make: Make) -> None:
    waits: list[int] = []
    camera = make(wait=lambda: waits.append(1))
    camera.read()
    camera.read()
    assert len(waits) == 2


# -- lights ------------------------------------------------------------------------------


def glow(spots: Mapping[str, Colour]) -> Callable[[float], Mapping[str, Colour]]:
    return lambda at: spots


def test_a_lit_spot_shines_and_a_token_above_it_lets_little_through(make: Make) -> None:
    dark = make()
    lit = make(glow=glow({"b2": (0, 255, 0), "a1": (0, 255, 0)}))
    before, after = picture(dark), picture(lit)
    empty = (patch(after, lit, "b2") - patch(before, dark, "b2"))[1]
    covered = (patch(after, lit, "a1") - patch(before, dark, "a1"))[1]
    assert empty > 40
    assert 2 < covered < 0.6 * empty
    assert away(patch(after, lit, "c2"), patch(before, dark, "c2")) == 0


def test_lights_that_the_camera_cannot_see_change_nothing(make: Make) -> None:
    blind = make(glow=glow({"b2": (0, 255, 0)}), troubles=replace(unspoilt(), led=0.0))
    assert away(picture(blind), picture(make())) == 0


def test_lights_that_go_out_leave_no_trace(make: Make) -> None:
    spots: dict[str, Colour] = {"b2": (255, 0, 0)}
    camera = make(glow=lambda at: dict(spots))
    plain = picture(make())
    assert away(picture(camera), plain) > 50
    spots.clear()
    assert away(picture(camera), plain) == 0


# -- troubles ----------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    "trouble",
    [
        {"blur": 2.0}, {"warmth": 0.8}, {"gradient": 0.5}, {"vignette": 0.5}, {"shadow": 0.5},
        {"bump_px": (6.0, 3.0)}, {"bump_mm": (4.0, 2.0, 1.5)}, {"cup": "b2"}, {"jpeg": 40},
        {"flicker": 0.3}, {"torn": 1.0}, {"noise": 5.0}, {"lamp": 0.5}, {"bump_turn": 2.0},
        {"phone": "b2"}, {"paper": "b2"}, {"glare": "b2"}, {"gloss": 1.0}, {"resting": "a1"},
        {"veil": ("b2", 60.0)}, {"sun": 0.3},
    ],
    ids=lambda trouble: next(iter(trouble)),
)  # fmt: skip
def test_every_trouble_is_seen_when_switched_on_and_gone_when_switched_off(
    make: Make, trouble: dict[str, Any]
) -> None:
    camera = make()
    plain = picture(camera).copy()
    camera.troubles = replace(unspoilt(), **trouble)
    assert away(picture(camera), plain) > 10
    camera.troubles = unspoilt()
    assert away(picture(camera), plain) == 0


def test_half_a_lamp_gives_half_the_light(make: Make) -> None:
    bright, dim = (picture(make(troubles=replace(unspoilt(), lamp=x))) for x in (1.0, 0.5))
    assert dim.mean() == pytest.approx(bright.mean() / 2, rel=0.02)


def test_a_veil_adds_as_much_to_what_is_dark_as_to_what_is_light(make: Make) -> None:
    camera = make()
    for spot in ("a1", "b2"):
        camera.troubles = unspoilt()
        before = patch(picture(camera), camera, spot)
        camera.troubles = replace(unspoilt(), veil=(spot, 12.0))
        assert patch(picture(camera), camera, spot) - before == pytest.approx(12, abs=2)


def test_a_beam_of_sun_brightens_a_part_of_the_table_only(make: Make) -> None:
    camera = make()
    before = picture(camera).astype(float)
    camera.troubles = replace(camera.troubles, sun=0.3)
    brighter = picture(camera) / np.maximum(before, 1)
    assert np.quantile(brighter, 0.05) == pytest.approx(1, abs=0.05)
    assert np.quantile(brighter, 0.9) == pytest.approx(1.3, abs=0.1)


def test_a_cup_hides_what_stands_behind_it(make: Make) -> None:
    camera = make()
    plain = patch(picture(camera), camera, "b3")
    camera.troubles = replace(unspoilt(), cup="b2")
    assert away(patch(picture(camera), camera, "b3"), plain) > 30
    assert camera.position["b3"] == "white"


def test_tokens_that_were_taken_lie_beside_the_board(make: Make) -> None:
    camera = make(marks="corners", further=1.6)
    camera.table.remove("a1")
    while camera.busy or camera.latest is None:
        picture(camera)
    gone = picture(camera).copy()
    camera.troubles = replace(unspoilt(), beside=1)
    laid = picture(camera)
    optics, board = Optics(camera.view), camera.table.board
    right = optics.project([(board.bounds[2], 0.0)])[0][0]
    changed = np.flatnonzero(np.abs(laid.astype(int) - gone).max(axis=(0, 2)) > 20)
    assert changed.size
    assert changed.min() > right


def test_a_token_on_its_edge_shows_no_face(make: Make) -> None:
    camera = make()
    flat = patch(picture(camera), camera, "a1")
    camera.table.stand("a1")
    while camera.busy or camera.hand_in_view:
        picture(camera)
    camera.read()
    assert away(patch(picture(camera), camera, "a1"), flat) > 20


def test_a_lost_frame_says_so_and_the_next_one_is_whole(make: Make) -> None:
    camera = make(troubles=replace(unspoilt(), lost=1.0))
    frame = camera.read()
    assert frame is not None
    assert frame.image is None
    assert "unreadable" in frame.trouble
    camera.troubles = unspoilt()
    assert picture(camera).any()


def test_an_evening_of_chance_is_the_same_for_the_same_seed_and_can_be_shown(make: Make) -> None:
    def evening(seed: int) -> list[Troubles]:
        chance = random.Random(seed)
        days = [random_troubles(chance)]
        for _ in range(12):
            days.append(random_event(days[-1], chance))
        return days

    days = evening(4)
    assert days == evening(4)
    assert days != evening(5)
    assert len(set(days)) > 6
    camera = make()
    for camera.troubles in days:
        assert camera.read() is not None


# -- the table file ----------------------------------------------------------------------


def test_the_table_file_tells_the_printed_markers(make: Make) -> None:
    camera = make()
    entered = camera.table_file()
    assert entered["game"] == "tiny"
    assert entered["seats"] == ["black", "white"]
    assert entered["image_size"] == [480, 360]
    assert entered["cell_mm"] == 40.0
    assert sorted(entered["markers"]["centres_mm"]) == ["0", "1", "2", "3"]
    assert "options" not in entered


def test_the_table_file_of_a_square_board_names_its_corners(
    make: Make, table: SimulatedTable
) -> None:
    camera = make("corners")
    entered = camera.table_file()["corners"]
    assert sorted(entered) == ["a1", "a3", "c1", "c3"]
    exact = Optics(camera.view).project([table.board.corners["a1"]])[0]
    assert entered["a1"] == pytest.approx(list(exact), abs=0.06)


def test_taps_fall_within_half_a_spot_of_the_truth(make: Make, table: SimulatedTable) -> None:
    camera = make("taps")
    taps = camera.table_file()["taps"]
    assert len(taps) >= 4
    optics = Optics(camera.view)
    for name, pixel in taps.items():
        x, y = optics.board_point((pixel[0], pixel[1]))
        assert np.hypot(*np.subtract((x, y), table.board[name].centre)) < 20


def test_options_that_are_not_the_usual_ones_are_entered(tiny: Any, make: Make) -> None:
    setup = tiny.setup(None, {"capture": "no"})
    table = SimulatedTable(tiny, setup, {})
    assert make(table=table).table_file()["options"] == {"capture": "no"}


def test_every_trouble_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "simulated-table.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = {word.strip("`,") for row in rows for word in row.split()}
    assert named == {field.name for field in fields(Troubles)}


@pytest.mark.parametrize(
    "trouble",
    [{}, {"shadow": 0.4}, {"sun": 0.5}, {"gradient": 0.3, "vignette": 0.2, "warmth": 0.6}],
)
def test_the_light_of_a_room_is_worked_out_for_the_part_that_is_asked_for(
    trouble: dict[str, float],
) -> None:
    light = RoomLight(SIZE, Troubles(**trouble))
    whole = light.over((0, 0, *SIZE))
    assert whole.shape == (SIZE[1], SIZE[0], 3)
    assert np.array_equal(light.grey()[..., None] * light.tint, whole)
    for left, top, right, bottom in ((0, 0, 1, 1), (100, 40, 264, 204), (470, 350, 480, 360)):
        part = light.over((left, top, right, bottom))
        assert away(part, whole[top:bottom, left:right]) < 1e-6


def test_a_room_keeps_no_picture_of_its_light() -> None:
    room = SimulatedRoom(SIZE)
    light = room.light(Troubles(shadow=0.3))
    light.over((0, 0, *SIZE))
    assert room.light(Troubles(shadow=0.3, noise=3.0)) is light
    assert room.light(Troubles(shadow=0.2)) is not light
    kept = [value for value in vars(light).values() if isinstance(value, np.ndarray)]
    assert [array.size for array in kept] == [3]
