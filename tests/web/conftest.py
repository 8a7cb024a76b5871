"""A tiny game on nine squares, a table that plays it, and phones that look at it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from types import MappingProxyType

import pytest
from flask import Flask
from jinja2 import BytecodeCache

import web
from companion.journal import Journal
from companion.live.own_files import OwnFiles
from companion.machine.tokens import Tokens
from companion.rules import BadInput, Limits, TimePhase
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.fake_doors import FakeCalibrator, FakeElsewhere, FakeTrial
from tests.checks.fake_readings import FakeReadings
from tests.checks.men_game import MenGame


class FakeEyes:
    """Says what a test tells it to say, remembers what was answered."""

    def __init__(self):
        self.words = {
            "still": True, "message": "", "differs": [], "lifted": None, "asks": [], "lost": False,
        }  # fmt: skip
        self.answers, self.table = [], None

    def status(self):
        return self.words

    def answer(self, index):
        self.answers.append(index)

    def seen(self):
        return self.table


class FakeLamps:
    """Lights that can be set."""

    def __init__(self):
        self.wanted = {"lights": "full", "brightness": 100}

    def settings(self):
        return self.wanted

    def adjust(self, changes):
        if changes.get("lights", "off") not in ("full", "errors", "off"):
            raise BadInput("the level of the lights is full, errors or off")
        self.wanted = {**self.wanted, **changes}


class FakeTable:
    """A table top without a camera: a picture that is a JPEG by its first bytes only."""

    def __init__(self, position: Mapping[str, str]):
        self.on, self.beside, self.done = dict(position), [], []

    def tokens(self):
        return MappingProxyType(self.on)

    def off(self):
        return tuple(self.beside)

    def take(self, spot):
        if spot not in self.on:
            raise BadInput(f"nothing stands on {spot}")
        return self.on.pop(spot)

    def move(self, origin, target):
        token = self.take(origin)
        if target in self.on:
            self.beside.append(self.take(target))
        self.on[target] = token

    def remove(self, spot):
        self.beside.append(self.take(spot))

    def put(self, spot, token):
        if token not in self.beside:
            raise BadInput(f"no {token} lies beside the board")
        self.beside.remove(token)
        self.on[spot] = token

    def tidy(self):
        self.done.append(("tidy", ""))

    def turn(self, spot):
        self.done.append(("turn", spot))

    def flip(self, spot):
        self.done.append(("flip", spot))

    held = None

    def lift(self, spot):
        self.held = self.take(spot)

    def drop(self, spot):
        if self.held is None:
            raise BadInput("the hand is empty")
        if spot in self.on:
            self.beside.append(self.take(spot))
        self.on[spot], self.held = self.held, None

    def press(self, button):
        if button == "new":
            raise BadInput("the game goes on")
        self.done.append(("press", button))

    def dice(self):
        return None

    def throw(self, numbers):
        self.done.append(("throw", list(numbers)))

    def carry(self, number, zone):
        self.done.append(("carry", number, zone))

    def tip(self, number):
        self.done.append(("tip", number))

    def picture(self):
        return b"\xff\xd8\xff\xe0 picture"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self):
        self.time = 1_000_000.0

    def __call__(self):
        return self.time


class Phone:
    """A browser on a phone: sends what a page of ours sends."""

    keys = count(1)

    def __init__(self, app, address="192.168.1.20"):
        self.client = app.test_client()
        self.address = address

    def get(self, path, **headers):
        return self.client.get(path, headers=headers, environ_base={"REMOTE_ADDR": self.address})

    def post(self, path, body=None, key=None, headers=None, **more):
        sent = {"key": key or f"a-key-of-its-own-{next(self.keys)}", **(body or {}), **more}
        return self.client.post(
            path,
            json=sent,
            headers={"Origin": "http://localhost", **(headers or {})},
            environ_base={"REMOTE_ADDR": self.address},
        )

    @property
    def state(self):
        return self.get("/api/state").json

    def say(self, path, **body):
        """Post with the state that the phone sees now."""
        return self.post(path, {"state_id": self.state["state_id"], **body})


@pytest.fixture
def game():
    return MenGame()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def table(game, clock):
    with Journal() as journal:
        yield Table.create(journal, game, game.setup(), now=clock)


@pytest.fixture
def eyes():
    return FakeEyes()


@pytest.fixture
def lamps():
    return FakeLamps()


@pytest.fixture
def lit():
    """What is lit; a test changes it."""
    return {}


@pytest.fixture
def virtual(game):
    return FakeTable(game.expect(game.start(game.setup())))


@pytest.fixture
def config(clock):
    log = ["2026-11-24T20:15:00+00:00 WARNING companion: the lamp is gone", "<b>fell\n  more"]
    return web.Config(
        address="http://192.168.1.5:8000", clock=clock, heartbeat=0.0, log=lambda: log,
        trial=FakeTrial(),
    )  # fmt: skip


@pytest.fixture
def calibrator():
    return FakeCalibrator()


@pytest.fixture
def evening(table, game, clock):
    def find(name):
        if name != "men":
            raise BadInput(f"there is no game {name!r}")
        return game

    return Evening(table, find, clock, lambda: ["men"])


@pytest.fixture
def own(tmp_path):
    return OwnFiles(tmp_path)


@pytest.fixture
def tokens(tmp_path):
    return Tokens(tmp_path)


@pytest.fixture
def app(evening, config, eyes, lit, lamps, virtual, calibrator, own, tokens):
    return web.create_app(
        evening, config=config, eyes=eyes, lights=lambda: lit, lamps=lamps, virtual=virtual,
        calibrator=calibrator, own=own, readings=FakeReadings(), tokens=tokens,
        elsewhere=FakeElsewhere(),
    )  # fmt: skip


@pytest.fixture
def new_phone(app):
    """Make another phone, with an address of its own if one is named."""
    return lambda *address: Phone(app, *address)


@pytest.fixture
def phone_of():
    """Make a phone for any house, at an address."""
    return Phone


@pytest.fixture
def phone(new_phone):
    """A phone that only watches."""
    return new_phone()


@pytest.fixture
def host(app, new_phone):
    """The phone that came in first."""
    host = new_phone("192.168.1.10")
    code = web.invitation(app).partition("#")[2]
    assert host.post("/api/join", code=code).status_code == 200
    return host


@pytest.fixture
def joined(app, host, phone):
    """A phone that came in by a join code, after the host's."""
    code = web.invitation(app).partition("#")[2]
    assert phone.post("/api/join", code=code).status_code == 200
    return phone


@pytest.fixture
def red(joined):
    """A phone that sits on the red seat."""
    assert joined.post("/api/seat", seat="red").status_code == 200
    return joined


@pytest.fixture
def blue(app, host, new_phone):
    """A phone that sits on the blue seat."""
    phone = new_phone("192.168.1.30")
    assert phone.post("/api/join", code=web.invitation(app).partition("#")[2]).status_code == 200
    assert phone.post("/api/seat", seat="blue").status_code == 200
    return phone


@pytest.fixture
def timed(game, config, clock, monkeypatch):
    """A phone on the red seat of a game with clocks."""
    limits = Limits(game=3600.0, begin=90.0, phases=(TimePhase(300.0),))
    monkeypatch.setattr(game, "limits", lambda setup: limits, raising=False)
    with Journal() as journal:
        table = Table.create(journal, game, game.setup(), now=clock)
        app = web.create_app(table, config=config._replace(open_house=True))
        phone = Phone(app)
        phone.post("/api/seat", seat="red")
        yield phone


class Compiled(BytecodeCache):
    """Templates compiled once for all the apps of these tests."""

    def __init__(self):
        self.known = {}

    def load_bytecode(self, bucket):
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket):
        self.known[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def compiled():
    """Spare every app of these tests the compiling of its templates."""
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": Compiled()}
    yield
    Flask.jinja_options = {}
