"""A table's journal reaches the club's store whole, in order and once, whatever happens between:
against a real broker and a real database."""

from __future__ import annotations

import itertools
import json
import shutil
from contextlib import suppress

import psycopg
import pytest

from companion.club.consumer import MOST, WITHIN, Consumer
from companion.club.link import MqttLink, read_address
from companion.club.messages import Batch, Place, TableState, topic, write_batch, write_state
from companion.club.outbox import KEEPING, Cursor, Outbox, cursor_file_of
from companion.club.store import Store
from companion.games import find_game
from companion.journal import Journal
from companion.journal.copying import JournalRows, write_rows
from companion.rules import Action, HardwareFault
from companion.table import Table
from tests.checks.club_servers import free_port
from tests.checks.loops import some
from tests.checks.mqtt_proxy import UnsteadyLine

GAME = find_game("chess")
NAMES = itertools.count()
TURNS = 400
KEY = "0123456789abcdef" * 4


class Clock:
    """Half a second passes whenever somebody asks."""

    def __init__(self):
        self.time = 0.0

    def __call__(self):
        self.time += 0.05
        return self.time


class Club:
    """A table and its club; each turn is one of both."""

    def __init__(self, folder, broker, database):
        self.path, self.broker, self.database = folder / "table.sqlite3", broker, database
        self.journal = Journal(self.path)
        self.table = Table.create(self.journal, GAME, GAME.setup())
        self.proxy = UnsteadyLine(broker.port)
        self.clock = Clock()
        self.outbox = self.consumer = None
        self.send_from()
        self.consume()

    def send_from(self):
        def connect(client, topics, will):
            address = read_address(f"mqtt://127.0.0.1:{self.proxy.port}")
            return MqttLink(address, client, topics, will)

        if self.outbox is not None:
            self.outbox.close()
        self.outbox = Outbox(self.path, connect, "Ada's table", lambda: "chess", clock=self.clock)

    def consume(self):
        address = read_address(self.broker.address)
        name = f"club-{next(NAMES)}"
        store = Store(self.database)
        self.consumer = Consumer(
            store, lambda topics: MqttLink(address, name, topics), clock=self.clock
        )

    def turn(self):
        self.consumer.step(0.02)
        self.outbox.step()

    def until_stored(self):
        """Take turns until the club has told that it has everything."""
        for _ in range(TURNS):
            self.turn()
            if self.outbox.cursor.place.seq == self.journal.last_seq:
                return
        raise AssertionError(f"{self.outbox.cursor.place} {self.outbox.trouble}")

    def play(self, count=6):
        for _ in range(count // 2):
            for action in ("g1-f3", "g8-f6", "f3-g1", "f6-g8"):
                self.table.play(GAME.parse(self.table.setup, action), "camera")

    def stored(self):
        with Store(self.database) as store:
            [table] = store.tables()
            return list(store.every_event(table.table, table.epoch))

    def written(self):
        rows = JournalRows(self.path)
        every = rows.after(0, 10**6)
        rows.close()
        return every

    def close(self):
        self.outbox.close()
        self.consumer.close()
        self.proxy.close()
        self.journal.close()


@pytest.fixture
def club(tmp_path, broker, address):
    club = Club(tmp_path, broker, address)
    yield club
    club.close()


def test_what_happens_at_a_table_is_stored_event_for_event(club):
    club.play()
    club.table.play(Action("resign", detail="white"), "white")
    club.until_stored()
    assert club.stored() == club.written()
    with Store(club.database) as store:
        [table] = store.tables()
    assert (table.seq, table.state.name) == (club.journal.last_seq, "Ada's table")
    assert table.state.state == "playing"


def test_a_journal_is_written_down_again_from_the_store(club, tmp_path):
    club.table.note("joined", {"key": KEY, "person": "1", "name": "Ada"}, "phone")
    club.play()
    club.until_stored()
    write_rows(tmp_path / "again.sqlite3", club.stored())
    again = JournalRows(tmp_path / "again.sqlite3")
    rows = again.after(0, 10**6)
    again.close()
    assert [row._replace(data="") for row in rows] == [r._replace(data="") for r in club.written()]
    with Journal(tmp_path / "again.sqlite3") as journal:
        table = Table.resume(journal, 1)
        assert table.actions == club.table.actions


def test_digests_of_keys_stay_at_the_table(club):
    club.table.note("joined", {"key": KEY, "person": "1"}, "phone")
    club.until_stored()
    assert KEY not in "".join(row.data for row in club.stored())


def test_a_line_that_is_cut_loses_nothing_and_play_goes_on(club):
    club.play()
    club.until_stored()
    club.proxy.break_off()
    club.play()
    for _ in range(5):
        club.turn()
    assert "cannot be reached" in club.outbox.trouble
    club.proxy.mend()
    club.until_stored()
    assert club.stored() == club.written()
    assert club.outbox.trouble == ""


@pytest.mark.thorough
def test_a_consumer_that_is_killed_is_followed_by_another(club):
    club.play()
    for _ in range(3):
        club.turn()
    club.consumer.close()
    club.consume()
    club.play()
    club.until_stored()
    assert club.stored() == club.written()


@pytest.mark.slow
def test_a_database_that_dies_is_caught_up_with(club, database):
    club.play()
    club.until_stored()
    database.kill()
    club.play()
    for _ in range(5):
        club.turn()
    assert "database" in club.consumer.trouble
    database.start()
    club.until_stored()
    assert club.stored() == club.written()


def test_a_broker_that_is_killed_is_caught_up_with(club, broker):
    club.play()
    club.turn()
    broker.kill()
    club.play()
    for _ in range(5):
        club.turn()
    broker.start()
    club.until_stored()
    assert club.stored() == club.written()


def test_messages_that_come_twice_or_in_another_order_change_nothing(club):
    club.play()
    rows, cursor = club.written(), club.outbox.cursor
    batches, place = [], Place()
    for row in rows:
        batches.append(Batch(cursor.epoch, place, (row,)))
        place = place.then(row)
    name = topic(cursor.table, "events")
    # Opened by itself, so that nothing else comes between.
    club.consumer.step(0.02)
    order = [*batches[3:5], *batches[:4], batches[2], *reversed(batches), *batches]
    club.consumer.take([(name, write_batch(batch)) for batch in order])
    assert club.stored() == rows


def test_a_table_that_floods_is_not_looked_at_and_all_others_are(club, store, caplog):
    now = [0.0]
    consumer = Consumer(store, lambda topics: club.consumer._link, clock=lambda: now[0])
    club.play()
    rows = club.written()
    flooding, other = (f"{number:016x}" for number in range(2))
    told = write_batch(Batch("e" * 16, Place(), rows[:5]))
    consumer.take([(topic(flooding, "events"), b"none")] * 5_000)
    came = [(topic(table, "events"), told) for table in (flooding, other)]
    consumer.take(came)
    assert consumer.refused == 5_001
    assert [one.table for one in store.tables()] == [other]
    assert len([one for one in caplog.messages if "sends too much" in one]) == 1
    assert len([one for one in caplog.messages if "was refused" in one]) == MOST
    now[0] += WITHIN
    consumer.take(came)
    assert [one.table for one in store.tables()] == [flooding, other]
    assert list(store.every_event(flooding, "e" * 16)) == rows[:5]


def test_what_comes_of_many_tables_together_is_one_transaction(club, store, address):
    club.play()
    rows, came = club.written(), []
    tables = [f"{number:016x}" for number in range(40)]
    for table in tables:
        state = write_state(TableState("playing", 1.0, f"Table {table}", "chess"))
        halves = [Batch("e" * 16, Place(), rows[:5])]
        halves.append(Batch("e" * 16, halves[0].end(), rows[5:]))
        came.append((topic(table, "state"), state))
        came += [(topic(table, "events"), write_batch(half)) for half in halves]
    club.consumer.step(0.02)
    club.consumer.take([*came[::3], *came[1::3], (came[1][0], b"none"), *came[2::3], *came])
    assert club.consumer.refused == 1
    assert [one.table for one in store.tables()] == tables
    for table in some(tables):
        assert list(store.every_event(table, "e" * 16)) == list(rows)
    with psycopg.connect(address) as db:
        assert db.execute("SELECT count(DISTINCT xmin::text) FROM event").fetchone() == (1,)


def test_a_table_goes_to_another_broker_where_one_is_gone(broker):
    address = read_address(f"mqtt://127.0.0.1:{free_port()},127.0.0.1:{broker.port}")
    for client in ("one", "another", "a third"):
        link = MqttLink(address, client, ["companion/#"])
        for _ in some(range(TURNS)):
            with suppress(HardwareFault):
                link.open()
                while not link.up:
                    link.turn(0.1)
                break
        assert link.up
        link.close()


def test_how_a_table_is_is_told_again_for_whoever_came_later(club, store):
    club.play()
    club.until_stored()
    with psycopg.connect(club.database, autocommit=True) as db:
        mine = ("SELECT * FROM presence WHERE table_id = %s", (club.outbox.cursor.table,))
        before = db.execute(*mine).fetchone()
        db.execute("DELETE FROM presence")
        club.clock.time += 61
        for _ in some(range(TURNS)):
            club.turn()
            if (again := db.execute(*mine).fetchone()) is not None:
                break
        assert again == before


def test_what_is_not_old_enough_does_not_leave_the_table(club):
    club.outbox.close()
    now = [club.table.events()[-1].at]
    address = read_address(club.broker.address)
    club.outbox = Outbox(
        club.path, lambda *line: MqttLink(address, *line), clock=club.clock, delay=60.0,
        now=lambda: now[0],
    )  # fmt: skip
    for _ in range(10):
        club.turn()
    assert club.outbox.cursor.place == Place()
    now[0] += 61
    club.until_stored()
    assert club.stored() == club.written()


def test_what_was_stored_before_the_table_was_switched_off_is_not_sent_again(club):
    club.play()
    club.until_stored()
    place = club.outbox.cursor.place
    club.send_from()
    assert club.outbox.cursor.place == place
    assert Cursor(club.path).table == club.outbox.cursor.table


def kept_seq(club):
    return json.loads(cursor_file_of(club.path).read_text())["seq"]


def test_a_table_that_fell_tells_once_more_what_the_club_knows_and_nothing_is_stored_twice(club):
    club.play()
    club.until_stored()
    assert kept_seq(club) == 0, "nothing waited for the disk"
    table, epoch = club.outbox.cursor.table, club.outbox.cursor.epoch
    club.outbox = None  # as a power cut leaves it
    club.send_from()
    club.play(2)
    club.until_stored()
    assert (club.outbox.cursor.table, club.outbox.cursor.epoch) == (table, epoch)
    assert club.stored() == club.written()


def test_how_far_the_club_is_is_written_down_now_and_then_and_at_the_end(club):
    club.play(2)
    club.until_stored()
    club.clock.time += KEEPING
    club.turn()
    first = club.journal.last_seq
    assert kept_seq(club) == first
    club.play(2)
    club.until_stored()
    assert kept_seq(club) == first
    club.outbox.close()
    assert kept_seq(club) == club.journal.last_seq
    club.send_from()


def test_after_many_events_it_is_written_down_at_once(club, monkeypatch):
    monkeypatch.setattr("companion.club.outbox.AHEAD", 10)
    club.play(12)
    club.until_stored()
    club.turn()
    assert club.journal.last_seq - kept_seq(club) < 10 < club.journal.last_seq


def test_a_restored_backup_begins_a_new_epoch(club, tmp_path):
    club.play()
    club.until_stored()
    epoch = club.outbox.cursor.epoch
    club.outbox.close()
    club.journal.close()
    rows = club.written()[:5]
    club.path.unlink()
    for beside in (".sqlite3-wal", ".sqlite3-shm"):
        club.path.with_suffix(beside).unlink(missing_ok=True)
    write_rows(club.path, rows)
    club.journal = Journal(club.path)
    club.table = Table.resume(club.journal, 1)
    club.play(2)
    club.outbox = None
    club.send_from()
    assert club.outbox.cursor.epoch != epoch
    club.until_stored()
    assert club.stored() == club.written()


def test_a_club_that_lost_its_store_is_told_everything_again(club):
    club.play()
    club.until_stored()
    with psycopg.connect(club.database, autocommit=True) as db:
        db.execute("DELETE FROM stream")
    club.play(2)
    club.until_stored()
    assert club.stored() == club.written()


def test_games_that_the_host_deleted_are_deleted_at_the_club(club):
    club.play(2)
    club.table.play(Action("resign", detail="white"), "white")
    club.until_stored()
    second = Table.create(club.journal, GAME, GAME.setup())
    club.journal.forget_games(second.game_id)
    second.note("deleted", {"what": "games", "photographs": 0, "games": 1}, "host")
    club.until_stored()
    assert {row.game for row in club.stored()} == {second.game_id}
    assert club.stored() == club.written()


def test_what_is_deleted_from_one_journal_of_a_table_leaves_its_others(club, tmp_path):
    table = "0123456789abcdef"
    first, second = (_epoch_of_another_journal(tmp_path, name, table) for name in "ab")
    club.play(1)
    club.until_stored()
    rows = club.written()
    for epoch in (first, second):
        club.consumer.take([_told(table, epoch, rows)])
    deleted = rows[-1]._replace(
        seq=rows[-1].seq + 1, game=2, kind="deleted", action=None, ruling=None, begun=None,
        data='{"what":"games"}',
    )  # fmt: skip
    place = Batch(first, Place(), tuple(rows)).end()
    club.consumer.take([_told(table, first, [deleted], place)])
    with Store(club.database) as store:
        assert [row.kind for row in store.every_event(table, first)] == ["deleted"]
        assert list(store.every_event(table, second)) == rows
        assert store.table_called(table).epoch == first, "it was told of last"


def _told(table, epoch, rows, after=Place()):  # noqa: B008 - a place is a tuple
    return topic(table, "events"), write_batch(Batch(epoch, after, tuple(rows)))


def _epoch_of_another_journal(folder, name, invited):
    path = folder / f"{name}.sqlite3"
    with Journal(path) as journal:
        Table.create(journal, GAME, GAME.setup())
    cursor = Cursor(path, invited)
    assert cursor.table == invited
    return cursor.epoch


def test_a_table_that_was_invited_tells_its_journal_under_its_new_id(club):
    club.play(1)
    club.until_stored()
    club.send_from()
    before = Cursor(club.path)
    after = Cursor(club.path, "0123456789abcdef")
    assert (before.place.seq > 0, after.place) == (True, Place())
    assert after.epoch != before.epoch
    assert after.epoch[:8] == before.epoch[:8], "it is the same journal"
    assert Cursor(club.path, "0123456789abcdef").epoch == after.epoch


def test_a_full_disk_at_the_table_is_no_fault_of_the_outbox(club, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.club.outbox.write_private", full)
    club.play()
    club.until_stored()
    club.outbox.close()
    assert '"seq": 0' in cursor_file_of(club.path).read_text()
    club.send_from()
    assert shutil.disk_usage("/").total


def test_a_table_keeps_its_id_though_nothing_was_ever_stored(tmp_path):
    with Journal(tmp_path / "table.sqlite3") as journal:
        Table.create(journal, GAME, GAME.setup())
        first, second = (Cursor(tmp_path / "table.sqlite3") for _ in range(2))
    assert (first.table, first.epoch) == (second.table, second.epoch)
