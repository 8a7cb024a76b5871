"""The journal keeps everything, tells whose file it is, and says so when the disk fails."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.games import find_game
from companion.journal import Connection, Draft, Header, Journal, open_sqlite
from companion.referee import audit_journal
from companion.rules import BadInput, CompanionError, HardwareFault, Ruling
from companion.table import Table

HEADER = Header("race", ("white", "black"), {"length": "8"})
REFUSAL = Ruling(False, "RACE-2", "no such step", ("a1", "b1"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        yield journal


def begin(journal: Journal, header: Header = HEADER) -> int:
    return journal.begin(header, 10.0, Draft("referee", "started"))[0]


def test_an_event_comes_back_as_it_was_committed(journal: Journal) -> None:
    game = begin(journal)
    draft = Draft("white", "refused", "a1-b1", REFUSAL, {"seat": "white", "n": [1, 2]})
    (event,) = journal.append(game, 11.5, (draft,))
    assert journal.events(game)[-1] == event
    assert (event.seq, event.at, event.actor, event.kind) == (2, 11.5, "white", "refused")
    assert event.ruling == REFUSAL
    assert event.data == {"seat": "white", "n": [1, 2]}


def test_what_a_reader_finds_later_equals_what_the_writer_was_given(journal: Journal) -> None:
    game = begin(journal)
    live = journal.append(game, 1.0, (Draft("camera", "lost", data={"spots": ("a1", "b1")}),))
    with Journal.read(journal.path) as reader:
        assert reader.events(game)[1:] == live


def test_photographs_are_kept_with_their_event(journal: Journal) -> None:
    game = begin(journal)
    pictures = {"before": b"\xff\xd8one", "after": b"\xff\xd8two"}
    (event,) = journal.append(game, 1.0, (Draft("camera", "action", "x", None, {}, pictures),))
    assert event.photographs == ("before", "after")
    assert journal.evidence(event.seq) == pictures
    assert journal.events(game)[-1].photographs == ("before", "after")
    assert journal.evidence(1) == {}


def test_events_after_a_number_are_those_not_seen_yet(journal: Journal) -> None:
    game = begin(journal)
    journal.append(game, 1.0, [Draft("camera", "lost"), Draft("camera", "found")])
    assert [event.seq for event in journal.events(game, after=1)] == [2, 3]
    assert journal.events(game, after=3) == ()


def test_one_file_may_hold_consecutive_games_with_their_headers(path: Path) -> None:
    arranged = Header("race", ("black", "white"), {"length": "5"}, {"b1": "black"}, "white")
    with Journal(path) as journal:
        first, second = begin(journal), begin(journal, arranged)
        journal.append(first, 1.0, (Draft("camera", "lost"),))
    with Journal(path) as journal:
        assert journal.games() == {first: HEADER, second: arranged}
        assert [event.seq for event in journal.events(first)] == [1, 3]
        assert [event.seq for event in journal.events(second)] == [2]
        (event,) = journal.append(second, 2.0, (Draft("camera", "found"),))
        assert event.seq == 4


def test_a_second_opening_of_the_same_journal_is_refused(journal: Journal, path: Path) -> None:
    with pytest.raises(BadInput, match="in use by another companion"):
        Journal(path)


def test_a_second_process_on_the_same_journal_is_refused(journal: Journal) -> None:
    script = "import sys; from companion.journal import Journal; Journal(sys.argv[1])"
    ran = subprocess.run(
        [sys.executable, "-c", script, journal.path], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert (
        ran.stderr.strip()
        .splitlines()[-1]
        .endswith("is in use by another companion; stop that one or name another journal")
    )


def test_a_closed_journal_can_be_opened_again(path: Path) -> None:
    Journal(path).close()
    Journal(path).close()


def test_a_reader_may_look_while_the_table_writes(journal: Journal) -> None:
    game = begin(journal)
    with Journal.read(journal.path) as reader:
        journal.append(game, 1.0, (Draft("camera", "lost"),))
        assert [event.kind for event in reader.events(game)] == ["started", "lost"]
        with pytest.raises(HardwareFault):
            reader.append(game, 2.0, (Draft("camera", "found"),))


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("a shopping list " * 100)
    for opening in (Journal, Journal.read):
        with pytest.raises(BadInput, match="is no journal"):
            opening(path)
    assert path.read_text() == "a shopping list " * 100


def test_a_database_of_somebody_else_is_refused_and_left_alone(path: Path) -> None:
    foreign = sqlite3.connect(path)
    foreign.execute("CREATE TABLE recipe (name TEXT)")
    foreign.close()
    before = path.read_bytes()
    with pytest.raises(BadInput, match="is no journal"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_companion_is_refused(path: Path) -> None:
    Journal(path).close()
    newer = sqlite3.connect(path, isolation_level=None)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(BadInput, match="written by a newer companion"):
        Journal(path)


def test_a_refused_opening_leaves_no_lock_behind(path: Path) -> None:
    path.write_text("no database " * 100)
    with pytest.raises(BadInput):
        Journal(path)
    path.unlink()
    Journal(path).close()


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(HardwareFault, match="folder must exist"):
        Journal(tmp_path / "nowhere" / "game.journal")


@pytest.mark.parametrize("exists", [False, True])
def test_a_reader_of_a_missing_or_empty_journal_is_told_so(path: Path, exists: bool) -> None:
    if exists:
        path.touch()
    with pytest.raises(BadInput, match="holds no game" if exists else "there is no journal"):
        Journal.read(path)


def test_a_damaged_event_is_the_disks_fault(path: Path) -> None:
    with Journal(path) as journal:
        game = begin(journal)
    vandal = sqlite3.connect(path, isolation_level=None)
    vandal.execute("UPDATE event SET data = 'not json'")
    vandal.close()
    with Journal(path) as journal, pytest.raises(HardwareFault, match="is damaged"):
        journal.events(game)


def test_a_disk_that_keeps_no_log_is_refused(path: Path) -> None:
    class NoLog:
        def __init__(self, connection: Connection) -> None:
            self.connection = connection

        def execute(self, sql: str, parameters: tuple[object, ...] = (), /) -> object:
            answer = self.connection.execute(sql, parameters)
            return [("delete",)] if "journal_mode" in sql else answer

        def close(self) -> None:
            self.connection.close()

    with pytest.raises(HardwareFault, match="needs a local disk"):
        Journal(path, lambda name: NoLog(open_sqlite(name)))  # type: ignore[arg-type,return-value]


class SmallDisk:
    """Opens databases on a disk with room for a given number of pages."""

    def __init__(self) -> None:
        self.connection: Connection | None = None

    def __call__(self, path: str) -> Connection:
        self.connection = open_sqlite(path)
        return self.connection

    def room(self, pages: int) -> None:
        assert self.connection is not None
        for _ in self.connection.execute(f"PRAGMA max_page_count = {pages}"):
            pass


def test_a_full_disk_writes_nothing_and_the_next_try_works_once_there_is_room(
    path: Path,
) -> None:
    disk = SmallDisk()
    with Journal(path, disk) as journal:
        game = begin(journal)
        before = journal.events(game)
        disk.room(1)
        picture = {"after": bytes(100_000)}
        drafts = [Draft("camera", "lost"), Draft("camera", "action", "x", None, {}, picture)]
        with pytest.raises(HardwareFault, match="is full; nothing was lost"):
            journal.append(game, 1.0, drafts)
        assert journal.events(game) == before
        disk.room(10_000)
        assert [event.seq for event in journal.append(game, 2.0, drafts)] == [2, 3]


def test_what_is_no_json_is_not_half_written(journal: Journal) -> None:
    game = begin(journal)
    with pytest.raises(TypeError):
        journal.append(game, 1.0, [Draft("a", "lost"), Draft("a", "found", data={"x": object()})])
    assert [event.kind for event in journal.events(game)] == ["started"]
    assert journal.append(game, 1.0, (Draft("camera", "lost"),))[0].seq == 2


def test_a_journal_commits_through_the_disk(path: Path) -> None:
    opened: list[Connection] = []

    def connect(name: str) -> Connection:
        opened.append(open_sqlite(name))
        return opened[0]

    with Journal(path, connect):
        assert [tuple(row) for row in opened[0].execute("PRAGMA synchronous")] == [(2,)]
        assert [tuple(row) for row in opened[0].execute("PRAGMA journal_mode")] == [("wal",)]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_a_file_damaged_anywhere_is_read_or_told_in_a_sentence(path: Path, seed: int) -> None:
    chance, game = random.Random(seed), find_game("victorus")
    with Journal(path) as journal:
        table = Table.create(journal, game, game.setup())
        for _ in range(60):
            table.play(chance.choice(list(game.legal(table.state))), "camera")
    whole = path.read_bytes()
    for _ in range(60):
        torn, at = bytearray(whole), chance.randrange(0, len(whole), 4096)
        if chance.random() < 0.3:
            other = chance.randrange(0, len(whole), 4096)
            torn[at : at + 4096] = whole[other : other + 4096]
        else:
            for _ in range(chance.choice([1, 8, 60])):
                torn[chance.randrange(len(torn))] = chance.randrange(256)
        for beside in path.parent.iterdir():
            beside.unlink()
        path.write_bytes(torn)
        with suppress(CompanionError), Journal.read(path) as journal:
            audit_journal(journal)
        with suppress(CompanionError), Journal(path) as journal:
            journal.lengths()
            journal.latest()
            Table.resume(journal)
