"""Boards that are found by their print, and points of a table file that are wrong."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion import cli
from companion.games import find_game
from companion.rules import BadInput, Board, Stroke, picture_of
from companion.sheets.contents import PrintOrder, sheets
from companion.simulation import render
from companion.simulation.dice_camera import SimulatedDiceCamera
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.simulation.tumbling_dice import SimulatedDice
from tests.checks.evenings import Evening, Plan
from tests.checks.recordings import recording
from vision.board import calibrate
from vision.board.calibrate import Camera, camera_from_table
from vision.board.confirm import confirmed_camera
from vision.board.facing import shows_print, ways_round
from vision.board.find import find_board
from vision.board.optics import CameraView, Optics, fit_view
from vision.board.printed_lines import lines_of, turned
from vision.decoding.opening import by_markers
from vision.dice.dicefind import find_dice
from vision.dice.single import apart_from_start
from vision.dice.traymat import tray_board
from vision.frames import Image

pytestmark = pytest.mark.opencv

GAMES = ("victorus", "invictus", "chess", "heximeros", "victory_honor")


class Shot:
    """A picture of the table of ``name``, and the camera that took it."""

    def __init__(self, name: str, bare: bool = False, **view: Any) -> None:
        trouble = Troubles(**{k: view.pop(k) for k in ("resting", "shadow", "lamp") if k in view})
        self.game = find_game(name)
        self.setup = self.game.setup()
        self.board = self.game.board(self.setup)
        position = dict(self.game.expect(self.game.start(self.setup)))
        self.men = {spot: picture_of(self.game, self.setup, t) for spot, t in position.items()}
        for move in view.pop("moves", ()):
            origin, target = move.split()
            position[target] = position.pop(origin)
        given = {"image_size": (1280, 960), "marks": "corners", "mat": "", **view}
        self.tilt = view.get("tilt", 0.0)
        near = fit_view(self.board, CameraView(**given))
        ticks = itertools.count()
        camera = SimulatedCamera(
            SimulatedTable(self.game, self.setup, {} if bare else position, seed=5),
            replace(near, distance=1.15 * near.distance), trouble, clock=lambda: next(ticks) / 10,
        )  # fmt: skip
        frame = camera.read()
        assert frame is not None
        assert frame.image is not None
        self.image, self.optics = frame.image, camera._optics()

    def find(self) -> tuple[Camera, ...]:
        return find_board(self.image, self.board, self.men)


WOOD, EBONY = (150, 190, 205), (45, 42, 48)


def carved(shot: Shot, lamp: float, black: tuple[int, int, int] = EBONY) -> Image:
    """A bare shot with turned men on it: a foot, and a head farther from the camera; the light
    falls off to one side by ``lamp``, in logarithms."""
    image, cell = shot.image.copy(), shot.board.pitch
    for spot in shot.men:
        at = shot.optics.project([shot.board[spot].centre])[0]
        x, y = shot.board[spot].centre
        wide = float(np.linalg.norm(shot.optics.project([(x + 0.3 * cell, y)])[0] - at))
        colour = WOOD if spot[1] in "12" else black
        for up, size in ((0.0, 1.0), (0.5, 0.6), (1.1, 0.7)):
            middle = np.round(at - (0, up * wide * shot.tilt / 20)).astype(int).tolist()
            cv2.circle(image, middle, int(size * wide), colour, -1, cv2.LINE_AA)
    light = np.exp(lamp * (np.linspace(0, 1, image.shape[1]) - 0.7))
    return np.clip(image * light[None, :, None], 0, 255).astype(np.uint8)


def off(board: Board, optics: Optics, camera: Camera) -> float:
    """How far the camera is off at any spot, in cells."""
    centres = np.array([spot.centre for spot in board.spots.values()])
    far = np.linalg.norm(camera.project(centres) - optics.project(centres), axis=1).max()
    return float(far / (camera.pixels_per_mm() * lines_of(board).cell))


@pytest.mark.thorough
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("tilt", "turn"), [pytest.param(3.0, 200.0, marks=pytest.mark.slow), (38.0, 77.0)]
)
def test_a_set_up_board_is_found_in_any_turn_and_lean(name: str, tilt: float, turn: float) -> None:
    shot = Shot(name, tilt=tilt, turn=turn)
    (camera,) = shot.find() or (None,)
    assert camera is not None
    assert off(shot.board, shot.optics, camera) < 0.15


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "ways"), [("chess", 2), ("invictus", 2), ("heximeros", 1), ("victory_honor", 1)]
)
def test_a_bare_board_is_found_and_only_what_it_does_not_tell_is_left_open(
    name: str, ways: int
) -> None:
    shot = Shot(name, bare=True, tilt=20.0, turn=140.0)
    found = shot.find()
    assert len(found) == ways
    assert min(off(shot.board, shot.optics, camera) for camera in found) < 0.15


@pytest.mark.slow
@pytest.mark.parametrize("name", ["invictus", "chess", "victory_honor"])
def test_the_art_of_a_printed_board_misleads_nobody_who_looks_for_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(name)
    (sheet,) = sheets(PrintOrder(game, game.setup()), ("board",))
    paper = 1.3 * sheet.box[2]
    square = ((-paper, -paper), (paper, -paper), (paper, paper), (-paper, paper))
    drawn = Stroke(square, fill="#f2f2f2"), *sheet.strokes
    monkeypatch.setattr(render, "printed", lambda board, view: iter(drawn))
    for bare in (True, False):
        shot = Shot(name, bare, tilt=32.0, turn=57.0)
        found = shot.find()
        assert min(off(shot.board, shot.optics, camera) for camera in found) < 0.15
        assert len(find_dice(shot.image)) == 0 or not bare


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["victorus", "chess"])
def test_a_hand_that_hides_a_part_of_the_board_is_no_matter(name: str) -> None:
    spot = {"victorus": "m5", "chess": "f4"}[name]
    shot = Shot(name, tilt=15.0, turn=30.0, resting=spot, shadow=0.4)
    found = shot.find()
    assert min(off(shot.board, shot.optics, camera) for camera in found) < 0.15


def test_a_mat_for_dice_is_found_by_its_zones() -> None:
    game = find_game("hoplomachus")
    setup = game.setup()
    mat = game.mat(setup)
    ticks = itertools.count()
    dice = SimulatedDice(mat, game.dice(game.start(setup)), seed=3)
    view = CameraView(image_size=(1280, 960), tilt=25.0, turn=100.0)
    camera = SimulatedDiceCamera(dice, view, clock=lambda: next(ticks) / 10)
    frame = camera.read()
    assert frame is not None
    assert frame.image is not None
    board = tray_board(mat.zones, mat.size, mat.side_mm)
    (found,) = find_board(frame.image, board, {})
    assert off(board, Optics(camera.view), found) < 0.1


@pytest.mark.slow
def test_a_board_of_another_game_is_not_taken_for_this_one() -> None:
    for name, other in itertools.permutations(("victorus", "invictus", "chess"), 2):
        shot, game = Shot(name, tilt=20.0), find_game(other)
        assert find_board(shot.image, game.board(game.setup()), {}) == ()


@pytest.mark.parametrize(("tilt", "turn", "lamp"), [(8.0, 250.0, 0.0), (33.0, 130.0, 1.0)])
def test_carved_men_tell_whose_side_is_which_whatever_their_shape(
    tilt: float, turn: float, lamp: float
) -> None:
    shot = Shot("chess", bare=True, tilt=tilt, turn=turn)
    image = carved(shot, lamp)
    (found,) = find_board(image, shot.board, shot.men)
    assert off(shot.board, shot.optics, found) < 0.2


def test_men_of_one_colour_leave_the_side_open() -> None:
    shot = Shot("chess", bare=True, tilt=20.0, turn=30.0)
    assert len(find_board(carved(shot, 1.0, black=WOOD), shot.board, shot.men)) == 2


def test_whose_side_is_which_is_told_where_a_file_is_beyond_the_picture() -> None:
    shot = Shot("chess", bare=True, tilt=10.0)
    files = [shot.board[spot].centre for spot in ("g1", "h1", "g8", "h8")]
    edge = round(float(shot.optics.project(files)[:, 0].mean()))
    image, lines = carved(shot, 0.0), lines_of(shot.board)
    (camera,) = find_board(image, shot.board, shot.men)
    part = image[:, :edge]
    camera = Camera(camera.homography, (edge, image.shape[0]))
    assert ways_round(part, shot.board, camera, lines, shot.men) == (0,)


def test_a_grid_half_as_high_as_the_cells_shows_no_print() -> None:
    shot = Shot("chess", bare=True, tilt=10.0)
    image, lines = carved(shot, 0.0), lines_of(shot.board)
    (camera,) = find_board(image, shot.board, shot.men)
    half = Camera(camera.homography @ np.diag([1, 0.5, 1.0]), camera.size, camera.lens)
    assert shows_print(image, shot.board, camera, lines)
    assert not shows_print(image, shot.board, half, lines)


@pytest.mark.thorough
def test_where_no_board_is_none_is_found() -> None:
    game, chance = find_game("chess"), np.random.default_rng(3)
    board = game.board(game.setup())
    noise = chance.integers(0, 255, (480, 640, 3)).astype(np.uint8)
    stripes = np.zeros((480, 640, 3), np.uint8)
    stripes[::40, :] = stripes[:, ::40] = 255
    for image in (np.full((480, 640, 3), 128, np.uint8), noise, stripes):
        assert find_board(image, board, {}) == ()


def test_a_board_of_which_a_side_is_hidden_is_not_guessed_at() -> None:
    """A row of squares fewer fits in two places."""
    shot = Shot("chess", bare=True, tilt=0.0, turn=0.0, roll=0.0)
    image = shot.image.copy()
    x = shot.optics.project([(-150.0, 0.0)])[0][0]
    image[:, : round(float(x))] = 90
    assert find_board(image, shot.board, {}) == ()


# -- points of a table file ----------------------------------------------------------


def corners_of(shot: Shot, cells: tuple[float, float] = (0.0, 0.0)) -> dict[str, Any]:
    """A table file whose points are all that many cells beside their places."""
    board, by = shot.board, np.array(cells) * lines_of(shot.board).cell
    spots = [*board.spots.values()][:: len(board.spots) // 7]
    field, at = ("corners", dict(board.corners)) if board.corners else (
        "taps", {spot.name: spot.centre for spot in spots})  # fmt: skip
    pixels = shot.optics.project(np.array(list(at.values())) + by)
    return {field: {name: list(map(float, p)) for name, p in zip(at, pixels, strict=True)}}


@pytest.fixture(scope="module", params=["chess", "victorus", "invictus"])
def laid(request: Any) -> Shot:
    return Shot(request.param, tilt=22.0, turn=8.0)


@pytest.mark.thorough
@pytest.mark.parametrize("cells", [(0.0, 0.0), (0.25, -0.1), (-0.2, 0.28)])
def test_points_a_quarter_of_a_cell_off_are_put_right(
    laid: Shot, cells: tuple[float, float]
) -> None:
    camera = confirmed_camera(laid.image, laid.board, corners_of(laid, cells))
    assert off(laid.board, laid.optics, camera) < 0.15


@pytest.mark.thorough
@pytest.mark.parametrize(("cells", "count"), [((1.0, 0.0), "1"), ((0.0, -2.0), "2")])
def test_points_that_are_cells_away_are_said_with_how_far(
    cells: tuple[float, float], count: str
) -> None:
    shot = Shot("chess", tilt=22.0, turn=8.0)
    with pytest.raises(BadInput, match=rf"corners .* wrong by up to {count}\S* cells.*calibrate"):
        confirmed_camera(shot.image, shot.board, corners_of(shot, cells))


def test_markers_seen_where_no_camera_can_see_their_board_do_not_find_it(
    laid: Shot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else was taken for one of them: the horizon runs through the board."""
    rows = [[-12.3, 50.1, -9334.4], [-12.7, 37.2, 12150.1], [-0.0091, 0.099, 1.0]]
    astray = Camera(np.array(rows), (1280, 960))
    monkeypatch.setattr(calibrate, "camera_from_markers", lambda *_: astray)
    with pytest.raises(BadInput, match="the markers of the table file are mirrored or mixed up"):
        confirmed_camera(laid.image, laid.board, {"markers": {}})
    assert by_markers(laid.image, laid.board, {"markers": {}}, {}) is None


def test_mirrored_points_are_said(laid: Shot) -> None:
    table = corners_of(laid)
    (points,) = table.values()
    mirrored = {next(iter(table)): {name: [1280 - x, y] for name, (x, y) in points.items()}}
    with pytest.raises(BadInput, match="mirrored or mixed up"):
        confirmed_camera(laid.image, laid.board, mirrored)


def turned_points(shot: Shot, turn: int) -> dict[str, Any]:
    """The table file of ``shot`` as of one who stood elsewhere round the board."""
    lines = lines_of(shot.board)
    by = turned(
        camera_from_table(shot.board, corners_of(shot), shot.image), lines, turn / lines.fold
    )
    (field, points), at = next(iter(corners_of(shot).items())), shot.board
    where = {s: at.corners[s] if at.corners else at[s].centre for s in points}
    pixels = by.project(np.array(list(where.values())))
    return {field: {name: list(map(float, p)) for name, p in zip(where, pixels, strict=True)}}


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_points_given_from_another_side_of_the_set_up_board_are_said(laid: Shot, turn: int) -> None:
    with pytest.raises(BadInput, match="the pieces stand on other sides of the board than the"):
        confirmed_camera(laid.image, laid.board, turned_points(laid, turn), lambda: laid.men)


@pytest.mark.parametrize("lamp", [0.0, 1.0])
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_corners_given_from_another_side_are_said_by_carved_men(lamp: float, turn: int) -> None:
    shot = Shot("chess", bare=True, tilt=22.0, turn=8.0)
    image = carved(shot, lamp)
    confirmed_camera(image, shot.board, corners_of(shot), lambda: shot.men)
    with pytest.raises(BadInput, match="the pieces stand on other sides of the board than the"):
        confirmed_camera(image, shot.board, turned_points(shot, turn), lambda: shot.men)


def test_a_bare_board_speaks_against_no_points(laid: Shot) -> None:
    bare = Shot(laid.game.name, bare=True, tilt=22.0, turn=8.0)
    assert confirmed_camera(bare.image, bare.board, turned_points(bare, 2), lambda: bare.men)


def test_pieces_of_unknown_art_speak_against_no_points() -> None:
    evening = Evening(find_game("invictus"), Plan(511, (1280, 960), "corners", art="round"))
    frame = evening.read()
    assert frame is not None
    assert frame.image is not None
    game, setup = find_game("invictus"), evening.setup
    men = {s: picture_of(game, setup, t) for s, t in game.expect(game.start(setup)).items()}
    assert confirmed_camera(
        frame.image, game.board(setup), evening.camera.table_file(), lambda: men
    )


def test_points_outside_the_picture_are_said(laid: Shot) -> None:
    table = corners_of(laid)
    (points,) = table.values()
    outside = {next(iter(table)): {name: [x + 1280, y] for name, (x, y) in points.items()}}
    with pytest.raises(BadInput, match="outside the picture"):
        confirmed_camera(laid.image, laid.board, outside)


@pytest.mark.slow
def test_a_picture_without_the_board_is_said(laid: Shot) -> None:
    wood = np.random.default_rng(5).integers(90, 130, laid.image.shape).astype(np.uint8)
    with pytest.raises(BadInput, match="does not show it"):
        confirmed_camera(wood, laid.board, corners_of(laid))


@pytest.mark.parametrize("seed", [3, 6])
def test_a_picture_full_of_edges_that_are_no_board_is_said(seed: int) -> None:
    chance, game = np.random.default_rng(seed), find_game("chess")
    shelf = np.full((960, 1280, 3), 200, np.uint8)
    for _ in range(400):
        x, y = chance.integers(0, 1280), chance.integers(0, 960)
        width, height = chance.integers(20, 160, 2)
        shelf[y : y + height, x : x + width] = chance.integers(0, 255, 3)
    image: Image = np.asarray(cv2.GaussianBlur(shelf, (0, 0), 1.0), np.uint8)
    corners = {"a8": [250, 80], "h8": [1030, 80], "h1": [1030, 860], "a1": [250, 860]}
    with pytest.raises(BadInput, match="does not show it"):
        confirmed_camera(image, game.board(game.setup()), {"corners": corners})


@pytest.mark.slow
def test_wrong_corners_of_a_photograph_are_an_error_of_look_and_of_replay(
    tmp_path: Any, capsys: Any
) -> None:
    shot = Shot("chess", tilt=22.0, turn=8.0, bare=True)
    (tmp_path / "game").mkdir()
    cv2.imwrite(str(tmp_path / "game" / "0000.jpg"), shot.image)
    table = {"game": "chess", "seats": ["white", "black"], **corners_of(shot, (1.5, 1.0))}
    file = tmp_path / "game" / "table.json"
    file.write_text(json.dumps(table))
    for words in (
        ["look", str(tmp_path / "game" / "0000.jpg"), "--table", str(file)],
        ["replay", str(tmp_path / "game"), "--json"],
    ):
        assert cli.main(words) == 2
        said = capsys.readouterr()
        assert "the picture shows the board elsewhere" in said.err
        assert "empty" not in said.out


# -- the set-up in one photograph ----------------------------------------------------


@pytest.mark.parametrize("moves", [(), ("e2 e4",), ("g1 f3", "d7 d5"), ("a2 a3", "h7 h6", "b1 c3")])
def test_a_set_up_is_called_so_only_if_nobody_moved(
    moves: tuple[str, ...], tmp_path: Any, capsys: Any
) -> None:
    shot = Shot("chess", tilt=8.0, turn=2.0, moves=moves)
    cv2.imwrite(str(tmp_path / "photo.png"), shot.image)
    table = {"game": "chess", "seats": ["white", "black"], **corners_of(shot, (0.1, 0.1))}
    (tmp_path / "photo.table.json").write_text(json.dumps(table))
    assert cli.main(["look", str(tmp_path / "photo.png"), "--json"]) == 0
    said = capsys.readouterr()
    position = json.loads(said.out)["position"]
    if not moves:
        assert position == "start"
        assert said.err == ""
        return
    bare, taken = (sorted(move.split()[end] for move in moves) for end in (0, 1))
    assert f"bare: {', '.join(bare)}; taken: {', '.join(taken)}" in said.err
    assert set(taken) <= position.keys()
    assert not set(bare) & position.keys()


# -- photographs of real tables ------------------------------------------------------


@pytest.mark.slow
def test_chess_boards_of_other_makers_are_found_on_photographs() -> None:
    folder = recording("real/chess")
    truth = {
        folder / name: np.array(told["corners_px"], float)
        for name, told in json.loads((folder / "stills_ground_truth.json").read_text()).items()
    }
    more = json.loads((folder / "stills" / "truth.json").read_text())
    for name, told in more.items():
        corners = told["table"]["corners"]
        truth[folder / "stills" / name] = np.array([corners[n] for n in ("a8", "h8", "h1", "a1")])
    game = find_game("chess")
    board = game.board(game.setup())
    outer = np.array(list(board.corners.values()))
    assert len(truth) == 22
    for photograph, corners in truth.items():
        image: Image = np.asarray(cv2.imread(str(photograph)), np.uint8)
        cell = np.linalg.norm(np.roll(corners, 1, 0) - corners, axis=1).mean() / 8
        found = find_board(image, board, {})
        assert found, photograph.name
        seen = found[0].project(outer)
        far = [np.linalg.norm(np.roll(seen, k, 0) - corners, axis=1).max() for k in range(4)]
        # The truth was tapped, to a quarter of a square or so.
        assert min(far) / cell < 0.3, photograph.name


# -- the command ---------------------------------------------------------------------


def test_the_command_finds_the_board_by_its_print(tmp_path: Any, capsys: Any) -> None:
    shot = Shot("chess", tilt=12.0, turn=250.0)
    cv2.imwrite(str(tmp_path / "board.png"), shot.image)
    out = tmp_path / "table.json"
    assert cli.main(["calibrate", str(tmp_path / "board.png"), "chess", "--out", str(out)]) == 0
    assert "found by its print" in capsys.readouterr().out
    camera = camera_from_table(shot.board, json.loads(out.read_text()), shot.image)
    assert off(shot.board, shot.optics, camera) < 0.15


@pytest.mark.slow
def test_a_hand_that_moves_over_several_pictures_is_looked_through(
    tmp_path: Any, capsys: Any
) -> None:
    shot, chance = Shot("chess", tilt=10.0, turn=15.0), random.Random(2)
    for number in range(5):
        image, x = shot.image.copy(), 200 + 200 * number + chance.randrange(30)
        cv2.rectangle(image, (x - 120, 0), (x + 120, 960), (120, 150, 190), -1)
        cv2.imwrite(str(tmp_path / f"{number:04d}.png"), image)
    out = tmp_path / "table.json"
    assert cli.main(["calibrate", str(tmp_path), "chess", "--out", str(out)]) == 0
    camera = camera_from_table(shot.board, json.loads(out.read_text()), shot.image)
    assert off(shot.board, shot.optics, camera) < 0.15


def test_what_differs_from_the_set_up_is_told_only_where_something_does() -> None:
    game = find_game("invictus")
    setup = game.setup()
    dice = dict(game.expect(game.start(setup)))
    assert apart_from_start(game, setup, dice) is None
    moved = {("b4" if spot == "b3" else spot): die for spot, die in dice.items()}
    assert apart_from_start(game, setup, moved) == (("b3",), ("b4",))
