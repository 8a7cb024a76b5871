"""The watch over a table, asked by others while it looks."""

from __future__ import annotations

from itertools import count
from threading import Thread

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.service import Service
from companion.rules import BadInput
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from companion.table import Table
from vision.board.optics import CameraView, fit_view
from vision.decoding.reading import Reading, Step

SOON = 0.5
"""Seconds in which somebody who need not wait has long done what he wants."""


@pytest.fixture
def table():
    game = find_game("victorus")
    with Journal() as journal:
        yield Table.create(journal, game, game.setup(["red", "purple"]))


@pytest.fixture
def service(table):
    game, setup = table.game, table.setup
    hands = SimulatedTable(game, setup, game.expect(table.state))
    view = fit_view(game.board(setup), CameraView(image_size=(640, 480)))
    camera = SimulatedCamera(hands, view, clock=lambda: 0.0)
    return Service(table, camera.table_file(), camera, lambda moment: None, lambda: None)


@pytest.fixture
def reading(service, table, monkeypatch):
    """What the camera makes of every picture: it asks whether a move was made. While it reads,
    ``meanwhile`` is begun by somebody else, who has time to do it."""
    action = next(action for action in table.game.legal(table.state) if action.origin)
    step = Step(action, 0.5, table.game.judge(table.state, action))
    asking = Reading("0", True, {}, asks=((step,), ()))
    others = []

    class Eye:
        meanwhile = None

        def read(self, frame, past):
            asked = asking if len(past) == 1 else Reading("1", True, {})
            if self.meanwhile is not None:
                others.append(Thread(target=self.meanwhile))
                self.meanwhile = None
                others[-1].start()
                others[-1].join(SOON)
            return asked

        @staticmethod
        def done():
            for other in others:
                other.join()

    eye = Eye()
    monkeypatch.setattr(service._reader, "read", eye.read)
    service.look()
    assert service.status()["asks"] == [[table.game.format(action)], []]
    yield eye
    eye.done()


def test_a_question_that_is_answered_while_the_next_picture_is_read_is_settled(
    service, table, reading
):
    reading.meanwhile = lambda: service.answer(0)
    service.look()
    reading.done()
    assert len(table.actions) == 1
    assert service.status()["asks"] == []
    assert [event.kind for event in table.events()].count("asked") == 1


def test_a_question_is_answered_once_however_many_answer(service, table, reading, monkeypatch):
    refused, note = [], table.note

    def answer():
        try:
            service.answer(0)
        except BadInput as error:
            refused.append(str(error))

    def slow(kind, data, actor):
        if kind == "answered" and len(others) < 3:
            others.append(Thread(target=answer))
            others[-1].start()
            others[-1].join(SOON)
        note(kind, data, actor)

    others = []
    monkeypatch.setattr(table, "note", slow)
    answer()
    for other in others:
        other.join()
    assert len(table.actions) == 1
    assert len(refused) == len(others) == 1
    assert "settled already" in refused[0]


def test_what_is_only_asked_waits_for_no_picture(service, reading):
    told = []
    reading.meanwhile = lambda: told.append((service.status()["still"], service.seen()))
    service.look()
    assert told == [(True, {})]


def test_calibrated_while_a_picture_is_read_the_next_one_is_read_by_it(service, reading):
    other = {**service.table_file, "note": "measured anew"}
    reading.meanwhile = lambda: service.recalibrate(other)
    service.look()
    reading.done()
    service.look()
    assert service.table_file == other


def test_what_is_played_before_a_question_is_answered_is_in_the_journal_after_it():
    game = find_game("invictus")
    with Journal() as journal:
        table = Table.create(journal, game, game.setup(None))
        hands = SimulatedTable(game, table.setup, game.expect(table.state), seed=5)
        view = fit_view(hands.board, CameraView(image_size=(960, 720)))
        clock = count()
        camera = SimulatedCamera(hands, view, Troubles(hand_frames=0), clock=lambda: next(clock))
        service = Service(table, camera.table_file(), camera, lambda moment: None, lambda: None)

        def played(*moves):
            for move in moves:
                hands.move(*move.split("-"))
            for _ in range(4):
                service.look()
            return [game.format(action) for action in table.actions]

        assert played() == []
        assert played("a3-a4", "a7-a6", "b3-b4") == [], "either die may have gone to a4"
        asks = service.status()["asks"]
        assert played("b7-b6") == []
        assert (
            service.status()["asks"]
            == asks
            == [
                ["a3-a4", "a7-a6", "b3-b4"],
                ["a3-b4", "a7-a6", "b3-a4"],
            ]
        )
        service.answer(1)
        assert played() == ["a3-b4", "a7-a6", "b3-a4", "b7-b6"]
        assert service.status()["asks"] == []
        assert service.seen() == hands.position
