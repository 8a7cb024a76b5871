"""Nothing that was acknowledged is ever lost: not to a kill, not to a pulled plug.

A killed process loses nothing that it handed to the system, so killing cannot show that a sync
is missing. The second half of this file therefore plays on a disk of our own that forgets what
was not synced when its power is cut, and shows that it does catch a journal that does not sync.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Connection, Event, Journal
from companion.rules import CompanionError, Game, HardwareFault
from companion.table import Table
from tests.checks.lacking import lacking
from tests.soak import crash_table

try:
    import apsw
except ImportError:
    apsw = None

ROOT = Path(__file__).parents[2]
SECTOR = 512


# -- kill -9 -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[Any]]]:
    """A journal whose table was killed in play, and what had been acknowledged."""
    path = tmp_path_factory.mktemp("killed") / "game.journal"
    acknowledged = crash_table.kill_one(str(path), "victorus", random.Random(5))
    Journal(path).close()
    return path, acknowledged


def test_a_killed_table_has_lost_nothing_that_it_acknowledged() -> None:
    command = [sys.executable, "-m", "tests.soak.crash_table", "--kills", "10", "--seed", "3"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    count = json.loads(ran.stdout)
    assert (count["kills"], count["losses"]) == (10, 0)
    assert count["events"] >= count["acknowledged"] >= 10


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("DELETE FROM event WHERE seq > 2", "lost or changed"),
        ("UPDATE event SET action = 'end' WHERE seq = 3", "lost or changed"),
        ("DELETE FROM evidence WHERE moment = 'after'", "lost or changed"),
        ("UPDATE evidence SET jpeg = x'00' WHERE seq = 4", "another photograph"),
    ],
)
def test_the_crash_test_sees_damage(
    killed: tuple[Path, list[list[Any]]],
    tmp_path: Path,
    damage: str,
    complaint: str,
) -> None:
    path, acknowledged = shutil.copy(killed[0], tmp_path), killed[1]
    assert list(crash_table.losses(path, acknowledged)) == []
    vandal = sqlite3.connect(path, isolation_level=None)
    vandal.execute(damage)
    vandal.close()
    assert complaint in " ".join(crash_table.losses(path, acknowledged))


# -- the power is cut --------------------------------------------------------------------


class Disk:
    """Files in memory that keep, when the power is cut, only what was synced, and of the rest
    whatever sectors happened to be written.

    The power goes at the ``fuse``-th write or sync; ``left`` is then the disk that is found
    afterwards. Every later write fails. ``room`` is how many more writes fit on it.
    """

    def __init__(self, fuse: int, source: random.Random) -> None:
        self.files: dict[str, bytearray] = {}
        self.synced: dict[str, bytes] = {}
        self.pending: dict[str, list[tuple[int, bytes | None]]] = {}
        self.left: dict[str, bytearray] | None = None
        self.room: float = math.inf
        self._fuse, self._source = fuse, source

    def restored(self, fuse: int) -> Disk:
        """Return the disk after the cut, with the power on again."""
        if self.left is None:
            self.left = self._survivors()
        disk = Disk(fuse, self._source)
        disk.files = self.left
        disk.synced = {name: bytes(content) for name, content in self.left.items()}
        return disk

    def step(self) -> None:
        """Count a write or sync; raises OSError once the power is off."""
        self._fuse -= 1
        if self._fuse == 0:
            self.left = self._survivors()
        if self._fuse <= 0:
            raise OSError("the power is off")

    def write(self, name: str, offset: int, data: bytes) -> None:
        self.step()
        put(self.files[name], offset, data)
        self.pending.setdefault(name, []).append((offset, data))

    def truncate(self, name: str, size: int) -> None:
        self.step()
        put(self.files[name], size, None)
        self.pending.setdefault(name, []).append((size, None))

    def sync(self, name: str) -> None:
        self.step()
        self.synced[name] = bytes(self.files[name])
        self.pending[name] = []

    def _survivors(self) -> dict[str, bytearray]:
        left = {}
        for name in self.files:
            content = bytearray(self.synced.get(name, b""))
            for offset, data in self.pending.get(name, []):
                # Unsynced writes reach the disk in any order, or not, or torn at a sector.
                if self._source.random() < 0.5:
                    continue
                if data is not None and self._source.random() < 0.3:
                    data = data[: self._source.randrange(0, len(data) + SECTOR, SECTOR)]
                put(content, offset, data)
            left[name] = content
        return left


def put(content: bytearray, offset: int, data: bytes | None) -> None:
    """Write ``data`` at ``offset``, or cut the file there if it is None."""
    if data is None:
        del content[offset:]
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


class DiskFile:
    """One open file of a :class:`Disk`, with the methods that the SQLite file layer calls."""

    def __init__(self, disk: Disk, name: str) -> None:
        self.disk, self.name = disk, name
        disk.files.setdefault(name, bytearray())

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(self.disk.files[self.name][offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.disk.room -= 1
        if self.disk.room < 0:
            raise apsw.FullError("database or disk is full")
        self.disk.write(self.name, offset, bytes(data))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self.disk.truncate(self.name, size)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.disk.sync(self.name)

    def xFileSize(self) -> int:  # noqa: N802
        return len(self.disk.files[self.name])

    def xLock(self, level: int) -> None:  # noqa: N802
        """One connection alone uses the disk; the journal's own lock is a real file."""

    def xUnlock(self, level: int) -> None:  # noqa: N802
        """See :meth:`xLock`."""

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, operation: int, pointer: int) -> bool:  # noqa: N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0

    def xClose(self) -> None:  # noqa: N802
        """The disk keeps its files."""


class OnDisk:
    """A connection to a database on a :class:`Disk`; ``level`` overrides how it is synced."""

    def __init__(self, disk: Disk, path: str, level: str) -> None:
        if apsw is None:
            lacking("apsw, the file layer of the power cuts, is not installed: pip install apsw")

        class Layer(apsw.VFS):  # type: ignore[misc]
            def xOpen(self, name: Any, flags: list[int]) -> DiskFile:  # noqa: N802
                flags[1] = flags[0]
                return DiskFile(disk, str(getattr(name, "filename", lambda: name)()))

            def xAccess(self, name: str, flags: int) -> bool:  # noqa: N802
                return bool(disk.files.get(name))

            def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
                disk.files.pop(name, None)

        self._error = apsw.Error
        name = f"power cut {next(COUNTER)}"
        self._layer = Layer(name, "")
        self._level = level
        self._db = apsw.Connection(path, vfs=name)
        # Without shared memory: the log's index lies in this process alone. Small
        # checkpoints, so that cuts fall into them too.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA wal_autocheckpoint = 20")

    def execute(self, sql: str, parameters: Any = (), /) -> Iterable[Any]:
        sql = sql.replace("synchronous = FULL", f"synchronous = {self._level}")
        try:
            return list(self._db.execute(sql, parameters))
        except (self._error, OSError) as error:
            raise sqlite3.OperationalError(str(error)) from error

    def close(self) -> None:
        with contextlib.suppress(self._error, OSError):
            self._db.close()


COUNTER = itertools.count()


def told(event: Event) -> tuple[Any, ...]:
    return (event.seq, event.kind, event.action, event.at, event.photographs)


def happen(table: Table[Any], source: random.Random) -> None:
    """Let one thing happen: a legal action, a correction, a take-back or a note."""
    pictures = {"before": source.randbytes(900), "after": source.randbytes(1800)}
    chance = source.random()
    if table.actions and chance < 0.15:
        other = source.choice(table.game.legal(table.past[-2]))
        table.correct([other], "seat:white", evidence=pictures)
    elif table.actions and chance < 0.25:
        table.undo(1, "seat:white")
    elif chance < 0.35:
        table.note("lost", {}, "camera")
    else:
        table.play(source.choice(table.game.legal(table.state)), "camera", pictures)


def lives(
    race: Game[Any], find: Callable[[str], Game[Any]], path: str, cuts: int, level: str
) -> Iterator[tuple[dict[int, tuple[Any, ...]], dict[int, tuple[Any, ...]]]]:
    """Cut the power ``cuts`` times; yield what was acknowledged and what was found afterwards.

    Each life takes the journal up where the last one left it. A journal that cannot be read any
    more is found empty, and a new one is begun.
    """
    source = random.Random(1)
    acknowledged: dict[int, tuple[Any, ...]] = {}
    disk = Disk(source.randrange(1, 250), source)

    def connect(name: str) -> Connection:
        return OnDisk(disk, name, level)

    for _ in range(cuts):
        with contextlib.suppress(HardwareFault), Journal(path, connect) as journal:
            table = Table.resume(journal, find=find) if journal.games() else None
            seen = 0
            while disk.left is None:
                if table is None or not race.legal(table.state):
                    table = Table.create(journal, race, race.setup(None, {"length": "26"}))
                acknowledged |= {event.seq: told(event) for event in table.events(seen)}
                seen = table.state_id
                happen(table, source)
        disk = disk.restored(10**9)
        try:
            with Journal(path, connect) as journal:
                events = [e for number in journal.games() for e in journal.events(number)]
                found = {event.seq: told(event) for event in events}
                for event in events:
                    assert set(journal.evidence(event.seq)) == set(event.photographs)
                if events:
                    Table.resume(journal, find=find)
        except CompanionError:
            found = {}
        yield acknowledged, found
        acknowledged = dict(found)
        disk = disk.restored(source.randrange(1, 250)) if found else Disk(200, source)


def test_a_pulled_plug_has_lost_nothing_that_was_acknowledged(
    race: Game[Any], find_race: Callable[[str], Game[Any]], tmp_path: Path
) -> None:
    total = 0
    for acknowledged, found in lives(race, find_race, str(tmp_path / "j"), 80, "FULL"):
        assert {seq: found.get(seq) for seq in acknowledged} == acknowledged
        assert sorted(found) == list(range(1, len(found) + 1))
        for seq, event in found.items():
            assert event[1] != "corrected" or found[seq + 1][1] == "action"
        total = len(found)
    assert total > 300


@pytest.mark.parametrize("level", ["NORMAL", "OFF"])
def test_the_same_cuts_catch_a_journal_that_does_not_sync(
    race: Game[Any], find_race: Callable[[str], Game[Any]], tmp_path: Path, level: str
) -> None:
    lossy = [
        acknowledged
        for acknowledged, found in lives(race, find_race, str(tmp_path / "j"), 30, level)
        if any(found.get(seq) != event for seq, event in acknowledged.items())
    ]
    assert len(lossy) > 5


@pytest.mark.parametrize("room", range(9))
def test_a_disk_that_fills_up_at_any_write_leaves_no_half_event(
    race: Game[Any], find_race: Callable[[str], Game[Any]], tmp_path: Path, room: int
) -> None:
    disk = Disk(10**9, random.Random(room))
    first, second = race.legal(race.start(race.setup()))
    pictures = {"before": bytes(15_000), "after": bytes(15_000)}
    with Journal(tmp_path / "j", lambda name: OnDisk(disk, name, "FULL")) as journal:
        table = Table.create(journal, race, race.setup())
        table.play(first, "camera", pictures)
        before, events = table.line, table.events()
        disk.room = room
        with pytest.raises(HardwareFault, match="is full; nothing was lost"):
            table.correct([second], "seat:white", evidence=pictures)
        assert (table.line, table.events()) == (before, events)
        disk.room = math.inf
        assert table.correct([second], "seat:white", evidence=pictures)[0].allowed
        disk = disk.restored(10**9)
    with Journal(tmp_path / "j", lambda name: OnDisk(disk, name, "FULL")) as journal:
        assert Table.resume(journal, find=find_race).line == table.line
        assert [event.seq for event in journal.events(1)] == [1, 2, 3, 4]
