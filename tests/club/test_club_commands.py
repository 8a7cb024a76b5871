"""The club from the command line, and a table that belongs to one by its settings alone."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from companion.cli import main
from companion.club.consumer import Consumer
from companion.club.link import MqttLink, read_address
from companion.club.store import Store
from companion.commands.club import parts_of
from companion.games import find_game
from companion.journal import Journal
from companion.journal.copying import JournalRows
from companion.live.publishing import Publisher
from companion.machine.settings_file import Section, SettingsFile
from companion.rules import BadInput
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.loops import some
from tests.checks.panels import dark_panel

GAME = find_game("chess")


@pytest.fixture
def published(tmp_path, broker, address):
    """A table whose settings name a broker, and what the club has stored of it."""
    file = SettingsFile(tmp_path)
    file.change({"club.broker": broker.address, "club.name": "Four", "club.database": address})
    with Journal(tmp_path / "table.sqlite3") as journal, Store(address) as store:
        evening = Evening(Table.create(journal, GAME, GAME.setup()))
        evening.table.play(GAME.parse(evening.table.setup, "e2-e4"), "white")
        stop = threading.Event()
        publisher = Publisher(
            evening, Section(file, "club").load(), stop.wait, str, dark_panel(evening.table)
        )
        link = read_address(broker.address)
        consumer = Consumer(store, lambda topics: MqttLink(link, f"club-{tmp_path.name}", topics))
        for _ in some(range(200)):
            publisher.step()
            consumer.step(0.02)
            if any(table.seq == journal.last_seq for table in store.tables()):
                break
        publisher.close()
        for _ in some(range(200)):
            consumer.step(0.02)
            if store.tables()[0].state.state == "offline":
                break
        consumer.close()
    return tmp_path


def test_a_table_is_listed_and_its_journal_written_down_again(published, capsys):
    assert main(["club", "tables", "--data", str(published)]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("Four "), "people know a table by its name"
    assert "offline" in listed
    again = published / "again.sqlite3"
    assert main(["club", "rebuild", "Four", str(again), "--data", str(published)]) == 0
    rows = []
    for path in (published / "table.sqlite3", again):
        journal = JournalRows(path)
        rows.append(journal.after(0, 1000))
        journal.close()
    assert rows[0] == rows[1]
    assert len(rows[0]) > 1
    assert main(["club", "rebuild", "Four", str(again), "--data", str(published)]) == 2
    assert "there already" in capsys.readouterr().err


def test_what_happens_at_a_table_is_told_at_once(tmp_path, broker, monkeypatch):
    woken = []
    monkeypatch.setattr(MqttLink, "wake", lambda link: woken.append(link))
    with Journal(tmp_path / "table.sqlite3") as journal:
        evening = Evening(Table.create(journal, GAME, GAME.setup()))
        publisher = Publisher(
            evening, {"broker": broker.address}, str, str, dark_panel(evening.table)
        )
        publisher.step()
        assert not woken
        evening.table.play(GAME.parse(evening.table.setup, "e2-e4"), "white")
        assert woken
        publisher.close()


def test_a_table_that_is_not_there_is_told(published, capsys):
    assert main(["club", "rebuild", "Five", "x.sqlite3", "--data", str(published)]) == 2
    assert "no table is called" in capsys.readouterr().err


def test_a_database_that_is_not_there_is_told_in_a_sentence(tmp_path, capsys):
    there = "postgresql://club@127.0.0.1:1/none"
    assert main(["club", "tables", "--database", there, "--data", str(tmp_path)]) != 0
    said = capsys.readouterr().err
    assert "the club's database cannot be used" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("text", ["", "0/2", "3/2", "1/99", "a/b", "1"])
def test_a_share_that_is_none_says_how_one_is_written(text):
    with pytest.raises(BadInput, match="1/3"):
        parts_of(text)


def test_services_share_all_tables():
    shares = [set(parts_of(f"{number}/3")) for number in (1, 2, 3)]
    assert set.union(*shares) == set(parts_of("1/1"))
    assert sum(map(len, shares)) == len(parts_of("1/1"))


def test_a_table_alone_loads_nothing_of_the_club():
    code = (
        "import sys, companion.live.composition;"
        "print([name for name in sys.modules if 'club' in name or 'paho' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
