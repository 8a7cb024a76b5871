"""Whose a journal is: one table's by whatever name, its owner's, and as a companion made it."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.journal import Draft, Header, Journal
from companion.machine.backup import back_up, restore
from companion.referee import audit
from companion.rules import BadInput, CompanionError, HardwareFault
from companion.table import Table
from tests.checks.kept_photographs import photograph_bytes

ROOT = Path(__file__).parents[2]

HEADER = Header("race", ("white", "black"), {})
PICTURE = b"\xff\xd8" + b"secret photograph " * 500
OPEN = "import sys; from companion.journal import Journal; Journal(sys.argv[1]); print('open')"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.sqlite3"


def written(path: Path, count: int = 3) -> Path:
    with Journal(path) as journal:
        game, _ = journal.begin(HEADER, 0.0, Draft("referee", "started"))
        for _ in range(count):
            journal.append(game, 1.0, [Draft("c", "asked", photographs={"after": PICTURE})])
    return path


def changed(path: Path, *statements: str) -> Path:
    db = sqlite3.connect(path)
    for statement in statements:
        db.executescript(statement)
    db.close()
    return path


class TestOneTable:
    @pytest.mark.parametrize("link", [os.symlink, os.link])
    def test_a_link_to_a_journal_is_the_same_journal(self, path, tmp_path, link):
        written(path)
        other = tmp_path / "elsewhere" / "other.sqlite3"
        other.parent.mkdir()
        link(path, other)
        with Journal(path):
            with pytest.raises(BadInput, match="in use by another companion"):
                Journal(other)
            ran = subprocess.run(
                [sys.executable, "-c", OPEN, other], capture_output=True, text=True, check=False
            )
            assert "in use by another companion" in ran.stderr
        Journal(other).close()

    def test_a_refused_opening_takes_nothing_from_the_table_that_has_it(self, path):
        written(path)
        with Journal(path) as journal:
            for _ in range(3):
                with pytest.raises(BadInput):
                    Journal(path)
            ran = subprocess.run(
                [sys.executable, "-c", OPEN, path], capture_output=True, text=True, check=False
            )
            assert "in use by another companion" in ran.stderr
            journal.append(1, 2.0, [Draft("camera", "lost")])

    def test_a_killed_table_leaves_no_lock(self, path):
        script = f"{OPEN}; import os; os.kill(os.getpid(), 9)"
        subprocess.run([sys.executable, "-c", script, path], capture_output=True, check=False)
        Journal(path).close()

    def test_what_is_no_file_is_no_journal(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for name in ("pipe", "."):
            with pytest.raises(BadInput, match="is no journal"):
                Journal(tmp_path / name)


class TestItsOwnersAlone:
    def test_nobody_else_may_read_what_lies_beside_and_in_it(self, path, tmp_path):
        with Journal(path) as journal:
            journal.begin(HEADER, 0.0, Draft("referee", "started"))
            files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        assert set(files.values()) == {0o600}, files
        assert {"game.sqlite3", "game.sqlite3-wal"} <= set(files)

    def test_a_journal_that_everybody_could_read_is_closed_to_them(self, path):
        written(path)
        path.chmod(0o644)
        Journal(path).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


STRANGE = [
    "CREATE TRIGGER evil AFTER INSERT ON event BEGIN DELETE FROM evidence; END",
    "CREATE VIEW faces AS SELECT jpeg FROM evidence",
    "CREATE TABLE more (x TEXT)",
    "CREATE INDEX slow ON event (data)",
    "CREATE VIRTUAL TABLE words USING fts5(text)",
    "ALTER TABLE event ADD COLUMN more TEXT",
    "DROP TABLE record",
    "ALTER TABLE event RENAME TO event2; CREATE VIEW event AS SELECT * FROM event2",
    "DROP INDEX event_of_kind; CREATE INDEX event_of_kind ON event (seq)",
    "PRAGMA user_version = -3",
    "PRAGMA user_version = 1; DROP TABLE evidence",
]


class TestAsACompanionMadeIt:
    @pytest.mark.parametrize("strange", STRANGE)
    def test_what_no_companion_wrote_is_refused_and_left_alone(self, path, strange):
        changed(written(path), strange)
        before = path.read_bytes()
        for opening in (Journal, Journal.read):
            with pytest.raises(BadInput, match="is not as a companion makes it"):
                opening(path)
        assert path.read_bytes() == before

    @pytest.mark.parametrize("strange", STRANGE)
    def test_it_is_not_restored_either(self, path, tmp_path, strange):
        changed(written(path), strange)
        back_up(tmp_path, tmp_path / "b.zip", 0.0)
        with pytest.raises(BadInput, match="is not as a companion makes it"):
            restore(tmp_path / "b.zip", tmp_path / "other")
        assert not (tmp_path / "other").exists()

    def test_a_damaged_file_is_not_restored(self, path, tmp_path):
        written(path, 40)
        back_up(tmp_path, tmp_path / "b.zip", 0.0)
        damaged = bytearray(path.read_bytes())
        for page in range(3, len(damaged) // 4096):
            damaged[page * 4096 : page * 4096 + 100] = b"\x07" * 100
        path.write_bytes(bytes(damaged))
        with (
            zipfile.ZipFile(tmp_path / "b.zip") as old,
            zipfile.ZipFile(tmp_path / "c.zip", "w") as new,
        ):
            for name in old.namelist():
                new.writestr(name, bytes(damaged) if name == path.name else old.read(name))
        with pytest.raises(CompanionError):
            restore(tmp_path / "c.zip", tmp_path / "other")
        assert not (tmp_path / "other").exists()


class TestWhatWasDeleted:
    def traces(self, folder: Path) -> list[str]:
        return [file.name for file in folder.iterdir() if b"secret photo" in file.read_bytes()]

    def test_it_is_gone_as_soon_as_nobody_reads_what_was_before(self, path, tmp_path):
        written(path)
        with Journal(path) as journal:
            reader = sqlite3.connect(path, isolation_level=None)
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM event").fetchall()
            assert journal.trim_photographs(0) == 3
            assert journal.pending
            assert photograph_bytes(journal) == 0
            assert self.traces(tmp_path)
            reader.execute("COMMIT")
            assert journal.wipe()
            assert not self.traces(tmp_path)
            reader.close()

    def test_the_next_event_tries_again(self, path, tmp_path):
        written(path)
        with Journal(path) as journal:
            reader = sqlite3.connect(path, isolation_level=None)
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM event").fetchall()
            journal.trim_photographs(0)
            reader.close()
            journal.append(1, 2.0, [Draft("camera", "lost")])
            assert not journal.pending
            assert not self.traces(tmp_path)

    def test_the_next_start_tries_again(self, path, tmp_path):
        written(path)
        script = (
            "import os, sqlite3, sys; from companion.journal import Journal\n"
            "reader = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
            "journal = Journal(sys.argv[1]); reader.execute('BEGIN')\n"
            "reader.execute('SELECT count(*) FROM event').fetchall()\n"
            "journal.trim_photographs(0); os.kill(os.getpid(), 9)\n"
        )
        subprocess.run([sys.executable, "-c", script, path], check=False)
        assert self.traces(tmp_path)
        with Journal(path):
            assert not self.traces(tmp_path)


class TestDigests:
    def test_a_photograph_that_was_changed_is_named_and_not_shown(self, path, race, find_race):
        with Journal(path) as journal:
            table = Table.create(journal, race, race.setup())
            table.play(race.legal(table.state)[0], "white", {"before": PICTURE, "after": PICTURE})
        changed(path, "UPDATE evidence SET jpeg = x'ffd8' WHERE moment = 'after'")
        with Journal(path) as journal, pytest.raises(HardwareFault, match="not those that were"):
            Table.resume(journal, find=find_race).evidence(2)
        assert audit(path, find_race).spoilt == ("event 2, after",)
        changed(path, "DELETE FROM evidence WHERE moment = 'before'")
        assert set(audit(path, find_race).spoilt) == {"event 2, after", "event 2, before"}

    def test_what_the_host_deleted_is_not_missed(self, path, race, find_race):
        with Journal(path) as journal:
            table = Table.create(journal, race, race.setup())
            table.play(race.legal(table.state)[0], "white", {"before": PICTURE})
            journal.trim_photographs(0)
            assert table.evidence(2) == {}
        assert audit(path, find_race).spoilt == ()

    def test_photographs_of_older_journals_get_theirs(self, path, race, find_race):
        with Journal(path) as journal:
            table = Table.create(journal, race, race.setup())
            table.play(race.legal(table.state)[0], "white", {"before": PICTURE})
        changed(
            path, "DROP TABLE digest; DROP TABLE span; DROP TABLE mark; PRAGMA user_version = 2"
        )
        assert audit(path, find_race).spoilt == ()
        with Journal(path) as journal:
            assert Table.resume(journal, find=find_race).evidence(2) == {"before": PICTURE}
        changed(path, "UPDATE evidence SET jpeg = x'00'")
        assert audit(path, find_race).spoilt == ("event 2, before",)


class TestADiskThatCannotBeWritten:
    @pytest.fixture
    def disk(self, tmp_path):
        place = tmp_path / "disk"
        place.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
        if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("no disk can be mounted here")
        yield place
        subprocess.run(["umount", "-l", str(place)], check=True)

    @pytest.mark.parametrize("killed", [False, True])
    def test_a_journal_on_it_is_audited_to_its_last_event(self, disk, race, find_race, killed):
        path = disk / "game.sqlite3"
        script = (
            "import os, sys\n"
            "from tests.companion.conftest import Race; from companion.journal import Journal\n"
            "from companion.table import Table\n"
            "race = Race(); journal = Journal(sys.argv[1])\n"
            "table = Table.create(journal, race, race.setup())\n"
            "for _ in range(4): table.play(race.legal(table.state)[0], 'white')\n"
            f"{'os.kill(os.getpid(), 9)' if killed else 'journal.close()'}\n"
        )
        subprocess.run([sys.executable, "-c", script, path], cwd=ROOT, check=False)
        for ending in ("-shm", ".room"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        assert path.with_name(path.name + "-wal").exists() == killed
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        before = {file.name for file in disk.iterdir()}
        assert audit(path, find_race).played == 4
        with pytest.raises(HardwareFault):
            Journal(path)
        assert {file.name for file in disk.iterdir()} == before
