"""A camera pulled out and plugged in again while a game is watched: the game goes on."""

from __future__ import annotations

import itertools

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.service import Service
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.table import Table
from vision.board.optics import CameraView, fit_view
from vision.sources.cameras import open_source

LOOKS = 400
"""Frames after which something that must be seen was not."""


@pytest.fixture
def watched(net_camera):
    """A table before a camera in the network, watched by the running companion."""
    game = find_game("victorus")
    setup = game.setup(["red", "purple"])
    hands = SimulatedTable(game, setup, game.expect(game.start(setup)), seed=3)
    ticks = itertools.count()
    camera = SimulatedCamera(
        hands,
        fit_view(game.board(setup), CameraView(image_size=(800, 600))),
        Troubles(hand_frames=3),
        clock=lambda: next(ticks) / 10,
    )
    net = net_camera(lambda: camera.read().image)
    source = open_source(net.address)
    with Journal() as journal:
        table = Table.create(journal, game, setup)
        service = Service(table, camera.table_file(), source, lambda moment: None, lambda: None)
        yield hands, net, table, service
        source.close()


def look_until(service, true):
    for _ in range(LOOKS):
        assert service.look()
        if true(service.status()):
            return
    raise AssertionError(f"never came: the camera says {service.status()}")


def in_order(status):
    return status["still"] and not status["differs"] and not status["message"]


def texts(table):
    return [table.game.format(action) for action in table.actions]


def test_the_game_goes_on_when_the_camera_comes_back_and_nothing_false_is_seen(watched):
    hands, net, table, service = watched
    look_until(service, in_order)

    net.unplug()
    look_until(service, lambda status: "it goes on when this is mended" in status["message"])
    net.plug_in()
    look_until(service, in_order)
    assert texts(table) == []

    net.unplug()
    look_until(service, lambda status: "it goes on when this is mended" in status["message"])
    hands.move("h2", "h4")
    net.plug_in()
    look_until(service, lambda status: table.actions)
    look_until(service, in_order)
    assert texts(table) == ["h2-h4"]

    kinds = [event.kind for event in table.events()]
    assert kinds.count("found") == 2
    assert "refused" not in kinds
