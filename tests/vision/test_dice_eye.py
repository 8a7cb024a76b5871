"""What the eye for dice looks at when something changed, under a steep camera."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.replay import replay
from companion.rules import Action
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.table import Table
from tests.checks.dice_evenings import DiceEvening
from tests.checks.evenings import Plan
from vision.board.optics import CameraView, fit_view
from vision.decoding.reader import Reader
from vision.dice.dice import DieReading
from vision.dice.dice_eye import DiceEye
from vision.dice.tabledice import AS_IT_WAS, ASTRAY, STRANGE, VEIL, Coat, DieSeen
from vision.frames import Frame
from vision.light.changes import GAMMA, linear
from vision.tokens.observe import CLEAR
from vision.watching.watching import Watching

GAME = find_game("invictus")
SETUP = GAME.setup()
START = GAME.start(SETUP)


def begun(
    tilt: float, size: tuple[int, int] = (640, 480), tidy: float = 1.0
) -> tuple[SimulatedTable, SimulatedCamera, Reader[Any]]:
    """Return a ``tidy`` table, its camera at a ``tilt`` in degrees, and a reader that knows
    both."""
    table = SimulatedTable(GAME, SETUP, GAME.expect(START), seed=3, tidy=tidy)
    view = fit_view(table.board, CameraView(image_size=size, tilt=tilt))
    camera = SimulatedCamera(table, view, Troubles(hand_frames=0), clock=lambda: 0.0)
    reader = Reader(GAME, SETUP, camera.table_file())
    reader.read(Frame(camera.read().image, 0.0, "0"), (START,))
    return table, camera, reader


def play(table: SimulatedTable, state: Any, way: str) -> Action:
    """Make the legal move of this ``way`` on the ``table``, and return it."""
    move = next(a for a in GAME.legal(state) if str(a) == way)
    table.move(str(move.origin), str(move.target))
    return move


def still(camera: SimulatedCamera, at: float) -> Frame:
    """Return the next picture in which nothing moves, as of ``at``."""
    while True:
        frame = camera.read()
        if not camera.busy:
            return Frame(frame.image, at, str(at))


def test_a_spot_is_looked_at_when_only_the_top_seen_over_another_one_changed():
    table, camera, reader = begun(tilt=36.0)
    eye, standing = reader._eye, GAME.expect(START)
    seen_over = {spot: table.board.nearest(eye._dice.over(spot)).name for spot in standing}
    eye.look(Frame(camera.read().image, 1.0, "1"), standing)
    spot = next(spot for spot, over in seen_over.items() if spot != over)
    body, value = standing[spot].split()
    table.flip(spot, f"{body} {7 - int(value)}")
    assert spot in eye.look(still(camera, 2.0), standing).changed


@pytest.mark.slow
def test_dice_that_a_shove_carried_out_of_the_picture_are_not_gone():
    _, camera, reader = begun(tilt=10.0)
    camera.troubles = Troubles(hand_frames=0, bump_mm=(0.0, -60.0, 0.0))
    shoved = reader.read(Frame(camera.read().image, 1.0, "1"), (START,))
    beyond = reader._eye._beyond(reader.board.spots)
    assert {spot[1] for spot in beyond} >= {"9"}
    assert shoved.still
    assert shoved.position == GAME.expect(START)
    assert shoved.differs == ()
    seen = reader._eye.observe(beyond)
    assert all(seen.error(spot, GAME.expect(START).get(spot)) == 0 for spot in beyond)
    assert all(seen.error(spot, "black 6") > 0.1 for spot in beyond)


def test_a_move_from_a_square_out_of_the_picture_is_told_by_its_other_end() -> None:
    table, camera, reader = begun(tilt=10.0)
    past, at = [START], 1.0
    for way in ("a3-a4", "i7-h6", "b3-b4"):
        past.append(GAME.advance(past[-1], play(table, past[-1], way)))
        reader.read(still(camera, at := at + 1.0), past[:-1])
    camera.troubles = Troubles(hand_frames=0, bump_mm=(0.0, -75.0, 0.0))
    reader.read(Frame(camera.read().image, at := at + 1.0, "shoved"), past)
    beyond = Watching._beyond(reader._eye, reader.board.spots)
    assert "h8" in beyond
    assert "i8" not in beyond
    move = play(table, past[-1], "h8-i7")
    reading = reader.read(still(camera, at + 1.0), past)
    assert [step.action for step in reading.steps] == [move]


def test_a_die_that_went_out_of_the_picture_may_be_in_a_hand_until_the_next_one() -> None:
    table, camera, reader = begun(tilt=10.0)
    for at, by in enumerate((-55.0, -82.5, -110.0), 2):
        camera.troubles = Troubles(hand_frames=0, bump_mm=(by, 0.0, 0.0))
        reader.read(Frame(camera.read().image, float(at), "shoved"), (START,))
    assert "a4" in Watching._beyond(reader._eye, reader.board.spots)
    move = play(table, START, "b3-a4")
    assert not reader.read(still(camera, 6.0), (START,)).still
    assert [s.action for s in reader.read(still(camera, 7.0), (START,)).steps] == [move]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "kick"),
    [
        (491018, (-28.0, -12.0, 5.0)),
        (491024, (20.0, -29.0, -2.0)),
        pytest.param(491018, (20.0, -29.0, -2.0), marks=pytest.mark.slow),
        pytest.param(491024, (-28.0, -12.0, 5.0), marks=pytest.mark.slow),
    ],
)
def test_a_board_of_tall_dice_is_found_again_where_a_kick_makes_them_lean_another_way(
    seed: int, kick: tuple[float, float, float]
) -> None:
    evening = DiceEvening(Plan(seed))
    camera, state = evening.camera, evening.game.start(evening.setup)
    reader = Reader(evening.game, evening.setup, camera.table_file())
    camera.troubles = replace(camera.troubles, hand_frames=0)
    assert reader.read(still(camera, 1.0), (state,)).still
    camera.troubles = replace(camera.troubles, bump_mm=kick)
    kicked = reader.read(still(camera, 2.0), (state,))
    assert kicked.still
    assert kicked.position == evening.game.expect(state)
    assert not kicked.steps


@pytest.mark.slow
def test_fingers_that_a_settled_picture_showed_at_its_edge_are_no_hand_once_they_are_gone() -> None:
    evening = DiceEvening(Plan(98108))
    table = Table.create(Journal(":memory:"), evening.game, evening.setup)
    reader = Reader(evening.game, evening.setup, evening.camera.table_file())
    told = []
    for line in replay(evening, reader, table):
        told += [(action["from"], action["to"]) for action in line["actions"]]
        if evening.truth.frame.startswith("000012"):
            break
    assert evening.truth.kind == "still"
    assert line["position"] == evening.truth.position
    assert told[-1] == ("h2", "a6")


@pytest.mark.parametrize("strong", [0.5, 1.6])
def test_dice_that_lie_half_in_the_sun_are_told_by_their_pips(strong):
    _, camera, reader = begun(tilt=15.0)
    standing = GAME.expect(START)
    columns = sorted({spot[0] for spot in standing})[1:-1]
    assert columns
    for at, column in enumerate(columns):
        frame = still(camera, at + 1.0)
        over = [reader._eye._dice.over(spot) for spot in standing if spot[0] == column]
        edge = reader._eye.camera.project(over)[:, 0].mean()
        sun = np.clip(np.arange(frame.image.shape[1]) - edge, 0, 1)[None, :, None]
        linear = 0.35 * (frame.image / 255) ** 2.2 * (1 + strong * sun)
        image = np.round(255 * linear.clip(0, 1) ** (1 / 2.2)).astype(np.uint8)
        read = reader.read(replace(frame, image=image), (START,))
        seen = reader._eye.observe(standing)
        assert [spot for spot, token in standing.items() if seen.error(spot, token) > 0.05] == []
        assert not read.steps


@pytest.mark.slow
def test_a_hand_of_the_colour_of_the_table_is_seen_and_what_it_leaves_is_read() -> None:
    evening = DiceEvening(Plan(480022))
    table = Table.create(Journal(":memory:"), evening.game, evening.setup)
    reader = Reader(evening.game, evening.setup, evening.camera.table_file())
    waited, early, made, before = [], set(), set(), "still"
    for line in replay(evening, reader, table):
        made |= {(event["from"], event["to"]) for event in evening.truth.events}
        if evening.truth.kind == "hand":
            early |= {(action["from"], action["to"]) for action in line["actions"]}
            # A second picture that shows it alike is read round it.
            waited += [not line["still"]] if before == "still" else []
        before = evening.truth.kind
        if evening.truth.frame.startswith("000012"):
            break
    assert waited
    assert all(waited)
    assert early <= made, "a move that is whole may be told while the hand is there yet"
    assert evening.truth.kind == "still"
    assert line["still"]
    assert line["position"] == evening.truth.position


@pytest.mark.thorough
@pytest.mark.parametrize("way", [(0.33, 0.2), (-0.3, 0.3), (0.3, -0.3)])
def test_a_die_pushed_to_the_rim_of_its_spot_is_not_gone(way):
    table, camera, reader = begun(tilt=15.0)
    standing = GAME.expect(START)
    spot = next(spot for spot, token in standing.items() if token.endswith("3"))
    table.nudge(spot, *(part * table.board.pitch for part in way), degrees=30.0)
    pushed = reader.read(still(camera, 1.0), (START,))
    assert pushed.position == standing
    assert not pushed.steps


@pytest.mark.slow
def test_a_die_that_is_nudged_to_and_fro_on_its_spot_stays_there():
    table, camera, reader = begun(tilt=11.0, size=(1280, 960), tidy=0.7)
    ways = [(-0.42, 0), (0.84, 0), (-0.8, -0.15), (0.38, -0.25), (0, 0.8), (0.42, -0.2)]
    for at, way in enumerate(ways):
        table.nudge("b7", *(part * table.board.pitch for part in way), degrees=12.0)
        nudged = reader.read(still(camera, at + 1.0), (START,))
        assert nudged.position == GAME.expect(START)
        assert not nudged.steps


@pytest.mark.parametrize("glow", [(145, 255, 220), (250, 250, 224)], ids=["green", "white"])
def test_a_light_under_a_bare_spot_is_no_die_for_these_have_pips_of_another_colour(
    glow: tuple[float, float, float],
) -> None:
    common = DieReading(
        (1.0,) + (0.0,) * 5, 1.0, body=(110.0, 130.0, 140.0), ink=(40.0, 30.0, 30.0)
    )
    ivory = Coat.of([common] * 3)
    lit = replace(common, ink=glow)

    assert ivory.strangeness(common, AS_IT_WAS) < 0.1
    assert ivory.strangeness(lit, AS_IT_WAS) > ASTRAY - 0.1


@pytest.mark.parametrize("added", [0.005, 0.02, 0.04])
def test_a_lamp_mirrored_by_a_die_pales_its_pips_and_makes_no_stranger_of_it(added: float) -> None:
    common = DieReading((1 / 6,) * 6, 1.0, body=(34.0, 32.0, 30.0), ink=(200.0, 205.0, 210.0))
    ebony = Coat.of([common] * 3)
    body, ink = (
        255 * (linear(np.array(c)) + added) ** (1 / GAMMA) for c in (common.body, common.ink)
    )
    veiled = replace(common, body=tuple(body), ink=tuple(ink))
    assert ebony.strangeness(veiled, AS_IT_WAS) < 1 + added / VEIL


def test_a_die_cut_off_by_the_edge_of_the_picture_is_read_where_its_pips_are_plain() -> None:
    table, camera, reader = begun(tilt=10.0)
    for column in "abcdefghi":
        table.put(f"{column}9", "white 4")
    camera.troubles = Troubles(hand_frames=0, bump_mm=(0.0, -45.0, 0.0))
    reader.read(still(camera, 1.0), (START,))
    eye, cut = reader._eye, Watching._beyond(reader._eye, reader.board.spots)
    plain = cut.keys() - eye._beyond(cut)
    assert plain
    assert plain < cut.keys(), "of others too little is to be seen"
    seen = eye.observe(cut)
    assert all(seen.error(spot, "white 4") < CLEAR for spot in plain)
    assert all(seen.error(spot, None) == 0 for spot in cut.keys() - plain)


def test_a_die_that_is_misread_where_nothing_changed_makes_no_refused_move_doubtful(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, camera, reader = begun(tilt=15.0)
    reader.read(still(camera, 1.0), (START,))
    table.move("e3", "a5")
    read = DiceEye._read

    def misread(eye: DiceEye, spots: Iterable[str]) -> dict[str, DieSeen]:
        some = {spot: die for spot, die in read(eye, spots).items() if spot != "b2"}
        return some | ({"b2": eye._seen["e5"]} if "b2" in spots and read(eye, ["e5"]) else {})

    monkeypatch.setattr(DiceEye, "_read", misread)
    monkeypatch.setattr(DiceEye, "_aside", lambda eye, spots: {})
    told = reader.read(still(camera, 2.0), (START,))
    assert [str(step.action) for step in told.steps] == ["e3-a5"]


@pytest.mark.slow
def test_play_is_read_on_once_an_arm_that_lay_over_half_of_the_board_is_gone() -> None:
    evening = DiceEvening(Plan(90104))
    table = Table.create(Journal(":memory:"), evening.game, evening.setup)
    reader = Reader(evening.game, evening.setup, evening.camera.table_file())
    before = None
    for line in replay(evening, reader, table):
        if evening.truth.frame.startswith("000052"):
            break
        before = line
    assert before is not None
    assert before["still"], "two pictures showed the arm alike"
    assert line["position"] == evening.truth.position
    assert [(a["from"], a["to"]) for a in line["actions"]] == [("c2", "b3")]


def test_coloured_light_changes_dark_dice_more_than_pale_ones():
    dark, pale = (
        Coat.of([DieReading((1 / 6,) * 6, 1.0, body=(level,) * 3)]).body for level in (20.0, 160.0)
    )
    blue = np.log(np.array([52.0, 37.0, 32.0]) / 32.0)
    assert dark.strangeness(dark.tone + blue) < STRANGE / 2
    assert dark.strangeness(dark.tone + blue) < pale.strangeness(pale.tone + blue) - 1
