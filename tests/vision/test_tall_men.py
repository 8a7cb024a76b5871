"""Tall men hide spots behind them and throw shadows: what that makes of a picture is no move."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.cli import main
from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera
from companion.simulation.troubles import Troubles
from tests.checks.carved import CARVED
from tests.checks.evenings import Plan
from tests.checks.recordings import recording
from tests.soak.soak_vision import run
from tests.vision.test_chess_reader import STILLS, Scene
from vision.board.calibrate import Camera
from vision.board.optics import CameraView, fit_view
from vision.decoding.reader import Reader
from vision.eyes.body_eye import BodyEye
from vision.frames import Frame
from vision.tokens.arms import reaching_in
from vision.tokens.bodies import Bodies, Settled
from vision.tokens.body_sight import BodyObservation
from vision.tokens.ground import DISC, Ground
from vision.tokens.kinds import BARE, Kinds
from vision.tokens.observe import CLEAR
from vision.tokens.shadows import Shadows
from vision.tokens.silhouettes import Silhouettes
from vision.watching.motion import PATIENCE

GAME: Any = find_game("chess")
BOARD = GAME.board(GAME.setup())
SIZE = (1000, 800)


def camera(south: float, high: float) -> Camera:
    """Return a camera ``high`` millimetres over the table and ``south`` of the board's middle, that
    looks at that."""
    focal, away = 900.0, np.hypot(south, high)
    tilt_sin, tilt_cos = south / away, high / away
    seen = np.array([[1, 0, 0], [0, tilt_cos, 0], [0, -tilt_sin, away]])
    middle = np.array([[focal, 0, 499.5], [0, focal, 399.5], [0, 0, 1]])
    return Camera(middle @ seen, SIZE)


def silhouettes(south: float) -> tuple[Silhouettes, Ground]:
    ground = Ground(BOARD, camera(south, 800.0))
    return Silhouettes(BOARD, ground.camera, ground.places()), ground


def test_a_tall_man_hides_the_spot_behind_him_from_a_camera_that_leans() -> None:
    shapes, _ = silhouettes(south=500.0)
    assert shapes.hidden("e4", "e5", 1.65).mean() > 0.6
    assert not shapes.hidden("e4", "e3", 1.65).any()
    assert not shapes.hidden("e4", "d4", 1.65).any()


def test_a_low_man_hides_less_than_a_tall_one() -> None:
    shapes, _ = silhouettes(south=500.0)
    low, tall = (shapes.hidden("e4", "e5", height).sum() for height in (0.85, 1.65))
    assert low < tall


def test_from_straight_above_nothing_is_hidden_near_the_middle() -> None:
    shapes, _ = silhouettes(south=0.0)
    assert not any(shapes.hidden("e4", spot, 1.65).any() for spot in ("e5", "d4", "e3", "f4"))


@pytest.mark.parametrize("tall", [0.9, 1.3, 2.0])
def test_how_high_a_man_stands_is_told_by_how_far_behind_him_the_board_changes(tall: float) -> None:
    shapes, ground = silhouettes(south=500.0)
    points = ground.grid[ground.on_board & ground.valid]
    changed = shapes.covers("e3", tall, points)
    seen = shapes.height("e3", points, changed, 2.6)
    assert seen is not None
    assert abs(seen - tall) < 0.15 * tall


def test_how_high_he_stands_is_not_told_where_his_head_is_not_seen_against_the_board() -> None:
    shapes, ground = silhouettes(south=500.0)
    points = ground.grid[ground.on_board & ground.valid]
    near = points[shapes.covers("e3", 0.7, points)]
    assert shapes.height("e3", near, np.ones(len(near), bool), 2.6) is None
    above, _ = silhouettes(south=0.0)
    assert above.height("e4", points, above.covers("e4", 1.3, points), 2.6) is None


def drawn(shapes: Silhouettes, ground: Ground, table: dict[str, str], factor: float = 1.0) -> Any:
    """Return a picture, in logarithms of light, in which the men of ``table`` stand, ``factor``
    times as high as the game says."""
    shown = np.zeros((*ground.grid.shape[:2], 3), np.float32)
    for spot in reversed(shapes.order):
        if spot in table:
            tall = factor * (GAME.look(table[spot]).height or 1.0)
            light = 0.8 if table[spot].startswith("white") else -0.8
            shown[shapes.covers(spot, tall, ground.grid)] = light
    return shown


@pytest.mark.parametrize(("factor", "known"), [(1.35, 1.35), (0.7, 1.0)])
def test_a_set_higher_than_the_game_says_is_known_by_men_who_moved(
    factor: float, known: float
) -> None:
    shapes, ground = silhouettes(south=500.0)

    table = dict(GAME.expect(GAME.start(GAME.setup())))
    said = GAME.look("white P").height
    bodies = Bodies(BOARD, ground, GAME.look, drawn(shapes, ground, table, factor), table)
    assert bodies.tall("white P") == said
    for move in ("e2-e4", "a7-a5", "b2-b4", "h7-h5", "d2-d4", "g7-g5"):
        origin, _, target = move.partition("-")
        table[target] = table.pop(origin)
        picture = drawn(shapes, ground, table, factor)
        bodies.settle(Settled(picture, picture, dict(table), ground.valid))
    assert bodies.tall("white P") == pytest.approx(known * said, rel=0.12)


def test_men_are_judged_from_the_lens_on() -> None:
    shapes, _ = silhouettes(south=500.0)
    ranks = [int(spot[1]) for spot in shapes.order]
    assert ranks[0] == 1
    assert ranks[-1] == 8
    assert shapes.before("e5", 1.65) == ("e4",)


@pytest.mark.parametrize("spots", [("e8", "f8", "g8", "h8"), ("a8", "b8", "c8", "d8", "e8")])
def test_heads_of_men_on_the_last_rank_stand_out_over_the_rim_and_are_no_arm(
    spots: tuple[str, ...],
) -> None:
    shapes, ground = silhouettes(south=500.0)
    table = np.zeros((*ground.grid.shape[:2], 3), np.float32)
    changed, men = table.copy(), np.any([shapes.covers(s, 1.65, ground.grid) for s in spots], 0)
    changed[men] = 0.8
    assert changed[ground.rim].any()
    x, y = BOARD[spots[0]].centre
    beside = np.abs(ground.grid - (x, y + 0.6 * BOARD.pitch)) < 0.3 * BOARD.pitch
    changed[beside.all(-1)] = 0.8
    seen = ground, [changed], [changed], changed, table, men, np.zeros_like(men)
    assert not reaching_in(*seen), "what is left of them reaches no rim"
    arm = np.abs(ground.grid[..., 0] - x) < 1.5 * BOARD.pitch
    changed[arm & (ground.grid[..., 1] < y)] = 0.8
    assert reaching_in(*seen)


def test_moves_that_begin_and_end_where_nothing_is_seen_are_thought_of_beside_others() -> None:
    shapes, ground = silhouettes(south=900.0)
    table = dict(GAME.expect(GAME.start(GAME.setup())))
    picture = drawn(shapes, ground, table)
    bodies = Bodies(BOARD, ground, GAME.look, picture, table)
    after = {**table, "a5": table["a7"]}
    del after["a7"]
    seen = BodyObservation(bodies, ground, drawn(shapes, ground, after), table)
    changed = frozenset(seen.changed)
    assert "a7" in changed
    assert seen.hidden
    ends = seen.other_ends(changed)
    assert seen.hidden - changed <= ends
    assert not ends & changed


@pytest.mark.parametrize("spot", ["e5", "b4", "g5"])
def test_nobody_came_to_a_spot_behind_which_the_board_is_seen_as_before(spot: str) -> None:
    shapes, ground = silhouettes(south=900.0)
    table = dict(GAME.expect(GAME.start(GAME.setup())))
    bodies = Bodies(BOARD, ground, GAME.look, drawn(shapes, ground, table), table)
    came = BodyObservation(bodies, ground, drawn(shapes, ground, {**table, spot: "black P"}), table)
    flat = drawn(shapes, ground, table)
    off = np.linalg.norm(ground.grid - BOARD[spot].centre, axis=-1)
    flat[off < DISC * BOARD.pitch] = -0.8
    lies = BodyObservation(bodies, ground, flat, table)
    assert came.error(spot, "black P") < CLEAR / 2 < came.error(spot, None)
    assert lies.error(spot, "black P") > came.error(spot, "black P") + CLEAR / 2


def test_who_came_by_what_was_told_elsewhere_is_not_held_against_the_picture_without_him() -> None:
    shapes, ground = silhouettes(south=500.0)
    table = dict(GAME.expect(GAME.start(GAME.setup())))
    bodies = Bodies(BOARD, ground, GAME.look, drawn(shapes, ground, table), table)
    told = {**table, "e4": "white P"}
    del told["e2"]
    seen = BodyObservation(bodies, ground, drawn(shapes, ground, told), told)
    assert not {"e2", "e4"} & {*seen.changed}
    assert not {"e2", "e4"} & seen.unsure()
    del told["e4"]
    bodies.settle(
        Settled(picture := drawn(shapes, ground, told), picture, dict(told), ground.valid)
    )
    back = {**told, "e4": "white P"}
    moved = drawn(shapes, ground, back)
    disc = np.linalg.norm(ground.grid - BOARD["e4"].centre, axis=-1) < DISC * BOARD.pitch
    moved[disc] += 0.05
    assert "e4" not in BodyObservation(bodies, ground, moved, back).unsure()


@pytest.mark.parametrize("way", [(1.2, 0.3), (-0.8, 0.8), (0.0, -1.5)])
def test_which_way_shadows_fall_is_learned_from_one_man_who_moved(way: tuple[float, float]) -> None:
    ground = Ground(BOARD, camera(0.0, 800.0))
    places = ground.places().reshape(-1, 2)
    foot, pitch = np.array(BOARD["e4"].centre), BOARD.pitch
    along = np.linspace(0, 1, 30)[:, None] * np.array(way) * pitch
    darker = np.zeros(len(places))
    for point in foot + along:
        darker[np.linalg.norm(places - point, axis=1) < 0.25 * pitch] = 0.3
    shadows = Shadows(pitch)
    assert not shadows.covers(BOARD["e4"].centre, 1.0, places).any()
    shadows.learn([(BOARD["e4"].centre, 1.0)], [], places, darker)
    found = shadows.way / np.hypot(*shadows.way)
    assert found @ np.array(way) / np.hypot(*way) > 0.95
    there = (foot + 0.8 * pitch * np.array(way) / np.hypot(*way))[None]
    assert shadows.covers(BOARD["e4"].centre, 1.0, there).all()


def test_no_shadow_is_expected_where_none_was_seen() -> None:
    ground = Ground(BOARD, camera(0.0, 800.0))
    places = ground.places().reshape(-1, 2)
    shadows = Shadows(BOARD.pitch)
    shadows.learn([(BOARD["e4"].centre, 1.0)], [], places, np.zeros(len(places)))
    assert not shadows.covers(BOARD["e4"].centre, 1.0, places).any()


def beside(scene: Scene, image: Any, colour: tuple[int, int, int]) -> Any:
    """Return ``image`` with something of this colour beside the board, from the rim up to it."""
    changed, edge = image.copy(), scene.reader.camera
    assert edge is not None
    left = int(edge.project([(BOARD.bounds[0] - 12.0, 0.0)])[0, 0])
    assert left > 20
    changed[80:280, :left] = colour
    return changed


@pytest.mark.parametrize("colour", [(20, 20, 20), (60, 90, 200), (230, 230, 230)])
def test_what_changes_beside_the_board_never_keeps_a_still_table_from_being_read(
    colour: tuple[int, int, int],
) -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.play("e2-e4")
    scene.watch()
    scene.play("e7-e5")
    frame = next(frame for frame in scene.frames() if not scene.camera.busy)
    image = beside(scene, frame.image, colour)
    reading = scene.reader.read(Frame(image, 9.0, "beside"), tuple(scene.past))
    assert reading.still
    assert [str(step.action) for step in reading.steps] == ["e7-e5"]


def reached_for(scene: Scene, image: Any, spot: str, light: float) -> Any:
    """Return ``image`` with something over it that reaches in from the rim to ``spot``, as bright
    as the table times ``light``."""
    changed, camera = image.astype(np.float32), scene.reader.camera
    assert camera is not None
    x, y = (int(v) for v in camera.project([BOARD[spot].centre])[0])
    wide = int(0.6 * BOARD.pitch * camera.pixels_per_mm())
    changed[y - wide : y + wide, x:] *= light
    return np.clip(changed, 0, 255).astype(np.uint8)


@pytest.mark.thorough
@pytest.mark.parametrize("light", [0.3, 0.6, 1.5])
def test_a_move_is_not_told_while_something_reaches_in_to_the_man(light: float) -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.play("h2-h4")
    frame = next(frame for frame in scene.frames() if not scene.camera.busy)
    image = reached_for(scene, frame.image, "h4", light)
    reading = scene.reader.read(Frame(image, 9.0, "hand"), tuple(scene.past))
    assert not reading.still
    assert reading.steps == ()
    scene.watch()
    assert scene.told == ["h2-h4"]


def test_a_large_thing_that_stays_is_read_round_at_the_second_picture() -> None:
    scene = Scene(STILLS)
    scene.watch()
    image = next(scene.frames()).image
    assert image is not None
    covered = image.copy()
    covered[100:260, 150:320] = (90, 120, 170)
    first, second = (
        scene.reader.read(Frame(covered, at, str(at)), tuple(scene.past)) for at in (5.0, 8.0)
    )
    assert not first.still
    assert second.still
    assert second.steps == ()


@pytest.mark.parametrize(("every", "until"), [(0.125, PATIENCE), (STILLS, STILLS)])
def test_what_lies_still_for_long_is_no_hand_though_nothing_new_is_seen(
    every: float, until: float
) -> None:
    scene = Scene(STILLS)
    scene.watch()
    image, table = next(scene.frames()).image, scene.game.expect(scene.past[-1])
    assert scene.reader.camera is not None
    first = Frame(image, 0.0, "first")
    eye = BodyEye(scene.reader.board, scene.reader.camera, first, scene.game.look, table)
    for at in (every * count for count in range(1, 24)):
        glance = eye.look(Frame(image, at, str(at)), table)
        assert (glance.changed, glance.rests) == ((), at >= until)


def test_what_looks_like_nothing_known_speaks_for_nobody() -> None:
    kinds, noise = Kinds(), np.random.default_rng(3)
    for body, light in ((BARE, 0.0), ("white", 0.9), ("black", -0.9)):
        for _ in range(12):
            look = np.array([light, 0.0, 0.0, -2.0, -3.0, light], np.float32)
            kinds.learn(body, "#888888", look + noise.normal(0, 0.02, 6).astype(np.float32))
    paper = np.array([0.4, 1.5, -1.5, -4.0, -5.0, 0.4], np.float32)
    own, strange = (
        kinds.nats("#888888", [look])
        for look in (np.array([0.9, 0, 0, -2, -3, 0.9], np.float32), paper)
    )
    assert own["white"] == 0.0
    assert max(own[BARE], own["black"]) < -10
    assert len({round(value, 3) for value in strange.values()}) == 1
    assert -10 < strange[BARE] < -3


@pytest.mark.slow
def test_a_cup_laid_over_a_man_and_the_rim_is_no_refused_move() -> None:
    score = run("chess", Plan(61005, art=CARVED), 17)
    assert (score.counts["false"], score.counts["wrong"]) == (0, 0)
    assert score.counts["actions"] >= 16


def test_a_spoilt_first_picture_is_made_good_by_the_next() -> None:
    scene = Scene(STILLS)
    image = next(scene.frames()).image
    assert image is not None
    spoilt = image.copy()
    spoilt[: len(image) // 3, :, 0] = np.minimum(spoilt[: len(image) // 3, :, 0] + 90.0, 255)
    scene.reader.read(Frame(spoilt, 0.0, "spoilt"), tuple(scene.past))
    scene.watch()
    scene.play("g1-f3")
    scene.watch()
    assert scene.told == ["g1-f3"]


def test_light_that_falls_another_way_is_no_move() -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.play("e2-e4")
    scene.watch()
    scene.camera.troubles = replace(scene.camera.troubles, lamp=0.6, gradient=0.4, warmth=0.7)
    reading = scene.watch()
    assert reading.still
    scene.play("e7-e5")
    scene.watch()
    assert scene.told == ["e2-e4", "e7-e5"]


def smeared(scene: Scene, image: Any, *spots: str) -> Any:
    """Return ``image`` with something dark over the middles of ``spots``."""
    changed, camera = image.copy(), scene.reader.camera
    assert camera is not None
    wide = int(0.3 * BOARD.pitch * camera.pixels_per_mm())
    for x, y in camera.project([BOARD[spot].centre for spot in spots]).astype(int):
        changed[y - wide : y + wide, x - wide : x + wide] = (40, 60, 80)
    return changed


@pytest.mark.thorough
@pytest.mark.parametrize("spots", [("d3", "d4"), ("d4", "e4"), ("d6", "a2")])
def test_with_a_picture_that_was_not_understood_no_later_one_is_compared(
    spots: tuple[str, ...],
) -> None:
    scene = Scene(STILLS)
    scene.watch()
    image = smeared(scene, next(scene.frames()).image, *spots)
    assert scene.reader.read(Frame(image, 5.0, "spoilt"), tuple(scene.past)).steps == ()
    scene.play("d2-d4")
    scene.watch()
    scene.play("d7-d6")
    scene.watch()
    assert scene.told == ["d2-d4", "d7-d6"]


@pytest.mark.parametrize("move", ["c8-d8", "d7-e8", "a1-h1", "a7-c7"])
def test_a_man_who_takes_one_of_his_own_side_is_refused_by_name(move: str) -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.play(move)
    scene.watch()
    assert scene.told == [f"{move} refused"]
    assert (scene.reader.why(scene.watch()).verdict) == "calm"


COLOURS = [(255, 255, 255), (0, 255, 0), (255, 160, 0)]


@pytest.mark.thorough
@pytest.mark.parametrize("colour", COLOURS)
def test_lights_under_bare_squares_are_no_men(colour: tuple[int, int, int]) -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.camera._glow = lambda at: dict.fromkeys(("c5", "d4", "e5", "e3", "f6"), colour)
    assert scene.watch().position == scene.game.expect(scene.past[-1])
    scene.play("d2-d4")
    scene.watch()
    scene.camera._glow = lambda at: {}
    scene.play("e7-e5")
    scene.watch()
    assert scene.told == ["d2-d4", "e7-e5"]


@pytest.mark.slow
@pytest.mark.parametrize("move", ["e2-e4", "g1-f3", "b8-c6"])
def test_one_move_away_from_the_set_up_is_said_by_both_its_spots(move: str) -> None:
    scene = Scene(STILLS)
    scene.play(move)
    reading = scene.watch()
    assert reading.differs == tuple(sorted(move.split("-")))
    assert "is missing from" in str(reading.message)
    assert "is not bare" in str(reading.message)
    scene.play("a2-a3")
    scene.watch()
    assert scene.told == ["a2-a3"]


def test_no_two_men_of_one_colour_are_seen_to_change_places() -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.camera.table.nudge("b1", 8.0, 6.0, 0.0)
    scene.camera.table.nudge("b2", -8.0, 6.0, 0.0)
    reading = scene.watch()
    assert scene.told == []
    assert reading.position == scene.game.expect(scene.past[-1])


@pytest.mark.thorough
@pytest.mark.opencv
@pytest.mark.parametrize("name", ["chess-1", pytest.param("chess-2", marks=pytest.mark.slow)])
def test_recorded_games_of_carved_men_are_read_whole(name: str, capsys: Any) -> None:
    folder = recording(name)
    assert main(["replay", str(folder), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = json.loads((folder / "truth.json").read_text())
    truth = told if isinstance(told, list) else told["frames"]
    for line, entry in zip(lines, truth, strict=True):
        right = [(e["seat"], e["from"], e["to"], e["legal"]) for e in entry.get("events") or ()]
        actions = [(a["seat"], a["from"], a["to"], a["legal"]) for a in line["actions"]]
        assert (line["frame"], actions) == (entry["frame"], right)
        assert line["still"] == (entry["kind"] == "still")
        assert line["position"] == (entry["position"] if line["still"] else None)


def leant(turn: float) -> Scene:
    """Return the start of a game under a camera that leans by 35 degrees, from the side ``turn``,
    with men who stand as high as a square is wide."""
    scene = Scene(STILLS)
    table = scene.camera.table
    view = CameraView(image_size=(640, 480), marks="corners", tilt=35.0, turn=turn,
                      thickness=table.board.pitch)  # fmt: skip
    scene.camera = SimulatedCamera(
        table, fit_view(table.board, view), Troubles(hand_frames=0), clock=lambda: 0.0
    )
    scene.reader = Reader(scene.game, scene.game.setup(), scene.camera.table_file())
    scene.watch()
    return scene


def test_moves_from_and_to_hidden_squares_are_read() -> None:
    scene = leant(120.0)
    moves = ["h2-h3", "g8-f6", "g1-f3", "b8-c6", "e2-e3", "e7-e6", "f1-e2", "f8-e7"]
    for move in moves:
        scene.play(move)
        scene.watch()
    assert scene.told == moves


def test_of_a_man_whose_foot_is_hidden_his_head_tells_that_he_stays() -> None:
    scene = leant(0.0)
    for move in ("h2-h3", "g8-f6", "g1-f3", "b8-c6", "e2-e3", "e7-e6"):
        scene.play(move)
        scene.watch()
    # Every man behind e6 is hidden, and each of them might have gone there but for his head.
    assert scene.told[-1] == "e7-e6"
    assert not [told for told in scene.told if told.endswith("refused")]
