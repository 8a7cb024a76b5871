"""What happens at a real table beside the game: cups, kicks, arms at the rim, lights."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.simulation.troubles import Troubles
from tests.checks.recordings import recording
from vision.board.optics import CameraView
from vision.decoding.reading import Reading
from vision.watching.watch import Watch

Begin = Callable[..., Any]


def told(reading: Reading) -> list[str]:
    return [str(step.action) for step in reading.steps]


def trouble(game: Any, **switches: Any) -> None:
    game.camera.troubles = replace(game.camera.troubles, **switches)


@pytest.mark.parametrize("thing", ["cup", "phone"])
def test_play_goes_on_round_what_was_left_on_the_board(play: Begin, thing: str) -> None:
    game = play()
    trouble(game, **{thing: "i7"})
    assert not game.look().still, "it may be a hand"
    lies = game.look()
    assert lies.still
    assert "i7" in lies.differs
    assert "something lies on" in lies.message
    assert told(game.move("g1-g3")) == ["g1-g3"]
    trouble(game, **{thing: None})
    gone = game.look()
    assert told(gone) == []
    assert gone.differs == ()
    assert told(game.move("d10-f10")) == ["d10-f10"]


def test_a_spot_thought_to_lie_under_a_thing_is_read_once_a_token_plainly_stands_there(
    play: Begin,
) -> None:
    game = play()
    trouble(game, phone="i7")
    assert [game.look().still, game.look().still] == [False, True]
    game.reader._hidden |= {"g3"}
    assert told(game.move("g1-g3")) == ["g1-g3"]
    assert game.reader._hidden, "the phone still lies there"


@pytest.mark.slow
@pytest.mark.parametrize("marks", ["markers", "taps"])
def test_a_board_kicked_a_cell_further_is_found_again_in_the_next_picture(
    play: Begin, marks: str
) -> None:
    game = play(view=CameraView(image_size=(960, 720), marks=marks, tilt=18))
    trouble(game, bump_mm=(38.0, -27.0, 6.0))
    assert told(game.move("g1-g3")) == ["g1-g3"]
    trouble(game, bump_mm=(-12.0, 20.0, -3.0))
    assert told(game.move("d10-f10")) == ["d10-f10"]


@pytest.mark.slow
@pytest.mark.parametrize("bump", [(14.0, 25.0), (36.0, 10.0)])
def test_a_board_of_equal_cells_is_not_taken_to_lie_one_cell_beside(
    play: Begin, bump: tuple[float, float]
) -> None:
    game = play(view=CameraView(image_size=(1280, 960), marks="taps"), name="heximeros")
    trouble(game, bump_px=bump)
    assert told(game.move("k2-k3")) == ["k2-k3"]


@pytest.mark.slow
@pytest.mark.parametrize("bump", [(-19.5, 7.0, 1.0), (4.0, 15.0, 1.0)])
def test_a_board_that_is_bumped_before_the_second_picture_is_followed(
    play: Begin, bump: tuple[float, float, float]
) -> None:
    view = CameraView(image_size=(1280, 960), marks="taps", tilt=12)
    game = play(view=view, name="invictus")
    trouble(game, bump_mm=bump)
    assert told(game.move("a3-a4")) == ["a3-a4"]


def test_a_camera_that_was_turned_is_followed(play: Begin) -> None:
    game = play()
    trouble(game, bump_turn=3.0)
    assert told(game.move("g1-g3")) == ["g1-g3"]


@pytest.mark.slow
def test_a_camera_that_sags_too_slowly_to_be_noticed_is_followed_all_the_same(play: Begin) -> None:
    game = play()
    middle = [game.reader.board["i7"].centre]
    (before,) = game.reader.camera.project(middle)
    for picture in range(1, 31):
        trouble(game, bump_px=(0.4 * picture, -0.3 * picture))
        assert game.look().steps == ()
    (after,) = game.reader.camera.project(middle)
    assert after - before == pytest.approx((12.0, -9.0), abs=1.0)
    assert told(game.move("g1-g3")) == ["g1-g3"]


@pytest.mark.slow
def test_hands_over_a_board_that_lies_still_never_push_its_place(play: Begin) -> None:
    game = play(troubles=Troubles())
    middles = [spot.centre for spot in game.reader.board.spots.values()]
    before = game.reader.camera.project(middles)
    for spot in ("f1", "f2", "g1", "i1", "l1"):
        game.camera.table.lift(spot)
        game.look()
        game.camera.table.drop(spot)
        game.look()
        assert game.reader.camera.project(middles) == pytest.approx(before, abs=0.3)


def test_a_place_that_markers_told_beneath_an_arm_is_good_for_that_picture_alone(
    play: Begin,
) -> None:
    game = play(troubles=Troubles())
    middles = [spot.centre for spot in game.reader.board.spots.values()]
    place, still = game.reader.camera, game.camera.read().image
    watch = Watch(game.reader.board, place, still)
    game.camera.table.lift("i1")
    while not watch.look(game.camera.read().image).hand:
        pass
    over = game.camera.latest.image
    shift = np.array([[1.0, 0.0, 9.0], [0.0, 1.0, 6.0], [0.0, 0.0, 1.0]])
    assert watch.relocate(replace(place, homography=shift @ place.homography), over).hand
    assert not np.allclose(watch.camera.project(middles), place.project(middles), atol=2)
    watch.look(over)
    watch.look(still)
    assert watch.camera.project(middles) == pytest.approx(place.project(middles), abs=0.3)


@pytest.mark.parametrize("covered", [0.7, 1.0])
def test_what_covers_most_of_the_board_hides_it_wherever_markers_tell_that_it_lies(
    play: Begin, covered: float
) -> None:
    game = play(troubles=Troubles())
    middles = np.array([spot.centre for spot in game.reader.board.spots.values()])
    place, still = game.reader.camera, game.camera.read().image
    watch = Watch(game.reader.board, place, still)
    watch.look(game.camera.read().image)
    low, high = np.quantile(place.project(middles)[:, 1], [0.0, covered]).astype(int)
    sleeve = still.copy()
    sleeve[low - 20 : high + 20] = (50, 45, 150)
    shift = np.array([[1.0, 0.0, 9.0], [0.0, 1.0, 6.0], [0.0, 0.0, 1.0]])
    assert watch.relocate(replace(place, homography=shift @ place.homography), sleeve).hand
    after = watch.look(game.camera.read().image)
    assert (after.hand, after.lost, after.changed) == (False, False, ())
    assert watch.camera.project(middles) == pytest.approx(place.project(middles), abs=0.3)


def test_a_board_that_is_gone_is_said_to_be_lost(play: Begin) -> None:
    game = play(view=CameraView(image_size=(960, 720), marks="taps"))
    trouble(game, bump_mm=(2000.0, 0.0, 0.0))
    reading = game.look()
    assert not reading.still
    assert "moved too far" in reading.message


def test_an_arm_is_seen_beside_a_board_that_was_just_shoved(play: Begin) -> None:
    game = play(troubles=Troubles(hand_frames=2))
    trouble(game, bump_mm=(9.0, 6.0, 1.0))
    game.camera.table.move("g1", "g3")
    seen = []
    while not seen or game.camera.busy:
        reading = game.read(game.camera.read())
        seen.append((game.camera.hand_in_view, reading.still))
    assert (True, False) in seen
    assert all(still != hand for hand, still in seen)


@pytest.mark.parametrize("colour", [(20, 20, 20), (60, 90, 200), (230, 230, 230)])
def test_who_comes_and_goes_at_the_rim_of_the_picture_never_keeps_a_still_table_from_being_read(
    play: Begin, colour: tuple[int, int, int]
) -> None:
    game = play()
    assert game.reader.camera is not None
    pixels = game.reader.camera.project([s.centre for s in game.reader.board.spots.values()])
    above = int(pixels[:, 1].min()) - 75
    assert above > 10, "there is room beside the board"
    for played, wide in (("g1-g3", (0, 300)), ("d10-f10", (200, 640)), ("h1-h2", (0, 0))):
        game.camera.table.move(*played.split("-"))
        frame = game.settled()
        frame.image[:above, slice(*wide)] = colour
        reading = game.read(frame)
        assert (reading.still, told(reading)) == (True, [played])


def test_a_shadow_hides_no_move(play: Begin) -> None:
    game = play()
    trouble(game, shadow=0.4)
    assert told(game.move("g1-g3")) == ["g1-g3"]
    trouble(game, shadow=0.0, lamp=0.6)
    assert told(game.move("d10-f10")) == ["d10-f10"]


@pytest.mark.slow
def test_the_wandering_shadow_of_somebody_who_leans_over_the_table_hides_no_move(
    tmp_path: Path, capsys: Any
) -> None:
    folder, chance = recording("victorus-1"), random.Random(1)
    truth = {frame["frame"]: frame for frame in json.loads((folder / "truth.json").read_text())}
    shutil.copy(folder / "table.json", tmp_path)
    for picture in sorted(folder.glob("000[0135].jpg")):
        image = np.asarray(cv2.imread(str(picture)), np.float32)
        height, width = image.shape[:2]
        shadow = np.zeros((height, width), np.float32)
        middle = chance.uniform(0.2, 0.8) * width, chance.uniform(0.2, 0.8) * height
        cv2.circle(shadow, (int(middle[0]), int(middle[1])), int(0.22 * width), 0.4, -1)
        shadow = cv2.GaussianBlur(shadow, (0, 0), 0.05 * width)
        cv2.imwrite(str(tmp_path / picture.name), image * (1 - shadow[..., None]))
    assert main(["replay", str(tmp_path), "--json"]) == 0
    for line in map(json.loads, capsys.readouterr().out.splitlines()):
        events = truth[line["frame"]]["events"]
        assert [a["to"] for a in line["actions"]] == [e["to"] for e in events]


def test_pieces_taken_are_laid_down_beside_the_board_without_an_event(play: Begin) -> None:
    game = play(view=CameraView(image_size=(960, 720), marks="markers"))
    assert told(game.move("g1-g3")) == ["g1-g3"]
    game.camera.table.remove("h2")
    game.camera.table.put("h2", "red black T")
    game.camera.table.put("a1", "orange white T")
    game.camera.table.remove("a1")
    trouble(game, beside=3)
    assert told(game.look()) == []
    assert told(game.move("d10-f10")) == ["d10-f10"]


def test_tokens_that_a_kick_moved_out_of_the_picture_are_not_gone(play: Begin) -> None:
    game = play()
    before = game.look().position
    spots = game.reader.board.spots
    assert game.reader.camera is not None
    pixels = game.reader.camera.project([spots[s].centre for s in before])
    up = -pixels[:, 1].min() - 40
    for share in (0.35, 0.7, 1.0):
        trouble(game, bump_px=(0.0, float(share * up)))
        kicked = game.look()
        assert told(kicked) == []
    assert kicked.still
    assert kicked.position == before
    assert told(game.move("g1-g3")) == ["g1-g3"]
