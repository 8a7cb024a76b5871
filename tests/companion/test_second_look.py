"""A second look at what a person has just done, and the offer to take it back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import IN_A_CLUB
from companion.live.machine_players import MachinePlayers
from companion.live.second_look import SecondLook
from companion.rules import BadInput
from companion.table import Table
from companion.table.evening import Evening
from companion.table.machines import give
from tests.web.conftest import Phone

CHESS: Any = find_game("chess")
PATIENCE = 60.0
BEFORE = ("e2-e4", "e7-e5", "d1-h5", "b8-c6")
BLUNDER, SOUND = "h5-f7", "f1-c4"


@pytest.fixture
def evening() -> Iterator[Evening]:
    with Journal() as journal:
        yield Evening(Table.create(journal, CHESS, CHESS.setup()))


@pytest.fixture
def look(evening: Evening) -> Iterator[SecondLook]:
    evening.change({"take_back_offers": True}, "host")
    found = SecondLook(evening)
    yield found
    found.close()


def play(evening: Evening, *actions: str) -> None:
    for action in actions:
        assert evening.table.play(CHESS.parse(evening.table.setup, action), "camera").allowed


def looked(look: SecondLook) -> bool:
    """Step until the last action has been looked at; return whether the offer is another one."""
    changed, end = look.step(), time.monotonic() + PATIENCE
    while look.waits:
        assert time.monotonic() < end
        changed = look.step() or changed
    return changed


def test_what_gave_much_away_is_offered_back_to_who_did_it(
    evening: Evening, look: SecondLook
) -> None:
    play(evening, *BEFORE, BLUNDER)
    assert looked(look)
    offer = look.offer(evening.table)
    assert offer is not None
    assert offer.seat == "white"
    assert 0.15 <= offer.lost <= 1


def test_whatever_is_done_next_ends_the_offer(evening: Evening, look: SecondLook) -> None:
    play(evening, *BEFORE, BLUNDER)
    looked(look)
    play(evening, "e8-f7")
    assert look.offer(evening.table) is None
    assert looked(look)
    assert look.offer(evening.table) is None


def test_after_a_take_back_what_was_let_stand_before_is_not_offered_again(
    evening: Evening, look: SecondLook
) -> None:
    play(evening, *BEFORE, BLUNDER, "e8-f7", "a2-a3")
    evening.table.undo(2, "white")
    looked(look)
    assert evening.table.actions[-1] == CHESS.parse(evening.table.setup, BLUNDER)
    assert look.offer(evening.table) is None


def test_a_sound_move_is_not_remarked_upon(evening: Evening, look: SecondLook) -> None:
    play(evening, *BEFORE, SOUND)
    assert not looked(look)
    assert look.offer(evening.table) is None


def test_a_machine_is_offered_nothing(evening: Evening, look: SecondLook) -> None:
    give(evening.table, {"white": "level:1"}, "host")
    play(evening, *BEFORE, BLUNDER)
    assert not looked(look)
    assert look.offer(evening.table) is None


def test_a_game_of_chance_is_left_alone(look: SecondLook) -> None:
    game: Any = find_game("victory_honor")
    with Journal() as journal:
        evening = Evening(Table.create(journal, game, game.setup()))
        evening.change({"take_back_offers": True}, "host")
        evening.table.play(game.legal(evening.table.state)[0], "host")
        beside = SecondLook(evening)
        assert not looked(beside)
        beside.close()


def test_nothing_is_looked_at_unless_the_host_wants_it(evening: Evening, look: SecondLook) -> None:
    evening.change({"take_back_offers": False}, "host")
    play(evening, *BEFORE, BLUNDER)
    assert not look.step()
    assert not look.waits


def test_at_a_table_of_a_club_nobody_is_helped() -> None:
    with Journal() as journal:
        evening = Evening(Table.create(journal, CHESS, CHESS.setup()), bound=IN_A_CLUB)
        assert (evening.settings.advice, evening.settings.take_back_offers) == (False, False)
        for name in IN_A_CLUB:
            with pytest.raises(BadInput, match=": not at a table of a club"):
                evening.change({name: True}, "host")
        assert not evening.settings.advice
        evening.change({"speech": True}, "host")
        assert evening.settings.speech


@pytest.fixture
def machines(evening: Evening) -> Iterator[MachinePlayers]:
    found = MachinePlayers(
        evening, lambda: None, lambda: False, lambda: True, lambda: None, lambda: 0.0
    )
    yield found
    found.close()


def test_the_phone_of_that_seat_alone_is_told(evening: Evening, machines: MachinePlayers) -> None:
    app = web.create_app(evening, config=web.Config(), machines=machines)
    white, black = Phone(app), Phone(app)
    for phone, seat in ((white, "white"), (black, "black")):
        code = web.invitation(app, 1, host=phone is white).partition("#")[2]
        assert phone.post("/api/join", code=code).status_code == 200
        assert phone.post("/api/seat", seat=seat).status_code == 200
    assert white.post("/api/settings", take_back_offers=True).status_code == 200
    play(evening, *BEFORE, BLUNDER)
    assert 'id="take-it-back"' not in white.get("/").text
    end = time.monotonic() + PATIENCE
    while not machines.told()["offer"]:
        assert time.monotonic() < end
        machines.step()
    lost = round(100 * machines.told()["offer"]["lost"])
    assert white.state["you"]["gave_away"] == lost
    assert f"That gives away about {lost} % of the result" in white.get("/").text
    assert black.state["you"]["gave_away"] == 0
    assert "take-it-back" not in black.get("/").text
    assert "offer" not in black.state["machines"]
    assert white.post("/api/undo", count=1, state_id=white.state["state_id"]).status_code == 200
    machines.step()
    assert white.state["you"]["gave_away"] == 0
