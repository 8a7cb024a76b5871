"""Men without faces: moves read from what changed, what is bare and whose man stands there."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.commands.common import read_json
from companion.games import find_game
from companion.journal import Journal
from companion.live.replay import replay
from companion.rules import Action, read_action
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.table import Table
from tests.checks.carved import carved, standing
from tests.checks.recordings import recording
from vision.board.optics import CameraView, fit_view
from vision.decoding.reader import Reader
from vision.eyes.face_eye import FaceEye
from vision.frames import Frame
from vision.sources.sources import open_source
from vision.tokens.body_sight import BodyObservation
from vision.tokens.observe import CLEAR
from vision.watching.waiting import MOVED

FILM, STILLS = 0.05, 1.0
"""Seconds between the pictures of a film, and between single ones."""


class Scene:
    """A small simulated table of carved chessmen, its reader, and what was read so far.
    ``printed`` men are flat, with a picture each."""

    def __init__(
        self,
        interval: float,
        troubles: Troubles | None = None,
        *,
        printed: bool = False,
        marks: str = "markers",
    ) -> None:
        self.game: Any = find_game("chess") if printed else carved(find_game("chess"))
        setup = self.game.setup()
        state = self.game.start(setup)
        table = SimulatedTable(self.game, setup, self.game.expect(state), seed=2)
        view = CameraView(image_size=(480, 360), marks=marks)
        view = fit_view(table.board, view if printed else standing(view, table.board))
        self.camera = SimulatedCamera(
            table, view, troubles or Troubles(hand_frames=0), clock=lambda: 0.0
        )
        self.reader: Reader[Any] = Reader(self.game, setup, self.camera.table_file())
        self.past, self.interval, self.count = [state], interval, 0
        self.told: list[str] = []

    def frames(self) -> Iterator[Frame]:
        """Yield the pictures up to the next still one."""
        while True:
            frame = self.camera.read()
            assert frame is not None
            yield Frame(frame.image, self.count * self.interval, f"{self.count:06d}")
            self.count += 1
            if not self.camera.busy:
                return

    def watch(self, stills: int = 1) -> Any:
        """Read to the next still picture and ``stills`` in all; return the last reading."""
        reading = None
        for _ in range(stills):
            for frame in self.frames():
                reading = self.read(frame)
        return reading

    def read(self, frame: Frame) -> Any:
        """Read one picture and take what it tells."""
        reading = self.reader.read(frame, tuple(self.past))
        for step in reading.steps:
            self.told.append(f"{step.action}{'' if step.legal else ' refused'}")
            if step.legal:
                self.past.append(self.game.apply(self.past[-1], step.action))
        return reading

    def play(self, *moves: str) -> None:
        """Carry men, one after the other, before anybody looks."""
        for text in moves:
            action: Action = read_action(text)
            assert action.origin is not None
            assert action.target is not None
            if action.target in self.camera.table.position:
                self.camera.table.remove(action.target)
            self.camera.table.move(action.origin, action.target)


MATE = ("e2-e4", "e7-e5", "d1-h5", "b8-c6", "f1-c4", "g8-f6", "h5-f7")


def play_to_mate(scene: Scene) -> None:
    """Play MATE on a table that is watched already; every picture has to be read right."""
    for move in MATE:
        scene.play(move)
        reading = scene.watch()
        assert dict(reading.position) == dict(scene.game.expect(scene.past[-1]))
    assert scene.told == list(MATE)


def test_a_game_up_to_mate_is_read_from_single_pictures() -> None:
    scene = Scene(STILLS)
    scene.watch()
    play_to_mate(scene)


def test_printed_men_are_told_by_their_faces() -> None:
    scene = Scene(STILLS, printed=True)
    scene.watch()
    assert scene.reader.faces == 12
    play_to_mate(scene)


def test_pale_men_on_pale_squares_are_known_like_others() -> None:
    scene = Scene(STILLS, printed=True)
    scene.watch()
    standing = scene.game.expect(scene.past[0])
    frame, camera = next(scene.frames()), scene.reader.camera
    assert camera is not None
    assert frame.image is not None
    eye = FaceEye(scene.reader.board, camera, frame.image, scene.game.look, standing)
    eye.look(frame, standing)
    seen = eye.observe(standing)
    assert max(seen.error(spot, token) for spot, token in standing.items()) < CLEAR / 2


def test_carved_men_have_no_faces() -> None:
    scene = Scene(STILLS)
    scene.watch()
    assert scene.reader.faces == 0


def test_a_printed_man_pushed_aside_is_still_there() -> None:
    scene = Scene(STILLS, printed=True)
    scene.watch()
    scene.camera.table.nudge("d2", 6.0, -8.0, 17.0)
    reading = scene.watch()
    assert dict(reading.position) == dict(scene.game.expect(scene.past[0]))
    scene.play("c8-f5")
    scene.watch()
    assert scene.told == ["c8-f5 refused"]


@pytest.mark.slow
def test_a_crowded_game_of_chance_is_read_to_its_end() -> None:
    scene, chance = Scene(STILLS), random.Random(3)
    scene.watch()
    state = scene.past[0]
    for _ in range(40):
        moves = [a for a in scene.game.legal(state) if a.target and not a.detail]
        action = chance.choice(moves)
        changes = scene.game.effect(state, action).changes
        table = scene.camera.table
        for spot in changes.keys() & table.position.keys():
            table.remove(spot)
        for spot, token in changes.items():
            if token is not None:
                table.put(spot, token)
        state = scene.game.advance(state, action)
        scene.watch()
        assert scene.past[-1] == state, str(action)


def test_two_moves_between_two_pictures_are_told_in_order() -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.play("e2-e4", "e7-e5")
    scene.watch()
    assert scene.told == ["e2-e4", "e7-e5"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "bump",
    [{"bump_px": (6.0, -9.0)}, {"bump_mm": (14.0, -22.0, 3.0)}, {"bump_mm": (-18.0, -52.0, 0.4)}],
)
def test_a_bumped_board_is_followed(bump: dict[str, Any]) -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.play("e2-e4")
    scene.watch()
    scene.camera.troubles = replace(scene.camera.troubles, **bump)
    reading = scene.watch()
    assert reading.still
    assert dict(reading.position) == dict(scene.game.expect(scene.past[-1]))
    scene.play("e7-e5", "g1-f3")
    scene.watch()
    assert scene.told == ["e2-e4", "e7-e5", "g1-f3"]


@pytest.mark.parametrize("kick", [(55.0, -52.0, 0.0), (-48.0, 51.0, 0.0)])
def test_a_board_kicked_by_a_square_is_found_where_it_lies(kick: tuple[float, ...]) -> None:
    scene = Scene(STILLS, marks="corners")
    scene.watch()
    scene.play("e2-e4")
    scene.camera.troubles = replace(scene.camera.troubles, bump_mm=kick)
    scene.watch()
    assert scene.told == ["e2-e4"]


def test_a_carved_man_pushed_aside_is_still_there() -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.camera.table.nudge("d2", 6.0, -8.0)
    reading = scene.watch()
    assert dict(reading.position) == dict(scene.game.expect(scene.past[0]))
    scene.play("e2-e4", "e7-e5")
    scene.watch()
    assert scene.told == ["e2-e4", "e7-e5"]


@pytest.mark.parametrize("printed", [False, True])
def test_a_move_made_while_the_board_is_kicked_is_read(printed: bool) -> None:
    scene = Scene(STILLS, printed=printed, marks="taps")
    scene.watch()
    scene.play("g1-f3")
    scene.camera.troubles = replace(scene.camera.troubles, bump_mm=(14.0, -22.0, 3.0))
    scene.watch()
    assert scene.told == ["g1-f3"]


def test_a_board_pushed_out_of_the_picture_is_said_and_play_goes_on_when_it_is_back() -> None:
    scene = Scene(STILLS, marks="taps")
    scene.watch()
    scene.camera.troubles = replace(scene.camera.troubles, bump_px=(260.0, 20.0))
    assert scene.watch().message == MOVED
    scene.camera.troubles = replace(scene.camera.troubles, bump_px=(3.0, 2.0))
    scene.play("b1-c3")
    assert scene.watch().message == ""
    assert scene.told == ["b1-c3"]


def test_in_a_film_two_pictures_have_to_agree() -> None:
    scene = Scene(FILM)
    scene.watch(2)
    scene.play("g1-f3")
    assert not scene.watch().still, "something moved since the picture before"
    assert not scene.watch().still, "one picture alone shows the move"
    assert scene.told == []
    assert scene.watch().still
    assert scene.told == ["g1-f3"]


def test_a_picture_in_which_nothing_happened_tells_nothing() -> None:
    scene = Scene(FILM)
    readings = [scene.watch() for _ in range(4)]
    assert all(reading.still for reading in readings)
    assert scene.told == []


def test_another_light_is_no_move() -> None:
    scene = Scene(STILLS)
    scene.watch()
    image = next(scene.frames()).image
    assert image is not None
    width = image.shape[1]
    slanted = image * np.linspace(0.45, 1.05, width)[None, :, None]
    dark = Frame(np.clip(slanted, 0, 255).astype(np.uint8), 5.0, "dark")
    reading = scene.reader.read(dark, tuple(scene.past))
    assert reading.still
    assert reading.steps == ()
    assert dict(reading.position or {}) == dict(scene.game.expect(scene.past[0]))


def test_a_large_thing_over_the_board_is_a_hand() -> None:
    scene = Scene(STILLS)
    scene.watch()
    image = next(scene.frames()).image
    assert image is not None
    covered = image.copy()
    covered[100:260, 150:320] = (90, 120, 170)
    reading = scene.reader.read(Frame(covered, 5.0, "hand"), tuple(scene.past))
    assert not reading.still
    assert reading.position is None


def test_a_move_that_the_rules_refuse_is_told_as_refused() -> None:
    scene = Scene(STILLS)
    scene.watch()
    scene.play("e2-e5")
    scene.watch()
    assert scene.told == ["e2-e5 refused"]


@pytest.fixture
def videos() -> Path:
    """The folder of real chess videos."""
    return recording("real/chess")


def _replay(video: Path) -> list[Any]:
    table_file = dict(read_json(video.with_suffix(".table.json")))
    game = find_game(table_file["game"])
    setup = game.setup(table_file["seats"])
    table: Table[Any] = Table.create(Journal(":memory:"), game, setup)
    return list(replay(open_source(video), Reader(game, setup, table_file), table))


def _played(lines: Sequence[Any]) -> list[str]:
    return [f"{a['from']}-{a['to']}" for line in lines for a in line["actions"]]


@pytest.mark.slow
def test_a_filmed_game_with_hands_and_a_flash_is_read_ply_by_ply(videos: Path) -> None:
    lines = _replay(videos / "scholarsmate.avi")
    assert _played(lines) == list(MATE)
    assert all(action["legal"] for line in lines for action in line["actions"])
    assert [line["frame"] for line in lines] == [f"{n:06d}" for n in range(334)]
    last = lines[-1]
    assert last["still"]
    assert last["position"]["f7"] == "white Q"
    assert "ask" not in last


def test_a_filmed_empty_board_tells_no_move_and_names_every_missing_man(videos: Path) -> None:
    lines = _replay(videos / "emptyBoard001.avi")
    assert len(lines) == 52
    assert _played(lines) == []
    assert lines[0]["message"].count("is missing from") == 32
    assert "white king is missing from e1" in lines[0]["message"]
    assert all(line["position"] in (None, {}) for line in lines)


def test_who_took_the_captor_is_not_seen_as_the_capture_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = Scene(STILLS)
    scene.watch()
    for move in ("e2-e4", "e7-e6", "a2-a3", "f8-b4", "g2-g3", "b4-d2"):
        scene.play(move)
        scene.watch()
    judged = BodyObservation._judge

    def judge(self: BodyObservation, spot: str, *given: Any) -> None:
        judged(self, spot, *given)
        if spot in doubts:
            self._nats[spot], self._stirred[spot] = dict(doubts[spot]), 0.0

    doubts = {
        "b1": {"white": 0.0, "": -2.0, "black": -9.0},
        "b4": {"white": -12.0, "": 0.0, "black": -2.0},
    }
    monkeypatch.setattr(BodyObservation, "_judge", judge)
    scene.play("b1-d2")
    scene.watch()
    assert scene.told[-1] == "b1-d2"
