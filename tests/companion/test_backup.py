"""A backup holds everything of a table, also while it is used, and later companions restore it."""

from __future__ import annotations

import json
import os
import sqlite3
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import find_game
from companion.journal import Journal, schema
from companion.machine.backup import MANIFEST, back_up, restore
from companion.rules import BadInput, HardwareFault
from companion.table import Table

GAME = find_game("victorus")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder with a game of two actions, its calibration, faces and settings."""
    folder = tmp_path / "tables"
    folder.mkdir()
    with Journal(folder / "evening.sqlite3") as journal:
        table = Table.create(journal, GAME, GAME.setup())
        for text in ("h2-h4", "d3-f3"):
            table.play(GAME.parse(table.setup, text), "camera", {"after": b"\xff\xd8photo"})
    (folder / "evening.table.json").write_text('{"game": "victorus"}')
    (folder / "evening.faces.npz").write_bytes(b"faces")
    (folder / "evening.lights.json").write_text('{"level": "errors"}')
    (folder / "notes.txt").write_text("not ours")
    return folder


def position(path: Path):
    with Journal(path) as journal:
        table = Table.resume(journal)
        return table.state, [GAME.format(action) for action in table.actions]


def test_a_game_goes_on_after_backup_and_restore(played: Path, tmp_path: Path) -> None:
    before = position(played / "evening.sqlite3")
    names = back_up(played, tmp_path / "b.zip", 0.0)
    assert names == (
        "evening.sqlite3", "evening.faces.npz", "evening.lights.json", "evening.table.json",
    )  # fmt: skip
    assert restore(tmp_path / "b.zip", tmp_path / "other") == names
    other = tmp_path / "other"
    assert sorted(path.name for path in other.iterdir()) == sorted(names)
    assert position(other / "evening.sqlite3") == before
    assert (other / "evening.faces.npz").read_bytes() == b"faces"
    with Journal.read(other / "evening.sqlite3") as journal:
        assert journal.evidence(2) == {"after": b"\xff\xd8photo"}


def test_a_table_in_use_is_backed_up_as_it_stands(played: Path, tmp_path: Path) -> None:
    with Journal(played / "evening.sqlite3") as journal:
        table = Table.resume(journal)
        back_up(played, tmp_path / "b.zip", 0.0)
        table.undo(1, "referee")
        restore(tmp_path / "b.zip", tmp_path / "other")
        assert position(tmp_path / "other" / "evening.sqlite3")[1] == ["h2-h4", "d3-f3"]
        with pytest.raises(BadInput, match="in use by another companion"):
            restore(tmp_path / "b.zip", played, replace=True)
        assert len(table.actions) == 1


def test_what_is_there_is_replaced_only_when_asked(played: Path, tmp_path: Path) -> None:
    back_up(played, tmp_path / "b.zip", 0.0)
    with Journal(played / "evening.sqlite3") as journal:
        Table.resume(journal).undo(2, "referee")
    with pytest.raises(BadInput, match=r"has evening.sqlite3, .* already; say --replace"):
        restore(tmp_path / "b.zip", played)
    restore(tmp_path / "b.zip", played, replace=True)
    assert position(played / "evening.sqlite3")[1] == ["h2-h4", "d3-f3"]
    assert (played / "notes.txt").read_text() == "not ours"


def test_the_next_version_restores_this_ones_backup(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = position(played / "evening.sqlite3")
    back_up(played, tmp_path / "b.zip", 0.0)
    following = (*schema.MIGRATIONS, ("ALTER TABLE game ADD COLUMN title TEXT",))
    monkeypatch.setattr(schema, "MIGRATIONS", following)
    restore(tmp_path / "b.zip", tmp_path / "other")
    path = tmp_path / "other" / "evening.sqlite3"
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(following),)
        assert db.execute("SELECT title FROM game").fetchall() == [(None,)]
    db.close()
    with Journal(path) as journal:
        assert Table.resume(journal).state == before[0]


def test_a_backup_of_a_newer_companion_changes_nothing(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        following = (*schema.MIGRATIONS, ("ALTER TABLE game ADD COLUMN title TEXT",))
        later.setattr(schema, "MIGRATIONS", following)
        Journal(played / "evening.sqlite3").close()
        back_up(played, tmp_path / "b.zip", 0.0)
    with pytest.raises(BadInput, match="written by a newer companion"):
        restore(tmp_path / "b.zip", tmp_path / "other")
    assert not (tmp_path / "other").exists()


def packed(path: Path, manifest: object, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, manifest if isinstance(manifest, str) else json.dumps(manifest))
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return path


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ("[", "is no backup of a companion"),
        ({"format": 2, "files": []}, "made by a newer companion"),
        ({"format": 1, "files": ["../evil.sqlite3"]}, "it names “../evil.sqlite3”"),
        ({"format": 1, "files": ["/etc/passwd"]}, "it names “/etc/passwd”"),
        ({"format": 1, "files": ["a.sh"]}, "it names “a.sh”"),
        ({"format": 1, "files": ["gone.sqlite3"]}, "it names “gone.sqlite3”"),
        ({"format": 1, "files": ["a.sqlite3"]}, "is no journal"),
    ],
)
def test_a_file_that_is_no_backup_is_refused(tmp_path: Path, manifest: object, says: str) -> None:
    archive = packed(tmp_path / "b.zip", manifest, a__sqlite3=b"no journal" * 99, a__sh=b"")
    with pytest.raises(BadInput, match=says):
        restore(archive, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_the_commands_tell_what_they_did(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "b.zip")
    assert main(["backup", out, "--data", str(played)]) == 0
    assert "b.zip holds evening.sqlite3" in capsys.readouterr().out
    assert main(["restore", out, "--data", str(tmp_path / "other"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0] == "evening.sqlite3"
    assert main(["restore", str(tmp_path / "none.zip")]) == 2
    assert "there is no backup" in capsys.readouterr().err
    assert main(["backup", out, "--data", str(tmp_path / "empty")]) == 2
    assert "nothing to back up" in capsys.readouterr().err
    (tmp_path / "junk.zip").write_text("junk")
    assert main(["restore", str(tmp_path / "junk.zip"), "--data", str(tmp_path / "o")]) == 2
    assert "is no backup" in capsys.readouterr().err


def test_a_full_disk_leaves_no_half_backup(played: Path, tmp_path: Path) -> None:
    with pytest.raises(HardwareFault, match="cannot be written"):
        back_up(played, tmp_path / "none" / "b.zip", 0.0)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("year", [0.0, -86_400.0, 5e9, 253_402_300_000.0])
def test_files_of_a_machine_whose_clock_was_wrong_are_kept(
    played: Path, tmp_path: Path, year: float
) -> None:
    for path in played.iterdir():
        os.utime(path, (year, year))
    names = back_up(played, tmp_path / "b.zip", 0.0)
    assert restore(tmp_path / "b.zip", tmp_path / "other") == names


def test_a_backup_is_made_while_the_clock_stands_in_1970(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", lambda: 60.0)
    names = back_up(played, tmp_path / "b.zip", 60.0)
    monkeypatch.undo()
    assert restore(tmp_path / "b.zip", tmp_path / "other") == names


def test_a_file_whose_name_is_no_text_is_named(played: Path, tmp_path: Path) -> None:
    (played / os.fsdecode(b"\xff.table.json")).write_text("{}")
    with pytest.raises(BadInput, match="rename it"):
        back_up(played, tmp_path / "b.zip", 0.0)


def archive_of(path: Path, manifest: bytes) -> bytes:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, manifest)
        archive.writestr("a.table.json", b"{}" * 1000)
    return path.read_bytes()


PLAIN = b'{"format": 1, "files": ["a.table.json"]}'


@pytest.mark.parametrize(
    "manifest",
    [b"[" * 100_000, b" " * 50_000_000 + b"{}", b'{"format": 1, "files": 3}', b"\xff", b"null",
     b'{"format": 1, "files": [["a.table.json"]]}', b'{"format": 1, "files": {"../x": 1}}'],
    ids=["deep", "long", "number", "no text", "null", "list", "elsewhere"],
)  # fmt: skip
def test_a_strange_list_of_files_is_refused(tmp_path: Path, manifest: bytes) -> None:
    archive_of(tmp_path / "b.zip", manifest)
    with pytest.raises(BadInput, match="no backup of a companion"):
        restore(tmp_path / "b.zip", tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("offset", range(2))
def test_every_damaged_byte_of_a_backup_is_told_or_harmless(tmp_path: Path, offset: int) -> None:
    data = archive_of(tmp_path / "b.zip", PLAIN)
    for at in range(offset, len(data), 2):
        for bit in (0x01, 0x08, 0xFF):
            torn = bytearray(data)
            torn[at] ^= bit
            (tmp_path / "b.zip").write_bytes(torn)
            with suppress(BadInput, HardwareFault):
                restore(tmp_path / "b.zip", tmp_path / "other", replace=True)
