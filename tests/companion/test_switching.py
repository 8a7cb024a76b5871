"""From every game to every other, without a restart, while all parts of the companion run."""

from __future__ import annotations

import socket
import threading
from itertools import pairwise

import pytest

from companion.games import games
from companion.live import equipping
from companion.live.composition import Composition
from companion.live.environment import Environment
from companion.live.service import Service
from tests.checks.switches import TRIPS, round_trip
from web import called

NAMES = sorted(games())
PATIENCE = 60


class Looks:
    """Waits until the watch has looked at a game; keeps what a look raised."""

    def __init__(self, monkeypatch):
        self.seen, self.raised, self._news = {}, [], threading.Condition()
        look_once = Service.look

        def look(service):
            try:
                return look_once(service)
            except BaseException as error:
                self.raised.append(error)
                raise
            finally:
                with self._news:
                    number = service._table.game_id
                    self.seen[number] = self.seen.get(number, 0) + 1
                    self._news.notify_all()

        monkeypatch.setattr(Service, "look", look)

    def wait(self, table, times=2):
        with self._news:
            assert self._news.wait_for(
                lambda: self.seen.get(table.game_id, 0) >= times or self.raised, PATIENCE
            )
        assert self.raised == []


@pytest.fixture
def looks(monkeypatch):
    return Looks(monkeypatch)


def test_the_round_trip_has_every_switch_once():
    trip = round_trip(NAMES)
    assert len(set(pairwise(trip))) == len(trip) - 1 == 30


@pytest.mark.slow
@pytest.mark.parametrize("trip", TRIPS)
def test_the_camera_sees_the_next_game_after_every_switch(play_request, looks, trip):
    with Composition(play_request) as stage:
        stage.start()
        looks.wait(stage.table)
        for name in trip[1:]:
            stage.evening.begin(name, None, {})
            assert stage.equipment.table is stage.table
            looks.wait(stage.table)
            status = stage.equipment.service.status()
            assert not status["lost"], status
            assert not status["differs"], status
        assert stage.supervisor.troubles == ()
        assert {thread.name for thread in threading.enumerate()} >= {"camera", "pages"}


class Faulty:
    """A camera, or a strip, that meets an unexpected fault once it is told to."""

    def __init__(self, whole):
        self._whole, self.fault = whole, None

    def __getattr__(self, name):
        return getattr(self._whole, name)

    def read(self):
        self._may_fail()
        return self._whole.read()

    def show(self, pixels):
        self._may_fail()
        self._whole.show(pixels)

    def _may_fail(self):
        if self.fault:
            raise self.fault


class Outdoors:
    """A world with faulty cameras and strips; its clock stands, and waiting is noted."""

    def __init__(self):
        self.cameras, self.strips, self.pauses = [], [], []
        self.fell, self.mended = threading.Event(), threading.Event()
        self.outside = Environment(wait=self.wait, camera=self.camera, strip=self.strip)

    def camera(self, source):
        self.cameras.append(Faulty(source))
        return self.cameras[-1]

    def strip(self, strip):
        self.strips.append(Faulty(strip))
        return self.strips[-1]

    def wait(self, stop, seconds):
        if seconds >= 1 and threading.current_thread().name in ("camera", "lights", "network"):
            self.pauses.append(seconds)
            self.fell.set()
            self.mended.wait(PATIENCE)
        else:
            stop.wait(seconds)


@pytest.mark.slow
def test_a_camera_that_meets_the_unexpected_is_told_and_looks_again(play_request, looks):
    outdoors = Outdoors()
    with Composition(play_request, outdoors.outside) as stage:
        stage.start()
        looks.wait(stage.table)
        outdoors.cameras[0].fault = ValueError("no such thing")
        assert outdoors.fell.wait(PATIENCE)
        (told,) = stage._eyes.status()["troubles"]
        assert "the watch over the table" in told
        assert stage.box.status() == "fault"
        looks.raised.clear()
        outdoors.cameras[0].fault = None
        seen = looks.seen[stage.table.game_id]
        outdoors.mended.set()
        looks.wait(stage.table, seen + 2)
        assert stage.table.actions == ()


@pytest.mark.slow
def test_a_game_that_cannot_be_set_up_is_told_and_tried_later(play_request, looks, monkeypatch):
    outdoors = Outdoors()
    with Composition(play_request, outdoors.outside) as stage:
        stage.start()
        looks.wait(stage.table)
        whole, faulty = equipping.simulate, [True]

        def simulate(*given):
            if faulty[0]:
                raise LookupError("half a table")
            return whole(*given)

        monkeypatch.setattr(equipping, "simulate", simulate)
        stage.evening.begin("chess", None, {})
        status = stage._eyes.status()
        assert status["lost"]
        assert "not ready for this game yet" in status["message"]
        assert stage._eyes.seen() is None
        assert stage.supervisor.told()
        client = stage._app.test_client()
        assert client.get("/").status_code == 200
        assert client.get("/table").status_code == 503
        faulty[0] = False
        outdoors.mended.set()
        looks.wait(stage.table)
        assert client.get("/table").status_code == 200


def test_lights_that_meet_the_unexpected_leave_the_camera_alone(play_request, looks):
    outdoors = Outdoors()
    outdoors.mended.set()
    with Composition(play_request, outdoors.outside) as stage:
        stage.start()
        looks.wait(stage.table)
        outdoors.strips[0].fault = ZeroDivisionError("no light")
        seen = looks.seen[stage.table.game_id]
        looks.wait(stage.table, seen + 3)
        assert [one.part for one in stage.supervisor.troubles] == ["lights"]
        assert "the lights" in stage.supervisor.told()[0]
        assert not stage.equipment.service.status()["lost"]


@pytest.mark.thorough
def test_with_the_lights_gone_for_good_the_next_game_begins_too(play_request, looks):
    outdoors = Outdoors()
    outdoors.mended.set()
    with Composition(play_request._replace(lights="simulated"), outdoors.outside) as stage:
        stage.start()
        looks.wait(stage.table)
        outdoors.strips[0].fault = RuntimeError("gone")
        stage.evening.begin("chess", None, {})
        looks.wait(stage.table)
        assert stage.equipment.hands.position["e2"] == "white P"


class Name:
    """A name in the network."""

    address, host = "http://companion.local:8000", "companion.local"

    def __init__(self):
        self.closed = threading.Event()

    def close(self):
        self.closed.set()


def test_a_name_that_the_network_does_not_take_is_tried_again(play_request, looks, monkeypatch):
    outdoors, name, faults = Outdoors(), Name(), [AssertionError("no loop")]

    def announce(address, port):
        if faults:
            raise faults.pop()
        return name

    known = threading.Event()

    def told(*given):
        called(*given)
        known.set()

    monkeypatch.setattr("companion.live.composition.called", told)
    monkeypatch.setattr("companion.live.mdns.announce", announce)
    monkeypatch.setattr("companion.live.mdns.lan_address", lambda: "192.168.1.5")
    at_home = play_request._replace(address="192.168.1.5", port=free_port())
    with Composition(at_home, outdoors.outside) as stage:
        client = stage._app.test_client()
        assert client.get("/", headers={"Host": name.host}).status_code == 400
        stage.start()
        assert outdoors.fell.wait(PATIENCE)
        assert "name in the network" in stage.supervisor.told()[0]
        outdoors.mended.set()
        assert known.wait(PATIENCE)
        assert client.get("/", headers={"Host": name.host}).status_code == 200
    assert name.closed.is_set()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
