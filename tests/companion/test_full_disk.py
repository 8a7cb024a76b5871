"""On a full disk a table starts, shows and deletes; what cannot be kept is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.journal import Draft, Header, Journal
from companion.rules import Action, HardwareFault
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.kept_photographs import photograph_bytes

HEADER = Header("race", ("white", "black"), {})
STEPS = [Action("move", "a1", "b1"), Action("move", "a2", "b2"), Action("move", "b1", "c1")]
SIZES = ["4m", "12m"]


@pytest.fixture(params=SIZES)
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A real disk of a few megabytes, for those who may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={request.param}", "tmpfs", str(place)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path) -> None:
    """Leave no byte free."""
    file = os.open(disk / "filler", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    for size in (4096, 1):
        with suppress(OSError):
            while True:
                os.write(file, b"x" * size)
    os.close(file)
    assert os.statvfs(disk).f_bavail == 0


def until_full(do: Callable[[], object]) -> str:
    """Do something until the disk is full; return what is said then."""
    for _ in range(20_000):
        try:
            do()
        except HardwareFault as fault:
            return str(fault)
    raise AssertionError("the disk never was full")


def photographed(path: Path, count: int = 20, games: int = 2) -> None:
    with Journal(path) as journal:
        for _ in range(games):
            game, _ = journal.begin(HEADER, 0.0, Draft("referee", "started"))
            for _ in range(count // games):
                pictures = {"before": os.urandom(15_000), "after": os.urandom(15_000)}
                journal.append(game, 1.0, [Draft("camera", "asked", photographs=pictures)])


def test_a_journal_opens_and_is_read(disk: Path) -> None:
    photographed(disk / "game.sqlite3")
    fill(disk)
    with Journal(disk / "game.sqlite3") as journal:
        assert len(journal.events(2)) == 11
        assert len(journal.evidence(3)) == 2


def test_photographs_and_games_are_deleted(disk: Path) -> None:
    path = disk / "game.sqlite3"
    photographed(path)
    fill(disk)
    with Journal(path) as journal:
        fill(disk)
        assert journal.trim_photographs(0) == 40
        assert photograph_bytes(journal) == 0
        assert journal.forget_games(keep=2) == 1
        # What was deleted makes room for what is to come.
        journal.append(2, 2.0, [Draft("camera", "lost")])


def test_they_are_deleted_while_the_table_that_filled_the_disk_goes_on(disk: Path) -> None:
    with Journal(disk / "game.sqlite3") as journal:
        game, _ = journal.begin(HEADER, 0.0, Draft("referee", "started"))
        pictures = {"after": os.urandom(15_000)}
        draft = Draft("camera", "asked", photographs=pictures)
        assert "is full; nothing was lost" in until_full(lambda: journal.append(game, 1.0, [draft]))
        fill(disk)
        kept = len(journal.events(game))
        assert journal.trim_photographs(0) == kept - 1
        journal.append(game, 2.0, [draft])


def test_a_move_is_refused_and_told_once_it_can_be_kept(disk, race, find_race) -> None:
    path = disk / "game.sqlite3"
    with Journal(path) as journal:
        Table.create(journal, race, race.setup())
        fill(disk)
        table = Table.resume(journal, find=find_race)
        said = until_full(lambda: table.note("asked", {"candidates": ["x" * 1000]}, "camera"))
        assert "make room and repeat it" in said
        state = table.state_id
        with pytest.raises(HardwareFault, match="is full"):
            table.play(STEPS[0], "white", {"after": bytes(30_000)})
        assert (table.state_id, table.actions) == (state, ())
        (disk / "filler").unlink()
        assert table.play(STEPS[0], "white", {"after": bytes(30_000)}).allowed
    with Journal(path) as journal:
        assert tuple(Table.resume(journal, find=find_race).actions) == (STEPS[0],)


def test_an_evening_begins_and_the_host_deletes(disk, race, find_race) -> None:
    path = disk / "game.sqlite3"
    with Journal(path) as journal:
        table = Table.create(journal, race, race.setup())
        for step in STEPS:
            table.play(step, "white", {"after": os.urandom(100_000)})
    fill(disk)
    with Journal(path) as journal:
        evening = Evening(Table.resume(journal, find=find_race), find_race)
        evening.tick()
        fill(disk)
        evening.delete("photographs", "host")
        assert photograph_bytes(journal) == 0
        assert tuple(evening.table.actions) == tuple(STEPS)
        evening.begin("race", None, {})


def test_room_is_given_back_for_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite3"
    photographed(path, 4)
    room = path.with_name("game.sqlite3.room")
    before = room.stat().st_size
    assert before > 65_000
    with Journal(path) as journal:
        room.unlink()
        journal.trim_photographs(0)
    assert room.stat().st_size == before
