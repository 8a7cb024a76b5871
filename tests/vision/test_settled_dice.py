"""Which dice look as they did in the settled picture, and need not be read again."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from tests.checks.copies import copied
from vision.board.optics import CameraView, fit_view
from vision.decoding.reader import Reader
from vision.dice.tabledice import TableDice
from vision.frames import Frame

GAME = find_game("invictus")
SETUP = GAME.setup()
START = GAME.start(SETUP)
STANDING = GAME.expect(START)


Begun = tuple[SimulatedTable, SimulatedCamera, Reader[Any]]


def begun(size: tuple[int, int], tilt: float) -> Begun:
    """Return a table, its camera and a reader that has settled on the first picture."""
    return copied(first(size, tilt))


@cache
def first(size: tuple[int, int], tilt: float) -> Begun:
    """Return the one of which all others are copies."""
    table = SimulatedTable(GAME, SETUP, STANDING, seed=5)
    view = fit_view(table.board, CameraView(image_size=size, tilt=tilt))
    camera = SimulatedCamera(
        table, view, Troubles(hand_frames=0, noise=3.0, jpeg=85), clock=lambda: 0.0
    )
    reader = Reader(GAME, SETUP, camera.table_file())
    reader.read(Frame(camera.read().image, 0.0, "0"), (START,))
    return table, camera, reader


def picture(camera: SimulatedCamera) -> Any:
    """Return the next picture in which nothing moves."""
    while True:
        frame = camera.read()
        if not camera.busy:
            return frame.image


def lasting(reader: Reader[Any], image: Any) -> frozenset[str]:
    """Return the spots that look as in the settled picture."""
    eye = reader._eye
    return frozenset(eye._settled.lasting(list(eye._board.spots), image, eye.camera))


@pytest.mark.slow
@pytest.mark.parametrize("tilt", [0.0, 25.0])
def test_dice_and_bare_spots_that_nobody_touched_look_as_they_did(tilt):
    _, camera, reader = begun((1640, 1232), tilt)
    assert len(lasting(reader, picture(camera))) == 81


@pytest.mark.slow
@pytest.mark.parametrize("size", [(640, 480), (1640, 1232)])
@pytest.mark.parametrize("tilt", [0.0, 25.0])
def test_a_die_of_another_value_looks_otherwise(size, tilt):
    table, camera, reader = begun(size, tilt)
    for step in range(1, 6):
        for spot, token in STANDING.items():
            body, value = token.split()
            table.flip(spot, f"{body} {(int(value) + step - 1) % 6 + 1}")
        assert not lasting(reader, picture(camera)) & STANDING.keys()


def test_a_die_of_the_other_player_looks_otherwise():
    table, camera, reader = begun((640, 480), 10.0)
    for spot, token in STANDING.items():
        body, value = token.split()
        table.flip(spot, f"{'white' if body == 'black' else 'black'} {value}")
    assert not lasting(reader, picture(camera)) & STANDING.keys()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(640, 480), (1640, 1232)])
@pytest.mark.parametrize("token", ["black 1", "white 1", "black 6", "white 6"])
def test_a_spot_on_which_a_die_was_put_does_not_look_bare(size, token):
    table, camera, reader = begun(size, 10.0)
    bare = reader.board.spots.keys() - STANDING.keys()
    for spot in bare:
        table.put(spot, token)
    assert not lasting(reader, picture(camera)) & bare


def test_only_where_a_die_left_and_where_it_came_is_read(monkeypatch):
    table, camera, reader = begun((1640, 1232), 10.0)
    move = next(a for a in GAME.legal(START) if a.target not in STANDING)
    asked: list[str] = []
    read = TableDice.read

    def noting(self: TableDice, image: Any, camera: Any, spots: Any, *rest: Any) -> Any:
        asked.extend(spots)
        return read(self, image, camera, spots, *rest)

    monkeypatch.setattr(TableDice, "read", noting)
    table.move(str(move.origin), str(move.target))
    told = reader.read(Frame(picture(camera), 1.0, "1"), (START,))
    assert [step.action for step in told.steps] == [move]
    assert set(asked) == {move.origin, move.target}
