"""A game of chess as broadcasts pull it: by the friends' address, with clocks, while it grows."""

from __future__ import annotations

import random

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.referee.broadcast import clocks_of, written_game
from companion.rules import ActionRemark, Outcome
from companion.table import Table
from companion.table.agreement import resign

CHESS = find_game("chess")


@pytest.fixture
def setup():
    return CHESS.setup(options={"minutes": "10", "increment": "5"})


@pytest.fixture
def table(setup, clock):
    with Journal() as journal:
        yield Table.create(journal, CHESS, setup, now=clock)


@pytest.fixture
def pulled(table, config, phone_of):
    """Return a function that pulls the game by the host's link."""
    app = web.create_app(table, config=config)
    host, reader = phone_of(app), phone_of(app, "192.168.1.99")
    host.post("/api/join", code=web.invitation(app).partition("#")[2])
    host.post("/api/seat", seat="white", name="Anna")

    def pull(**delay):
        link = host.post("/api/friends", {"count": "0", "unit": "moves", **delay}).json["link"]
        return reader.get(link.removeprefix("http://192.168.1.5:8000") + "/game.pgn")

    return pull


def play(table, *moves, clock=None, seconds=0):
    for move in moves:
        if clock is not None:
            clock.time += seconds
        assert table.play(CHESS.parse(table.setup, move), "camera").allowed


def test_it_has_names_time_control_and_what_the_clocks_showed(table, clock, pulled):
    play(table, "e2-e4", "e7-e5", "g1-f3", clock=clock, seconds=12)
    answer = pulled()
    assert answer.mimetype == "application/x-chess-pgn"
    assert '[White "Anna"]' in answer.text
    assert '[TimeControl "600+5"]' in answer.text
    assert '[Result "*"]' in answer.text
    assert answer.text.endswith(
        "\n1. e4 {[%clk 0:09:58] [%emt 0:00:12]} 1... e5 {[%clk 0:09:58] [%emt 0:00:12]}\n"
        "2. Nf3 {[%clk 0:09:51] [%emt 0:00:12]} *\n"
    )


def test_a_move_that_was_taken_back_costs_its_time_and_is_gone(table, clock, pulled):
    play(table, "e2-e4", clock=clock, seconds=60)
    table.undo(1, "white")
    play(table, "d2-d4", clock=clock, seconds=60)
    assert "e4" not in pulled().text
    assert "1. d4 {[%clk 0:08:10] [%emt 0:01:00]}" in pulled().text


def test_no_line_ends_within_a_clock(table, clock, pulled):
    knights = ("g1-f3", "g8-f6", "f3-g1", "f6-g8")
    play(table, *knights[:4], *knights[:3], clock=clock, seconds=1)
    lines = pulled().text.splitlines()
    assert max(map(len, lines)) < 80
    assert all(line.count("{") == line.count("}") == line.count("[%clk ") for line in lines[9:])


def test_it_is_as_late_as_the_host_likes(table, clock, pulled):
    play(table, "e2-e4", "e7-e5", "g1-f3", clock=clock, seconds=1)
    assert "1. e4" in pulled(count="2").text
    assert "e5" not in pulled(count="2").text


def test_the_result_is_told_once_it_is_known(table, pulled):
    play(table, "e2-e4")
    resign(table, "black")
    assert pulled().text.endswith("{Black resigned.} 1-0\n")
    assert '[Result "1-0"]' in pulled().text


def test_an_end_that_only_the_players_know_is_in_the_result(table, pulled):
    play(table, "e2-e4")
    table.end(Outcome(("black",), "", "it was said so"), "agreement", "host")
    assert pulled().text.endswith(" 0-1\n")


def test_without_the_link_and_in_other_notations_there_is_nothing(table, config, phone_of):
    app = web.create_app(table, config=config)
    host = phone_of(app)
    host.post("/api/join", code=web.invitation(app).partition("#")[2])
    link = host.post("/api/friends", {"count": "0", "unit": "moves"}).json["link"]
    path = link.removeprefix("http://192.168.1.5:8000")
    assert host.get(f"{path}/game.pgn").status_code == 200
    for wrong in (f"{path}/game.hxm", "/watch/guessed/game.pgn"):
        assert host.get(wrong).status_code == 404


def test_a_game_without_clocks_has_none(clock):
    with Journal() as journal:
        table = Table.create(journal, CHESS, CHESS.setup(), now=clock)
        play(table, "e2-e4", "e7-e5")
        line = table.line
        assert clocks_of(CHESS, table.setup, line, table.events()) == [
            ActionRemark(),
            ActionRemark(),
        ]


@pytest.mark.parametrize(
    ("minutes", "control"),
    [("5 d3", "300+3d"), ("40/90+30,30", "40/5400+30:1800+5"), ("3+2", "180+2")],
)
def test_the_time_control_is_written_as_broadcasts_read_it(clock, minutes, control):
    setup = CHESS.setup(options={"minutes": minutes, "increment": "5"})
    with Journal() as journal:
        table = Table.create(journal, CHESS, setup, now=clock)
        play(table, "e2-e4")
        text = written_game("pgn", CHESS, setup, table.line, table.events(), {}, None)
    assert f'[TimeControl "{control}"]' in text


def test_clocks_are_told_for_each_move_that_stands(table, clock):
    chance = random.Random(5)
    for _ in range(60):
        clock.time += chance.randrange(4)
        if table.actions and chance.random() < 0.2:
            table.undo(1, "white")
        elif table.outcome is None:
            table.play(chance.choice(list(CHESS.legal(table.state))), "camera")
    left = [one.left for one in clocks_of(CHESS, table.setup, table.line, table.events())]
    assert len(left) == len(table.actions)
    running = table.running
    for seat, last in zip(("white", "black"), (left[0::2], left[1::2]), strict=True):
        shown = running.seat_left(seat, running.since)
        assert last[-1] is not None
        assert last[-1] + 6 >= shown >= last[-1] - 120
