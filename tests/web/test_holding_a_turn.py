"""A phone says that the turn ends by itself, and holds it."""

from __future__ import annotations

from typing import Any

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from companion.table.evening import Evening
from companion.table.turn_end import MOMENT, end_by_itself
from tests.web.conftest import Clock, Phone

VICTORUS: Any = find_game("victorus")
PIECES = {"i4": "red white T", "i6": "purple white U", "j14": "purple half K"}


@pytest.fixture
def table() -> Any:
    clock = Clock()
    with Journal() as journal:
        setup = VICTORUS.setup(("red", "purple"))
        yield Table.create(journal, VICTORUS, setup, PIECES, "red", now=clock), clock


def test_a_phone_shows_that_the_turn_ends_by_itself_and_holds_it(table: Any) -> None:
    table, clock = table
    app = web.create_app(Evening(table), config=web.Config())
    phone = Phone(app)
    code = web.invitation(app, 1, host=True).partition("#")[2]
    assert phone.post("/api/join", code=code).status_code == 200
    assert phone.post("/api/seat", seat="red").status_code == 200
    assert phone.state["ending"] is False
    assert table.play(VICTORUS.parse(table.setup, "i4-i6"), "red").allowed
    assert phone.state["ending"] is True
    page = phone.get("/").get_data(as_text=True)
    assert "the turn ends by itself in a moment" in page
    assert "/api/hold" in page
    assert phone.post("/api/hold").status_code == 200
    assert phone.state["ending"] is False
    clock.time += 10 * MOMENT
    end_by_itself(table)
    assert table.to_move == "red"
