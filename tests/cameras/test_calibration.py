"""Calibrating: points that snap to the print, markers that are measured, a light meter in words."""

from __future__ import annotations

import itertools
import json
import queue
import threading
import urllib.request
from functools import partial
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion import cli
from companion.games import find_game
from companion.journal import Journal
from companion.live.calibrating import Calibrator, write_table_file
from companion.live.service import Service
from companion.rules import BadInput, HardwareFault, picture_of
from companion.simulation.sensor import unspoilt
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.table import Table
from vision.board.calibrate import Camera, camera_from_table
from vision.board.calibration import (
    board_point,
    entered,
    guess,
    handles,
    locate,
    locate_markers,
    measured_markers,
)
from vision.board.fit import refine_to_board
from vision.board.light_meter import light_meter
from vision.board.optics import CameraView, fit_view
from vision.frames import Frame

pytestmark = pytest.mark.opencv

SIZE = (1024, 768)


@pytest.fixture(scope="module")
def shoot():
    """Make a picture of a set-up table, and the exact camera behind it."""

    def make(
        name="victorus", seats=("red", "purple"), troubles=None, size=SIZE, marks="markers",
        tilt=26.0, bare=False,
    ):  # fmt: skip
        game = find_game(name)
        setup = game.setup(seats if name == "victorus" else None)
        board = game.board(setup)
        position = {} if bare else game.expect(game.start(setup))
        ticks = itertools.count()
        camera = SimulatedCamera(
            SimulatedTable(game, setup, position, seed=2),
            fit_view(board, CameraView(image_size=size, marks=marks, tilt=tilt)),
            troubles or Troubles(),
            clock=lambda: next(ticks) / 10,
        )
        image = camera.read().image
        optics = camera._optics()
        return SimpleNamespace(
            game=game, setup=setup, board=board, position=position, camera=camera, image=image,
            optics=optics, file=camera.table_file(),
        )  # fmt: skip

    return make


@pytest.fixture(scope="module")
def shot(shoot):
    return shoot()


def true_points(shot, slip=0.0, seed=1):
    """Where the handles really are, each put ``slip`` pitches beside its place."""
    names = handles(shot.board)
    pixels = shot.optics.project(list(names.values()))
    way = np.random.default_rng(seed).normal(size=pixels.shape)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    pixels = pixels + way * slip * shot.board.pitch * shot.optics.scale((0.0, 0.0))
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, pixels, strict=True)}


def worst(shot, camera):
    """How far the camera is off at any spot, in pitches."""
    centres = np.array([spot.centre for spot in shot.board.spots.values()])
    off = camera.project(centres) - shot.optics.project(centres)
    pixels = camera.pixels_per_mm() * shot.board.pitch
    return float(np.linalg.norm(off, axis=1).max() / pixels)


# -- the board in the picture --------------------------------------------------------


@pytest.mark.parametrize("slip", [0.0, 0.2, 0.45])
def test_points_put_beside_their_cells_snap_to_the_print(shot, slip):
    located = locate(shot.image, shot.board, true_points(shot, slip), shot.position)
    assert located.how == "print"
    assert worst(shot, located.camera) < 0.03


def test_points_far_from_the_board_are_kept_as_they_were_put(shot):
    points = {name: (x / 3 + 30, y / 3 + 30) for name, (x, y) in true_points(shot).items()}
    located = locate(shot.image, shot.board, points, shot.position)
    assert located.how == "points"
    names = handles(shot.board)
    shown = located.camera.project(np.array([names[name] for name in points]))
    assert shown == pytest.approx(np.array(list(points.values())), abs=2.0)


def test_points_that_fit_no_board_are_refused(shot):
    points = true_points(shot)
    with pytest.raises(BadInput, match="no point to place"):
        locate(shot.image, shot.board, points | {"z9": (1.0, 1.0)}, shot.position)
    with pytest.raises(BadInput, match="at least four"):
        locate(shot.image, shot.board, dict(list(points.items())[:3]), shot.position)
    mirrored = {name: (SIZE[0] - x, y) for name, (x, y) in points.items()}
    with pytest.raises(BadInput, match="mixed up"):
        locate(shot.image, shot.board, mirrored, shot.position)


@pytest.mark.parametrize("name", ["victorus", "invictus"])
def test_printed_markers_are_found_and_measured(shoot, name):
    shot = shoot(name)
    located = locate_markers(shot.image, shot.board, shot.position)
    assert located is not None
    assert located.how == "markers"
    assert worst(shot, located.camera) < 0.15
    measured = measured_markers(shot.image, shot.board, located.camera)["markers"]
    for number, true in shot.file["markers"]["centres_mm"].items():
        assert measured["centres_mm"][number] == pytest.approx(true, abs=0.2 * shot.board.pitch)
    assert measured["size_mm"] == pytest.approx(shot.file["markers"]["size_mm"], rel=0.05)


def test_a_board_without_markers_is_not_found_by_markers(shoot):
    shot = shoot(marks="taps")
    assert locate_markers(shot.image, shot.board, shot.position) is None
    assert measured_markers(shot.image, shot.board, guess(shot.board, SIZE).camera) == {}


@pytest.mark.parametrize(("name", "field"), [("victorus", "taps"), ("invictus", "corners")])
def test_what_is_kept_leads_back_to_the_same_camera(shoot, name, field):
    shot = shoot(name)
    located = locate(shot.image, shot.board, true_points(shot, 0.2), shot.position)
    file = entered(shot.board, located.camera)
    assert field in file
    again = camera_from_table(shot.board, file, shot.image)
    fit = refine_to_board(shot.image, shot.board, again, shot.position)
    assert worst(shot, fit.camera) < 0.15


def test_a_board_point_is_found_back_from_its_pixel(shot):
    camera = locate(shot.image, shot.board, true_points(shot), shot.position).camera
    for point in [(0.0, 0.0), (120.0, -200.0), (-250.0, 90.0)]:
        pixel = camera.project(np.array([point]))[0]
        assert board_point(camera, pixel, (10.0, 10.0)) == pytest.approx(point, abs=0.01)


# -- the light meter -----------------------------------------------------------------


def remarks(shot, image=None, unseen=()):
    camera = locate(shot.image, shot.board, true_points(shot), shot.position).camera
    return light_meter(shot.image if image is None else image, camera, shot.board, unseen)


def kinds(found):
    return [remark.kind for remark in found]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["victorus", "invictus", "chess"])
def test_a_good_picture_needs_no_remark(shoot, name):
    assert remarks(shoot(name, size=(1640, 1232))) == ()


def test_too_little_light_is_said(shot, shoot):
    dark = shoot(troubles=Troubles(lamp=0.15)).image
    found = remarks(shot, dark)
    assert kinds(found) == ["dark"]
    assert found[0].bad
    assert "lamp" in found[0].text


def test_a_lamp_mirrored_on_two_cells_is_said_with_their_names(shot):
    image = shot.image.copy()
    for spot in ("i7", "h8"):
        x, y = shot.optics.project([shot.board[spot].centre])[0]
        cv2.circle(image, (round(x), round(y)), 14, (255, 255, 255), -1)
    found = remarks(shot, image)
    assert kinds(found) == ["glare"]
    assert "i7" in found[0].text
    assert "h8" in found[0].text


def test_a_board_washed_out_is_said_to_be_so(shot):
    found = remarks(shot, cv2.convertScaleAbs(shot.image, alpha=3.5))
    assert kinds(found) == ["glare"]
    assert "Most of the board" in found[0].text


def test_a_blurred_picture_is_said_to_be_blurred(shot):
    assert kinds(remarks(shot, cv2.GaussianBlur(shot.image, (0, 0), 4.0))) == ["blur"]


@pytest.mark.parametrize(("size", "bad"), [((640, 480), False), ((400, 300), True)])
def test_too_few_pixels_a_cell_are_said_with_their_number(shoot, size, bad):
    found = [r for r in remarks(shoot(size=size)) if r.kind == "small"]
    assert [remark.bad for remark in found] == [bad]
    assert "pixels wide" in found[0].text


@pytest.mark.parametrize(("size", "bad"), [((960, 720), False), ((560, 420), True)])
def test_cards_that_are_too_small_are_said_with_their_width(shoot, size, bad):
    shot = shoot(name="victory_honor", size=size)
    camera = camera_from_table(shot.board, shot.file, shot.image)
    (small,) = [r for r in light_meter(shot.image, camera, shot.board) if r.kind == "small"]
    assert small.bad == bad
    assert "A card is only" in small.text
    assert "80 and more are good" in small.text


def test_a_board_that_reaches_beyond_the_picture_is_said(shot):
    cropped = shot.image[:, : SIZE[0] // 2]
    points = true_points(shot)
    camera = locate(cropped, shot.board, points, shot.position).camera
    found = light_meter(np.ascontiguousarray(cropped), camera, shot.board)
    assert found[0].kind == "outside"
    assert found[0].bad


def test_dice_whose_tops_reach_beyond_the_picture_are_named(shoot):
    shot = shoot(name="invictus", tilt=30.0)
    camera = camera_from_table(shot.board, shot.file, shot.image)
    far = [np.array(shot.board[spot].outline) for spot in ("a9", "i9")]
    cut = int(min(camera.project(outline)[:, 1].min() for outline in far)) - 1
    shift = np.array([[1, 0, 0], [0, 1, -cut], [0, 0, 1.0]])
    lower = Camera(shift @ camera.homography, (SIZE[0], SIZE[1] - cut), camera.lens)
    (found,) = light_meter(np.ascontiguousarray(shot.image[cut:]), lower, shot.board)
    assert found.kind == "outside"
    assert not found.bad
    assert "a9, b9, c9, d9 and 5 more" in found.text
    assert not light_meter(shot.image, camera, shot.board)


def test_markers_that_are_not_found_are_said_by_number(shot):
    assert "Marker 2 is not found" in remarks(shot, unseen=(2,))[0].text
    assert "Markers 1, 2 are not found" in remarks(shot, unseen=(1, 2))[0].text


# -- with a person -------------------------------------------------------------------


class Kept(list):
    """What was accepted."""

    @property
    def file(self):
        assert len(self) == 1
        return self[0]


@pytest.fixture
def kept():
    return Kept()


@pytest.fixture
def calibrating(kept):
    """Make a calibrator that looks at a shot."""

    def make(shot, **ways):
        frame = Frame(shot.image, 0.0) if shot.image is not None else None
        draw = partial(picture_of, shot.game, shot.setup)
        return Calibrator(
            shot.board, lambda: frame, lambda: shot.position, kept.append, draw=draw, **ways
        )

    return make


def test_with_markers_there_is_nothing_to_do_but_to_look(calibrating, shot, kept):
    calibrator = calibrating(shot)
    status = calibrator.status()
    assert status["how"] == "markers"
    assert status["sure"]
    assert status["remarks"] == []
    assert status["outlines"].keys() == shot.board.spots.keys()
    calibrator.accept()
    assert kept.file["markers"]["centres_mm"].keys() == {"0", "1", "2", "3"}


@pytest.mark.slow
def test_without_markers_the_points_lead_to_the_board(calibrating, shoot, kept):
    shot = half_covered(shoot(marks="taps"))
    calibrator = calibrating(shot)
    assert calibrator.status()["how"] == "guess"
    with pytest.raises(BadInput, match="not found yet"):
        calibrator.accept()
    with pytest.raises(BadInput, match="show the camera all of it"):
        calibrator.find()
    calibrator.place(true_points(shot, 0.3))
    status = calibrator.status()
    assert status["how"] == "print"
    true = true_points(shot)
    for point in status["points"]:
        assert (point["x"], point["y"]) == pytest.approx(true[point["name"]], abs=2.0)
    calibrator.accept()
    assert "taps" in kept.file
    assert "markers" not in kept.file


def half_covered(shot):
    """A shot of which a cloth hides the left half: too little to be sure where the board lies."""
    image = shot.image.copy()
    image[:, : SIZE[0] // 2] = 90
    return SimpleNamespace(**vars(shot) | {"image": image})


def test_without_markers_the_print_is_proposed_and_one_tap_keeps_it(calibrating, shoot, kept):
    shot = shoot(marks="taps")
    calibrator = calibrating(shot)
    status = calibrator.status()
    assert (status["how"], status["sure"], status["ways"]) == ("print", True, 1)
    calibrator.accept()
    assert worst(shot, camera_from_table(shot.board, kept.file, shot.image)) < 0.15


def test_a_board_that_looks_alike_from_two_sides_is_turned_by_hand(calibrating, shoot, kept):
    shot = shoot(name="chess", marks="corners", bare=True)
    calibrator = calibrating(shot)
    status = calibrator.status()
    assert status["ways"] == 2
    assert "Turn it" in status["words"]
    before = {point["name"]: (point["x"], point["y"]) for point in status["points"]}
    calibrator.turn()
    after = {point["name"]: (point["x"], point["y"]) for point in calibrator.status()["points"]}
    assert after["a1"] == before["h8"]
    assert after["a8"] == before["h1"]
    calibrator.turn()
    assert calibrator.status()["points"] == status["points"]
    calibrator.accept()
    assert kept.file["corners"]["a1"] == pytest.approx(before["a1"], abs=0.1)


def test_corners_placed_from_the_other_side_are_turned_as_the_men_stand(calibrating, shoot, kept):
    shot = shoot(name="chess", marks="corners")
    points = true_points(shot)
    other = dict(zip(["h8", "a8", "a1", "h1"], ["a1", "h1", "h8", "a8"], strict=True))
    calibrator = calibrating(shot)
    calibrator.place({spot: points[other[spot]] for spot in points})
    status = calibrator.status()
    assert "so the board was turned" in status["words"]
    assert status["ways"] == 2
    shown = {point["name"]: (point["x"], point["y"]) for point in status["points"]}
    assert shown == {name: pytest.approx(at, abs=15.0) for name, at in points.items()}


def test_a_board_is_looked_for_again_when_somebody_asks(calibrating, shoot):
    shot = shoot(marks="taps")
    calibrator = calibrating(shot)
    calibrator.place({n: (x / 3 + 30, y / 3 + 30) for n, (x, y) in true_points(shot).items()})
    assert calibrator.status()["how"] == "points"
    calibrator.find()
    assert calibrator.status()["how"] == "print"


def test_points_stay_where_they_were_put_while_nothing_confirms_them(calibrating, shoot):
    shot = shoot(marks="taps")
    calibrator = calibrating(shot)
    points = {name: (x / 3 + 30, y / 3 + 30) for name, (x, y) in true_points(shot).items()}
    calibrator.place(points)
    status = calibrator.status()
    assert status["how"] == "points"
    assert not status["sure"]
    shown = {point["name"]: (point["x"], point["y"]) for point in status["points"]}
    assert shown == {name: pytest.approx(at, abs=0.1) for name, at in points.items()}


def test_one_covered_marker_is_named(calibrating, shot, shoot):
    x, y = (round(v) for v in shot.optics.project([shot.file["markers"]["centres_mm"]["2"]])[0])
    image = shot.image.copy()
    cv2.circle(image, (x, y), 60, (60, 60, 60), -1)
    covered = SimpleNamespace(**vars(shot) | {"image": image})
    status = calibrating(covered, table_file=lambda: shot.file).status()
    assert [remark["kind"] for remark in status["remarks"]] == ["markers"]
    assert "Marker 2" in status["remarks"][0]["text"]


def test_accepting_the_running_camera_keeps_its_table_file(calibrating, shot, kept):
    camera = locate(shot.image, shot.board, true_points(shot), shot.position).camera
    calibrator = calibrating(shot, running=lambda: camera, table_file=lambda: shot.file)
    assert calibrator.status()["how"] == "running"
    calibrator.accept()
    assert kept.file == shot.file


def test_before_the_first_picture_the_camera_is_missed(calibrating, shot):
    blind = calibrating(SimpleNamespace(**vars(shot) | {"image": None}))
    for ask in (blind.status, blind.picture, blind.accept, lambda: blind.place({})):
        with pytest.raises(HardwareFault, match="no picture yet"):
            ask()


def test_a_point_far_outside_is_refused(calibrating, shot):
    with pytest.raises(BadInput, match="far outside"):
        calibrating(shot).place(true_points(shot) | {"i7": (99999.0, 3.0)})


def test_a_table_file_that_cannot_be_written_is_a_fault(tmp_path):
    with pytest.raises(HardwareFault, match="cannot write"):
        write_table_file(tmp_path / "no" / "table.json", {})
    write_table_file(tmp_path / "table.json", {"game": "chess"})
    assert json.loads((tmp_path / "table.json").read_text()) == {"game": "chess"}
    assert [path.name for path in tmp_path.iterdir()] == ["table.json"]


# -- in the running companion --------------------------------------------------------


def test_a_camera_that_does_not_know_the_board_learns_it_while_it_watches(shoot):
    shot = shoot(marks="taps")
    with Journal() as journal:
        table = Table.create(journal, shot.game, shot.setup)
        service = Service(table, {}, shot.camera, lambda moment: None, lambda: None)
        for _ in range(2):
            service.look()
        assert "calibrate" in service.status()["message"]
        assert service.camera is None
        located = locate(shot.image, shot.board, true_points(shot, 0.3), shot.position)
        service.recalibrate(entered(shot.board, located.camera))
        for _ in range(3):
            service.look()
        assert service.status()["message"] == ""
        shot.camera.table.move("h2", "h4")
        for _ in range(8):
            service.look()
        assert [table.game.format(action) for action in table.actions] == ["h2-h4"]


def test_the_command_finds_markers_by_itself(shot, tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "board.png"), shot.image)
    out = tmp_path / "table.json"
    words = ["calibrate", str(tmp_path / "board.png"), "victorus", "--seats", "red,purple"]
    assert cli.main([*words, "--out", str(out)]) == 0
    file = json.loads(out.read_text())
    assert file["game"] == "victorus"
    assert file["seats"] == ["red", "purple"]
    assert worst(shot, camera_from_table(shot.board, file, shot.image)) < 0.1
    assert "markers" in capsys.readouterr().out


@pytest.mark.slow
def test_the_command_serves_the_page_where_it_does_not_find_the_board(shoot, tmp_path, monkeypatch):
    said = queue.Queue()
    monkeypatch.setattr("companion.commands.calibrate.print_json", said.put)
    shot = half_covered(shoot(marks="taps"))
    cv2.imwrite(str(tmp_path / "board.png"), shot.image)
    out = tmp_path / "table.json"
    words = ["calibrate", str(tmp_path / "board.png"), "victorus", "--seats", "red,purple"]
    done = []
    command = threading.Thread(
        daemon=True,
        target=lambda: done.append(cli.main([*words, "--out", str(out), "--port", "0", "--json"])),
    )
    command.start()
    page = said.get(timeout=30)["page"].removesuffix("/calibrate")

    def post(path, **body):
        request = urllib.request.Request(
            f"{page}/api/calibrate/{path}",
            json.dumps({"key": "0123456789abcdef" + path, **body}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    points = {name: list(at) for name, at in true_points(shot, 0.3).items()}
    assert post("place", points=points)["how"] == "print"
    assert post("accept")["ok"]
    command.join(timeout=20)
    assert done == [0]
    assert worst(shot, camera_from_table(shot.board, json.loads(out.read_text()), shot.image)) < 0.1


def test_the_simulated_camera_needs_no_calibration(capsys):
    assert cli.main(["calibrate", "simulated", "victorus"]) == 2
    assert "knows its board" in capsys.readouterr().err


def test_unspoilt_pictures_are_as_good_as_everyday_ones(shoot):
    assert remarks(shoot(troubles=unspoilt(), size=(1640, 1232))) == ()
