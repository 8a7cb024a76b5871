"""The door goes by what has passed, not by what a clock says."""

from __future__ import annotations

import pytest

import web
from companion.journal import Journal
from companion.runtime.timekeeper import Timekeeper
from companion.table import Table
from companion.table.evening import Evening

DAY = 86_400.0


class Hands:
    """A machine's clock that can be set, and its time, which only passes."""

    def __init__(self):
        self.wall, self.time = 1.7e9, 5.0

    def __call__(self):
        return self.time

    def passes(self, seconds):
        self.wall += seconds
        self.time += seconds


@pytest.fixture
def clock():
    return Hands()


@pytest.fixture
def keeper(clock):
    return Timekeeper(lambda: clock.wall, clock, lambda: None)


@pytest.fixture
def table(game, keeper):
    with Journal() as journal:
        yield Table.create(journal, game, game.setup(), now=keeper)


@pytest.fixture
def evening(table, game):
    return Evening(table, lambda name: game, names=lambda: ["men"])


@pytest.fixture
def config():
    return web.Config(address="http://192.168.1.5:8000", heartbeat=0.0)


JUMPS = [14 * DAY, 400 * DAY, -3600.0, -20 * DAY]


@pytest.mark.parametrize("jump", JUMPS)
def test_phones_stay_joined_when_the_clock_is_set(red, clock, jump):
    clock.wall += jump
    assert red.state["you"]["seats"] == ["red"]
    clock.passes(60)
    clock.wall -= jump
    assert red.state["you"]["seats"] == ["red"]


@pytest.mark.parametrize("jump", JUMPS)
def test_who_joins_after_a_jump_stays_as_long_as_any(app, red, new_phone, clock, jump):
    clock.wall += jump
    phone = new_phone("192.168.1.30")
    assert phone.post("/api/join", code=web.invitation(app).partition("#")[2]).status_code == 200
    clock.passes(7 * DAY - 60)
    assert phone.state["you"]["joined"]
    clock.passes(120)
    assert not phone.state["you"]["joined"]


@pytest.mark.parametrize("jump", JUMPS)
def test_a_clock_that_is_set_neither_ends_nor_prolongs_a_code(app, host, new_phone, clock, jump):
    code = web.invitation(app).partition("#")[2]
    clock.wall += jump
    assert new_phone("192.168.1.31").post("/api/join", code=code).status_code == 200
    code = web.invitation(app).partition("#")[2]
    clock.wall -= jump
    clock.passes(601)
    assert new_phone("192.168.1.32").post("/api/join", code=code).status_code == 403


def test_a_clock_set_back_refuses_no_reads_and_no_moves(red, clock):
    for _ in range(500):
        assert red.get("/api/state").status_code == 200
    clock.wall -= 3600.0
    clock.passes(11)
    for _ in range(500):
        assert red.get("/api/state").status_code == 200


def test_a_clock_set_forward_lets_nobody_guess_more_often(app, phone, clock):
    for _ in range(5):
        assert phone.post("/api/join", code="WRONGONE").status_code == 403
    clock.wall += DAY
    assert phone.post("/api/join", code="WRONGONE").status_code == 429


def test_a_clock_set_forward_by_half_a_day_makes_no_other_host(app, host, new_phone, clock):
    clock.wall += 5 * DAY
    phone = new_phone("192.168.1.33")
    code = web.invitation(app).partition("#")[2]
    assert phone.post("/api/join", code=code).status_code == 200
    assert host.state["you"]["host"]
    assert not phone.state["you"]["host"]
