"""Photographs that a table's host lets the club have: after their events, and gone with them."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import partial

import psycopg
import pytest

from companion.club.consumer import Consumer
from companion.club.link import MqttLink, read_address
from companion.club.messages import (
    MOST_JPEG,
    Photograph,
    read_photograph,
    write_photograph,
)
from companion.club.outbox import Outbox
from companion.club.photographs import Photographs
from companion.games import find_game
from companion.journal import Journal
from companion.rules import BadInput
from companion.table import Table
from companion.table.agreement import abort
from companion.table.evening import Evening

GAME = find_game("chess")
JPEG = b"\xff\xd8\xff\xe0 a picture "


class Photographed:
    """A table that photographs its moves, and its club; each turn is one of both."""

    def __init__(self, folder, broker, store, allowed=True, game="chess"):
        self.path, self.store = folder / "table.sqlite3", store
        self.journal = Journal(self.path)
        self.evening = Evening(_begun(self.journal, find_game(game)))
        self.connect = partial(MqttLink, read_address(broker.address))
        self.allowed = allowed
        self.consumer = Consumer(store, partial(self.connect, f"club-{folder.name}"))
        self.begin()

    def begin(self):
        def beside(cursor):
            return [Photographs(cursor, self.path)] if self.allowed else []

        self.outbox = Outbox(self.path, self.connect, "Four", lambda: "chess", beside=beside)

    def play(self, *actions, size=0):
        table = self.evening.table
        for text in actions:
            pictures = {m: JPEG + m.encode() + b"." * size for m in ("before", "after")}
            table.play(GAME.parse(table.setup, text), "camera", pictures)

    def until(self, so):
        for _ in range(400):
            self.consumer.step(0.02)
            self.outbox.step(0.02)
            if so():
                return
        raise AssertionError(self.kept())

    def all_stored(self):
        return self.outbox.cursor.place.seq == self.journal.last_seq

    def rest(self):
        for _ in range(20):
            self.consumer.step(0.01)
            self.outbox.step(0.01)

    def kept(self, game=1):
        [table] = self.store.journals()
        return self.store.photographs(table, game)

    def close(self):
        self.outbox.close()
        self.consumer.close()
        self.journal.close()


@pytest.fixture
def table(tmp_path, broker, store):
    table = Photographed(tmp_path, broker, store)
    yield table
    table.close()


def test_photographs_follow_their_events_and_are_shown_on_the_game_s_page(table, client):
    table.play("e2-e4", "e7-e5")
    table.until(lambda: table.all_stored() and sum(map(len, table.kept().values())) == 4)
    assert [sorted(one) for one in table.kept().values()] == [["after", "before"]] * 2
    [one] = table.store.journals()
    page = client.get(f"/games/{one.table}/{one.journal}/1").text
    assert page.count("<img") == 4
    address = f"/games/{one.table}/{one.journal}/photographs/{min(table.kept())}"
    answer = client.get(f"{address}/after.jpg")
    assert answer.data == JPEG + b"after"
    assert answer.mimetype == "image/jpeg"
    assert client.get(f"{address}/never.jpg").status_code == 404


def test_nothing_is_sent_unless_the_host_allows_it(tmp_path, broker, store):
    table = Photographed(tmp_path, broker, store, allowed=False)
    table.play("e2-e4")
    table.until(table.all_stored)
    table.rest()
    assert table.kept() == {}
    table.close()


def test_a_photograph_that_is_too_large_stays_and_the_next_one_goes(table):
    table.play("e2-e4", size=MOST_JPEG)
    table.play("e7-e5")
    table.until(lambda: table.all_stored() and table.kept())
    table.until(lambda: sum(map(len, table.kept().values())) == 2)
    assert max(table.kept()) == table.journal.last_seq


@pytest.mark.parametrize("shown", [True, False], ids=["shown in the end", "never shown"])
def test_where_hands_are_hidden_nothing_is_sent_before_they_are_shown(
    tmp_path, broker, store, shown
):
    table = Photographed(tmp_path, broker, store, game="victory_honor")
    cards = table.evening.table
    cards.play(cards.game.legal(cards.state)[0], "camera", {"after": JPEG})
    table.until(table.all_stored)
    table.rest()
    assert table.kept() == {}
    if shown:
        abort(cards, "host")
        table.until(lambda: table.kept())
    else:
        chess = find_game("chess")
        fresh = Table.create(table.journal, chess, chess.setup())
        fresh.play(chess.parse(fresh.setup, "e2-e4"), "camera", {"after": JPEG})
        table.until(lambda: table.kept(game=fresh.game_id))
        assert table.kept() == {}
    table.close()


def test_after_a_restart_only_what_is_missing_is_sent(table, store):
    table.play("e2-e4")
    table.until(lambda: table.outbox.cursor.shown.seq == table.journal.last_seq)
    first = table.outbox.cursor.shown
    table.outbox.close()
    table.begin()
    assert table.outbox.cursor.shown == first
    table.play("e7-e5")
    taken = table.consumer.taken
    table.until(lambda: len(table.kept()) == 2 and table.outbox.cursor.shown.seq > first.seq)
    assert table.consumer.taken - taken <= 8, "no earlier photograph came again"


@pytest.mark.slow
def test_a_club_that_lost_its_store_gets_them_again(table, store, address):
    table.play("e2-e4")
    table.until(lambda: table.outbox.cursor.shown.seq == table.journal.last_seq)
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("TRUNCATE stream CASCADE")
    table.play("e7-e5")
    table.until(lambda: store.journals() and len(table.kept()) == 2)


@pytest.mark.parametrize("what", ["photographs", "all"])
def test_what_the_host_deletes_is_gone_at_the_club(table, what):
    table.play("e2-e4")
    table.until(lambda: table.outbox.cursor.shown.seq == table.journal.last_seq)
    table.evening.delete(what, "host")
    table.until(table.all_stored)
    assert table.kept() == {}


def test_they_go_with_a_player_who_is_forgotten_and_with_time(table, store, address):
    table.evening.table.note("named", {"seat": "white", "name": "Ada"}, "host")
    table.play("e2-e4")
    table.until(lambda: table.outbox.cursor.shown.seq == table.journal.last_seq)
    assert store.forget_photographs(30) == 0
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("UPDATE photograph SET came = now() - interval '31 days' WHERE moment = 'after'")
    assert store.forget_photographs(30) == 1
    store.forget("ada")
    assert table.kept() == {}


@pytest.mark.parametrize(
    "change",
    [
        {"jpeg": b64encode(b"<html>").decode()},
        {"jpeg": "no Base64"},
        {"jpeg": b64encode(JPEG + b"." * MOST_JPEG).decode()},
        {"moment": "../x"},
        {"seq": -1},
        {"epoch": "x"},
        {"v": 2},
    ],
)
def test_what_is_no_photograph_is_refused(change):
    told = json.loads(write_photograph(Photograph("e" * 16, 3, "after", JPEG)))
    assert read_photograph(json.dumps(told).encode()).jpeg == JPEG
    with pytest.raises(BadInput):
        read_photograph(json.dumps(told | change).encode())


def test_a_photograph_without_its_event_is_not_kept(store):
    assert not store.keep("a" * 16, Photograph("e" * 16, 3, "after", JPEG))


def _begun(journal, game):
    return Table.create(journal, game, game.setup())
